"""The rules of a match in sentences."""

from collections.abc import Iterator

from shutbox.english import capital, counted, listed, numbered
from shutbox.game import Scoring
from shutbox.match.format import End, Format, Order, Ties, Until, WhenShut

_ORDERS = {
    Order.SEATS: "{first} throws first; the others follow clockwise.",
    Order.HIGH_ROLL: "Everybody throws once, and the highest begins every round; "
    "those tied for it throw again.",
    Order.WINNER: "{first} throws first; whoever wins a round begins the next.",
    Order.ROTATE: "{first} throws first; the next player begins the next round.",
}
_TIES = {
    Ties.SHARE: "Those tied share the pot; odd chips stay in it for the next round.",
    Ties.CARRY: "If several are tied, the pot waits for the next round.",
    Ties.THROW_OFF: "Those tied throw once each, and the highest wins.",
}


def lines(
    format: Format, players: tuple[str, ...], scoring: Scoring, shuts: str
) -> tuple[str, ...]:
    """The rules, a complete sentence or two a line; `shuts` is what a turn is for."""
    return tuple(_lines(format, players, scoring, shuts))


def _lines(format: Format, players: tuple[str, ...], scoring: Scoring, shuts: str) -> Iterator[str]:
    number = counted(len(players), "player plays", "players play")
    yield f"{capital(number)}: {listed(players)}."
    yield from _ending(format, "lowest" if scoring.low_is_good else "highest", shuts)
    if format.shut is WhenShut.WINS:
        yield (
            f"Whoever {shuts} wins the round at once; a player who has had no turn then gets the "
            "worst score there is."
        )
    elif format.until is not Until.SHUT:
        yield f"When somebody {shuts}, the round goes on."
    if len(players) > 1:
        yield _ORDERS[format.order].format(first=players[format.begins - 1])
    if format.stake:
        yield from _chips(format, len(players), shuts)
    elif len(players) > 1 and format.ties is Ties.THROW_OFF:
        yield _TIES[Ties.THROW_OFF]


def _ending(format: Format, best: str, shuts: str) -> Iterator[str]:
    rounds = format.most_rounds
    if rounds == 1:
        yield f"There is one round; the {best} score wins."
        return
    total = f"the {best} total wins"
    if format.target is not None:
        yield f"Whoever first reaches a total of {format.target} wins."
        yield (
            "The match ends as soon as the target is reached."
            if format.end is End.STOP
            else "The round is played to its end, so that all have had the same number of turns."
        )
    elif format.limit is not None:
        when = "at once" if format.end is End.STOP else "at the end of the round"
        yield (
            f"A player whose total reaches {format.limit} is out {when}; "
            "the last one who is left wins."
        )
    elif format.until is Until.SHUT:
        yield f"The match goes on until somebody {shuts}; that player wins it."
    else:
        yield f"There are {rounds} rounds; {total}."
        return
    yield f"If nobody has won after {rounds} rounds, {total}."


def _chips(format: Format, seats: int, shuts: str) -> Iterator[str]:
    purses = format.purses(seats)
    each = f"{numbered(purses[0], 'chip')} each"
    begins = each if len(set(purses)) == 1 else f"{listed(purses)} chips"
    yield f"The players begin with {begins}."
    stake = numbered(format.stake, "chip")
    yield f"For each round everybody puts {stake} into the pot, and its winner takes the pot."
    if format.extra:
        extra = numbered(format.extra, "chip")
        yield (
            f"If the winner of a round {shuts}, everybody else who does not puts {extra} more "
            "into the pot."
        )
    yield _TIES[format.ties]
    yield (
        f"A player who has fewer than {numbered(format.needed, 'chip')} before a round is asked "
        "whether to buy more, sit out, or leave."
    )
    yield "What is left in the pot in the end goes to the winner of the match."
