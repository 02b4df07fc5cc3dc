"""`shutbox show` and `shutbox replay`: a game that was played, told again."""

import argparse
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from shutbox.cli.output import print_json
from shutbox.cli.record_argument import named, read_record
from shutbox.cli.summary import AnyReading, head
from shutbox.english import capital, listed
from shutbox.errors import BadRecord
from shutbox.game import position_text
from shutbox.match import CHIPS, EVERYBODY, WHOSE, Match, RoundResult, Tally, sheet
from shutbox.play import Play, actors
from shutbox.record.event_text import event_text_of
from shutbox.term import Console, Replay


def show(arguments: argparse.Namespace) -> None:
    """The score sheet and the moves of a record, or one moment of it."""
    which, reading = read_record(arguments.record)
    if arguments.at is not None:
        _show_moment(arguments, reading)
    elif arguments.json:
        print_json({**head(which, reading), **_whole(reading)})
    else:
        print(*_title(which, reading), *_sheet(reading), *_moves(reading), sep="\n")


def replay(arguments: argparse.Namespace) -> None:
    """Watch a record again, step by step."""
    which, reading = read_record(arguments.record)
    players = tuple(seat.name for seat in reading.header.players)
    watched = Replay(reading.game, reading.play.log, players, Console(plain=arguments.plain))
    if arguments.json:
        steps = [{"event": number, "says": says} for number, says in enumerate(watched.steps)]
        print_json({**head(which, reading), "steps": steps})
        return
    watched.run()
    if reading.fault is not None:
        print(f"It is damaged at {reading.fault}.")


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
        won = "shared" if result.winners[1:] else "won"
        by = listed(names[seat] for seat in result.winners)
        yield f"Round {result.round}: {'; '.join(scores)}; {won} by {by}."
    yield from (answer.says for answer in scene.answers if answer.key in (EVERYBODY, CHIPS, WHOSE))


def _score(tally: Tally, match: Match[Any, Any]) -> str:
    if tally.score is None:
        return "no turn"
    return f"{tally.score} with {match.shut}" if tally.shut else str(tally.score)


def _moves(reading: AnyReading) -> Iterator[str]:
    for number, name, does in _events(reading):
        yield f"{number}. {name} {does}."


def _events(reading: AnyReading) -> Iterator[tuple[int, str, str]]:
    """Every event: its number, who acts, and what happens, in the words of a record."""
    names = [seat.name for seat in reading.header.players]
    acts = actors(reading.game, reading.play.log)
    for number, (seat, event) in enumerate(acts, start=1):
        yield number, names[seat], str(event_text_of(reading.game, event))


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
            {"event": number, "player": name, "does": does}
            for number, name, does in _events(reading)
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
