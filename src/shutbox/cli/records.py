"""Questions about records: `show`, `check`, `chips`, `games --mine`, `export`, `import`."""

import argparse
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from shutbox.cli.output import print_json
from shutbox.cli.which import find_record, named
from shutbox.cups import SeededCup, follow
from shutbox.errors import BadRecord, ShutboxError, UnknownRecord
from shutbox.game import Over, position_text
from shutbox.match import EVERYBODY, WHOSE, Account, House, Match, RoundResult, Tally, ledger, sheet
from shutbox.matches import game_of
from shutbox.play import Play, actors
from shutbox.record import LARGEST_JSON, Reading, read_json, to_json
from shutbox.record.deed import deed_of
from shutbox.store import Store, read_file
from shutbox.term import Console, Replay
from shutbox.words import capital, counted, listed, numbered

FAULTY = 1
"""The exit code of `check` for a record that is not sound."""

AnyReading = Reading[Any, Any]


def show(arguments: argparse.Namespace) -> None:
    """The score sheet and the moves of a record, or one moment of it."""
    which, reading = _read(arguments.record)
    if arguments.at is not None:
        _show_moment(arguments, reading)
    elif arguments.json:
        print_json({**_head(which, reading), **_whole(reading)})
    else:
        print(*_title(which, reading), *_sheet(reading), *_moves(reading), sep="\n")


def replay(arguments: argparse.Namespace) -> None:
    """Watch a record again, step by step."""
    which, reading = _read(arguments.record)
    players = tuple(seat.name for seat in reading.header.players)
    watched = Replay(reading.game, reading.play.log, players, Console(plain=arguments.plain))
    if arguments.json:
        steps = [{"event": number, "says": says} for number, says in enumerate(watched.steps)]
        print_json({**_head(which, reading), "steps": steps})
        return
    watched.run()
    if reading.fault is not None:
        print(f"It is damaged at {reading.fault}.")


def check(arguments: argparse.Namespace) -> int:
    """Whether a record is sound; the exit code."""
    which, reading = _read(arguments.record)
    problem = _problem(reading)
    if arguments.json:
        print_json({**_head(which, reading), "sound": problem is None, "problem": problem})
        return 0 if problem is None else FAULTY
    print(f"{capital(named(which))}: {counted(reading.play.version, 'event')} in order.")
    if reading.torn:
        print("The last line was never finished, and is left out.")
    print("Nothing is wrong." if problem is None else f"{capital(problem)}.")
    return 0 if problem is None else FAULTY


def chips(arguments: argparse.Namespace) -> None:
    """Every account of a match, line by line."""
    which, reading = _read(arguments.record)
    match = reading.game
    if not isinstance(match, Match) or not match.format.stake:
        raise UnknownRecord(f"{named(which)} was not played for chips")
    book = ledger(match, reading.play.steps)
    if arguments.json:
        accounts = [
            {
                **_account(match, account),
                "balance": book.balance(account),
                "lines": [
                    {
                        "event": line.event,
                        "other": _account(match, line.other),
                        "chips": line.chips,
                        "balance": line.balance,
                        "why": line.why,
                    }
                    for line in book.lines(account)
                ],
            }
            for account in book.accounts
        ]
        print_json({**_head(which, reading), "accounts": accounts})
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


def _owner(match: Match[Any, Any], account: Account) -> str:
    return f"the {account.value}" if isinstance(account, House) else match.players[account]


def _account(match: Match[Any, Any], account: Account) -> dict[str, Any]:
    """Whose an account is; a player may be called Pot."""
    if isinstance(account, House):
        return {"house": account.value}
    return {"seat": account, "player": match.players[account]}


def mine(arguments: argparse.Namespace) -> None:
    """The user's own games, the newest last."""
    store = Store()
    rows = [_row(store, id) for id in store.ids()]
    if arguments.json:
        print_json(rows)
    elif not rows:
        print("No game is kept yet; shutbox play begins one.")
    for row in [] if arguments.json else rows:
        what = row.get("problem") or f"{row['title']}, {listed(row['players'])}, {row['state']}"
        begun = f"begun {row['begun']}, " if "begun" in row else ""
        print(f"{row['id']}: {begun}{what}.")


def export(arguments: argparse.Namespace) -> None:
    """A record as JSON."""
    which, reading = _read(arguments.record)
    if reading.fault is not None:
        print(f"shutbox: {named(which)}: {reading.fault}", file=sys.stderr)
        print("shutbox: what is before that is exported", file=sys.stderr)
    print_json(to_json(reading.header, reading.game, reading.play.log))


def import_(arguments: argparse.Namespace) -> None:
    """A record from JSON becomes one of the user's own."""
    text = read_file(Path(arguments.file), LARGEST_JSON + 1)
    id, reading = Store().take_in(read_json(text), game_of)
    print(f"It is kept as game {id}: {counted(reading.play.version, 'event')}.")


# What is said


def _read(text: str | None) -> tuple[int | Path, AnyReading]:
    store = Store()
    which = find_record(text, store)
    return which, store.read(which, game_of)


