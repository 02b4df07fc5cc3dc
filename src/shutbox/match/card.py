"""The rules of a match in sentences: for its card, for a list, and for a heading.

`shuts` is everywhere the verb phrase of `RuleCard.shuts`, such as `shuts the box`. Players and
rounds are said in words, as far as there are words for numbers; points and chips in digits.
"""

from collections.abc import Iterator
from typing import NamedTuple

from shutbox.engine.english import capital, counted, listed, number_word
from shutbox.engine.game import Scoring
from shutbox.engine.messages import gettext, gettext_noop, ngettext
from shutbox.match.format import End, Format, Order, Stuck, Ties, TurnLength, Until, WhenShut

_IF_STUCK = {
    Stuck.OUT: gettext_noop("A player who is stuck is out with what is up; the others go on."),
    Stuck.PASSES: gettext_noop(
        "A player who is stuck passes; if all pass one after the other, the round ends."
    ),
}
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


class _Endings(NamedTuple):
    """How the rounds of a match decide it, in templates: for games where low is good, or high."""

    only_round: str
    last_round: str  # if nothing else can end the match
    last_round_or_shut: str  # if a shut box can end it before
    undecided: str  # if what should have ended it before has not happened
    score: str  # the same as a reminder, for one round
    total: str  # and for several


_LOWEST = _Endings(
    only_round=gettext_noop("There is one round; the lowest score wins."),
    last_round=gettext_noop("After round {rounds} the lowest total wins."),
    last_round_or_shut=gettext_noop(
        "After round {rounds} the lowest total wins, but a player who {shuts} wins the match at "
        "once."
    ),
    undecided=gettext_noop("If nobody has won after round {rounds}, the lowest total wins."),
    score=gettext_noop("lowest score wins"),
    total=gettext_noop("lowest total wins"),
)
_HIGHEST = _Endings(
    only_round=gettext_noop("There is one round; the highest score wins."),
    last_round=gettext_noop("After round {rounds} the highest total wins."),
    last_round_or_shut=gettext_noop(
        "After round {rounds} the highest total wins, but a player who {shuts} wins the match at "
        "once."
    ),
    undecided=gettext_noop("If nobody has won after round {rounds}, the highest total wins."),
    score=gettext_noop("highest score wins"),
    total=gettext_noop("highest total wins"),
)


def list_line(format: Format, scoring: Scoring, shuts: str) -> str:
    """Return a line for a list: how a match ends, and what a round costs in chips, if any."""
    ends = next(_ending(format, scoring, shuts))
    return f"{ends} {_stake(format)}" if format.stake else ends


def heading_parts(format: Format, seats: int, shuts: str) -> Iterator[str]:
    """Yield the terms for a heading: `two players`, `five rounds`, `the winner begins`."""
    yield counted("{number} player", "{number} players", seats)
    yield from _length(format, shuts)
    if format.turns is not TurnLength.WHOLE:
        yield _each_throw(format)
    if format.stuck is Stuck.PASSES:
        yield gettext("a player who is stuck passes")
    if format.shut is WhenShut.WINS:
        yield gettext("a player who {shuts} wins the round", shuts=shuts)
    elif format.shut is WhenShut.DOUBLES:
        yield gettext("a shut box doubles all other scores")
    if format.high_roll:
        yield gettext("the highest throw begins")
    if format.order is Order.WINNER:
        yield gettext("the winner of a round begins the next")
    elif format.order is Order.ROTATE:
        yield gettext("the next player begins the next round")
    yield from _chips_phrase(format)


def reminders(format: Format, scoring: Scoring, shuts: str) -> Iterator[str]:
    """Yield what to know before the first throw: `five rounds`, `lowest total wins`."""
    yield from _length(format, shuts)
    if format.turns is not TurnLength.WHOLE:
        yield _each_throw(format)
        if format.stuck is Stuck.PASSES:
            yield gettext("a player who is stuck passes")
        else:
            yield gettext("a player who cannot cover is out")
    yield from _chips_phrase(format)
    if format.limit is not None:
        yield gettext("the last one left wins")
    if format.rounds and format.wins is format.target is format.limit is None:
        endings = _endings(scoring)
        yield gettext(endings.score) if format.rounds == 1 else gettext(endings.total)


def _length(format: Format, shuts: str) -> Iterator[str]:
    """Yield when the match ends, for a list of phrases; `Format.length` stands alone."""
    if format.wins is not None:
        yield counted("first to win {number} round", "first to win {number} rounds", format.wins)
    elif format.target is not None:
        yield gettext("first to {target}", target=format.target)
    elif format.limit is not None:
        # Translators: a player is out of the match, and plays no more, at this total.
        yield gettext("out at {limit}", limit=format.limit)
    elif format.until is not None:
        # Translators: {shuts} is "shuts the box", a verb with its object.
        yield gettext("until somebody {shuts}", shuts=shuts)
    if rounds := format.rounds:
        yield counted("{number} round", "{number} rounds", rounds)


def _each_throw(format: Format) -> str:
    if format.turns is TurnLength.COMMON:
        # Translators: each throw counts for every player.
        return gettext("each throw for all")
    return gettext("one throw each")


