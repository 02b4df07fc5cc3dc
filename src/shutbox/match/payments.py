"""The chips that the players of a match pay and win.

A stake is paid into the pot when a round opens (see `Settled.with_payment`); what follows from the
end of the round, or of the match, is here.
"""

from collections.abc import Iterator, Sequence
from dataclasses import replace

from shutbox.engine.game import P
from shutbox.match.format import Format, Ties
from shutbox.match.standing import RoundResult, Settled, Standing


def pay_round(
    format: Format, so_far: Settled[P], winners: list[int], scores: Sequence[int | None]
) -> Settled[P]:
    """Collect what the losers owe, and pay the pot to the winners of the round, in order of play.

    `scores` are those of the round by seat; None for a turn that has not been played. The
    `RoundResult` of what is returned says who has paid and won.
    """
    position = so_far.position
    # One of the two is empty: a format in which losers pay for points has no `extra`.
    payers = _payers_of_extra(format, position, winners)
    owed = tuple(_owed_points(format, position, winners, scores)) if format.by_points else ()
    for seat, chips in (*((payer, format.extra) for payer in payers), *owed):
        so_far = so_far.with_payment(seat, chips)
    pot_stays = format.ties is Ties.CARRY and len(winners) > 1
    paid = 0 if pot_stays else so_far.position.pot // len(winners)
    for seat in winners:
        so_far = so_far.with_payment(seat, -paid)
    left, tallies = so_far.position.pot, so_far.position.tallies
    result = RoundResult(position.round, tuple(winners), paid, payers, owed, left, tallies)
    return replace(so_far, result=result)


def _payers_of_extra(format: Format, position: Standing[P], winners: list[int]) -> tuple[int, ...]:
    """Return the seats that pay more since a winner has shut the box, and they have not."""
    tallies = position.tallies
    if not format.extra or not any(tallies[seat].shut for seat in winners):
        return ()
    return tuple(s for s in position.playing if s not in winners and not tallies[s].shut)


def _owed_points(
    format: Format, position: Standing[P], winners: list[int], scores: Sequence[int | None]
) -> Iterator[tuple[int, int]]:
    """Yield (seat, chips) of each loser: the stake for each point, or all that the loser has."""
    best = position.tallies[winners[0]].score
    for seat in position.playing:
        score = scores[seat]
        # Nobody pays to a winner without a turn, nor for a turn that has not been played.
        if seat not in winners and best is not None and score is not None:
            due = format.stake * abs(score - best)
            if chips := min(due, position.tallies[seat].chips):
                yield seat, chips


def share_pot(so_far: Settled[P], winners: list[int]) -> Settled[P]:
    """Share the pot at the end of a match: equal parts, and odd chips one each in order of play.

    `last_chips` of what is returned says who got how many.
    """
    each, odd = divmod(so_far.position.pot, len(winners))
    shares = [(seat, each + (index < odd)) for index, seat in enumerate(winners)]
    for seat, chips in shares:
        so_far = so_far.with_payment(seat, -chips)
    return replace(so_far, last_chips=tuple(share for share in shares if share[1]))
