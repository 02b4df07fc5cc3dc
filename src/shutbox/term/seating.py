"""The questions before a game: the opponents, the other players, and the terms."""

from collections.abc import Iterator
from dataclasses import replace
from operator import attrgetter
from typing import Any

from shutbox.engine.english import capital, counted, listed, shown
from shutbox.engine.errors import ShutboxError
from shutbox.engine.game import Game
from shutbox.engine.messages import gettext, gettext_noop, ngettext, pgettext
from shutbox.engine.seats import Seat, check_seats, read_name
from shutbox.engine.typed_text import plain_title, typed_words
from shutbox.match import Format, Match, Order, turn_game
from shutbox.match.format import ATOMS
from shutbox.solving.strategy.fixed import CHARACTERS
from shutbox.table.characters import RIVAL, read_players
from shutbox.table.lookup import find_any, games_by_title
from shutbox.table.setup import UNNAMED, Terms
from shutbox.table.terms import read_terms
from shutbox.term.console import Console

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
    by_ear = console.voice is not None  # then the list is written, and spoken only at `?`
    rivals = list(_rival_lines())
    console.say(*rivals, aloud=not by_ear)
    if by_ear:
        template = gettext_noop("Against whom? Enter is {name}, ? says more:")
    else:
        template = gettext_noop("Who do you want to play? {name} plays if you just press Enter:")
    ask = gettext(template, name=RIVAL.name)
    several = gettext(
        "Type a name or a number, or several: 2 and 3, two computers; and terms such as best of 3."
    )
    helps = [*(rivals if by_ear else ()), several, gettext(_BACK)]
    while True:
        answer = console.answer(ask, back=True, helps=helps) or RIVAL.name
        if terms := _read_rivals(console, answer):
            return terms


def _read_rivals(console: Console, answer: str) -> Terms | None:
    """Return terms with the computer players of an answer and one person; None after a refusal."""
    on_list = {str(number): player.name for number, player in enumerate(CHARACTERS, start=1)}
    words = typed_words(answer)
    names = [on_list[word] for word in words if word in on_list]
    terms = understand(console, ", ".join(names) if len(names) == len(words) else answer)
    if terms is None:
        return None
    people = {seat.name for seat in terms.seats if not seat.computer}
    if len(people) == len(terms.seats) or not people <= {UNNAMED}:
        says = gettext_noop("{text} is not on the list; type a name, or a number from 1 to {most}.")
        console.say(gettext(says, text=shown(answer), most=len(on_list)))
        return None
    return terms if people else replace(terms, seats=(Seat(UNNAMED), *terms.seats))


def _rival_lines() -> Iterator[str]:
    """Yield a sentence about each computer player, with the number to type."""
    for number, player in enumerate(CHARACTERS, start=1):
        facts = {"name": player.name, "strength": player.strength, "about": gettext(player.about)}
        yield gettext("{number}: {name}, {strength}. {about}", number=number, **facts)


def ask_name(console: Console, terms: Terms) -> Terms:
    """Ask for the player's name; return the terms with it, or unchanged at Enter.

    Raises GoesBack and Stopped.
    """

    def with_name(text: str) -> Terms:
        name = Seat(read_name(text))
        seats = tuple(name if seat.name == UNNAMED else seat for seat in terms.seats)
        check_seats(seats)
        return replace(terms, seats=seats)

    ask = gettext("Your name, or Enter:")
    return console.read(ask, with_name, gettext("Type your name, or press Enter.")) or terms


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
        new = understand(console, answer, terms) if answer else terms
        if new is None:
            continue
        # A game that is no match is played alone.
        candidates = [new.seats] if new.seats else [seats, seats[:1]]
        for seated in (replace(new, seats=each) for each in candidates):
            try:
                seated.find_game()
            except ShutboxError as error:
                refused = error
            else:
                return seated
        console.refuse(refused)


def understand(console: Console, text: str, before: Terms | None = None) -> Terms | None:
    """Return a text's terms, added to `before`; say what is not understood, or breaks a rule.

    None if nothing of it was understood, or if it breaks a rule.
    """
    before = replace(before or Terms(), unread=())
    try:
        terms = read_terms(text, before)
    except ShutboxError as error:
        console.refuse(error)
        return None
    for part in terms.unread:
        console.say(gettext("{text} is not understood.", text=shown(part)))
    if terms.unread:
        console.say(gettext(_SAY_WHAT) if before.seats else gettext(_SAY_WHO))
    plain = replace(terms, unread=())
    return None if plain == before and plain != terms else plain


