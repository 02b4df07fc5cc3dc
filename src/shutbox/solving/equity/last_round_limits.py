"""Which last rounds of a match can be solved and how long that takes; the aim of other turns."""

from math import inf
from typing import Any

from shutbox.engine.errors import TooLarge
from shutbox.games.traits import traits_of
from shutbox.match import Format, Match, WhenShut, full_title
from shutbox.match.format import Until
from shutbox.solving.objectives import MEAN, SHUT, Aim
from shutbox.solving.solvers import MOST_MEMORY, MOST_SECONDS, cost_of


def seconds_of_last_round(match: Match[Any, Any]) -> float:
    """Estimate the seconds that `LastRound` takes to solve the last round of a match.

    The result is inf for a match that it cannot solve. The time grows with the scores to beat and
    the ways to tie. Raises TooLarge for a game whose traits have no estimate.
    """
    format, seats = match.format, len(match.players)
    several = format.most_rounds > 1 and not totals_decide(format)
    if format.target or format.limit or several or match.rules.rows:
        return inf
    turn = cost_of(match.game, match.game.start())
    if turn.memory > MOST_MEMORY:
        return inf
    scoring = match.rules.scoring
    ends = min(abs(scoring.worst - scoring.best) + 1, max(turn.positions, 1))
    tied: float = seats * (seats - 1) / 2
    if format.stake or format.shut is WhenShut.DOUBLES:
        # With chips it matters which players are tied, and which others have shut the box (in
        # Cargo: completed the crew), since they do not pay, unless all who have are tied.
        tied = float((2 if traits_of(match.game).shut_is_one_score else 3) ** (seats - 1))
        tied *= seats / 4  # as measured: each outlook has a number for each seat
    if format.by_points:  # every score matters
        tied = float(ends ** max(0, seats - 2))
    if format.high_roll:
        tied *= seats
    return turn.seconds * (1 + 0.3 * ends * tied) + ends * ends * tied * 5e-5


def check_last_round(match: Match[Any, Any], *, anyway: bool = False) -> None:
    """Raise TooLarge for a match that `LastRound` cannot solve or, unless `anyway`, not in time."""
    seconds = seconds_of_last_round(match)
    if seconds == inf:
        check_format(match)
        raise TooLarge(
            "{name}: who wins is worked out for a single round, or the last of several. A target, "
            "a limit, chips in several rounds, or a turn above {memory} GB are too much",
            name=full_title(match),
            memory=MOST_MEMORY >> 30,
        )
    if not anyway:
        check_seconds(match, seconds)


def check_seconds(match: Match[Any, Any], seconds: float) -> None:
    """Raise TooLarge if solving a match for all seats takes `seconds` above MOST_SECONDS."""
    if seconds > MOST_SECONDS:
        raise TooLarge(
            "{name}: solving it for all seats takes about {minutes:.0f} minutes; at most {most} "
            "are spent",
            costly=True,
            name=full_title(match),
            minutes=seconds / 60,
            most=MOST_SECONDS // 60,
        )


def check_format(match: Match[Any, Any]) -> None:
    """Raise TooLarge for one throw each, and for shut=doubles in several rounds."""
    if match.rules.rows or (match.format.shut is WhenShut.DOUBLES and not match.rules.one_round):
        raise unsolved_format(match)


def unsolved_format(match: Match[Any, Any]) -> TooLarge:
    """Return the refusal of one throw each, unless two play one round, or of shut=doubles."""
    return TooLarge(
        "{name}: who wins is worked out for one throw each if two play one round without chips, "
        "and for shut=doubles in one round",
        name=full_title(match),
    )


def totals_decide(format: Format) -> bool:
    """Whether a match is without chips, and is decided by sums or at once by a shut box."""
    at_once = format.until is None or format.shut is WhenShut.WINS
    plain = format.shut is not WhenShut.DOUBLES
    return at_once and plain and not (format.stake or format.counts_wins)


def aim_of_turns(format: Format) -> Aim:
    """Return the aim of a turn in an unsolved match: SHUT if a shut box decides it, else MEAN."""
    by_totals = format.rounds is not None and totals_decide(format)
    return SHUT if format.until is Until.SHUT and not by_totals else MEAN
