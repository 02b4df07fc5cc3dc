"""`shutbox chips`: every account of a match, explained."""

import argparse
from collections.abc import Iterator
from dataclasses import asdict
from typing import Any

from shutbox.cli.options import add_json, add_record
from shutbox.cli.output import answer
from shutbox.cli.parser import Parser
from shutbox.cli.records import head, read_record
from shutbox.english import capital
from shutbox.errors import UnknownRecord
from shutbox.match import Account, House, Ledger, Match, ledger
from shutbox.match.ledger import Line
from shutbox.messages import gettext, gettext_noop, ngettext
from shutbox.store import named

_HOUSES = {House.POT: gettext_noop("the pot"), House.BANK: gettext_noop("the bank")}


def add_chips(parser: Parser) -> None:
    """Add the arguments of `shutbox chips`."""
    add_record(parser)
    add_json(parser)
    parser.runs(chips, "chips 7")


def chips(arguments: argparse.Namespace) -> None:
    """Every account of a match, line by line."""
    which, reading = read_record(arguments.record)
    match = reading.game
    if not isinstance(match, Match) or not match.format.stake:
        raise UnknownRecord("{record} was not played for chips", record=named(which))
    book = ledger(match, reading.play.steps)
    accounts = (_as_json(match, book, account) for account in book.accounts)
    says = _lines(match, book)
    answer(arguments, says, lambda: {**head(which, reading), "accounts": [*accounts]})


def _lines(match: Match[Any, Any], book: Ledger) -> Iterator[str]:
    for account in book.accounts:
        owner = capital(_owner(match, account))
        balance = book.balance(account)
        yield ngettext("{owner}: {number} chip.", "{owner}: {number} chips.", balance, owner=owner)
        yield "\n".join(_moved(match, line) for line in book.lines(account))
    total = sum(map(book.balance, book.accounts))
    yield gettext("Over all accounts the chips sum to {total}.", total=total)


def _moved(match: Match[Any, Any], line: Line) -> str:
    after = gettext("After event {event}", event=line.event)
    facts = {
        "when": after if line.event else gettext("At the start"),
        "chips": ngettext("{number} chip", "{number} chips", abs(line.chips)),
        "owner": _owner(match, line.other),
        "why": line.why,
        "balance": line.balance,
    }
    if line.chips > 0:
        return gettext("{when} gets {chips} from {owner}: {why}; then {balance}.", **facts)
    return gettext("{when} gives {chips} to {owner}: {why}; then {balance}.", **facts)


def _as_json(match: Match[Any, Any], book: Ledger, account: Account) -> dict[str, Any]:
    lines = book.lines(account)
    rows = [{**asdict(line), "other": _account(match, line.other)} for line in lines]
    return {**_account(match, account), "balance": book.balance(account), "lines": rows}


def _owner(match: Match[Any, Any], account: Account) -> str:
    return gettext(_HOUSES[account]) if isinstance(account, House) else match.players[account]


def _account(match: Match[Any, Any], account: Account) -> dict[str, Any]:
    """Whose an account is; a player may be called Pot."""
    if isinstance(account, House):
        return {"house": account.value}
    return {"seat": account, "player": match.players[account]}
