"""The questions about a game at a real box, which can be in progress: the companion.

A typed fact is a number, after a name if need be: `17`, `Ann had 17`, `Bob has 12 chips`, `pot 6`.
"""

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import partial
from typing import Any, NamedTuple, TypeVar

from shutbox.engine.english import joined_clauses, listed, shown
from shutbox.engine.errors import ImpossiblePosition, NotUnderstood
from shutbox.engine.game import Rows, Throw
from shutbox.engine.messages import gettext, gettext_noop
from shutbox.engine.names import are_alike
from shutbox.engine.seats import Seat
from shutbox.engine.typed_text import NUMBER_WORDS, in_ascii, in_english
from shutbox.games.traits import traits_of
from shutbox.match import Match, Turn, WhenShut, turn_game
from shutbox.match.format import Stuck
from shutbox.solving.progress import Progress, no_progress
from shutbox.table.setup import UNNAMED, Terms
from shutbox.term.console import Console
from shutbox.term.seating import ask_players, ask_terms, terms_sentences

T = TypeVar("T")
_SEPARATOR = re.compile(r"\s*[,;]\s*|\s+and\s+")  # of typed facts and names
_FACTS = gettext_noop(
    "Type totals before this round, and chips as they lie now: Ann had 17, Bob has 12 chips, pot 6."
)


class _Fact(NamedTuple):
    name: str  # who or what has it; empty if nobody is named
    number: int | None  # None if the text says no number
    counts_chips: bool


def ask_box(console: Console, progress: Progress = no_progress) -> tuple[Terms, str]:
    """Ask what is played at a real box: the game, the players, the terms, and the position there.

    Return the terms, with dice thrown by hand, and the position as text, empty for the start.
    Raises GoesBack and Stopped.
    """
    ask = gettext("Which box, and who plays? Enter takes Classic, alone:")
    terms = ask_players(console, Terms(by_hand=True), UNNAMED, ask)
    if isinstance(match := terms.find_game(), Match):
        terms = ask_terms(console, terms, progress)
        match = terms.find_game()
    elif terms != Terms((Seat(UNNAMED),), by_hand=True):
        console.say(*terms_sentences(terms))
    game = turn_game(match)
    if (typed := traits_of(game).typed) is None:
        return terms, ""

    def turn_at(answer: str) -> Any:
        """Return the typed position, if a throw or the choice of a number of dice comes next."""
        at = _read_possible(typed.read, answer)
        offers = game.scene(at).offers
        if isinstance(game.awaits(at), Throw) or {offer.kind for offer in offers} == {"dice"}:
            return at
        # Translators: {text} is what was typed; with these tiles up, no throw comes next.
        raise NotUnderstood("{text} leaves nothing to throw for", text=shown(answer))

    ask, helps = gettext(typed.ask), gettext(typed.helps)
    if isinstance(match, Match) and match.rules.rows:
        asks = (gettext("{name}: {question}", name=name, question=ask) for name in match.players)
        rows = (console.read(ask_row, turn_at, helps) for ask_row in asks)
        at = _ask_rows(console, match, match.rules.rows, rows)
    else:
        at = console.read(ask, turn_at, helps)
        if at is not None and isinstance(match, Match):
            at = _ask_turns(console, match, at)
    return terms, "" if at is None else match.position_id(at)


def _ask_rows(
    console: Console, match: Match[Any, Any], of_game: Rows, answers: Iterator[Any]
) -> Any:
    """Ask for every row, the round, whose turn it is, and who is out; `answers` asks row by row.

    Return the position of the match, or None for the start: all tiles of the first row are up.
    """
    if (first := next(answers)) is None:
        return None
    rows = (first, *(row or match.game.start() for row in answers))
    state, due = _ask_round(console, match)
    state = replace(state, doing=Turn(due, rows[due]), rows=rows)

    def without(text: str) -> Any:
        """Return the position of the match if the players in `text` are out."""
        changed = state
        for name in _SEPARATOR.split(in_english(in_ascii(text))):
            if (seat := _read_seat(match.players, name)) == due:
                raise NotUnderstood(
                    "{name} throws next, and cannot be out", name=match.players[due]
                )
            tally = replace(changed.tallies[seat], score=of_game.score(rows[seat]))
            changed = changed.with_tally(seat, tally)
        return _read_possible(match.position_at, match.position_id(changed))

    if match.format.stuck is Stuck.PASSES:
        return state
    ask = gettext("Who is out? Type their names, or press Enter if nobody is:")
    return console.read(ask, without, gettext("Type names, or press Enter.")) or state


def _ask_round(console: Console, match: Match[Any, Any]) -> tuple[Any, int]:
    """Ask for the round, what everybody has, and whose turn it is.

    Return the position before anybody has thrown in that round, and the seat that is due.
    """
    names, begins = match.players, match.format.first
    state, round = match.settled(match.start()).position, 1
    if (most := match.format.most_rounds) > 1:
        ask = gettext("Which round is this? Enter if it is the first:")
        helps = gettext("Type a number, or press Enter.")
        round = console.read(ask, partial(_read_number, 1, most, "round"), helps) or 1
    if round > 1:
        ask = gettext("What does everybody have? Type ? for an example, or Enter if nothing:")
        standing = console.read(ask, partial(_read_standing, match, state, round), gettext(_FACTS))
        state = standing or state
    due = None
    if names[1:]:
        ask = gettext("Whose turn is it? {name} plays if you just press Enter:", name=names[begins])
        due = console.read(ask, partial(_read_seat, names), gettext("Type a name, or press Enter."))
    return replace(state, round=round), begins if due is None else due


