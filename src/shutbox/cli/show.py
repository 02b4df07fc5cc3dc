"""`shutbox show`, `replay`, `check` and `chips`: the contents of a record and its soundness."""

import argparse
import re
from collections.abc import Iterator, Sequence
from dataclasses import asdict
from itertools import chain
from pathlib import Path
from typing import Any

from shutbox.cli.consoles import VOICE, add_length, console_of
from shutbox.cli.output import answer, print_json
from shutbox.cli.parser import Parser, add_shared
from shutbox.cli.records import AnyReading, head, read_record
from shutbox.english import capital, listed, number_word, shown, visible
from shutbox.errors import BadRecord, UnknownRecord
from shutbox.game import position_text
from shutbox.lookup import wrong_dice
from shutbox.match import (
    CHIPS,
    EVERYBODY,
    WHOSE,
    Account,
    House,
    Ledger,
    Match,
    Tally,
    ledger,
    sheet,
)
from shutbox.match.ledger import Line
from shutbox.messages import gettext, gettext_noop, ngettext
from shutbox.narrator import Length, told
from shutbox.play import Play, actors
from shutbox.record.event_text import event_text_of
from shutbox.store import Which, named
from shutbox.term.console import Console, Stopped

_STEPS = gettext_noop(
    "Enter goes on, b goes back, a number goes there, all goes to the end, end stops."
)
FAULTY = 1  # the exit code for a record that is not sound


def add_show(parser: Parser) -> None:
    """Add the arguments of `shutbox show`."""
    add_shared(parser, "record")
    parser.add_argument("--at", type=int, metavar="N", help=gettext("how it stood after event N"))
    add_shared(parser, "--json")
    parser.runs(show, "show", "show 7 --at 12")


def add_replay(parser: Parser) -> None:
    """Add the arguments of `shutbox replay`."""
    add_shared(parser, "record")
    add_length(parser)
    add_shared(parser, *VOICE, "--plain", "--json")
    parser.runs(replay, "replay", "replay game.shutbox")


def show(arguments: argparse.Namespace) -> None:
    """Print the score sheet and the moves of a record, or with `--at` one moment of it."""
    which, reading = read_record(arguments.record)
    if arguments.at is not None:
        _show_moment(arguments, reading)
        return
    lines = chain(_title(which, reading), _sheet(reading), _moves(reading))
    answer(arguments, lines, lambda: {**head(which, reading), **_whole(reading)})


def replay(arguments: argparse.Namespace) -> None:
    """Narrate a record again, step by step at a terminal, or print all steps with `--json`."""
    which, reading = read_record(arguments.record)
    steps = list(_told(reading, Length(arguments.length)))
    if arguments.json:
        numbered = [{"event": number, "says": says} for number, says in enumerate(steps)]
        print_json({**head(which, reading), "steps": numbered})
        return
    _watch(console_of(arguments), reading, steps)
    if reading.fault is not None:
        print(visible(gettext("It is damaged at {place}.", place=reading.fault)))


def _watch(console: Console, reading: AnyReading, steps: Sequence[tuple[str, ...]]) -> None:
    """Narrate a play from its start; at a terminal, Enter goes on to the next event.

    `steps` are the sentences for the start, and then for each event.
    """
    if not console.interactive:
        console.say(*chain.from_iterable(steps))
        return
    at, last = 0, len(steps) - 1

    def tell() -> None:
        console.say(*steps[at])
        console.draw(reading.game.scene(_position(reading, at)).lying)

    console.say(gettext(_STEPS))
    tell()
    while True:
        try:
            answer = console.answer(gettext("Event {at} of {last}:", at=at, last=last)).lower()
        except Stopped:
            console.say(gettext("The replay ends here."))
            return
        match answer:
            case "" if at == last:
                console.say(gettext("That was the last event."))
            case "b" if at == 0:
                console.say(gettext("That is the start."))
            case "" | "b":
                at += -1 if answer else 1
                tell()
            case "all":
                console.say(*chain.from_iterable(steps[at + 1 :]))
                at = last
            case "?" | "help":
                console.say(gettext(_STEPS))
            case _ if re.fullmatch("[0-9]{1,9}", answer) and int(answer) <= last:
                at = int(answer)
                tell()
            case _:
                facts = {"text": shown(answer), "last": last}
                console.say(gettext("{text} is not understood; events are 0 to {last}.", **facts))


def _position(reading: AnyReading, at: int) -> Any:
    """Return the position after `at` events."""
    return Play(reading.game, reading.play.log[:at], start=reading.play.start).position


def _title(which: Which, reading: AnyReading) -> Iterator[str]:
    header = reading.header
    players = listed(
        gettext("{name} (computer, {kind})", name=seat.name, kind=seat.computer)
        if seat.computer
        else seat.name
        for seat in header.players
    )
    record, title = capital(named(which)), reading.game.card().title
    yield gettext("{record}: {title}, {players}.", record=record, title=title, players=players)
    yield gettext("Begun {begun}, dice: {dice}.", begun=header.begun, dice=header.dice)
    if header.format:
        yield gettext("Format: {format}.", format=header.format)
    if reading.fault is not None:
        place = reading.fault
        yield gettext("It is damaged at {place}. What is before that is shown.", place=place)


def _told(reading: AnyReading, length: Length) -> Iterator[tuple[str, ...]]:
    play = reading.play
    return told(reading.game, play.log, reading.header.names, length, start=play.start)


