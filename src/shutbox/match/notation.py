"""Positions of a match as text, and the reasons why a text is refused.

    2;0;3;12=7~19,0~20,30~21;t1;1.5.9/2+2

Round 2; seat 0 throws first in it; 3 chips in the pot; the tally of each seat; then the current
activity, here a turn of seat 1 at the position 1.5.9/2+2 of the game. With one throw each, the row
of each seat follows in brackets, with `p` if it has passed, and t1.0 is the turn of seat 1 to cover
what seat 0 threw for all. See docs/notation.md.
"""

import re
from collections.abc import Iterator
from functools import partial
from itertools import repeat

from shutbox.engine.dice import Roll
from shutbox.engine.english import shortened, shown
from shutbox.engine.errors import IllegalRoll, ImpossiblePosition, NotUnderstood
from shutbox.engine.game import C, P
from shutbox.engine.messages import gettext, gettext_noop
from shutbox.engine.typed_text import in_ascii
from shutbox.match.format import TurnLength
from shutbox.match.standing import About, Contest, Ended, Opening, Standing, Status, Tally, Turn
from shutbox.match.transitions import MOST_REPEATS, MatchRules

LONGEST_TEXT = 4000  # the most characters of a position

_MARKS = {Status.IN: "", Status.OUT: "o", Status.LEFT: "l"}
_NUMBER = "-?[0-9]{1,120}"
_HEAD = re.compile(r"([0-9]{1,4});([0-9]{1,2});([0-9]{1,16});([^;]*);([^;]*)(?:;(.*))?", re.DOTALL)
_TALLY = re.compile(
    rf"({_NUMBER})([ol]?)(?:(s)|=({_NUMBER})(\*?))?(?:~([0-9]{{1,16}}))?(?:\[([^]]*)\](p?))?"
)
_TURN = re.compile(r"t([0-9]{1,2})(?:\.([0-9]{1,2}))?")
_SEATS = re.compile(r"[0-9]{1,2}(\.[0-9]{1,2})*")
_ROLLS = re.compile(r"([0-9]{1,3}(\+[0-9]{1,3})*(,(?!$)|$))*")
_NO_SEAT = gettext_noop("no seat {seat}; seats are 0 to {last}")
_ABOUT = {about.value: about for about in About}


def write_position(rules: MatchRules[P, C], position: Standing[P]) -> str:
    """Return the position as text, such as `2;0;3;12=7~19,0~20;t1;1.5.9/2+2`."""
    rows = [f"[{rules.game.position_id(row)}]" for row in position.rows] or repeat("")
    tallies = ",".join(map(partial(_write_tally, rules), position.tallies, rows))
    head = f"{position.round};{position.first};{position.pot};{tallies}"
    match position.doing:
        case Turn(seat=seat, at=at, thrower=thrower):
            whose = f"t{seat}" if thrower is None else f"t{seat}.{thrower}"
            return f"{head};{whose};{rules.game.position_id(at)}"
        case Contest(about=about, among=among, rolls=rolls, repeats=again):
            fell = ",".join(map(str, rolls))
            return f"{head};{about.value};{'.'.join(map(str, among))};{again};{fell}"
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
    reasons += _mistakes(rules, position)
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
        int(total),
        next(status for status, written in _MARKS.items() if written == mark),
        int(score) if score else None,
        bool(shut),
        bool(sits_out),
        int(chips or 0),
        bool(passed),
    )
    return tally, row


def _read_at(rules: MatchRules[P, C], text: str, reasons: list[str]) -> P:
    try:
        return rules.game.position_at(text)
    except ImpossiblePosition as error:
        reasons += error.reasons
        return rules.game.start()


def _read_doing(
    rules: MatchRules[P, C], word: str, rest: str, reasons: list[str]
) -> Opening | Contest | Turn[P] | Ended:
    if turn := _TURN.fullmatch(word):
        thrower = None if turn[2] is None else int(turn[2])
        return Turn(int(turn[1]), _read_at(rules, rest, reasons), thrower)
    if word in _ABOUT and rest.count(";") == 2:
        among, ties, fell = rest.split(";")
        known = _SEATS.fullmatch(among) and _ROLLS.fullmatch(fell)
        if known and re.fullmatch("[0-9]{1,3}", ties):
            rolls = (Roll(tuple(map(int, r.split("+")))) for r in fell.split(",") if r)
            return Contest(_ABOUT[word], _seats(among), tuple(rolls), int(ties))
    if word == "open" and not rest:
        return Opening()
    if word == "won" and _SEATS.fullmatch(rest):
        return Ended(_seats(rest))
    raise NotUnderstood(
        "{text} is not something that is being done in a match; it is a turn (t0;...), a "
        "contest (start;..., round;... or match;...), open, or won;...",
        text=shown(f"{word};{rest}"),
    )


def _seats(text: str) -> tuple[int, ...]:
    return tuple(map(int, text.split(".")))


# Positions that cannot come up


