"""The questions before a match: the opponents, the other players, and the terms."""

import re
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import replace
from fractions import Fraction

from shutbox.bots import CHARACTERS, RIVAL, read_players
from shutbox.english import capital, listed, number_word, percent, shown
from shutbox.errors import BadName, NotUnderstood, ShutboxError, TooLarge
from shutbox.lookup import find_any
from shutbox.match import Format, Match
from shutbox.messages import gettext, gettext_noop, ngettext, pgettext
from shutbox.seats import Seat, read_name
from shutbox.solver.graph import Progress, unheard
from shutbox.table.terms import UNNAMED, Terms, is_name, read_terms
from shutbox.term.console import Console

EVEN = Fraction(1, 200)  # a difference of chances that does not matter
_STAKE = 10  # of the player who does not begin, in the offer of fair stakes
PLAIN = {"rounds", "stake", "begins"}  # the atoms that a short sentence can say
_HELP = gettext_noop(
    "Say it in your words, such as Dave, Nell and two computers. Or the terms: best of 3, 2 chips, "
    "Dave begins, highest throw begins, to 200, a game."
)
_BACK = gettext_noop("q goes back, end returns to the first screen.")


def ask_rivals(console: Console) -> Terms:
    """Ask whom the player wants to play, and return the terms with all players.

    Raises GoesBack and Stopped.
    """
    lines = [
        gettext(
            "{number}: {name}, {strength}. {about}",
            number=number,
            name=one.name,
            strength=one.strength,
            about=gettext(one.about),
        )
        for number, one in enumerate(CHARACTERS, start=1)
    ]
    ask = gettext("Who do you want to play? {name} plays if you just press Enter:", name=RIVAL.name)
    console.say(*lines)
    several = gettext("Type a name or a number, or several: 2 and 3, two computers.")
    while True:
        answer = console.answer(ask, back=True, helps=(several, gettext(_BACK))) or RIVAL.name
        names = re.sub(rf"\b[1-{len(CHARACTERS)}]\b", _numbered, answer)
        only = re.fullmatch(r"[0-9\s,&+]*(?:and[0-9\s,&+]*)*", answer)  # numbers of the list
        terms = understood(console, names if only else answer)
        if terms is not None and terms.seats:
            break
    if all(seat.computer for seat in terms.seats):
        terms = replace(terms, seats=(Seat(UNNAMED), *terms.seats))
    return terms


def _numbered(found: "re.Match[str]") -> str:
    return CHARACTERS[int(found[0]) - 1].name


def ask_name(console: Console) -> str:
    """Ask for the player's name; Enter takes Player. Raises GoesBack and Stopped."""

    def name_of(text: str) -> str:
        if is_name(text):
            return read_name(text)
        raise BadName("{text} is not a name", text=shown(text))

    return (
        console.read(gettext("What is your name? Enter leaves it at Player:"), name_of) or UNNAMED
    )


def ask_players(console: Console, terms: Terms, default: str, ask: str = "") -> Terms:
    """Ask for players until they can play these terms; return the terms with them.

    An empty answer takes the players of `default`. The answer can also change the terms. `ask` is
    the question, if it is another one. Raises GoesBack and Stopped.
    """
    seats, you = read_players(default), pgettext("the player who is asked", "you")
    ask = ask or gettext(
        "Who plays? Type names, such as Rosie and the computer. {players} play if you just press "
        "Enter:",
        players=capital(listed(you if seat.name == UNNAMED else seat.name for seat in seats)),
    )
    while True:
        answer = console.answer(ask, back=True, helps=(gettext(_HELP), gettext(_BACK)))
        new = understood(console, answer, terms) if answer else terms
        if new is None:
            continue
        # A game that is no match is played alone.
        some = [new.seats] if new.seats else [seats, seats[:1]]
        for found in (replace(new, seats=each) for each in some):
            try:
                found.playable()
            except ShutboxError as error:
                refused = error
            else:
                return found
        console.refuse(refused)


def understood(console: Console, text: str, before: Terms | None = None) -> Terms | None:
    """Read a phrase, and say which parts were not understood; None if no part was.

    See `read_terms`.
    """
    before = before or Terms()
    try:
        terms = read_terms(text, before)
    except ShutboxError as error:
        console.refuse(error)
        return None
    for part in terms.unread:
        console.say(gettext("{text} is not understood.", text=shown(part)))
    plain = replace(terms, unread=())
    return None if terms.unread and plain == replace(before, unread=()) else plain


_CHIPS = gettext_noop(
    "How many chips does each player put into the pot for a round? 0 plays without:"
)
_TOPICS = {
    "rounds": (gettext_noop("How many rounds?"), "{} rounds"),
    "chips": (_CHIPS, "{} chips"),
    "stake": (_CHIPS, "{} chips"),
    "begins": (
        gettext_noop("Who begins? Type a name, or dice for the highest throw:"),
        "{} begins",
    ),
    "game": (gettext_noop("Which game would you like?"), "{}"),
    "players": (gettext_noop("Who plays? Name all players:"), "{}"),
}
"""For a typed word: the question about it, and the phrase that an answer completes."""