def _chips_phrase(format: Format) -> Iterator[str]:
    if format.by_points:
        yield ngettext("{number} chip a point", "{number} chips a point", format.stake)
    elif format.stake:
        yield ngettext("{number} chip", "{number} chips", format.stake)


def card_lines(
    format: Format, players: tuple[str, ...], scoring: Scoring, shuts: str
) -> Iterator[str]:
    """Yield the rules, one or two sentences a line."""
    yield ngettext(
        "One player: {names}.",
        "{number} players: {names}.",
        len(players),
        names=listed(players),
        number=capital(number_word(len(players))),
    )
    yield from _ending(format, scoring, shuts)
    rows = format.turns is not TurnLength.WHOLE
    if rows:
        yield gettext("The players throw in turn, one throw each, in rows of their own.")
        if format.turns is TurnLength.COMMON:
            yield gettext("After everybody's first throw, each throw counts for all still in.")
        yield gettext(_IF_STUCK[format.stuck])
    yield from _shut_box(format, shuts, rows=rows)
    if len(players) > 1:
        yield _order(format, players)
    if format.stake:
        yield from _chips(format, len(players), shuts)
    elif len(players) > 1 and format.ties is Ties.THROW_OFF:
        # Otherwise players who tie win together, which without chips needs no rule.
        yield gettext(_TIES[Ties.THROW_OFF])


def _shut_box(format: Format, shuts: str, *, rows: bool) -> Iterator[str]:
    """Yield what a shut box does to its round, unless the end of the match has said it."""
    ends_match = format.until is Until.SHUT
    match format.shut:
        case WhenShut.DOUBLES:
            yield gettext(
                "If somebody {shuts}, all other scores of the round count twice.", shuts=shuts
            )
        case WhenShut.SCORES if not ends_match:
            yield gettext("If somebody {shuts}, the round goes on.", shuts=shuts)
        case WhenShut.WINS if rows:
            yield gettext("A player who {shuts} wins the round at once.", shuts=shuts)
        case WhenShut.WINS if not ends_match or format.most_rounds == 1:
            yield gettext(
                "A player who {shuts} wins the round at once; anyone who has had no turn gets the "
                "worst score there is.",
                shuts=shuts,
            )


def _order(format: Format, players: tuple[str, ...]) -> str:
    """Return who throws first, and who begins the next rounds."""
    first = players[format.first]
    if format.high_roll:
        return gettext(_HIGH_ROLL[format.order], first=first)
    if len(players) == 2 and format.order is Order.SEATS:
        second = players[1 - format.first]
        return gettext("{first} throws first, then {second}.", first=first, second=second)
    return gettext(_ORDERS[format.order], first=first)


def _ending(format: Format, scoring: Scoring, shuts: str) -> Iterator[str]:
    """Yield how the match ends. The first sentence alone says enough for a list."""
    rounds = format.most_rounds
    endings = _endings(scoring)
    if rounds == 1:
        yield gettext(endings.only_round)
    elif format.wins is not None:
        yield ngettext(
            "The first player to win a round wins the match.",
            "The first player to win {number} rounds wins the match.",
            format.wins,
        )
        if format.ties is not Ties.THROW_OFF:
            # Translators: tied: several players have the best score of the round.
            yield gettext("A tied round counts for nobody.")
        yield gettext(
            "If nobody has won after round {rounds}, the player who won most rounds wins.",
            rounds=rounds,
        )
    elif format.target is not None:
        yield gettext("The first to reach a total of {target} wins.", target=format.target)
        yield gettext(_TARGET[format.end])
        yield gettext(endings.undecided, rounds=rounds)
    elif format.limit is not None:
        yield gettext(_LIMIT[format.end], limit=format.limit)
        yield gettext(endings.undecided, rounds=rounds)
    elif format.until is None:
        yield gettext(endings.last_round, rounds=rounds)
    elif format.shut is WhenShut.SCORES:
        yield gettext("The match goes on until somebody {shuts}; that player wins it.", shuts=shuts)
        yield gettext(endings.undecided, rounds=rounds)
    elif format.rounds is None:
        yield gettext("A player who {shuts} wins the match at once.", shuts=shuts)
        yield gettext(endings.undecided, rounds=rounds)
    else:
        yield gettext(endings.last_round_or_shut, rounds=rounds, shuts=shuts)


def _endings(scoring: Scoring) -> _Endings:
    return _LOWEST if scoring.low_is_good else _HIGHEST


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
    if format.by_points:
        # Translators: chips are tokens, such as coins, that players put into the pot.
        yield gettext("A loser who has fewer chips pays all of them.")
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
    if format.by_points:
        return ngettext(
            "The winner of a round gets {number} chip from each loser for every point between "
            "them.",
            "The winner of a round gets {number} chips from each loser for every point between "
            "them.",
            format.stake,
        )
    if format.most_rounds == 1:
        return ngettext(
            "Everybody puts {number} chip into the pot; the winner takes it all.",
            "Everybody puts {number} chips into the pot; the winner takes it all.",
            format.stake,
        )
    return ngettext(
        "For each round everybody puts {number} chip into the pot; the winner takes it all.",
        "For each round everybody puts {number} chips into the pot; the winner takes it all.",
        format.stake,
    )
