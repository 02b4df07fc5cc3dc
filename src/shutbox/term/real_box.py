"""The questions before a game at a real box, which can have begun without the program."""

from dataclasses import replace
from typing import Any

from shutbox.english import shown
from shutbox.errors import NotUnderstood
from shutbox.game import Throw
from shutbox.match import Match, Turn, WhenShut
from shutbox.messages import gettext
from shutbox.seats import Seat, looks
from shutbox.table.terms import UNNAMED, Terms
from shutbox.term.console import Console
from shutbox.term.seating import ask_players, lines
from shutbox.typed_text import typed_words


def ask_box(console: Console) -> tuple[Terms, str]:
    """Ask what is played at a real box: the game, the players, and how it stands there.

    Return the terms, with dice thrown by hand, and the position, empty for the start. Raises
    GoesBack and Stopped.
    """
    ask = gettext("Which box, and who plays? Enter takes Classic, alone:")
    terms = ask_players(console, Terms(by_hand=True), UNNAMED, ask)
    match = terms.playable()
    if terms != Terms((Seat(UNNAMED),), by_hand=True):
        console.say(*lines(terms))
    game = match.game if isinstance(match, Match) else match

    def turn_at(answer: str) -> Any:
        at = game.position_at(".".join(typed_words(answer)))
        if isinstance(game.awaits(at), Throw):
            return at
        raise NotUnderstood("{text} is not understood", text=shown(answer))

    at = console.read(gettext("Which tiles are up? Enter leaves all of them up:"), turn_at)
    if at is None:
        return terms, ""
    if isinstance(match, Match):
        at = _ask_turns(console, match, at)
    return terms, match.position_id(at)


def _ask_turns(console: Console, match: Match[Any, Any], at: Any) -> Any:
    """Ask whose turn is at the position `at`, and for the scores of the turns before it.

    Return the position of the match, in its first round.
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

    def score_of(answer: str) -> int:
        if answer.isdecimal() and low <= int(answer) <= high:
            return int(answer)
        raise NotUnderstood("a score is {low} to {high}", low=low, high=high)

    here = match.settled(match.start()).position
    ask = gettext(
        "Whose turn is it? {name} plays if you just press Enter:", name=names[match.format.first]
    )
    due = None if not names[1:] else console.read(ask, seat_of)
    first = due = match.format.first if due is None else due
    for seat in (*range(due - 1, -1, -1), *range(len(names) - 1, due, -1)):
        ask = gettext(
            "What has {name} scored in this round? Enter if that turn is still to come:",
            name=names[seat],
        )
        if (score := console.read(ask, score_of)) is None:
            break
        tally = replace(here.tallies[seat], score=score, shut=score == best)
        here, first = here.with_tally(seat, tally), seat
    return replace(here, doing=Turn(due, at), first=first)
