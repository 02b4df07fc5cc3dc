"""The reasons why a game cannot be played in a format."""

from collections.abc import Iterator

from shutbox.engine.english import counted, number_word
from shutbox.engine.game import Rows, Scoring
from shutbox.engine.messages import gettext, gettext_noop
from shutbox.match.format import Format, TurnLength, WhenShut


def find_misfits(
    format: Format, scoring: Scoring | None, rows: Rows | None, seats: int
) -> Iterator[str]:
    """Yield a sentence for each reason why `seats` players cannot play a game in this format.

    `scoring` is the range of scores of the game; None if it has no scores. `rows` is what the game
    says about one throw each; None if it cannot be played so.
    """
    if scoring is None:
        yield gettext("it has no score, so nobody can win it")
        return
    if format.target is not None and scoring.low_is_good:
        yield gettext(
            "target: {target} is reached by adding up, and in this game low is good; use limit",
            target=format.target,
        )
    if format.limit is not None and not scoring.low_is_good:
        yield gettext(
            "limit: a player who reaches {limit} is out, and in this game high is good; use target",
            limit=format.limit,
        )
    if format.has_rows and rows is None:
        yield gettext("turns: only a box with tiles can be played with one throw each")
    elif format.turns is TurnLength.COMMON and rows and not rows.same_dice:
        yield gettext("turns: a throw can count for all only if all throw the same dice")
    if format.shut is WhenShut.DOUBLES and not scoring.low_is_good:
        yield gettext("shut: to double the others' scores helps them, as in this game high is good")
    if 1 <= seats <= format.first:
        yield counted(
            "begins: there is no player {begins}; one player plays",
            "begins: there is no player {begins}; {number} players play",
            seats,
            begins=format.begins,
        )
    yield from _purse_misfits(format, seats)


def _purse_misfits(format: Format, seats: int) -> Iterator[str]:
    if len(format.purse) not in (0, 1, seats):
        yield counted(
            "purse: write one number for one player, not {given}",
            "purse: write one number for all {number} players, or one for each, not {given}",
            seats,
            given=number_word(len(format.purse)),
        )
    elif format.stake and seats < 2:
        yield gettext("stake: nobody else plays; chips are for two players or more")
    elif format.stake and (largest := max(format.purses(seats))) < format.needed:
        says = gettext_noop(
            "stake: {stake} is more than any purse holds; the largest has {largest}"
        )
        if format.extra:
            says = gettext_noop(
                "stake: {stake} and up to {extra} more for a shut box is more than any purse "
                "holds; the largest has {largest}"
            )
        yield gettext(says, stake=format.stake, extra=format.extra, largest=largest)
