"""The rules of a match in sentences."""

from collections.abc import Iterator

from shutbox.game import Scoring
from shutbox.match.format import End, Format, Order, Ties, Until, WhenShut
from shutbox.words import capital, counted, listed

_ORDERS = {
    Order.SEATS: "{first} throws first; the others follow clockwise.",
    Order.HIGH_ROLL: "Everybody throws once, and the highest begins every round; "
    "those tied for it throw again.",
    Order.WINNER: "{first} throws first, and then whoever has won the round before.",
    Order.ROTATE: "{first} throws first; in the next round it is the next player.",
}
_TIES = {
    Ties.SHARE: "Those tied share the pot; odd chips stay in it for the next round.",
    Ties.CARRY: "Where several are tied the pot waits for the next round.",
    Ties.THROW_OFF: "Those tied throw once each, and the highest wins.",
}


def lines(format: Format, players: tuple[str, ...], scoring: Scoring, shut: str) -> tuple[str, ...]:
    """The rules, a complete sentence or two a line; `shut` is what a turn is for."""
    return tuple(_lines(format, players, scoring, shut))


def _lines(format: Format, players: tuple[str, ...], scoring: Scoring, shut: str) -> Iterator[str]:
    several = len(players) > 1
    number = counted(len(players), "player plays", "players play")
    yield f"{capital(number)}: {listed(players)}."
    yield from _ending(format, "lowest" if scoring.low_is_good else "highest", shut)
    if format.shut is WhenShut.WINS:
        yield (
            f"A turn with {shut} wins the round at once; who has had no turn then gets the worst "
            "score there is."
        )
    else:
        yield f"A turn with {shut} is a score like any other, and the round goes on."
    if several:
        yield _ORDERS[format.order].format(first=players[0])
    if format.stake:
        yield from _chips(format, len(players), shut)
    elif several and format.ties is Ties.THROW_OFF:
        yield _TIES[Ties.THROW_OFF]


def _ending(format: Format, best: str, shut: str) -> Iterator[str]:
    rounds = format.most_rounds
    if rounds == 1:
        yield f"There is one round; the {best} score wins."
        return
    total = f"the {best} total wins"
    if format.target is not None:
        yield f"Who first reaches {format.target} in all wins."
        yield (
            "The match ends as soon as the target is reached."
            if format.end is End.STOP
            else "The round is played to its end, so that all have had the same number of turns."
        )
    elif format.limit is not None:
        when = "at once" if format.end is End.STOP else "at the end of the round"
        yield f"Whose total reaches {format.limit} is out {when}; the last one in wins."
    elif format.until is Until.SHUT:
        yield f"The match goes on until somebody has {shut}, and wins it."
    else:
        yield f"There are {rounds} rounds; {total}."
        return
    yield f"After {rounds} rounds at the latest, {total}."


def _chips(format: Format, seats: int, shut: str) -> Iterator[str]:
    purses = format.purses(seats)
    each = counted(purses[0], "chip")
    begins = f"{each} each" if len(set(purses)) == 1 else f"{listed(purses)} chips"
    yield f"The players begin with {begins}."
    stake = counted(format.stake, "chip")
    yield f"For each round everybody puts {stake} into the pot, and its winner takes the pot."
    if format.extra:
        yield (
            f"Who wins with {shut} also takes {counted(format.extra, 'chip')} from every other "
            "player who has not."
        )
    yield _TIES[format.ties]
    yield (
        f"Who has less than {counted(format.needed, 'chip')} before a round says whether to buy "
        "more, sit out, or leave. What is left in the pot in the end goes to the winner."
    )
