"""The comparison of strategies in sentences."""

from collections.abc import Iterator

from shutbox.analysis.strategy.compare import Comparison, Strength
from shutbox.analysis.wording import aim_words, cost_only, cost_words, value_phrase
from shutbox.english import percent
from shutbox.game import RuleCard
from shutbox.messages import gettext, pgettext


def comparison_lines(found: Comparison, card: RuleCard, *, sheet: bool) -> Iterator[str]:
    """Yield the value of each strategy, best first; `sheet` says whether a sheet was asked for."""
    yield gettext("{title}, played {aim}.", title=card.title, aim=aim_words(found.aim, card))
    values = pgettext("list separator", "; ").join(_values(found.best, found.aim, card))
    yield gettext("best: {worth}.", worth=values)
    yield from (_line(result, found.aim, card) for result in found.strategies)
    if found.sheet is not None:
        yield gettext("The strategy on one sheet of paper:")
        yield from found.sheet.lines
        if loss := found.strategy("sheet").loss:
            costs = cost_words(found.aim, loss, card)
            yield gettext("It costs {costs}, exactly {exact}.", costs=costs, exact=loss)
        else:
            yield gettext("It costs nothing.")
    elif sheet:
        yield gettext("There is no sheet for this game; boxes and Cargo have one.")


def _line(result: Strength, aim: str, card: RuleCard) -> str:
    value, *more = _values(result, aim, card)
    if not result.loss:
        value = gettext("{worth}, as good as best play", worth=value)
    else:
        loss = cost_only(aim, result.loss)
        value = gettext("{worth}, {loss} worse than best play", worth=value, loss=loss)
        more.append(gettext("loses {loss} per decision", loss=cost_only(aim, result.per_decision)))
    return gettext("{way}: {worth}.", way=result.name, worth="; ".join([value, *more]))


def _values(result: Strength, aim: str, card: RuleCard) -> list[str]:
    value = value_phrase(aim, result.value, card)
    if aim in ("shut", "worst-shut"):
        return [value]
    return [value, gettext("{shuts} {chance}", shuts=card.shuts, chance=percent(result.shut))]
