"""The questions before a game: the opponents, the other players, the terms, and a real box."""

import re
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import replace
from fractions import Fraction
from functools import partial
from operator import attrgetter
from typing import Any

from shutbox.engine.english import capital, listed, number_word, percent, shown
from shutbox.engine.errors import NotUnderstood, ShutboxError, TooLarge
from shutbox.engine.game import Game, Throw
from shutbox.engine.messages import gettext, gettext_noop, ngettext, pgettext
from shutbox.engine.seats import Seat, check_seats, looks, read_name
from shutbox.engine.typed_text import plain_title, typed_words
from shutbox.match import Format, Match, Order, Turn, WhenShut
from shutbox.match.format import ATOMS
from shutbox.solving.graph import Progress, unheard
from shutbox.table.bots import CHARACTERS, PERFECT_SECONDS, RIVAL, read_players
from shutbox.table.lookup import AnyMatch, find_any, games_by_title
from shutbox.table.terms import UNNAMED, Terms, read_terms
from shutbox.term.console import Console

EVEN = Fraction(1, 200)  # how close to 1/2 a share of the win counts as equal
_STAKE = 10  # of the player who does not begin, in the offer of fair stakes
PLAIN = {"rounds", "stake", "begins"}  # the atoms that a short sentence can say
_HELP = gettext_noop(
    "Type names, such as Dave, Nell and two computers. Or the terms: best of 3, 2 chips, Dave "
    "begins, highest throw begins, to 200, game cargo."
)
_BACK = gettext_noop("q goes back, end returns to the first screen.")
_SAY_WHO = gettext_noop(
    "Type names such as Ann and Bob, or me and two computers; or terms such as 3 rounds, 2 chips."
)
_SAY_WHAT = gettext_noop(
    "Type terms such as 3 rounds, 2 chips; or and Bob, without Bob, or all names with commas."
)


def ask_rivals(console: Console) -> Terms:
    """Ask for opponents; return terms with them and the player. Raises GoesBack and Stopped."""
    for number, one in enumerate(CHARACTERS, start=1):
        facts = {"name": one.name, "strength": one.strength, "about": gettext(one.about)}
        console.say(gettext("{number}: {name}, {strength}. {about}", number=number, **facts))
    ask = gettext("Who do you want to play? {name} plays if you just press Enter:", name=RIVAL.name)
    several = gettext("Type a name or a number, or several: 2 and 3, two computers.")
    on_list = {str(number): one.name for number, one in enumerate(CHARACTERS, start=1)}
    while True:
        answer = console.answer(ask, back=True, helps=(several, gettext(_BACK))) or RIVAL.name
        words = typed_words(answer)
        if all(word.isdecimal() for word in words):
            names = [on_list.get(word, "") for word in words]
            terms = understood(console, ", ".join(names)) if all(names) else Terms()
        else:
            terms = understood(console, answer)
        if terms is not None and any(seat.computer for seat in terms.seats):
            break
        if terms is not None:
            says = gettext_noop(
                "{text} is not on the list; type a name, or a number from 1 to {most}."
            )
            console.say(gettext(says, text=shown(answer), most=len(on_list)))
    if all(seat.computer for seat in terms.seats):
        terms = replace(terms, seats=(Seat(UNNAMED), *terms.seats))
    return terms


def ask_name(console: Console, terms: Terms) -> Terms:
    """Ask for the player's name; return the terms with it, or unchanged at Enter.

    Raises GoesBack and Stopped.
    """

    def named(text: str) -> Terms:
        name = Seat(read_name(text))
        seats = tuple(name if seat.name == UNNAMED else seat for seat in terms.seats)
        check_seats(seats)
        return replace(terms, seats=seats)

    ask = gettext("What is your name? Enter leaves it at Player:")
    return console.read(ask, named, gettext("Type your name, or press Enter.")) or terms


