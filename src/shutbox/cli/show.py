"""`shutbox show`, `replay` and `check`: a game that was played, and whether its record is sound."""

import argparse
from collections.abc import Iterator
from itertools import chain
from pathlib import Path
from typing import Any

from shutbox.cli.consoles import add_length, add_plain, add_voice, console_of
from shutbox.cli.options import add_json, add_record
from shutbox.cli.output import answer, print_json
from shutbox.cli.parser import Parser
from shutbox.cli.records import AnyReading, head, read_record
from shutbox.english import capital, listed, number_word, visible
from shutbox.errors import BadRecord
from shutbox.game import position_text
from shutbox.lookup import wrong_dice
from shutbox.match import CHIPS, EVERYBODY, WHOSE, Match, Tally, sheet
from shutbox.messages import gettext, ngettext
from shutbox.narrator import Length, told
from shutbox.play import Play, actors
from shutbox.record.event_text import event_text_of
from shutbox.scene import Piece
from shutbox.store import Which, named
from shutbox.term import watch

FAULTY = 1  # the exit code for a record that is not sound


def add_show(parser: Parser) -> None:
    """Add the arguments of `shutbox show`."""
    add_record(parser)
    parser.add_argument("--at", type=int, metavar="N", help=gettext("how it stood after event N"))
    add_json(parser)
    parser.runs(show, "show", "show 7 --at 12")


def add_replay(parser: Parser) -> None:
    """Add the arguments of `shutbox replay`."""
    add_record(parser)
    add_length(parser)
    add_voice(parser)
    add_plain(parser)
    add_json(parser)
    parser.runs(replay, "replay", "replay game.shutbox")


def show(arguments: argparse.Namespace) -> None:
    """The score sheet and the moves of a record, or one moment of it."""
    which, reading = read_record(arguments.record)
    if arguments.at is not None:
        _show_moment(arguments, reading)
        return
    lines = chain(_title(which, reading), _sheet(reading), _moves(reading))
    answer(arguments, lines, lambda: {**head(which, reading), **_whole(reading)})


def replay(arguments: argparse.Namespace) -> None:
    """Watch a record again, step by step."""
    which, reading = read_record(arguments.record)
    steps = list(_told(reading, Length(arguments.length)))
    if arguments.json:
        numbered = [{"event": number, "says": says} for number, says in enumerate(steps)]
        print_json({**head(which, reading), "steps": numbered})
        return
    game, play = reading.game, reading.play

    def pieces(at: int) -> tuple[Piece, ...]:
        return game.scene(Play(game, play.log[:at], start=play.start).position).lying

    watch(steps, console_of(arguments), pieces)
    if reading.fault is not None:
        print(visible(gettext("It is damaged at {place}.", place=reading.fault)))


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
    """Every event in a line, told as briefly as it can be."""
    said = _told(reading, Length.BRIEF)
    next(said)  # what is said at the start
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
    game, log, at = reading.game, reading.play.log, arguments.at
    if not 0 <= at <= len(log):
        raise BadRecord(
            "there is no event {number}; the record has 0 to {last}", number=at, last=len(log)
        )
    position = Play(game, log[:at], start=reading.play.start).position
    scene, text = game.scene(position), position_text(game, position)
    says = [*scene.says, scene.board, scene.score, *(a.says for a in scene.answers)]
    once = list(dict.fromkeys(says))
    answer(arguments, [text, *once], lambda: {"at": at, "position": text, "says": once})


def add_check(parser: Parser) -> None:
    """Add the arguments of `shutbox check`."""
    add_record(parser)
    add_json(parser)
    parser.runs(check, "check", "check game.shutbox --json")


def check(arguments: argparse.Namespace) -> int:
    """Whether a record is sound; the exit code."""
    which, reading = read_record(arguments.record)
    problem = _problem(reading)
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


def _problem(reading: AnyReading) -> str | None:
    """What is wrong with a record: the first line that is not sound, or dice not of its seed."""
    if reading.fault is not None:
        return str(reading.fault)
    if (number := wrong_dice(reading)) is None:
        return None
    return gettext("the dice of event {number} are not those of the seed", number=number)
