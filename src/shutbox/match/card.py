"""The rules of a match in sentences: for its card, for a list, and for a heading.

Players and rounds are said in words, as far as there are words for numbers; points and chips in
digits.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
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


class _WhoWins(NamedTuple):
    """Who wins after the last round, in templates: for games where low is good, or high."""

    only_round: str
    last_round: str  # if nothing else can end the match
    last_round_or_shut: str  # if a shut box can end it before
    undecided: str  # if what should have ended it before has not happened
    score: str  # the same as a reminder, for one round
    total: str  # and for several


_LOWEST = _WhoWins(
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
_HIGHEST = _WhoWins(
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


@dataclass(frozen=True)
class MatchTerms:
    """The terms of a match, which can be said in sentences."""

    format: Format
    scoring: Scoring  # of totals: whether low is good
    shuts: str  # the verb phrase of `RuleCard.shuts`, such as `shuts the box`

    def card_lines(self, players: Sequence[str]) -> Iterator[str]:
        """Yield the rules, one or two sentences a line."""
        format = self.format
        yield ngettext(
            "One player: {names}.",
            "{number} players: {names}.",
            len(players),
            names=listed(players),
            number=capital(number_word(len(players))),
        )
        yield from self._ending()
        if format.has_rows:
            yield gettext("The players throw in turn, one throw each, in rows of their own.")
            if format.turns is TurnLength.COMMON:
                yield gettext("After everybody's first throw, each throw counts for all still in.")
            yield gettext(_IF_STUCK[format.stuck])
        yield from self._shut_box()
        if len(players) > 1:
            yield self._order(players)
        if format.stake:
            yield from self._chips(len(players))
        elif len(players) > 1 and format.ties is Ties.THROW_OFF:
            # Otherwise players who tie win together, which without chips needs no rule.
            yield gettext(_TIES[Ties.THROW_OFF])

    def _shut_box(self) -> Iterator[str]:
        """Yield what a shut box does to its round, unless the end of the match has said it."""
        format = self.format
        ends_match = format.until is Until.SHUT
        match format.shut:
            case WhenShut.DOUBLES:
                yield gettext(
                    "If somebody {shuts}, all other scores of the round count twice.",
                    shuts=self.shuts,
                )
            case WhenShut.SCORES if not ends_match:
                yield gettext("If somebody {shuts}, the round goes on.", shuts=self.shuts)
            case WhenShut.WINS if format.has_rows:
                yield gettext("A player who {shuts} wins the round at once.", shuts=self.shuts)
            case WhenShut.WINS if not ends_match or format.most_rounds == 1:
                yield gettext(
                    "A player who {shuts} wins the round at once; anyone who has had no turn gets "
                    "the worst score there is.",
                    shuts=self.shuts,
                )

    def _order(self, players: Sequence[str]) -> str:
        """Return who throws first, and who begins the next rounds."""
        format = self.format
        first = players[format.first]
        if format.high_roll:
            return gettext(_HIGH_ROLL[format.order], first=first)
        if len(players) == 2 and format.order is Order.SEATS:
            second = players[1 - format.first]
            return gettext("{first} throws first, then {second}.", first=first, second=second)
        return gettext(_ORDERS[format.order], first=first)

    def _chips(self, seats: int) -> Iterator[str]:
        """Yield what the players begin with, pay and win, and what happens without chips."""
        format = self.format
        purses = format.purses(seats)
        if len(set(purses)) == 1:
            yield ngettext(
                "Each player begins with {number} chip.",
                "Each player begins with {number} chips.",
                purses[0],
            )
        else:
            yield gettext("The players begin with these chips: {purses}.", purses=listed(purses))
        yield self._stake()
        if format.by_points:
            # Translators: chips are tokens, such as coins, that players put into the pot.
            yield gettext("A loser who has fewer chips pays all of them.")
        if format.extra:
            yield ngettext(
                "If the winner of a round {shuts}, everybody who has not done so pays {number} "
                "more chip into the pot.",
                "If the winner of a round {shuts}, everybody who has not done so pays {number} "
                "more chips into the pot.",
                format.extra,
                shuts=self.shuts,
            )
        yield gettext(_TIES[format.ties])
        yield ngettext(
            "A player without a chip before a round is asked whether to buy more, sit out, or "
            "leave.",
            "A player with fewer than {number} chips before a round is asked whether to buy more, "
            "sit out, or leave.",
            format.needed,
        )
        yield gettext("What is left in the pot at the end goes to the winner of the match.")

    @property
    def _who_wins(self) -> _WhoWins:
        return _LOWEST if self.scoring.low_is_good else _HIGHEST

    def list_line(self) -> str:
        """Return a line for a list: how a match ends, and what a round costs in chips, if any."""
        ends = next(self._ending())
        return f"{ends} {self._stake()}" if self.format.stake else ends

    def _ending(self) -> Iterator[str]:
        """Yield how the match ends. The first sentence alone says enough for a list."""
        format, who_wins = self.format, self._who_wins
        rounds = format.most_rounds
        if rounds == 1:
            yield gettext(who_wins.only_round)
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
            yield gettext(who_wins.undecided, rounds=rounds)
        elif format.limit is not None:
            yield gettext(_LIMIT[format.end], limit=format.limit)
            yield gettext(who_wins.undecided, rounds=rounds)
        elif format.until is None:
            yield gettext(who_wins.last_round, rounds=rounds)
        elif format.shut is WhenShut.SCORES:
            yield gettext(
                "The match goes on until somebody {shuts}; that player wins it.", shuts=self.shuts
            )
            yield gettext(who_wins.undecided, rounds=rounds)
        elif format.rounds is None:
            yield gettext("A player who {shuts} wins the match at once.", shuts=self.shuts)
            yield gettext(who_wins.undecided, rounds=rounds)
        else:
            yield gettext(who_wins.last_round_or_shut, rounds=rounds, shuts=self.shuts)

    def _stake(self) -> str:
        """Return what a round costs, and who gets it."""
        format = self.format
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

    def heading_parts(self, seats: int) -> Iterator[str]:
        """Yield the terms for a heading: `two players`, `five rounds`, `the winner begins`."""
        format = self.format
        yield counted("{number} player", "{number} players", seats)
        yield from self._length()
        if format.has_rows:
            yield self._each_throw()
        if format.stuck is Stuck.PASSES:
            yield gettext("a player who is stuck passes")
        if format.shut is WhenShut.WINS:
            yield gettext("a player who {shuts} wins the round", shuts=self.shuts)
        elif format.shut is WhenShut.DOUBLES:
            yield gettext("a shut box doubles all other scores")
        if format.high_roll:
            yield gettext("the highest throw begins")
        if format.order is Order.WINNER:
            yield gettext("the winner of a round begins the next")
        elif format.order is Order.ROTATE:
            yield gettext("the next player begins the next round")
        yield from self._chips_phrase()

    def reminders(self) -> Iterator[str]:
        """Yield what to know before the first throw: `five rounds`, `lowest total wins`."""
        format = self.format
        yield from self._length()
        if format.has_rows:
            yield self._each_throw()
            if format.stuck is Stuck.PASSES:
                yield gettext("a player who is stuck passes")
            else:
                yield gettext("a player who cannot cover is out")
        yield from self._chips_phrase()
        if format.limit is not None:
            yield gettext("the last one left wins")
        if format.rounds and format.wins is format.target is format.limit is None:
            who_wins = self._who_wins
            yield gettext(who_wins.score) if format.rounds == 1 else gettext(who_wins.total)

    def _length(self) -> Iterator[str]:
        """Yield when the match ends, for a list of phrases; `Format.length` stands alone."""
        format = self.format
        if format.wins is not None:
            yield counted(
                "first to win {number} round", "first to win {number} rounds", format.wins
            )
        elif format.target is not None:
            yield gettext("first to {target}", target=format.target)
        elif format.limit is not None:
            # Translators: a player is out of the match, and plays no more, at this total.
            yield gettext("out at {limit}", limit=format.limit)
        elif format.until is not None:
            # Translators: {shuts} is "shuts the box", a verb with its object.
            yield gettext("until somebody {shuts}", shuts=self.shuts)
        if rounds := format.rounds:
            yield counted("{number} round", "{number} rounds", rounds)

    def _each_throw(self) -> str:
        if self.format.turns is TurnLength.COMMON:
            # Translators: each throw counts for every player.
            return gettext("each throw for all")
        return gettext("one throw each")

    def _chips_phrase(self) -> Iterator[str]:
        format = self.format
        if format.by_points:
            yield ngettext("{number} chip a point", "{number} chips a point", format.stake)
        elif format.stake:
            yield ngettext("{number} chip", "{number} chips", format.stake)