def ask_players(console: Console, terms: Terms, default: str, ask: str = "") -> Terms:
    """Ask for players until they can play; return the terms, which the answer can change as well.

    If neither `terms` nor an answer names any, take the list `default` or, if it cannot play, only
    its first player. `ask` is the question, if not the usual one. Raises GoesBack and Stopped.
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


def understood(
    console: Console, text: str, before: Terms | None = None, typed: str = ""
) -> Terms | None:
    """Return a text's terms; say what is not understood. None if that is all, or if refused.

    `typed` is what the player typed, if it is not `text`.
    """
    before = replace(before or Terms(), unread=(), absent=())
    try:
        terms = read_terms(text, before)
    except ShutboxError as error:
        console.refuse(error)
        return None
    for name in terms.absent:
        says = ngettext(
            "{name} is not playing. The player is {names}.",
            "{name} is not playing. The players are {names}.",
            len(terms.seats),
            name=capital(name),
            names=listed(seat.name for seat in terms.seats),
        )
        console.say(says)
    for part in terms.unread:
        console.say(gettext("{text} is not understood.", text=shown(typed or part)))
    if terms.unread:
        console.say(gettext(_SAY_WHAT) if before.seats else gettext(_SAY_WHO))
    plain = replace(terms, unread=(), absent=())
    return None if plain == before and plain != terms else plain


_CHIPS = gettext_noop(
    "How many chips does each player put into the pot for a round? 0 plays without:"
)
_WHO = gettext_noop("Who begins? Type a name, or dice for the highest throw:")
_TOPICS = {
    "rounds": (gettext_noop("How many rounds?"), "{} rounds"),
    "chips": (_CHIPS, "{} chips"),
    "stake": (_CHIPS, "{} chips"),
    "begins": (_WHO, "{} begins"),
    "game": (gettext_noop("Which game would you like?"), "game {}"),
    "players": (gettext_noop("Who plays? Name all players:"), "{}"),
}
"""For a typed word: the question about it, and the phrase that an answer completes."""


def ask_terms(console: Console, terms: Terms, progress: Progress = unheard) -> Terms:
    """Print the terms of a match, change them as asked, and return them once Enter is pressed.

    In a race of two it also says who wins how often, offers to make the race even, and names the
    stakes that are fair. Raises GoesBack and Stopped, and what `Terms.playable` raises.
    """
    ask = gettext("Enter starts; or say what to change:")
    while True:
        console.say(*lines(terms))
        if (race := terms.race) is not None:
            with suppress(TooLarge, KeyboardInterrupt):
                console.say(*_chances(race, progress))
        while answer := console.answer(ask, back=True, helps=(gettext(_HELP), gettext(_BACK))):
            if answer.casefold() == "even" and race is not None:
                try:
                    terms = replace(terms, atoms={**terms.atoms, **_even(race, progress)})
                except KeyboardInterrupt:
                    pass  # it stops only this calculation
                except TooLarge as error:
                    console.refuse(error)
                break
            if new := _changed(console, terms, answer):
                terms = new
                break
        else:
            return terms


def _chances(match: AnyMatch, progress: Progress) -> Iterator[str]:
    """Yield sentences on a race's chances under perfect play, and fair stakes. Raises TooLarge."""
    from shutbox.solving.advice.adviser import wins_in_time  # it loads NumPy, as does the next
    from shutbox.solving.equity.fairness import share_of_first

    if not wins_in_time(match, PERFECT_SECONDS):
        return
    share, first = share_of_first(match, progress), match.format.first
    if abs(share - Fraction(1, 2)) < EVEN:
        yield gettext("Both players have the same chance.")
        return
    fair = gettext_noop("{name} begins, and wins {chance} of the time. Type even for a fair order.")
    staked = gettext_noop("For a fair bet, {name} puts in about {stake} for every 10 of {other}.")
    if match.format.high_roll:
        fair = gettext_noop(
            "The player who begins wins {chance} of the time. Type even for a fair order."
        )
        staked = gettext_noop(
            "For a fair bet, the player who begins puts in about {stake} for every 10 of the other."
        )
    facts = {"name": match.players[first], "other": match.players[1 - first]}
    yield gettext(fair, chance=percent(share), **facts)
    if share < 1 and (stake := round(_STAKE * share / (1 - share))):
        yield gettext(staked, stake=stake, **facts)