def _mistakes(rules: MatchRules[P, C], position: Standing[P]) -> Iterator[str]:
    tallies, seats = position.tallies, rules.seat_count
    round, most = position.round, rules.format.most_rounds
    if len(tallies) != seats:
        yield gettext("{number} seats of a match of {seats}", number=len(tallies), seats=seats)
        return
    if not 1 <= round <= most:
        yield gettext("round {round} of at most {most}", round=round, most=most)
    if position.first >= seats:
        yield gettext(_NO_SEAT, seat=position.first, last=seats - 1)
        return
    if rules.rows is None:
        row_numbers = {0}
    else:
        row_numbers = {0, seats} if isinstance(position.doing, Opening | Contest) else {seats}
    if len(position.rows) not in row_numbers:
        yield gettext("{number} rows of {seats} seats", number=len(position.rows), seats=seats)
        return
    chips = position.pot + sum(tally.chips for tally in tallies)
    if rules.format.stake:
        purses, refill = sum(rules.purses), rules.refill
        if chips < purses or (chips - purses) % refill:
            yield gettext(
                "{chips} chips are there; the purses had {purses}, and {refill} are bought at a "
                "time",
                chips=chips,
                purses=purses,
                refill=refill,
            )
    elif chips:
        yield gettext("chips, and nobody plays for any")
    ended = position.is_added_up
    rounds = round if ended else round - 1
    if rules.format.counts_wins and sum(tally.total for tally in tallies) > max(0, rounds):
        yield gettext("more rounds are won than were played")
    of_score = gettext_noop("a score of {number}; it is {low} to {high}")
    of_total = gettext_noop("a total of {number} in round {round}; it is {low} to {high}")
    if rounds < 1:
        of_total = gettext_noop("a total of {number} in round {round}; everybody begins it with 0")
    for tally in tallies:
        totals = rules.total_range(rounds, goes_on=not ended and tally.status is Status.IN)
        for says, number, (low, high) in (
            (of_score, tally.score, rules.score_range),
            (of_total, tally.total, totals),
        ):
            if number is not None and not low <= number <= high:
                facts = {"round": round, "low": low, "high": high}
                yield gettext(says, number=shortened(number), **facts)
        if tally.status is Status.OUT and rules.format.limit is None:
            yield gettext("a seat is out, and there is no limit")
    yield from _wrong_doing(rules, position)


def _wrong_doing(rules: MatchRules[P, C], position: Standing[P]) -> Iterator[str]:
    playing: list[int] = []
    match position.doing:
        case Turn(seat=seat):
            playing = position.waiting
            if position.doing.thrower is not None and rules.format.turns is not TurnLength.COMMON:
                yield gettext("no seat throws for the others here")
            if not playing:
                yield gettext("a turn of seat {seat}, and nobody is due", seat=seat)
            elif position.rows:
                yield from _wrong_rows(rules, position, position.doing)
            elif seat != (due := playing[0]):
                due_now = gettext_noop("a turn of seat {seat}, and it is the turn of seat {due}")
                yield gettext(due_now, seat=seat, due=due)
        case Contest(among=among, rolls=rolls):
            if position.doing.about is About.ROUND:
                playing = [seat for seat in among if seat < rules.seat_count]
            yield from _wrong_contest(rules, position, position.doing)
            for roll in rolls:
                try:
                    rules.dice.check(roll)
                except IllegalRoll as error:
                    yield str(error)
        case Ended(winners=winners):
            yield from _wrong_seats(rules, winners)
            if list(winners) != sorted(winners):
                yield gettext("winners that do not stand in the order of their seats")
            if chips := position.pot:
                yield gettext("{chips} chips in the pot of a match that is over", chips=chips)
    match position.doing:
        case Opening() | Contest(about=About.START) if position.finished:
            yield gettext("a score in a round that has not begun")
    for seat in {*playing, *position.finished} if playing else ():
        if position.tallies[seat].chips < rules.format.extra:
            yield gettext("seat {seat} cannot pay for a shut box", seat=seat)


def _wrong_rows(rules: MatchRules[P, C], position: Standing[P], turn: Turn[P]) -> Iterator[str]:
    """Yield what is wrong with the turn of a seat that has a row, or with the row of another."""
    assert rules.rows is not None  # only then are there rows
    playing, rested = position.waiting, rules.rows.rested
    for seat in (turn.seat, turn.thrower):
        if seat is not None and seat >= rules.seat_count:
            yield gettext(_NO_SEAT, seat=seat, last=rules.seat_count - 1)
            return
    if turn.seat not in playing:
        yield gettext("a turn of seat {seat}, which is out", seat=turn.seat)
    row, throw = position.rows[turn.seat], turn.at
    if rested(throw) != throw and rested(row) != rested(throw):
        yield gettext("the throw of seat {seat} does not belong to its row", seat=turn.seat)
    for seat, row in enumerate(position.rows):
        if rested(row) != row and not (rules.format.turns is TurnLength.COMMON and seat in playing):
            yield gettext("a throw at the row of seat {seat}, which is not due", seat=seat)


def _wrong_contest(
    rules: MatchRules[P, C], position: Standing[P], contest: Contest
) -> Iterator[str]:
    among, fell = contest.among, len(contest.rolls)
    yield from _wrong_seats(rules, among)
    if fell > len(among):
        yield gettext("{rolls} rolls of {seats} seats", rolls=fell, seats=len(among))
    if contest.repeats > MOST_REPEATS:
        facts = {"number": contest.repeats, "most": MOST_REPEATS}
        yield gettext("{number} ties; after {most} the order of play decides", **facts)
    if contest.about is About.ROUND:
        for seat in among:
            if seat < rules.seat_count and seat not in position.finished:
                yield gettext("seat {seat} throws for a round without a score in it", seat=seat)


def _wrong_seats(rules: MatchRules[P, C], seats: tuple[int, ...]) -> Iterator[str]:
    if len(set(seats)) != len(seats):
        yield gettext("a seat is named twice")
    for seat in sorted({seat for seat in seats if seat >= rules.seat_count}):
        yield gettext(_NO_SEAT, seat=seat, last=rules.seat_count - 1)
