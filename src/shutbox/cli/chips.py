"""`shutbox chips`: every account of a match, explained."""

import argparse
from typing import Any

from shutbox.cli.output import print_json
from shutbox.cli.record_argument import named, read_record
from shutbox.cli.summary import head
from shutbox.english import capital, numbered
from shutbox.errors import UnknownRecord
from shutbox.match import Account, House, Ledger, Match, ledger


def chips(arguments: argparse.Namespace) -> None:
    """Every account of a match, line by line."""
    which, reading = read_record(arguments.record)
    match = reading.game
    if not isinstance(match, Match) or not match.format.stake:
        raise UnknownRecord(f"{named(which)} was not played for chips")
    book = ledger(match, reading.play.steps)
    if arguments.json:
        accounts = [_as_json(match, book, account) for account in book.accounts]
        print_json({**head(which, reading), "accounts": accounts})
        return
    for account in book.accounts:
        print(f"{capital(_owner(match, account))}: {numbered(book.balance(account), 'chip')}.")
        for line in book.lines(account):
            verb, way = ("gets", "from") if line.chips > 0 else ("gives", "to")
            when = f"after event {line.event}" if line.event else "at the start"
            moved = f"{verb} {numbered(abs(line.chips), 'chip')} {way} {_owner(match, line.other)}"
            print(f"{capital(when)} {moved}: {line.why}; then {line.balance}.")
    total = sum(map(book.balance, book.accounts))
    print(f"Over all accounts the chips sum to {total}.")


def _as_json(match: Match[Any, Any], book: Ledger, account: Account) -> dict[str, Any]:
    lines = [
        {
            "event": line.event,
            "other": _account(match, line.other),
            "chips": line.chips,
            "balance": line.balance,
            "why": line.why,
        }
        for line in book.lines(account)
    ]
    return {**_account(match, account), "balance": book.balance(account), "lines": lines}


def _owner(match: Match[Any, Any], account: Account) -> str:
    return f"the {account.value}" if isinstance(account, House) else match.players[account]


def _account(match: Match[Any, Any], account: Account) -> dict[str, Any]:
    """Whose an account is; a player may be called Pot."""
    if isinstance(account, House):
        return {"house": account.value}
    return {"seat": account, "player": match.players[account]}