def _even(match: AnyMatch, progress: Progress) -> dict[str, str]:
    """Return the fairest order of a race in which player 1 begins, as atoms. Raises TooLarge."""
    from shutbox.solving.equity.fairness import fairest_order  # it loads NumPy

    return {"begins": "1", "order": fairest_order(match, progress).value}


def lines(terms: Terms) -> Iterator[str]:
    """Yield the sentences that tell the terms, all of them. Raises as `Terms.playable` does."""
    game = terms.playable()
    yield from _match_lines(terms, game)
    turn = game.game if isinstance(game, Match) else game
    card, known = turn.card(), find_any(turn.name.partition("(")[0]).card().lines
    yield from (line for line in card.lines if line not in known and line != card.example)
    if terms.by_hand:
        yield gettext("You throw your own dice.")
    for name in (seat.name for seat in terms.seats if not seat.computer):
        if plain_title(name) in games_by_title():
            yield gettext("{name} is a player; for the game, type game {name}.", name=name)


def _match_lines(terms: Terms, game: Game[Any, Any]) -> Iterator[str]:
    named = find_any(terms.name)
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
        ends = attrgetter("wins", "target", "limit", "until")  # what ends a match, besides rounds
        if other_rounds or ends(named.format) != ends(format):
            title = game.game.card().title
    players = gettext("{title}: {names}.", title=title, names=names)
    if isinstance(named, Match) or not format.options.keys() <= PLAIN:
        usual = {k: v for k, v in format.options.items() if k in PLAIN or ATOMS[k].ends}
        plain = Format.parse(",".join(f"{key}={value}" for key, value in usual.items()))
        brief, known = game.brief(), Match(game.game, plain, game.players).card().lines
        yield from (players, brief)
        yield from (line for line in game.card().lines if line not in known and line not in brief)
        if format.order is Order.SEATS:
            yield begins
        return
    rounds, stake = format.most_rounds, format.stake
    facts = {"number": number_word(rounds), "stake": stake}
    text = ngettext("one round, no chips.", "{number} rounds, no chips.", rounds, **facts)
    if stake == 1:
        text = ngettext(
            "one round, 1 chip each.", "{number} rounds at 1 chip each.", rounds, **facts
        )
    elif stake:
        text = ngettext(
            "one round, {stake} chips each.",
            "{number} rounds at {stake} chips each.",
            rounds,
            **facts,
        )
    yield " ".join([players, capital(text), begins])


def _changed(console: Console, terms: Terms, answer: str) -> Terms | None:
    """Return terms changed by an answer (`chips` asks how many); None, and say why, if refused."""
    word, typed, before = answer.casefold(), "", terms
    if topic := _TOPICS.get(word):
        typed = answer = console.answer(gettext(topic[0]), back=True)
        if not answer:
            return terms
        if word == "begins" and answer.casefold() in ("dice", "the dice"):
            answer = "highest throw"
        elif not answer.casefold().endswith(topic[1].strip("{} ")):
            answer = topic[1].format(answer)
        if word == "players":
            before = replace(terms, seats=())
    elif any(seat.name.casefold() == word for seat in terms.seats):
        answer = f"{answer} begins"
    new = understood(console, answer, before, typed)
    if new is None:
        return None
    new = new if new.seats else replace(new, seats=terms.seats)
    try:
        new.playable()
    except ShutboxError as error:
        console.refuse(error)
        return None
    rounds = int(terms.atoms.get("rounds", 0))
    if rounds and not new.atoms.keys() & {"rounds", "wins", "to", "limit", "target", "until"}:
        own = ngettext(
            "{title} ends in its own way, not after one round.",
            "{title} ends in its own way, not after {number} rounds.",
            rounds,
            title=find_any(new.name).card().title,
            number=number_word(rounds),
        )
        console.say(own)
    return new