def _ask_turns(console: Console, match: Match[Any, Any], at: Any) -> Any:
    """Ask what `_ask_round` asks, and for the scores before the turn that is due.

    Return the position of the match with that turn at `at`.
    """
    names, rules = match.players, match.rules
    (low, high), best = rules.score_range, rules.scoring.best
    if match.format.shut is WhenShut.WINS:  # it would have ended the round
        low, high = low + (best == low), high - (best == high)
    state, due = _ask_round(console, match)
    first = due
    helps = gettext("Type a number, or press Enter.")
    # Backwards from the player due: the last who has played this round began it.
    for seat in (*range(due - 1, -1, -1), *range(len(names) - 1, due, -1)):
        ask = gettext(
            "What has {name} scored in this round? Enter if that turn is still to come:",
            name=names[seat],
        )
        score = console.read(ask, partial(_read_number, low, high, names[seat]), helps)
        if score is None:
            break
        tally = replace(state.tallies[seat], score=score, shut=score == best)
        state, first = state.with_tally(seat, tally), seat
    return replace(state, doing=Turn(due, at), first=first)


def _read_standing(match: Match[Any, Any], state: Any, round: int, text: str) -> Any:
    """Return `state` with the totals before a round, the chips and the pot that a text says.

    The chips of one player, or of the pot, follow from the others. Raises NotUnderstood.
    """
    chips: dict[int, int] = {}  # by seat, as far as they are typed
    pot: int | None = None
    for part in _SEPARATOR.split(in_english(in_ascii(text))):
        fact = _read_fact(part)
        of_pot = are_alike(fact.name, "pot")
        of_chips = of_pot or fact.counts_chips
        if fact.number is None or (of_chips and not match.format.stake):
            raise NotUnderstood(
                "{text} is not understood; type such as Ann had 17, Bob has 12 chips, pot 6",
                text=shown(part),
            )
        if of_pot:
            pot = fact.number
        elif fact.counts_chips:
            chips[_read_seat(match.players, fact.name)] = fact.number
        else:
            seat = _read_seat(match.players, fact.name)
            state = state.with_tally(seat, replace(state.tallies[seat], total=fact.number))
    complete = _with_chips(match, state, chips, pot) if chips or pot is not None else state
    _read_possible(match.position_at, match.position_id(replace(complete, round=round)))
    return complete


def _read_possible(read: Callable[[str], T], text: str) -> T:
    """Return what `read` finds; for an impossible position, raise NotUnderstood with reasons."""
    try:
        return read(text)
    except ImpossiblePosition as error:
        raise NotUnderstood(joined_clauses(error.reasons)) from None


def _with_chips(match: Match[Any, Any], state: Any, chips: dict[int, int], pot: int | None) -> Any:
    """Return `state` with the pot and all chips: `chips` by seat, and those that follow from them.

    Raises NotUnderstood if several are unknown, or the match cannot come to them.
    """
    rules, seats = match.rules, range(len(match.players))
    at_start, unknown = sum(rules.purses), [seat for seat in seats if seat not in chips]
    stakes = match.format.stake * len(seats)  # the least pot: everybody has paid for this round
    if pot is None:
        pot = stakes if unknown else at_start - sum(chips.values())
    if unknown:
        chips = {**chips, unknown[0]: at_start - pot - sum(chips.values())}
    # Players who run out buy more, `refill` at a time.
    bought = pot + sum(chips.values()) - at_start
    if unknown[1:] or min(*chips.values(), pot - stakes) < 0 or bought % rules.refill:
        raise NotUnderstood(
            "type the chips of everybody and the pot; at the start there were {number}",
            number=at_start,
        )
    for seat in seats:
        state = state.with_tally(seat, replace(state.tallies[seat], chips=chips[seat]))
    return replace(state, pot=pot)


def _read_fact(text: str) -> _Fact:
    """Return the fact in a text such as `17`, `Ann had 17` or `Bob has 12 chips`."""
    form = r"(?:(.*?)\s+)??(?:ha[ds]\s+)?(\S+?)(?:\s+(chip|point)s?)?"
    parts = re.fullmatch(form, in_english(in_ascii(text)).strip(), re.IGNORECASE)
    name, number, unit = parts.groups("") if parts else ("", "", "")
    value = int(number) if re.fullmatch("[0-9]{1,9}", number) else NUMBER_WORDS.get(number.lower())
    return _Fact(name, value, unit.lower() == "chip")


def _read_number(low: int, high: int, name: str, text: str) -> int:
    """Return the number of a text such as 17, or `Ann had 17` if `name` is Ann.

    Raises NotUnderstood if it is not from `low` to `high`.
    """
    fact = _read_fact(text)
    is_about = not fact.name or are_alike(fact.name, name)
    if fact.number is None or not low <= fact.number <= high or not is_about:
        raise NotUnderstood("type a number from {low} to {high}", low=low, high=high)
    return fact.number


def _read_seat(names: Sequence[str], text: str) -> int:
    """Return the seat of the player whose name is typed; 0 for no name if only one plays.

    Raises NotUnderstood for another name, or one that two players can have.
    """
    seats = [seat for seat, name in enumerate(names) if are_alike(name, text)]
    if len(seats) == 1:
        return seats[0]
    if not (text or names[1:]):
        return 0
    raise NotUnderstood("{text} does not play; {names} do", text=shown(text), names=listed(names))
