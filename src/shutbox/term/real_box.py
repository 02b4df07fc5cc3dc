"""The questions about a game at a real box, which can be in progress: the companion.

A typed fact is a number, after a name if need be: `17`, `Ann had 17`, `Bob has 12 chips`, `pot 6`.
"""

import re
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from typing import Any, TypeVar

from shutbox.engine.english import listed, shown
from shutbox.engine.errors import ImpossiblePosition, NotUnderstood
from shutbox.engine.game import Throw
from shutbox.engine.messages import gettext, gettext_noop, pgettext
from shutbox.engine.seats import Seat, looks
from shutbox.engine.typed_text import NUMBER_WORDS, in_ascii
from shutbox.games.traits import traits_of
from shutbox.match import Match, Turn, WhenShut
from shutbox.solving.graph import Progress, no_progress
from shutbox.table.setup import UNNAMED, Terms
from shutbox.term.console import Console
from shutbox.term.seating import ask_players, ask_terms, lines

T = TypeVar("T")
_FACTS = gettext_noop(
    "Type totals before this round, and chips as they lie now: Ann had 17, Bob has 12 chips, pot 6."
)


def ask_box(console: Console, progress: Progress = no_progress) -> tuple[Terms, str]:
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

    has_rows = isinstance(match, Match) and match.rules.rows is not None
    if has_rows or (typed := traits_of(game).typed) is None:
        return terms, ""  # with a row for each player, only from the start

    def turn_at(answer: str) -> Any:
        at = _possible(typed.read, answer)
        offers = game.scene(at).offers
        if isinstance(game.awaits(at), Throw) or {offer.kind for offer in offers} == {"dice"}:
            return at
        raise NotUnderstood("{text} leaves nothing to throw for", text=shown(answer))

    at = console.read(gettext(typed.ask), turn_at, gettext(typed.helps))
    if at is None:
        return terms, ""
    if isinstance(match, Match):
        at = _ask_turns(console, match, at)
    return terms, match.position_id(at)


def _ask_turns(console: Console, match: Match[Any, Any], at: Any) -> Any:
    """Ask for the round, what everybody has, whose turn it is, and the scores before that turn.

    Return the position of the match with the turn due at `at`.
    """
    names, rules, begins = match.players, match.rules, match.format.first
    (low, high), best = rules.scores, rules.scoring.best
    if match.format.shut is WhenShut.WINS:  # it would have ended the round
        low, high = low + (best == low), high - (best == high)
    here, round = match.settled(match.start()).position, 1
    helps = gettext("Type a number, or press Enter.")
    if (most := match.format.most_rounds) > 1:
        ask = gettext("Which round is this? Enter if it is the first:")
        round = console.read(ask, partial(_number, 1, most, "round"), helps) or 1
    if round > 1:
        ask = gettext("What does everybody have? Type ? for an example, or Enter if nothing:")
        standing = console.read(ask, partial(_standing, match, here, round), gettext(_FACTS))
        here = standing or here
    due = None
    if names[1:]:
        ask = gettext("Whose turn is it? {name} plays if you just press Enter:", name=names[begins])
        due = console.read(ask, partial(_seat, names), gettext("Type a name, or press Enter."))
    first = due = begins if due is None else due
    for seat in (*range(due - 1, -1, -1), *range(len(names) - 1, due, -1)):
        ask = gettext(
            "What has {name} scored in this round? Enter if that turn is still to come:",
            name=names[seat],
        )
        score = console.read(ask, partial(_number, low, high, names[seat]), helps)
        if score is None:
            break
        tally = replace(here.tallies[seat], score=score, shut=score == best)
        here, first = here.with_tally(seat, tally), seat
    return replace(here, doing=Turn(due, at), first=first, round=round)


def _standing(match: Match[Any, Any], here: Any, round: int, text: str) -> Any:
    """Return `here` with the totals before a round, the chips and the pot that a text says.

    The chips of one player, or of the pot, follow from the others. Raises NotUnderstood.
    """
    chips, pot = dict[int, int](), None
    for part in re.split(r"\s*[,;]\s*|\s+and\s+", in_ascii(text)):
        who, number, counts_chips = _fact(part)
        of_pot = not looks(who).isdisjoint(looks("pot"))
        if number is None or ((of_pot or counts_chips) and not match.format.stake):
            raise NotUnderstood(
                "{text} is not understood; type such as Ann had 17, Bob has 12 chips, pot 6",
                text=shown(part),
            )
        if of_pot:
            pot = number
        elif counts_chips:
            chips[_seat(match.players, who)] = number
        else:
            seat = _seat(match.players, who)
            here = here.with_tally(seat, replace(here.tallies[seat], total=number))
    found = _with_chips(match, here, chips, pot) if chips or pot is not None else here
    _possible(match.position_at, match.position_id(replace(found, round=round)))
    return found


def _possible(read: Callable[[str], T], text: str) -> T:
    """Return what `read` finds; for a position that cannot be, raise only the reasons."""
    try:
        return read(text)
    except ImpossiblePosition as error:
        raise NotUnderstood(pgettext("list separator", "; ").join(error.reasons)) from None


def _with_chips(match: Match[Any, Any], here: Any, chips: dict[int, int], pot: int | None) -> Any:
    """Return `here` with chips by seat, and the pot. Raises NotUnderstood if they cannot be."""
    rules, seats = match.rules, range(len(match.players))
    start, unsaid = sum(rules.purses), [seat for seat in seats if seat not in chips]
    stakes = match.format.stake * len(seats)
    if unsaid:
        pot = stakes if pot is None else pot
        chips[unsaid[0]] = start - pot - sum(chips.values())
    pot = start - sum(chips.values()) if pot is None else pot
    number = pot + sum(chips.values())
    if unsaid[1:] or min(*chips.values(), pot - stakes) < 0 or (number - start) % rules.refill:
        raise NotUnderstood(
            "type the chips of everybody and the pot; at the start there were {number}",
            number=start,
        )
    for seat in seats:
        here = here.with_tally(seat, replace(here.tallies[seat], chips=chips[seat]))
    return replace(here, pot=pot)


def _fact(text: str) -> tuple[str, int | None, bool]:
    """Return who has something, the number or None, and whether it counts chips."""
    form = r"(?:(.*?)\s+)??(?:ha[ds]\s+)?(\S+?)(?:\s+(chip|point)s?)?"
    found = re.fullmatch(form, in_ascii(text).strip(), re.IGNORECASE)
    who, number, unit = found.groups("") if found else ("", "", "")
    value = int(number) if re.fullmatch("[0-9]{1,9}", number) else NUMBER_WORDS.get(number.lower())
    return who, value, unit.lower() == "chip"


def _number(low: int, high: int, who: str, text: str) -> int:
    """Return the number of a text such as 17, or `Ann had 17` if `who` is Ann."""
    named, number, _ = _fact(text)
    if number is None or not low <= number <= high or not (not named or looks(named) & looks(who)):
        raise NotUnderstood("type a number from {low} to {high}", low=low, high=high)
    return number


def _seat(names: Sequence[str], text: str) -> int:
    """Return the seat of the player whose name is typed; 0 for no name if only one plays."""
    found = [seat for seat, name in enumerate(names) if looks(name) & looks(text)]
    if len(found) == 1:
        return found[0]
    if not (text or names[1:]):
        return 0
    raise NotUnderstood("{text} does not play; {names} do", text=shown(text), names=listed(names))