def _sheet(reading: AnyReading) -> Iterator[str]:
    match = reading.game
    scene = match.scene(reading.play.position)
    if not isinstance(match, Match):
        yield scene.score
        return
    names = match.players
    for result in sheet(match, reading.play.steps):
        tallies = zip(names, result.tallies, strict=True)
        yield ngettext(
            "Round {round}: {scores}; won by {names}.",
            "Round {round}: {scores}; shared by {names}.",
            len(result.winners),
            round=result.round,
            scores="; ".join(_score(tally, name, match.shut) for name, tally in tallies),
            names=listed(names[seat] for seat in result.winners),
        )
    yield from (a.says for a in scene.answers if a.key in (EVERYBODY, CHIPS, WHOSE))


def _score(tally: Tally, name: str, shut: str) -> str:
    if tally.score is None:
        return gettext("no turn for {name}", name=name)
    if tally.shut:
        return gettext("{score} with {shut} for {name}", score=tally.score, shut=shut, name=name)
    return gettext("{number} for {name}", number=tally.score, name=name)


def _moves(reading: AnyReading) -> Iterator[str]:
    """Yield a numbered line for each event, as brief as possible."""
    said = _told(reading, Length.BRIEF)
    next(said)  # the sentences of the start
    for number, says in enumerate(said, start=1):
        yield gettext("{number}. {says}", number=number, says=" ".join(says))


def _whole(reading: AnyReading) -> dict[str, Any]:
    game, names = reading.game, reading.header.names
    rounds = sheet(game, reading.play.steps) if isinstance(game, Match) else ()
    return {
        "rounds": [
            {
                "round": result.round,
                "scores": [tally.score for tally in result.tallies],
                "shut": [tally.shut for tally in result.tallies],
                "winners": [names[seat] for seat in result.winners],
            }
            for result in rounds
        ],
        "moves": [
            {"event": number, "player": names[seat], "does": str(event_text_of(game, event))}
            for number, (seat, event) in enumerate(
                actors(game, reading.play.log, reading.play.start), start=1
            )
        ],
        "position": position_text(game, reading.play.position),
    }


def _show_moment(arguments: argparse.Namespace, reading: AnyReading) -> None:
    game, last, at = reading.game, len(reading.play.log), arguments.at
    if not 0 <= at <= last:
        facts = {"number": at, "last": last}
        raise BadRecord("there is no event {number}; the record has 0 to {last}", **facts)
    position = _position(reading, at)
    scene, text = game.scene(position), position_text(game, position)
    says = [*scene.says, scene.board, scene.score, *(a.says for a in scene.answers)]
    once = list(dict.fromkeys(says))
    answer(arguments, [text, *once], lambda: {"at": at, "position": text, "says": once})


def add_check(parser: Parser) -> None:
    """Add the arguments of `shutbox check`."""
    add_shared(parser, "record", "--json")
    parser.runs(check, "check", "check game.shutbox --json")


def check(arguments: argparse.Namespace) -> int:
    """Print whether a record is undamaged, with the dice of its seed. Return the exit code."""
    which, reading = read_record(arguments.record)
    problem = None if reading.fault is None else str(reading.fault)
    if problem is None and (number := wrong_dice(reading)) is not None:
        problem = gettext("the dice of event {number} are not those of the seed", number=number)
    verdict = {"sound": problem is None, "problem": problem}
    answer(
        arguments, _verdict(which, reading, problem), lambda: {**head(which, reading), **verdict}
    )
    return 0 if problem is None else FAULTY


def _verdict(which: Which, reading: AnyReading, problem: str | None) -> Iterator[str]:
    yield ngettext(
        "{record}: {number} event in order.",
        "{record}: {number} events in order.",
        reading.play.version,
        record=named(which) if isinstance(which, Path) else capital(named(which)),
        number=number_word(reading.play.version),
    )
    if reading.torn:
        yield gettext("The last line was never finished, and is left out.")
    if problem is None:
        yield gettext("Nothing is wrong.")
    else:
        yield gettext("{problem}.", problem=capital(problem))


_HOUSES = {House.POT: gettext_noop("the pot"), House.BANK: gettext_noop("the bank")}


def add_chips(parser: Parser) -> None:
    """Add the arguments of `shutbox chips`."""
    add_shared(parser, "record", "--json")
    parser.runs(chips, "chips 7")


def chips(arguments: argparse.Namespace) -> None:
    """Print the accounts of a match, line by line. Raises UnknownRecord if it is without chips."""
    which, reading = read_record(arguments.record)
    match = reading.game
    if not isinstance(match, Match) or not match.format.stake:
        raise UnknownRecord("{record} was not played for chips", record=named(which))
    book = ledger(match, reading.play.steps)
    accounts = (_account_as_json(match, book, account) for account in book.accounts)
    says = _accounts(match, book)
    answer(arguments, says, lambda: {**head(which, reading), "accounts": [*accounts]})


def _accounts(match: Match[Any, Any], book: Ledger) -> Iterator[str]:
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


def _account_as_json(match: Match[Any, Any], book: Ledger, account: Account) -> dict[str, Any]:
    lines = book.lines(account)
    rows = [{**asdict(line), "other": _account(match, line.other)} for line in lines]
    return {**_account(match, account), "balance": book.balance(account), "lines": rows}


def _owner(match: Match[Any, Any], account: Account) -> str:
    return gettext(_HOUSES[account]) if isinstance(account, House) else match.players[account]


def _account(match: Match[Any, Any], account: Account) -> dict[str, Any]:
    """Return the owner of an account for JSON: a `house`, or a `seat` with its `player`."""
    if isinstance(account, House):
        return {"house": account.value}
    return {"seat": account, "player": match.players[account]}
