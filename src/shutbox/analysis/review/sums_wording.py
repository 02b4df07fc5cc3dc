"""Many reviews in sentences: what everybody loses, by game and by month."""

from collections.abc import Iterator

from shutbox.analysis.review.grades import Unit
from shutbox.analysis.review.sums import Estimate, Group, Loss, Sums
from shutbox.analysis.review.wording import amount
from shutbox.analysis.wording import cost_only
from shutbox.messages import gettext, ngettext


def sums_sentences(sums: Sums) -> Iterator[str]:
    """What everybody loses in every game, and what luck came to.

    >>> import shutbox
    >>> sums = Sums()
    >>> sums.add(shutbox.review(shutbox.Play(shutbox.find("six"))), {0: "Ann"}, "2026-11")
    >>> list(sums_sentences(sums))
    ['No person has had a turn in these games; --player NAME counts a computer player.']
    """
    for group in sums.groups:
        if group.loss.turns:
            yield from _group(group)
    if not any(group.loss.turns for group in sums.groups):
        yield gettext(
            "No person has had a turn in these games; --player NAME counts a computer player."
        )
        return
    yield gettext(
        "Grades are those of table {table}. The intervals are 95 % normal ones over turns; from "
        "few turns they are too narrow.",
        table=sums.version,
    )


def _group(group: Group) -> Iterator[str]:
    facts = {"name": group.player, "game": group.game}
    yield gettext("{name} at {game}: {loss}.", loss=_loss(group.unit, group.loss), **facts)
    if luck := group.loss.luck:
        facts["amount"] = amount(group.unit, abs(luck))
        if (luck > 0) != group.low_is_good:
            yield gettext("{name} at {game}: lucky by {amount} in all.", **facts)
        else:
            yield gettext("{name} at {game}: unlucky by {amount} in all.", **facts)
    if group.months[1:]:
        for month, loss in group.months:
            told = _loss(group.unit, loss)
            yield gettext("{month}, {name} at {game}: {loss}.", month=month, loss=told, **facts)


def _loss(unit: Unit, loss: Loss) -> str:
    records = ngettext("{number} record", "{number} records", loss.records)
    turns = ngettext("{number} turn", "{number} turns", loss.turns)
    facts = {"turns": turns, "records": records}
    if loss.per_turn is None or loss.per_decision is None or not loss.cost:
        return gettext("loses nothing, over {turns} in {records}", **facts)
    return gettext(
        "loses {a_turn} per turn and {a_choice} per choice that counts, over {turns} in {records}",
        a_turn=_estimate(unit, loss.per_turn),
        a_choice=_estimate(unit, loss.per_decision),
        **facts,
    )


def _estimate(unit: Unit, estimate: Estimate) -> str:
    mean = amount(unit, estimate.mean)
    if estimate.low is None or estimate.high is None:
        return mean
    low, high = _bare(unit, max(0.0, estimate.low)), _bare(unit, estimate.high)
    return gettext("{mean} ({low} to {high})", mean=mean, low=low, high=high)


def _bare(unit: Unit, number: float) -> str:
    return cost_only("win", number) if unit is Unit.SHARE else f"{number:.2f}"
