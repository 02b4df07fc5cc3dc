"""The rules of a match in sentences."""

from collections.abc import Iterator

from shutbox.english import capital, listed, number_word
from shutbox.game import Scoring
from shutbox.match.atoms import End, Order, Ties, Until, WhenShut
from shutbox.match.format import Format
from shutbox.messages import gettext, gettext_noop, ngettext

_ORDERS = {
    Order.SEATS: gettext_noop("{first} throws first; the others follow clockwise."),
    Order.WINNER: gettext_noop("{first} throws first; the winner of a round begins the next."),
    Order.ROTATE: gettext_noop("{first} throws first; the next player begins the next round."),
}
_HIGH_ROLL = {
    Order.SEATS: gettext_noop(
        "Before the first round everybody throws once; the highest begins every round. "
        "Ties throw again."
    ),
    Order.WINNER: gettext_noop(
        "Everybody throws once, and the highest begins; ties throw again. The "
        "winner of a round begins the next."
    ),
    Order.ROTATE: gettext_noop(
        "Everybody throws once, and the highest begins; ties throw again. The next "
        "player begins the next round."
    ),
}
_TIES = {
    Ties.SHARE: gettext_noop(
        "Players who tie share the pot; odd chips stay in it for the next round."
    ),
    Ties.CARRY: gettext_noop("If players tie, the pot stays for the next round."),
    Ties.THROW_OFF: gettext_noop("Players who tie throw once each, and the highest wins."),
}
_TARGET = {
    End.STOP: gettext_noop("The match ends as soon as the target is reached."),
    End.COMPLETE: gettext_noop(
        "The round is played to its end, so that everybody has had as many turns."
    ),
}
_LIMIT = {
    End.STOP: gettext_noop(
        "A player whose total reaches {limit} is out at once; the last one left wins."
    ),
    End.COMPLETE: gettext_noop(
        "A player whose total reaches {limit} is out at the end of the round; the last one left "
        "wins."
    ),
}
_LOWEST = {
    "one": gettext_noop("There is one round; the lowest score wins."),
    "all": gettext_noop("After round {rounds} the lowest total wins."),
    "shut": gettext_noop(
        "After round {rounds} the lowest total wins, but a player who {shuts} wins the match at "
        "once."
    ),
    "last": gettext_noop("If nobody has won after round {rounds}, the lowest total wins."),
}
_HIGHEST = {
    "one": gettext_noop("There is one round; the highest score wins."),
    "all": gettext_noop("After round {rounds} the highest total wins."),
    "shut": gettext_noop(
        "After round {rounds} the highest total wins, but a player who {shuts} wins the match at "
        "once."
    ),
    "last": gettext_noop("If nobody has won after round {rounds}, the highest total wins."),
}
"""Templates for games in which high is good, by how the rounds end the match."""


def brief(format: Format, scoring: Scoring, shuts: str) -> str:
    """Return a line for a list: how a match ends, and what a round costs in chips, if any.

    >>> brief(Format.parse("rounds=5"), Scoring(best=0, worst=45), "shuts the box")
    'After round 5 the lowest total wins.'
    """
    ends = next(_ending(format, scoring, shuts))
    return f"{ends} {_stake(format)}" if format.stake else ends


def lines(format: Format, players: tuple[str, ...], scoring: Scoring, shuts: str) -> Iterator[str]:
    """Yield the rules, one or two sentences a line; `shuts` is the goal, as in `RuleCard`."""
    says = ngettext(
        "One player: {names}.",
        "{number} players: {names}.",
        len(players),
        names=listed(players),
        number=capital(number_word(len(players))),
    )
    yield says
    yield from _ending(format, scoring, shuts)
    if format.shut is WhenShut.SCORES:
        if format.until is not Until.SHUT:
            yield gettext("If somebody {shuts}, the round goes on.", shuts=shuts)
    elif format.until is not Until.SHUT or format.most_rounds == 1:
        yield gettext(
            "A player who {shuts} wins the round at once; anyone who has had no turn gets the "
            "worst score there is.",
            shuts=shuts,
        )
    if len(players) > 1:
        orders = _HIGH_ROLL if format.high_roll else _ORDERS
        first, second = (players[(format.first + place) % len(players)] for place in range(2))
        if len(players) == 2 and orders[format.order] == _ORDERS[Order.SEATS]:
            yield gettext("{first} throws first, then {second}.", first=first, second=second)
        else:
            yield gettext(orders[format.order], first=first)
    if format.stake:
        yield from _chips(format, len(players), shuts)
    elif len(players) > 1 and format.ties is Ties.THROW_OFF:
        yield gettext(_TIES[Ties.THROW_OFF])


def _ending(format: Format, scoring: Scoring, shuts: str) -> Iterator[str]:
    rounds, wins = format.most_rounds, _LOWEST if scoring.low_is_good else _HIGHEST
    if rounds == 1:
        yield gettext(wins["one"])
        return
    if format.target is not None:
        yield gettext("The first to reach a total of {target} wins.", target=format.target)
        yield gettext(_TARGET[format.end])
    elif format.limit is not None:
        yield gettext(_LIMIT[format.end], limit=format.limit)
    elif format.until is None:
        yield gettext(wins["all"], rounds=rounds)
        return
    elif format.shut is WhenShut.SCORES:
        yield gettext("The match goes on until somebody {shuts}; that player wins it.", shuts=shuts)
    elif format.rounds is None:
        yield gettext("A player who {shuts} wins the match at once.", shuts=shuts)
    else:
        yield gettext(wins["shut"], rounds=rounds, shuts=shuts)
        return
    yield gettext(wins["last"], rounds=rounds)


def _chips(format: Format, seats: int, shuts: str) -> Iterator[str]:
    purses = format.purses(seats)
    if len(set(purses)) == 1:
        yield ngettext(
            "Each player begins with {number} chip.",
            "Each player begins with {number} chips.",
            purses[0],
        )
    else:
        yield gettext("The players begin with these chips: {purses}.", purses=listed(purses))
    yield _stake(format)
    if format.extra:
        yield ngettext(
            "If the winner of a round {shuts}, everybody who has not done so pays {number} more "
            "chip into the pot.",
            "If the winner of a round {shuts}, everybody who has not done so pays {number} more "
            "chips into the pot.",
            format.extra,
            shuts=shuts,
        )
    yield gettext(_TIES[format.ties])
    yield ngettext(
        "A player without a chip before a round is asked whether to buy more, sit out, or leave.",
        "A player with fewer than {number} chips before a round is asked whether to buy more, sit "
        "out, or leave.",
        format.needed,
    )
    yield gettext("What is left in the pot at the end goes to the winner of the match.")


def _stake(format: Format) -> str:
    return ngettext(
        "For each round everybody puts {number} chip into the pot; the winner takes it all.",
        "For each round everybody puts {number} chips into the pot; the winner takes it all.",
        format.stake,
    )
