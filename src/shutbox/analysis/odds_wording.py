"""The odds of a game or a match in sentences."""

from collections.abc import Iterator
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from shutbox.analysis.odds import FirstThrow, Odds
from shutbox.analysis.wording import aim_words, gained, precise, value_phrase
from shutbox.english import capital, figure, percent
from shutbox.game import RuleCard
from shutbox.match import Match
from shutbox.messages import gettext, pgettext
from shutbox.solver.options import Number

if TYPE_CHECKING:
    from shutbox.analysis.equity.last_round import Outlook

MOST_LINES = 50  # if there are more scores or first throws, a summary is told


def odds_lines(found: Odds, card: RuleCard, *, exact: bool) -> Iterator[str]:
    """Yield the odds of one player; with `exact`, also the fractions behind the numbers."""

    def with_exact(rounded: str, number: Number) -> str:
        both = {"rounded": rounded, "exact": number}
        return gettext("{rounded}; exactly {exact}", **both) if exact else rounded

    yield gettext("{title}, played {aim}.", title=card.title, aim=aim_words(found.aim, card))
    yield gettext("Position: {position}.", position=found.position)
    if found.aim.startswith("beat:"):
        value = capital(value_phrase(found.aim, found.value, card))
        value = gettext("{worth}, a tie counting half", worth=value)
        yield gettext("{worth}.", worth=with_exact(value, found.value))
    if found.mean is not None:
        yield gettext("Expected score: {score}.", score=with_exact(figure(found.mean), found.mean))
    if found.shut is not None:
        chance = with_exact(percent(found.shut), found.shut)
        yield gettext("Chance that it {shuts}: {chance}.", shuts=card.shuts, chance=chance)
    if found.throws is None:
        yield gettext(
            "Final scores are left out for so large a box; they would take as much memory again."
        )
    else:
        throws = with_exact(figure(found.throws), found.throws)
        yield gettext("Expected throws: {throws}.", throws=throws)
        yield from _scores(found.distribution, exact=exact)
    yield from _openings(found, card)


def _scores(distribution: dict[int, Number], *, exact: bool) -> Iterator[str]:
    if len(distribution) <= MOST_LINES or exact:
        yield pgettext("heading", "Final scores:")
        for score, chance in distribution.items():
            facts = {"score": score, "chance": percent(chance)}
            if exact:
                yield gettext("{score}: {chance}, {exact}.", **facts, exact=chance)
            else:
                yield gettext("{score}: {chance}.", **facts)
        return
    yield gettext("Final scores, from low to high:")
    reached: Number = Fraction(0)
    tenths = 0
    for score, chance in distribution.items():
        reached += chance
        if tenths < int(10 * reached) and tenths < 9:
            tenths = int(10 * reached)
            yield gettext("{score} or less: {chance}.", score=score, chance=percent(reached))


def _openings(found: Odds, card: RuleCard) -> Iterator[str]:
    if not found.openings:
        return
    openings = sorted(found.openings, key=lambda o: o.value, reverse=found.more)
    if len(openings) <= MOST_LINES:
        yield gettext("After the next throw:")
        yield from (_opening(found, opening, card) for opening in found.openings)
    best, worst = openings[0], openings[-1]
    yield gettext("Best throw: {opening}", opening=_opening(found, best, card))
    yield gettext("Worst throw: {opening}", opening=_opening(found, worst, card))


def _opening(found: Odds, opening: FirstThrow, card: RuleCard) -> str:
    facts = {
        "roll": opening.roll,
        "chance": percent(opening.chance),
        "worth": value_phrase(found.aim, opening.value, card),
    }
    if not opening.best:
        return gettext("{roll} ({chance}): {worth}.", **facts)
    return gettext("{roll} ({chance}): {worth}, best {choice}.", **facts, choice=opening.best)


def match_lines(
    match: "Match[Any, Any]", position: Any, aim: str, outlook: "Outlook", *, exact: bool
) -> Iterator[str]:
    """Yield each player's share of the win, and chips if there is a stake; see `odds_lines`."""
    facts = {"title": match.card().title, "game": match.name}
    if aim == "win":
        yield gettext("{title}: {game}, all playing to win.", **facts)
    else:
        yield gettext("{title}: {game}, all playing to gain chips.", **facts)
    if position != match.start():
        yield gettext("Position: {position}.", position=match.position_id(position))
    gains = outlook.gains(match)
    for player, share, chips in zip(match.players, outlook.shares, gains, strict=True):
        line = gettext("{player}: wins {share}", player=player, share=precise(share))
        if match.format.stake:
            line = gettext("{line}; expected chips {chips}", line=line, chips=gained(chips))
        if exact:
            line = gettext("{rounded}; exactly {exact}", rounded=line, exact=share)
        yield gettext("{line}.", line=line)
