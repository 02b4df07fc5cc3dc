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
from shutbox.messages import gettext, ngettext
from shutbox.narrator import Length, told
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
        print(gettext("It is damaged at {place}.", place=reading.fault))


def _title(which: int | Path, reading: AnyReading) -> Iterator[str]:
    header = reading.header
    players = listed(
        gettext("{name} (computer, {kind})", name=seat.name, kind=seat.computer)
        if seat.computer
        else seat.name
        for seat in header.players
    )
    yield gettext(
        "{record}: {title}, {players}.",
        record=capital(named(which)),
        title=reading.game.card().title,
        players=players,
    )
    yield gettext("Begun {begun}, dice: {dice}.", begun=header.begun, dice=header.dice)
    if header.format:
        yield gettext("Format: {format}.", format=header.format)
    if reading.fault is not None:
        yield gettext(
            "It is damaged at {place}. What is before that is shown.", place=reading.fault
        )


def _sheet(reading: AnyReading) -> Iterator[str]:
    scene = reading.game.scene(reading.play.position)
    if not isinstance(reading.game, Match):
        yield scene.score
        return
    names = reading.game.players
    for result in sheet(reading.game, reading.play.steps):
        scores = "; ".join(
            _score(tally, name, reading.game)
            for name, tally in zip(names, result.tallies, strict=True)
        )
        winners = listed(names[seat] for seat in result.winners)
        yield ngettext(
            "Round {round}: {scores}; won by {names}.",
            "Round {round}: {scores}; shared by {names}.",
            len(result.winners),
            round=result.round,
            scores=scores,
            names=winners,
        )
    yield from (answer.says for answer in scene.answers if answer.key in (EVERYBODY, CHIPS, WHOSE))


def _score(tally: Tally, name: str, match: Match[Any, Any]) -> str:
    if tally.score is None:
        return gettext("no turn for {name}", name=name)
    if tally.shut:
        return gettext(
            "{score} with {shut} for {name}", score=tally.score, shut=match.shut, name=name
        )
    return gettext("{number} for {name}", number=tally.score, name=name)


def _moves(reading: AnyReading) -> Iterator[str]:
    """Every event in a line, told as briefly as it can be."""
    names = [seat.name for seat in reading.header.players]
    said = told(reading.game, reading.play.log, names, Length.BRIEF)
    next(said)  # what is said at the start
    for number, says in enumerate(said, start=1):
        yield gettext("{number}. {says}", number=number, says=" ".join(says))


def _whole(reading: AnyReading) -> dict[str, Any]:
    rounds: tuple[RoundResult, ...] = ()
    if isinstance(reading.game, Match):
        rounds = sheet(reading.game, reading.play.steps)
    names = [seat.name for seat in reading.header.players]
    acts = actors(reading.game, reading.play.log)
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
            {
                "event": number,
                "player": names[seat],
                "does": str(event_text_of(reading.game, event)),
            }
            for number, (seat, event) in enumerate(acts, start=1)
        ],
        "position": position_text(reading.game, reading.play.position),
    }


def _show_moment(arguments: argparse.Namespace, reading: AnyReading) -> None:
    log = reading.play.log
    if not 0 <= arguments.at <= len(log):
        raise BadRecord(
            "there is no event {number}; the record has 0 to {last}",
            number=arguments.at,
            last=len(log),
        )
    game = reading.game
    position = Play(game, log[: arguments.at]).position
    scene = game.scene(position)
    says = [*scene.says, scene.board, scene.score, *(answer.says for answer in scene.answers)]
    text = position_text(game, position)
    if arguments.json:
        print_json({"at": arguments.at, "position": text, "says": list(dict.fromkeys(says))})
    else:
        print(text, *dict.fromkeys(says), sep="\n")
