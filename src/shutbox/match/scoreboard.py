"""The figures of a match: its scoreboard, its ledger of chips, and the sheet of its rounds.

The ledger is double-entry: its balances sum to zero. It is made from the steps of a play, and so is
the sheet. A choice that was taken back has therefore moved no chips, and a corrected throw moves
the chips of its correction.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any

from shutbox.english import capital
from shutbox.game import C, Game, P
from shutbox.match.game import Choice, Match
from shutbox.match.race import Race
from shutbox.match.standing import (
    About,
    Account,
    Contest,
    Ended,
    House,
    Movement,
    Purpose,
    RoundResult,
    Standing,
    Turn,
    WithoutChips,
)
from shutbox.messages import gettext, gettext_noop, ngettext, pgettext, pgettext_noop
from shutbox.play import Chosen, Step

_PLAYED_TO = {
    (True, False, False): gettext_noop("{totals}: to win at {target}"),
    (True, False, True): gettext_noop("{totals}, round {round} of {rounds}: to win at {target}"),
    (False, True, False): gettext_noop("{totals}, out at {limit}: to win"),
    (False, True, True): gettext_noop(
        "{totals}, out at {limit}, round {round} of {rounds}: to win"
    ),
    (False, False, True): gettext_noop("{totals}, round {round} of {rounds}: to win"),
}
"""The templates, by whether there is a target, a limit, and a number of rounds."""


@dataclass(frozen=True, slots=True)
class Scoreboard:
    """The totals, goals and leaders of a match at a settled position; those of players by seat."""

    players: tuple[str, ...]  # the names
    totals: tuple[int, ...]  # including scores of this round
    seat: int | None  # whose turn it is; None outside turns
    round: int  # from 1
    rounds: int | None  # the most rounds; None if the format sets no number
    target: int | None  # the total that wins
    limit: int | None  # the total that puts a player out
    scores: tuple[int | None, ...] = ()  # of this round; None before the end of the turn
    chips: tuple[int, ...] = ()  # empty without a stake
    needs: tuple[int | None, ...] = ()
    """The worst score that puts a player to come ahead of all scores so far; otherwise None."""
    leaders: tuple[int, ...] = ()  # the seats that lead or have won; empty if that is open
    decided: int | None = None  # the seat that can no longer be caught

    def of(self, players: Sequence[str] | None) -> "Scoreboard":
        """Return a copy with other names of the players; None leaves them unchanged."""
        return self if players is None else replace(self, players=tuple(players))

    def report(self) -> dict[str, Any]:
        """Return the fields by name, with lists for tuples, as a value for `json.dumps`."""
        facts = asdict(self).items()
        return {name: list(fact) if isinstance(fact, tuple) else fact for name, fact in facts}

    def words(self) -> str:
        """Return totals and goal, to begin a sentence; KeyError if only a shut box ends the match.

        >>> Scoreboard(("Ann", "Player 2"), (20, 31), 0, 4, 5, None, None).words()
        'Ann 20, Player 2 has 31, round 4 of 5: to win'
        """
        each = map(_has, self.players, self.totals)
        known = self.target is not None, self.limit is not None, self.rounds is not None
        facts = {name: getattr(self, name) for name in ("round", "rounds", "target", "limit")}
        return gettext(
            _PLAYED_TO[known], totals=pgettext("list separator", ", ").join(each), **facts
        )


def _has(name: str, total: int) -> str:
    if name[-1:].isdigit():  # two numbers in a row sound like one
        return gettext("{name} has {total}", name=name, total=total)
    return gettext("{name} {total}", name=name, total=total)


def scoreboard(match: Match[Any, Any], position: Any) -> Scoreboard:
    """Return the scoreboard of a match at a position."""
    here, format = match.settled(position).position, match.format
    race, doing = Race(match.rules, here), here.doing
    # At the end, and in a contest for the match, totals include the scores of the last round.
    match doing:
        case Ended() | Contest(about=About.MATCH):
            totals = [tally.total for tally in here.tallies]
        case _:
            totals = [tally.total + (tally.score or 0) for tally in here.tallies]
    return Scoreboard(
        players=match.players,
        totals=tuple(totals),
        seat=doing.seat if isinstance(doing, Turn) else None,
        round=here.round,
        rounds=format.rounds,
        target=format.target,
        limit=format.limit,
        scores=tuple(tally.score for tally in here.tallies),
        chips=tuple(tally.chips for tally in here.tallies) if format.stake else (),
        needs=tuple(race.needs(seat) for seat in range(len(match.players))),
        leaders=doing.winners if isinstance(doing, Ended) else race.leaders,
        decided=race.decided,
    )


def scoreboard_of_totals(game: Game[Any, Any], position: Any) -> Scoreboard | None:
    """Return the scoreboard if totals decide; None if not, or if no turn is in progress.

    Totals do not decide a single game, a match of one round or of a lone player, or a match that
    only a shut box ends.
    """
    if not isinstance(game, Match) or len(game.players) == 1 or game.format.most_rounds == 1:
        return None
    board = scoreboard(game, position)
    has_end = (board.target, board.limit, board.rounds) != (None, None, None)
    return board if has_end and board.seat is not None else None


@dataclass(frozen=True, slots=True)
class Line:
    """One line of an account: chips that it received or paid, with its balance after that."""

    event: int  # the number of the event that moved the chips; 0: before the match began
    other: Account  # the account on the other side
    chips: int  # the chips received, or below zero the chips paid
    balance: int  # the balance after this line
    why: str  # the purpose: `stake of round 2`


class Ledger:
    """The accounts of the chips of a match: every purse, the pot and the bank, line by line.

    >>> ledger = Ledger(2, [(0, Movement(House.BANK, 0, 20, Purpose.PURSE)),
    ...                     (1, Movement(0, House.POT, 1, Purpose.STAKE))])
    >>> ledger.balance(0), ledger.balance(House.POT), ledger.balance(House.BANK)
    (19, 1, -20)
    >>> sum(map(ledger.balance, ledger.accounts))
    0
    >>> [(line.chips, line.balance, line.why) for line in ledger.lines(0)]
    [(20, 20, 'purse'), (-1, 19, 'stake of round 1')]
    """

    def __init__(self, seats: int, entries: Iterable[tuple[int, Movement]]) -> None:
        """Take movements in order, each with the number of the event that caused it (0: none)."""
        self.accounts: tuple[Account, ...] = (*range(seats), House.POT, House.BANK)
        self.entries = tuple(entries)

    def balance(self, account: Account) -> int:
        """Return the final balance of an account."""
        return sum(line.chips for line in self.lines(account))

    def lines(self, account: Account) -> tuple[Line, ...]:
        """Return the lines of an account, in order."""
        lines: list[Line] = []
        balance = 0
        for event, moved in self.entries:
            if account in (moved.source, moved.target):
                got = moved.target == account
                chips, other = (moved.chips, moved.source) if got else (-moved.chips, moved.target)
                balance += chips
                lines.append(Line(event, other, chips, balance, moved.says))
        return tuple(lines)


def ledger(match: Match[P, C], steps: Iterable[Step[Standing[P], Choice[C]]]) -> Ledger:
    """Return the ledger of a match after these steps of a play.

    >>> from shutbox import Chosen, Play, Roll, Rolled, find
    >>> from shutbox.match import Format, House
    >>> match = Match(find("lucky-seven"), Format.parse("stake=1"), ["Ann", "Bob"])
    >>> seven = match.parse_choice(match.rolled(match.start(), Roll((3, 4))), "7")
    >>> play = Play(match, [Rolled(Roll((3, 4))), Chosen(seven), Rolled(Roll((1, 1)))])
    >>> played = ledger(match, play.steps)
    >>> played.balance(0), played.balance(1), played.balance(House.POT)
    (22, 18, 0)

    Ann has shut the box: Bob pays one more chip into the pot, and Ann takes it.
    """
    purses = enumerate(match.rules.purses)
    begun = [Movement(House.BANK, seat, chips, Purpose.PURSE) for seat, chips in purses if chips]
    entries = [(0, moved) for moved in (*begun, *match.settled(match.start()).movements)]
    # Movements that follow from an event come from settling the position after it.
    for step in steps:
        if isinstance(step.event, Chosen) and isinstance(step.event.choice, WithoutChips):
            asked = match.answered(step.before, step.event.choice)
            entries += [(step.number, moved) for moved in asked.movements]
        entries += [(step.number, moved) for moved in match.settled(step.after).movements]
    return Ledger(len(match.players), entries)


def sheet(
    match: Match[P, C], steps: Iterable[Step[Standing[P], Choice[C]]]
) -> tuple[RoundResult, ...]:
    """Return the results of the rounds that are over after these steps of a play, in order."""
    results = (match.settled(step.after).result for step in steps)
    return tuple(result for result in results if result is not None)


# The accounts in sentences, and as JSON

_HOUSES = {
    House.POT: pgettext_noop("account of chips", "pot"),
    House.BANK: pgettext_noop("account of chips", "bank"),
}


def account_lines(match: Match[Any, Any], book: Ledger) -> Iterator[str]:
    """Yield for each account its balance, then its lines as one text or ""; last, the sum."""
    for account in book.accounts:
        owner = capital(_owner(match, account))
        balance = book.balance(account)
        yield ngettext("{owner}: {number} chip.", "{owner}: {number} chips.", balance, owner=owner)
        yield "\n".join(_moved(match, line) for line in book.lines(account))
    total = sum(map(book.balance, book.accounts))
    yield gettext("All accounts together: {total}.", total=total)


def _moved(match: Match[Any, Any], line: Line) -> str:
    facts = {
        "event": line.event,
        "chips": f"{line.chips:+}",
        "owner": _owner(match, line.other),
        "why": line.why,
        "balance": line.balance,
    }
    if not line.event:
        return gettext("At the start: {chips} ({owner}: {why}), balance {balance}.", **facts)
    return gettext("After event {event}: {chips} ({owner}: {why}), balance {balance}.", **facts)


def account_as_json(match: Match[Any, Any], book: Ledger, account: Account) -> dict[str, Any]:
    """Return an account with its owner, balance and lines, as a value for `json.dumps`."""
    lines = book.lines(account)
    rows = [{**asdict(line), "other": _account(match, line.other)} for line in lines]
    return {**_account(match, account), "balance": book.balance(account), "lines": rows}


def _owner(match: Match[Any, Any], account: Account) -> str:
    if isinstance(account, House):
        return pgettext("account of chips", _HOUSES[account])
    return match.players[account]


def _account(match: Match[Any, Any], account: Account) -> dict[str, Any]:
    """Return the owner of an account for JSON: a `house`, or a `seat` with its `player`."""
    if isinstance(account, House):
        return {"house": account.value}
    return {"seat": account, "player": match.players[account]}
