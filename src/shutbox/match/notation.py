"""Positions of a match as text.

    2;0;3;12=7~19,0~20,30~21;t1;1.5.9/2+2

Round 2; seat 0 throws first in it; 3 chips in the pot; the tally of each seat; then the current
activity, here a turn of seat 1 at the position 1.5.9/2+2 of the game. With one throw each, the row
of each seat follows in brackets, with `p` if it has passed, and t1.0 is the turn of seat 1 to cover
what seat 0 threw for all. See docs/notation.md.
"""

import re
from functools import partial
from itertools import repeat

from shutbox.engine.dice import Roll
from shutbox.engine.english import shown
from shutbox.engine.errors import ImpossiblePosition, NotUnderstood
from shutbox.engine.game import C, P
from shutbox.engine.typed_text import in_ascii
from shutbox.match.impossible import reasons_against
from shutbox.match.standing import (
    About,
    Contest,
    Doing,
    Ended,
    Opening,
    Standing,
    Status,
    Tally,
    Turn,
)
from shutbox.match.transitions import MatchRules

LONGEST_TEXT = 4000  # the most characters of a position

_MARKS = {Status.IN: "", Status.OUT: "o", Status.LEFT: "l"}
_STATUSES = {mark: status for status, mark in _MARKS.items()}
_NUMBER = "-?[0-9]{1,120}"
_HEAD = re.compile(r"([0-9]{1,4});([0-9]{1,2});([0-9]{1,16});([^;]*);([^;]*)(?:;(.*))?", re.DOTALL)
_TALLY = re.compile(
    rf"({_NUMBER})([ol]?)(?:(s)|=({_NUMBER})(\*?))?(?:~([0-9]{{1,16}}))?(?:\[([^]]*)\](p?))?"
)
_TURN = re.compile(r"t([0-9]{1,2})(?:\.([0-9]{1,2}))?")
_SEATS = r"[0-9]{1,2}(?:\.[0-9]{1,2})*"
_ROLLS = r"(?:[0-9]{1,3}(?:\+[0-9]{1,3})*(?:,(?!$)|$))*"
_CONTEST = re.compile(rf"({_SEATS});([0-9]{{1,3}});({_ROLLS})")
_ABOUT = {question.value: question for question in About}


def write_position(rules: MatchRules[P, C], position: Standing[P]) -> str:
    """Return the position as text, such as `2;0;3;12=7~19,0~20;t1;1.5.9/2+2`."""
    rows = [f"[{rules.game.position_id(row)}]" for row in position.rows] or repeat("")
    tallies = ",".join(map(partial(_write_tally, rules), position.tallies, rows))
    head = f"{position.round};{position.first};{position.pot};{tallies}"
    match position.doing:
        case Turn(seat=seat, at=at, thrower=thrower):
            whose = f"t{seat}" if thrower is None else f"t{seat}.{thrower}"
            return f"{head};{whose};{rules.game.position_id(at)}"
        case Contest() as contest:
            seats, rolls = ".".join(map(str, contest.among)), ",".join(map(str, contest.rolls))
            return f"{head};{contest.about.value};{seats};{contest.repeats};{rolls}"
        case Opening():
            return f"{head};open"
        case Ended(winners=winners):
            return f"{head};won;{'.'.join(map(str, winners))}"


def _write_tally(rules: MatchRules[P, C], tally: Tally, row: str) -> str:
    text = f"{tally.total}{_MARKS[tally.status]}"
    if tally.sits_out:
        text += "s"
    elif tally.score is not None:
        text += f"={tally.score}{'*' * tally.shut}"
    if rules.format.stake:
        text += f"~{tally.chips}"
    return text + row + "p" * tally.passed


def read_position(rules: MatchRules[P, C], id: str) -> Standing[P]:
    """Parse a `position_id`. Raises NotUnderstood, or ImpossiblePosition with every reason."""
    head = _HEAD.fullmatch(in_ascii(str(id)).strip()) if len(str(id)) <= LONGEST_TEXT else None
    if head is None:
        raise NotUnderstood(
            "{text} is not a place in a match; write round, first seat, pot, what each seat "
            "has, and what is being done, such as 1;0;0;0,0;t0;1.5.9/2+2",
            text=shown(id),
        )
    tallies, texts = zip(*map(_read_tally, head[4].split(",")), strict=True)
    reasons: list[str] = []
    rows = tuple(_read_at(rules, text, reasons) for text in texts if text is not None)
    doing = _read_doing(rules, head[5], head[6] or "", reasons)
    position = Standing(doing, tallies, int(head[1]), int(head[2]), int(head[3]), rows)
    reasons += reasons_against(rules, position)
    if reasons:
        raise ImpossiblePosition(shown(id, LONGEST_TEXT), tuple(dict.fromkeys(reasons)))
    return position


def _read_tally(text: str) -> tuple[Tally, str | None]:
    """Return the tally, and the text of the row if there is one."""
    match = _TALLY.fullmatch(text)
    if match is None:
        # Translators: about a part of a position, which says how a player stands.
        raise NotUnderstood(
            "{text} is not what a seat has; write its total, such as 12, with a score 12=7 and "
            "chips 12=7~19",
            text=shown(text),
        )
    total, mark, sits_out, score, shut, chips, row, passed = match.groups()
    tally = Tally(
        total=int(total),
        status=_STATUSES[mark],
        score=int(score) if score else None,
        shut=bool(shut),
        sits_out=bool(sits_out),
        chips=int(chips or 0),
        passed=bool(passed),
    )
    return tally, row


def _read_at(rules: MatchRules[P, C], text: str, reasons: list[str]) -> P:
    """Parse a position of the game; append any reasons against it to `reasons`."""
    try:
        return rules.game.position_at(text)
    except ImpossiblePosition as error:
        reasons += error.reasons
        return rules.game.start()


def _read_doing(rules: MatchRules[P, C], word: str, rest: str, reasons: list[str]) -> Doing[P]:
    """Parse the activity from its word, such as `t1`, and the rest; append to `reasons`."""
    if turn := _TURN.fullmatch(word):
        thrower = None if turn[2] is None else int(turn[2])
        return Turn(int(turn[1]), _read_at(rules, rest, reasons), thrower)
    if word in _ABOUT and (contest := _CONTEST.fullmatch(rest)):
        among, repeats, fell = contest.groups()
        rolls = (Roll(tuple(map(int, roll.split("+")))) for roll in fell.split(",") if roll)
        return Contest(_ABOUT[word], _seats(among), tuple(rolls), int(repeats))
    if word == "open" and not rest:
        return Opening()
    if word == "won" and re.fullmatch(_SEATS, rest):
        return Ended(_seats(rest))
    raise NotUnderstood(
        "{text} is not something that is being done in a match; it is a turn (t0;...), a "
        "contest (start;..., round;... or match;...), open, or won;...",
        text=shown(f"{word};{rest}"),
    )


def _seats(text: str) -> tuple[int, ...]:
    return tuple(map(int, text.split(".")))