def _problem(reading: AnyReading) -> str | None:
    """What is wrong with a record: the first line that is not sound, or dice not of its seed."""
    if reading.fault is not None:
        return str(reading.fault)
    header = reading.header
    if header.dice.kind == "seed":
        number = follow(SeededCup(header.dice.seed), reading.game, reading.play.log)
        if number is not None:
            return f"the dice of event {number} are not those of the seed"
    return None


def _row(store: Store, id: int) -> dict[str, Any]:
    try:
        reading = store.read(id, game_of)
    except ShutboxError as error:
        return {"id": id, "problem": "it cannot be read: " + "; ".join(str(error).splitlines())}
    return {
        "id": id,
        "begun": reading.header.begun,
        "title": reading.game.card().title,
        "game": reading.game.name,
        "players": [seat.name for seat in reading.header.players],
        "over": _over(reading) is not None,
        "state": _state(reading),
    }


def _over(reading: AnyReading) -> Over | None:
    awaited = reading.game.awaits(reading.play.position)
    return awaited if isinstance(awaited, Over) else None


def _state(reading: AnyReading) -> str:
    over = _over(reading)
    damaged = ", and damaged after that" if reading.fault else ""
    if over is None:
        return f"not over{damaged}"
    names = [reading.header.players[seat].name for seat in over.winners]
    if len(reading.header.players) > 1 and names:
        return f"{'shared' if names[1:] else 'won'} by {listed(names)}{damaged}"
    return f"score {listed(over.scores)}{damaged}"


def _head(which: int | Path, reading: AnyReading) -> dict[str, Any]:
    header = reading.header
    over = _over(reading)
    return {
        "record": which if isinstance(which, int) else str(which),
        "begun": header.begun,
        "game": header.game,
        "format": header.format or None,
        "players": [seat.name for seat in header.players],
        "events": reading.play.version,
        "over": over is not None,
        "scores": None if over is None else list(over.scores),
        "winners": None if over is None else [header.players[s].name for s in over.winners],
        "fault": None if reading.fault is None else str(reading.fault),
        "torn": reading.torn,
    }


def _title(which: int | Path, reading: AnyReading) -> Iterator[str]:
    header = reading.header
    players = listed(
        f"{seat.name} (computer, {seat.computer})" if seat.computer else seat.name
        for seat in header.players
    )
    yield f"{capital(named(which))}: {reading.game.card().title}, {players}."
    yield f"Begun {header.begun}, dice: {header.dice}."
    if header.format:
        yield f"Format: {header.format}."
    if reading.fault is not None:
        yield f"It is damaged at {reading.fault}. What is before that is shown."


def _sheet(reading: AnyReading) -> Iterator[str]:
    scene = reading.game.scene(reading.play.position)
    if not isinstance(reading.game, Match):
        yield scene.score
        return
    names = reading.game.players
    for result in sheet(reading.game, reading.play.steps):
        scores = (
            f"{_score(tally, reading.game)} for {name}"
            for name, tally in zip(names, result.tallies, strict=True)
        )
        won = listed(names[seat] for seat in result.winners)
        yield f"Round {result.round}: {'; '.join(scores)}; won by {won}."
    yield from (answer.says for answer in scene.answers if answer.key in (EVERYBODY, WHOSE))


def _score(tally: Tally, match: Match[Any, Any]) -> str:
    if tally.score is None:
        return "no turn"
    return f"{tally.score} with {match.shut}" if tally.shut else str(tally.score)


def _moves(reading: AnyReading) -> Iterator[str]:
    for number, name, deed in _deeds(reading):
        yield f"{number}. {name} {deed}."


def _deeds(reading: AnyReading) -> Iterator[tuple[int, str, str]]:
    """Every event: its number, who acts, and what happens, in the words of a record."""
    names = [seat.name for seat in reading.header.players]
    acts = actors(reading.game, reading.play.log)
    for number, (seat, event) in enumerate(acts, start=1):
        yield number, names[seat], str(deed_of(reading.game, event))


def _whole(reading: AnyReading) -> dict[str, Any]:
    rounds: tuple[RoundResult, ...] = ()
    if isinstance(reading.game, Match):
        rounds = sheet(reading.game, reading.play.steps)
    names = [seat.name for seat in reading.header.players]
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
            {"event": number, "player": name, "does": deed}
            for number, name, deed in _deeds(reading)
        ],
        "position": position_text(reading.game, reading.play.position),
    }


def _show_moment(arguments: argparse.Namespace, reading: AnyReading) -> None:
    log = reading.play.log
    if not 0 <= arguments.at <= len(log):
        raise BadRecord(f"there is no event {arguments.at}; the record has 0 to {len(log)}")
    game = reading.game
    position = Play(game, log[: arguments.at]).position
    scene = game.scene(position)
    says = [*scene.says, scene.board, scene.score, *(answer.says for answer in scene.answers)]
    text = position_text(game, position)
    if arguments.json:
        print_json({"at": arguments.at, "position": text, "says": list(dict.fromkeys(says))})
    else:
        print(text, *dict.fromkeys(says), sep="\n")
