"""The questions about a game at a real box, which can be in progress: the companion.

A typed fact is a number, after a name if need be: `17`, `Ann had 17`.
"""

import re
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from typing import Any, NamedTuple, TypeVar

from shutbox.engine.english import joined_clauses, listed, shown
from shutbox.engine.errors import ImpossiblePosition, NotUnderstood
from shutbox.engine.game import Throw
from shutbox.engine.messages import gettext, gettext_noop
from shutbox.engine.names import are_alike
from shutbox.engine.seats import Seat
from shutbox.engine.typed_text import NUMBER_WORDS, in_ascii, in_english
from shutbox.games.traits import traits_of
from shutbox.match import Match, Turn, WhenShut, turn_game
from shutbox.table.setup import UNNAMED, Terms
from shutbox.term.console import Console
from shutbox.term.seating import ask_players, ask_terms, terms_sentences

T = TypeVar("T")
_SEPARATOR = re.compile(r"\s*[,;]\s*|\s+and\s+")  # of typed facts
_FACTS = gettext_noop("Type the totals before this round: Ann had 17, Bob had 20.")


class _Fact(NamedTuple):
    name: str  # who has it; empty if nobody is named
    number: int | None  # None if the text says no number


def ask_box(console: Console) -> tuple[Terms, str]:
    """Ask what is played at a real box: the game, the players, the terms, and the position there.

    Return the terms, with dice thrown by hand, and the position as text, empty for the start.
    Raises GoesBack and Stopped.
    """
    ask = gettext("Which box, and who plays? Enter takes Classic, alone:")
    terms = ask_players(console, Terms(by_hand=True), UNNAMED, ask)
    if isinstance(match := terms.find_game(), Match):
        terms = ask_terms(console, terms)
        match = terms.find_game()
    elif terms != Terms((Seat(UNNAMED),), by_hand=True):
        console.say(*terms_sentences(terms))
    game = turn_game(match)
    if (typed := traits_of(game).typed) is None or (isinstance(match, Match) and match.rules.rows):
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
    at = console.read(ask, turn_at, helps)
    if at is not None and isinstance(match, Match):
        at = _ask_turns(console, match, at)
    return terms, "" if at is None else match.position_id(at)


def _ask_turns(console: Console, match: Match[Any, Any], at: Any) -> Any:
    """Ask for the round, what everybody has, whose turn it is, and the scores before that turn.

    Return the position of the match with that turn at `at`.
    """
    names, rules = match.players, match.rules
    (low, high), best = rules.score_range, rules.scoring.best
    if match.format.shut is WhenShut.WINS:  # it would have ended the round
        low, high = low + (best == low), high - (best == high)
    state, round = match.settled(match.start()).position, 1
    number_helps = gettext("Type a number, or press Enter.")
    if (most := match.format.most_rounds) > 1:
        ask = gettext("Which round is this? Enter if it is the first:")
        round = console.read(ask, partial(_read_number, 1, most, "round"), number_helps) or 1
    if round > 1:
        ask = gettext("What does everybody have? Type ? for an example, or Enter if nothing:")
        read_totals = partial(_read_totals, match, state, round)
        state = console.read(ask, read_totals, gettext(_FACTS)) or state
    due = match.format.first
    if names[1:]:
        ask = gettext("Whose turn is it? {name} plays if you just press Enter:", name=names[due])
        helps = gettext("Type a name, or press Enter.")
        seat = console.read(ask, partial(_read_seat, names), helps)
        due = due if seat is None else seat
    first = due
    # Backwards from the player due: the last who has played this round began it.
    for seat in (*range(due - 1, -1, -1), *range(len(names) - 1, due, -1)):
        ask = gettext(
            "What has {name} scored in this round? Enter if that turn is still to come:",
            name=names[seat],
        )
        score = console.read(ask, partial(_read_number, low, high, names[seat]), number_helps)
        if score is None:
            break
        tally = replace(state.tallies[seat], score=score, shut=score == best)
        state, first = state.with_tally(seat, tally), seat
    return replace(state, round=round, doing=Turn(due, at), first=first)


def _read_totals(match: Match[Any, Any], state: Any, round: int, text: str) -> Any:
    """Return `state` with the totals before a round that a text says. Raises NotUnderstood."""
    for part in _SEPARATOR.split(in_english(in_ascii(text))):
        fact = _read_fact(part)
        if fact.number is None or (match.players[1:] and not fact.name):
            raise NotUnderstood(
                "{text} is not understood; type such as Ann had 17, Bob had 20", text=shown(part)
            )
        seat = _read_seat(match.players, fact.name)
        state = state.with_tally(seat, replace(state.tallies[seat], total=fact.number))
    _read_possible(match.position_at, match.position_id(replace(state, round=round)))
    return state


def _read_possible(read: Callable[[str], T], text: str) -> T:
    """Return what `read` finds; for an impossible position, raise NotUnderstood with reasons."""
    try:
        return read(text)
    except ImpossiblePosition as error:
        raise NotUnderstood(joined_clauses(error.reasons)) from None


def _read_fact(text: str) -> _Fact:
    """Return the fact in a text such as `17`, `Ann had 17` or `Bob has 3 points`."""
    form = r"(?:(.*?)\s+)??(?:ha[ds]\s+)?(\S+?)(?:\s+points?)?"
    parts = re.fullmatch(form, in_english(in_ascii(text)).strip(), re.IGNORECASE)
    name, number = parts.groups("") if parts else ("", "")
    value = int(number) if re.fullmatch("[0-9]{1,9}", number) else NUMBER_WORDS.get(number.lower())
    return _Fact(name, value)


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
