"""The accounts of a match in sentences, and as JSON."""

from collections.abc import Iterator
from dataclasses import asdict
from typing import Any

from shutbox.english import capital
from shutbox.match.game import Match
from shutbox.match.ledger import Ledger, Line
from shutbox.match.standing import Account, House
from shutbox.messages import gettext, ngettext, pgettext, pgettext_noop

_HOUSES = {
    House.POT: pgettext_noop("account of chips", "pot"),
    House.BANK: pgettext_noop("account of chips", "bank"),
}


def account_lines(match: Match[Any, Any], book: Ledger) -> Iterator[str]:
    """Yield each account with its balance and its lines, and the sum of all accounts."""
    for account in book.accounts:
        owner = capital(_owner(match, account))
        balance = book.balance(account)
        yield ngettext("{owner}: {number} chip.", "{owner}: {number} chips.", balance, owner=owner)
        yield "\n".join(_moved(match, line) for line in book.lines(account))
    total = sum(map(book.balance, book.accounts))
    yield gettext("All accounts together: {total}.", total=total)


def _moved(match: Match[Any, Any], line: Line) -> str:
    sign = "+" if line.chips > 0 else "-"
    facts = {
        "event": line.event,
        "chips": f"{sign}{abs(line.chips)}",
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
    return (
        pgettext("account of chips", _HOUSES[account])
        if isinstance(account, House)
        else match.players[account]
    )


def _account(match: Match[Any, Any], account: Account) -> dict[str, Any]:
    """Return the owner of an account for JSON: a `house`, or a `seat` with its `player`."""
    if isinstance(account, House):
        return {"house": account.value}
    return {"seat": account, "player": match.players[account]}