def ask_terms(console: Console, terms: Terms, progress: Progress = unheard) -> Terms:
    """Print the terms of a match, change them as asked, and return them once Enter is pressed.

    In a race of two it also says who has what chance, offers to make the race even, and names the
    stakes that are fair. Raises GoesBack and Stopped, and what `Terms.playable` raises for these
    terms.
    """
    ask = gettext("Enter starts; or say what to change:")
    while True:
        console.say(*lines(terms))
        if terms.is_race:
            with suppress(TooLarge, KeyboardInterrupt):
                console.say(*_chances(terms, progress))
        while answer := console.answer(ask, back=True, helps=(gettext(_HELP), gettext(_BACK))):
            if answer.casefold() == "even" and terms.is_race:
                terms = _even(terms, progress)
                break
            if new := _changed(console, terms, answer):
                terms = new
                break
        else:
            return terms


def _chances(terms: Terms, progress: Progress) -> Iterator[str]:
    """Yield who wins how often if both play perfectly, and what is fair. Raises TooLarge."""
    from shutbox.analysis.equity.begins import even_stake, share_of_first  # it loads NumPy

    match = terms.playable()
    assert isinstance(match, Match)  # because it is a race
    share, first = share_of_first(match, progress), match.format.first
    if abs(share - Fraction(1, 2)) < EVEN:
        yield gettext("Both players have the same chance.")
        return
    fair = gettext_noop("{name} begins, and wins {chance} of the time; even makes it fair.")
    staked = gettext_noop(
        "If you play for a stake, it is also fair if {name} puts in about {stake}, and {other} 10."
    )
    if match.format.high_roll:
        fair = gettext_noop("Whoever begins wins {chance} of the time; even makes it fair.")
        staked = gettext_noop(
            "If you play for a stake, it is also fair if whoever begins puts in about {stake}, "
            "and the other player 10."
        )
    facts = {"name": match.players[first], "other": match.players[1 - first]}
    yield gettext(fair, chance=percent(share), **facts)
    if share < 1 and (stake := round(_STAKE * even_stake(share))):
        yield gettext(staked, stake=stake, **facts)


def _even(terms: Terms, progress: Progress) -> Terms:
    """Return the terms with the order of play that is fairest without a throw for the start."""
    from shutbox.analysis.equity.begins import fairest_order  # it loads NumPy

    match = terms.playable()
    assert isinstance(match, Match)  # because it is a race
    atoms = {"begins": "1", "order": fairest_order(match, progress).value}
    return replace(terms, atoms={**terms.atoms, **atoms})


def lines(terms: Terms) -> Iterator[str]:
    """Yield the sentences that read terms back: the game, the players, and how they play.

    Raises what `Terms.playable` raises.
    """
    named, game = find_any(terms.name), terms.playable()
    title, names = named.card().title, listed(seat.name for seat in terms.seats)
    if not isinstance(game, Match):
        yield gettext("{title}: {names}.", title=title, names=names)
        return
    format = game.format
    begins = gettext("{first} begins.", first=game.players[format.first])
    if format.high_roll:
        begins = gettext("The highest throw begins.")
    if isinstance(named, Match):
        other_rounds = named.format.rounds not in (1, format.rounds)
        if other_rounds or _ends(named.format) != _ends(format):
            title = game.game.card().title
    says = [gettext("{title}: {names}.", title=title, names=names)]
    if isinstance(named, Match) or not format.options.keys() <= PLAIN:
        yield from (*says, game.brief(), begins)
        return
    rounds, stake = format.most_rounds, format.stake
    facts = {"number": number_word(rounds), "stake": stake}
    told = ngettext("one round, no chips.", "{number} rounds, no chips.", rounds, **facts)
    if stake == 1:
        told = ngettext("one round, 1 chip each.", "{number} rounds, 1 chip each.", rounds, **facts)
    elif stake:
        told = ngettext(
            "one round, {stake} chips each.",
            "{number} rounds, {stake} chips each.",
            rounds,
            **facts,
        )
    says.append(capital(told))
    yield " ".join([*says, begins])


def _ends(format: Format) -> tuple[object, ...]:
    """Return the conditions, besides rounds, that end a match."""
    return format.target, format.limit, format.until


def _changed(console: Console, terms: Terms, answer: str) -> Terms | None:
    """Return the terms as an answer changes them; None if it is refused."""
    word = answer.casefold()
    if topic := _TOPICS.get(word):
        value = console.answer(gettext(topic[0]), back=True)
        by_throw = word == "begins" and value.casefold() in ("dice", "the dice")
        answer = "highest throw" if by_throw else topic[1].format(value)
    elif any(seat.name.casefold() == word for seat in terms.seats):
        answer = f"{answer} begins"
    new = understood(console, answer, terms)
    if new is None:
        return None
    if is_name(answer) and [seat.name for seat in new.seats] == [answer]:
        # A single word is more likely a slip than the only player.
        console.refuse(NotUnderstood("{text} is not understood", text=shown(answer)))
        return None
    try:
        new.playable()
    except ShutboxError as error:
        console.refuse(error)
        return None
    rounds = int(terms.atoms.get("rounds", 0))
    if rounds and not new.atoms.keys() & {"rounds", "to", "limit", "target", "until"}:
        own = ngettext(
            "{title} ends in its own way, not after one round.",
            "{title} ends in its own way, not after {number} rounds.",
            rounds,
            title=find_any(new.name).card().title,
            number=number_word(rounds),
        )
        console.say(own)
    return new