def ask_box(console: Console, progress: Progress = unheard) -> tuple[Terms, str]:
    """Ask what is played at a real box: the game, the players, the terms, and the position there.

    Return the terms, with dice thrown by hand, and the position as text, empty for the start.
    Raises GoesBack and Stopped.
    """
    ask = gettext("Which box, and who plays? Enter takes Classic, alone:")
    terms = ask_players(console, Terms(by_hand=True), UNNAMED, ask)
    if isinstance(match := terms.playable(), Match):
        terms = ask_terms(console, terms, progress)
        match = terms.playable()
    elif terms != Terms((Seat(UNNAMED),), by_hand=True):
        console.say(*lines(terms))
    game = match.game if isinstance(match, Match) else match

    def turn_at(answer: str) -> Any:
        at = game.position_at(".".join(typed_words(answer)))
        offers = game.scene(at).offers
        if isinstance(game.awaits(at), Throw) or {offer.kind for offer in offers} == {"dice"}:
            return at
        raise NotUnderstood("{text} leaves nothing to throw for", text=shown(answer))

    ask = gettext("Which tiles are up? Enter leaves all of them up:")
    helps = gettext("Type the tiles that are up, with spaces between them, or press Enter.")
    at = console.read(ask, turn_at, helps)
    if at is None:
        return terms, ""
    if isinstance(match, Match):
        at = _ask_turns(console, match, at)
    return terms, match.position_id(at)


def _ask_turns(console: Console, match: Match[Any, Any], at: Any) -> Any:
    """Ask for the round, the totals before it, whose turn it is, and the scores before that turn.

    Return the position of the match with the turn due at `at`.
    """
    names, rules = match.players, match.rules
    (low, high), best = rules.scores, rules.scoring.best
    if match.format.shut is WhenShut.WINS:  # it would have ended the round
        low, high = low + (best == low), high - (best == high)

    def seat_of(answer: str) -> int:
        found = [seat for seat, name in enumerate(names) if looks(name) & looks(answer)]
        if len(found) == 1:
            return found[0]
        raise NotUnderstood("{text} is not understood", text=shown(answer))

    def number_of(least: int, most: int, name: str, answer: str) -> int:
        """Return the one number of an answer such as 17, or Ann had 17."""
        words = typed_words(answer.replace(name, "", 1) if name else answer)
        numbers = [int(word) for word in words if re.fullmatch("[0-9]{1,9}", word)]
        if len(numbers) == 1 and least <= numbers[0] <= most:
            return numbers[0]
        raise NotUnderstood("type a number from {low} to {high}", low=least, high=most)

    here, round = match.settled(match.start()).position, 1
    helps = gettext("Type a number, or press Enter.")
    if (most := match.format.most_rounds) > 1:
        ask = gettext("Which round is this? Enter if it is the first:")
        round = console.read(ask, partial(number_of, 1, most, ""), helps) or 1
    for seat, name in enumerate(names if round > 1 else ()):
        ask = gettext("What did {name} have in all before this round? Enter if nothing:", name=name)
        total = console.read(ask, partial(number_of, *rules.totals(round - 1), name), helps) or 0
        here = here.with_tally(seat, replace(here.tallies[seat], total=total))
    ask = gettext(
        "Whose turn is it? {name} plays if you just press Enter:", name=names[match.format.first]
    )
    due = (
        None
        if not names[1:]
        else console.read(ask, seat_of, gettext("Type a name, or press Enter."))
    )
    first = due = match.format.first if due is None else due
    for seat in (*range(due - 1, -1, -1), *range(len(names) - 1, due, -1)):
        ask = gettext(
            "What has {name} scored in this round? Enter if that turn is still to come:",
            name=names[seat],
        )
        score = console.read(ask, partial(number_of, low, high, names[seat]), helps)
        if score is None:
            break
        tally = replace(here.tallies[seat], score=score, shut=score == best)
        here, first = here.with_tally(seat, tally), seat
    return replace(here, doing=Turn(due, at), first=first, round=round)
