"""The reasons why a position of a match cannot come up."""

from collections.abc import Iterator

from shutbox.engine.english import shortened
from shutbox.engine.errors import IllegalRoll
from shutbox.engine.game import C, P
from shutbox.engine.messages import gettext, gettext_noop
from shutbox.match.format import TurnLength
from shutbox.match.standing import About, Contest, Ended, Opening, Standing, Status, Turn
from shutbox.match.transitions import MOST_REPEATS, MatchRules

_NO_SEAT = gettext_noop("no seat {seat}; seats are 0 to {last}")


def reasons_against(rules: MatchRules[P, C], position: Standing[P]) -> Iterator[str]:
    """Yield a sentence for each reason why a position cannot come up; none if it can.

    The positions of the game in it are not checked. If its seats or rows do not fit the match,
    nothing that depends on them is said.
    """
    round, most = position.round, rules.format.most_rounds
    if not 1 <= round <= most:
        yield gettext("round {round} of at most {most}", round=round, most=most)
    if misfit := _misfit(rules, position):
        yield misfit
        return
    yield from _wrong_chips(rules, position)
    yield from _wrong_tallies(rules, position)
    match position.doing:
        case Turn() as turn:
            yield from _wrong_turn(rules, position, turn)
        case Contest() as contest:
            yield from _wrong_contest(rules, position, contest)
        case Ended(winners=winners):
            yield from _wrong_seats(rules, winners)
            if list(winners) != sorted(winners):
                yield gettext("winners that do not stand in the order of their seats")
            if chips := position.pot:
                yield gettext("{chips} chips in the pot of a match that is over", chips=chips)
    match position.doing:
        case Opening() | Contest(about=About.START) if position.finished:
            yield gettext("a score in a round that has not begun")


def _misfit(rules: MatchRules[P, C], position: Standing[P]) -> str:
    """Return how the seats or rows of a position do not fit the match; empty if they do."""
    number, seats, rows = len(position.tallies), rules.seat_count, len(position.rows)
    if number != seats:
        return gettext("{number} seats of a match of {seats}", number=number, seats=seats)
    if position.first >= seats:
        return gettext(_NO_SEAT, seat=position.first, last=seats - 1)
    can_have_none = rules.rows is None or isinstance(position.doing, Opening | Contest)
    can_have_rows = rules.rows is not None
    if not (rows == 0 and can_have_none) and not (rows == seats and can_have_rows):
        return gettext("{number} rows of {seats} seats", number=rows, seats=seats)
    return ""


def _wrong_chips(rules: MatchRules[P, C], position: Standing[P]) -> Iterator[str]:
    chips = position.pot + sum(tally.chips for tally in position.tallies)
    purses, refill = sum(rules.purses), rules.refill
    if not rules.format.stake:
        if chips:
            yield gettext("chips, and nobody plays for any")
        return
    if chips < purses or (chips - purses) % refill:
        yield gettext(
            "{chips} chips are there; the purses had {purses}, and {refill} are bought at a time",
            chips=chips,
            purses=purses,
            refill=refill,
        )
    match position.doing:
        case Turn() | Contest(about=About.ROUND):
            for seat in sorted(position.playing):
                if position.tallies[seat].chips < rules.format.extra:
                    yield gettext("seat {seat} cannot pay for a shut box", seat=seat)


def _wrong_tallies(rules: MatchRules[P, C], position: Standing[P]) -> Iterator[str]:
    tallies, round, over = position.tallies, position.round, position.is_added_up
    rounds = round if over else round - 1  # those that count in the totals
    if rules.format.counts_wins and sum(tally.total for tally in tallies) > max(0, rounds):
        yield gettext("more rounds are won than were played")
    says = gettext_noop("a total of {number} in round {round}; it is {low} to {high}")
    if rounds < 1:
        says = gettext_noop("a total of {number} in round {round}; everybody begins it with 0")
    for tally in tallies:
        low, high = rules.score_range
        if tally.score is not None and not low <= tally.score <= high:
            number = shortened(tally.score)
            of_score = gettext_noop("a score of {number}; it is {low} to {high}")
            yield gettext(of_score, number=number, low=low, high=high)
        low, high = rules.total_range(rounds, goes_on=not over and tally.status is Status.IN)
        if not low <= tally.total <= high:
            number = shortened(tally.total)
            yield gettext(says, number=number, round=round, low=low, high=high)
        if tally.status is Status.OUT and rules.format.limit is None:
            yield gettext("a seat is out, and there is no limit")


def _wrong_turn(rules: MatchRules[P, C], position: Standing[P], turn: Turn[P]) -> Iterator[str]:
    waiting = position.waiting
    if turn.thrower is not None and rules.format.turns is not TurnLength.COMMON:
        yield gettext("no seat throws for the others here")
    if not waiting:
        yield gettext("a turn of seat {seat}, and nobody is due", seat=turn.seat)
    elif position.rows:
        yield from _wrong_rows(rules, position, turn)
    elif turn.seat != waiting[0]:
        says = gettext_noop("a turn of seat {seat}, and it is the turn of seat {due}")
        yield gettext(says, seat=turn.seat, due=waiting[0])


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
    for roll in contest.rolls:
        try:
            rules.dice.check(roll)
        except IllegalRoll as error:
            yield str(error)
    if contest.about is About.ROUND:
        for seat in among:
            if seat < rules.seat_count and seat not in position.finished:
                yield gettext("seat {seat} throws for a round without a score in it", seat=seat)


def _wrong_seats(rules: MatchRules[P, C], seats: tuple[int, ...]) -> Iterator[str]:
    if len(set(seats)) != len(seats):
        yield gettext("a seat is named twice")
    for seat in sorted({seat for seat in seats if seat >= rules.seat_count}):
        yield gettext(_NO_SEAT, seat=seat, last=rules.seat_count - 1)