def ask_terms(console: Console, terms: Terms) -> Terms:
    """Print the terms of a match, change them as asked, and return them once Enter is pressed.

    Raises GoesBack and Stopped, and what `Terms.find_game` raises.
    """
    ask = gettext("Enter starts; or say what to change:")
    while True:
        console.say(*terms_sentences(terms))
        helps = (gettext(_HELP), gettext(_BACK))
        while answer := console.answer(ask, back=True, helps=helps):
            if new := _change_terms(console, terms, answer):
                terms = new
                break
        else:
            return terms


def terms_sentences(terms: Terms) -> Iterator[str]:
    """Yield the sentences on who plays what, and on every rule that is not usual.

    Raises as `Terms.find_game` does.
    """
    game = terms.find_game()
    yield from _match_sentences(terms, game)
    turn = turn_game(game)
    card, known = turn.card(), find_any(turn.name.partition("(")[0]).card().lines
    yield from (line for line in card.lines if line not in known and line != card.example)
    if terms.by_hand:
        yield gettext("You throw your own dice.")
    for name in (seat.name for seat in terms.seats if not seat.computer):
        if plain_title(name) in games_by_title():
            yield gettext("{name} is a player; for the game, type game {name}.", name=name)


def _match_sentences(terms: Terms, game: Game[Any, Any]) -> Iterator[str]:
    """Yield the title, the players and the format; for a turn alone, the title and the player."""
    named, names = find_any(terms.name), listed(seat.name for seat in terms.seats)
    players = gettext("{title}: {names}.", title=_title(named, game), names=names)
    if not isinstance(game, Match):
        yield players
        return
    format = game.format
    begins = gettext("{first} begins.", first=game.players[format.first])
    if format.high_roll:
        begins = gettext("The highest throw begins.")
    if not isinstance(named, Match) and format.options.keys() <= PLAIN:
        yield f"{players} {_plain_sentence(format)} {begins}"
        return
    usual = {k: v for k, v in format.options.items() if k in PLAIN or ATOMS[k].ends}
    plain = Format.parse(",".join(f"{key}={value}" for key, value in usual.items()))
    brief, known = game.list_line(), Match(game.game, plain, game.players).card().lines
    yield from (players, brief)
    yield from (line for line in game.card().lines if line not in known and line not in brief)
    if format.order is Order.SEATS:
        yield begins


def _title(named: Game[Any, Any], game: Game[Any, Any]) -> str:
    """Return the title of what was named; of its box alone if the match ends in another way."""
    if isinstance(named, Match) and isinstance(game, Match):
        usual, format = named.format, game.format
        ends = attrgetter("wins", "target", "limit", "until")  # what ends a match, besides rounds
        if usual.rounds not in (1, format.rounds) or ends(usual) != ends(format):
            return game.game.card().title
    return named.card().title


def _plain_sentence(format: Format) -> str:
    """Return the sentence on rounds and chips."""
    rounds = counted("one round", "{number} rounds", format.most_rounds)
    chips = ngettext("{number} chip each", "{number} chips each", format.stake)
    facts = {
        "rounds": capital(rounds),
        "chips": chips if format.stake else pgettext("terms of a match", "no chips"),
    }
    return gettext("{rounds}, {chips}.", **facts)


def _change_terms(console: Console, terms: Terms, answer: str) -> Terms | None:
    """Return terms changed by an answer; None, and say why, if it is refused."""
    if (new := understand(console, answer, terms)) is None:
        return None
    try:
        new.find_game()
    except ShutboxError as error:
        console.refuse(error)
        return None
    rounds = int(terms.atoms.get("rounds", 0))
    if rounds and not new.atoms.keys() & {"rounds", "wins", "to", "limit", "target", "until"}:
        own = counted(
            "{title} ends in its own way, not after one round.",
            "{title} ends in its own way, not after {number} rounds.",
            rounds,
            title=find_any(new.name).card().title,
        )
        console.say(own)
    return new
