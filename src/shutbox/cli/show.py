"""`shutbox show`, `replay` and `check`: one record, told or checked."""

import argparse
import re
from collections.abc import Iterator, Sequence
from itertools import chain
from typing import Any

from shutbox.cli.commands import Parser, add_shared
from shutbox.cli.output import print_answer
from shutbox.cli.records import AnyReading, damage_lines, local_time, read_record, record_value
from shutbox.cli.settings import VOICE_OPTIONS, add_length, console_of
from shutbox.engine.english import capital, counted, listed, shown
from shutbox.engine.messages import gettext, gettext_noop, ngettext, pgettext
from shutbox.engine.narrator import Length, narrate
from shutbox.engine.play import Play, Rolled
from shutbox.engine.sealed_dice import Ticket, envelope_words, mismatches, read_ticket
from shutbox.engine.typed_text import typed_line
from shutbox.match import CHIPS, EVERYBODY, ROUND, WHOSE, Match, Tally, full_title, sheet
from shutbox.record.folder import Which, record_words_first
from shutbox.table.lookup import wrong_dice
from shutbox.term.console import Console, Stopped

_STEPS = gettext_noop(
    "Enter goes on, b goes back, a number goes there, all goes to the end, end stops."
)


def show_arguments(parser: Parser) -> None:
    """Add the arguments of `shutbox show`."""
    add_shared(parser, "record")
    parser.set_run(show, "", "7")


def replay_arguments(parser: Parser) -> None:
    """Add the arguments of `shutbox replay`."""
    add_shared(parser, "record")
    add_length(parser)
    add_shared(parser, *VOICE_OPTIONS, "--plain")
    parser.set_run(replay, "", "game.shutbox")


def show(arguments: argparse.Namespace) -> None:
    """Print a record's score sheet and moves. Raises as `read_record`."""
    which, reading = read_record(arguments.record)
    _start, *steps = _narrate(reading, Length.BRIEF)
    moves = (
        gettext("{number}. {says}", number=number, says=" ".join(sentences))
        for number, sentences in enumerate(steps, start=1)
    )
    heading = [*_title_lines(which, reading), *damage_lines(which, reading)]
    print_answer(arguments, [*heading, *_sheet_lines(reading), *moves])


def replay(arguments: argparse.Namespace) -> None:
    """Narrate a record again, at a terminal step by step. Raises as `read_record`."""
    which, reading = read_record(arguments.record)
    length = Length(arguments.length or Length.NORMAL)
    _watch(console_of(arguments), reading, list(_narrate(reading, length)))
    if damaged := damage_lines(which, reading):
        print_answer(arguments, damaged)


def _watch(console: Console, reading: AnyReading, steps: Sequence[tuple[str, ...]]) -> None:
    """Narrate `steps`, the sentences for the start and each event; at a terminal, Enter goes on."""
    if not console.interactive:
        console.say(*chain.from_iterable(steps))
        return
    at = 0  # the number of events that have been told
    last = len(steps) - 1

    def show_step() -> None:
        console.say(*steps[at])
        console.draw(reading.game.scene(_position_after(reading, at)).lying)

    console.say(gettext(_STEPS))
    show_step()
    while True:
        try:
            ask = gettext("Event {at} of {last}:", at=at, last=last)
            answer = typed_line(console.answer(ask, helps=[gettext(_STEPS)]))
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
                show_step()
            case "all":
                console.say(*chain.from_iterable(steps[at + 1 :]))
                at = last
            case _ if re.fullmatch("[0-9]{1,9}", answer) and int(answer) <= last:
                at = int(answer)
                show_step()
            case _:
                facts = {"text": shown(answer), "last": last}
                console.say(gettext("{text} is not understood; events are 0 to {last}.", **facts))


def _position_after(reading: AnyReading, events: int) -> Any:
    """Return the position after this many events."""
    return Play(reading.game, reading.play.log[:events], start=reading.play.start).position


def _title_lines(which: Which, reading: AnyReading) -> Iterator[str]:
    """Yield the game and its players, when it began, its dice, and the terms of a match."""
    header = reading.header
    players = listed(
        gettext("{name} (computer, {kind})", name=seat.name, kind=seat.computer)
        if seat.computer
        else seat.name
        for seat in header.players
    )
    yield gettext(
        "{record}: {title}, {players}.",
        record=record_words_first(which),
        title=reading.game.card().title,
        players=players,
    )
    dice = pgettext("kind of dice", "sealed") if header.dice.seal else header.dice
    yield gettext("Begun {begun}, dice: {dice}.", begun=local_time(header.begun), dice=dice)
    if isinstance(reading.game, Match):
        yield gettext("{match}.", match=full_title(reading.game))


def _narrate(reading: AnyReading, length: Length) -> Iterator[tuple[str, ...]]:
    """Yield the sentences for the start, and then for each event."""
    play = reading.play
    return narrate(reading.game, play.log, reading.header.names, length, start=play.start)


def _sheet_lines(reading: AnyReading) -> Iterator[str]:
    """Yield the score; of a match the rounds in order, the totals, the chips and who is due."""
    match, scene = reading.game, reading.game.scene(reading.play.position)
    if not isinstance(match, Match):
        yield scene.score
        return
    names = match.players
    for result in sheet(match, reading.play.steps):
        tallies = zip(names, result.tallies, strict=True)
        yield ngettext(
            "Round {round}: {scores}. {names} wins it.",
            "Round {round}: {scores}. {names} share it.",
            len(result.winners),
            round=result.round,
            scores="; ".join(_score_clause(tally, name, match.shut) for name, tally in tallies),
            names=listed(names[seat] for seat in result.winners),
        )
    totals_key = EVERYBODY if match.format.most_rounds > 1 else ROUND
    yield from (a.says for a in scene.answers if a.key in (totals_key, CHIPS, WHOSE))


def _score_clause(tally: Tally, name: str, shut: str) -> str:
    """Return what a player has scored in a round; `shut` is how the box is said to be shut."""
    if tally.score is None:
        return gettext("{name} has no turn", name=name)
    if tally.shut:
        return gettext("{name} has {score}, {shut}", name=name, score=tally.score, shut=shut)
    return gettext("{name} has {number}", name=name, number=tally.score)


def check_arguments(parser: Parser) -> None:
    """Add the arguments of `shutbox check`."""
    add_shared(parser, "record")
    text = gettext("what you kept: the ticket, or the envelope in twelve words, in quotes")
    parser.add_argument("--ticket", metavar="TEXT", help=text)
    add_shared(parser, "--json")
    parser.set_run(check, "", "game.shutbox --json")


def check(arguments: argparse.Namespace) -> int:
    """Print what is wrong with a record and its dice, and return 1 if anything is, else 0.

    Raises what `read_record` and `read_ticket` raise.
    """
    ticket = None if arguments.ticket is None else read_ticket(arguments.ticket)
    which, reading = read_record(arguments.record)
    header, over, seal = reading.header, reading.over, reading.header.dice.seal
    problems = list(problems_of(reading, ticket))
    value = {
        "record": record_value(which),
        "begun": header.begun,
        "game": header.game,
        "format": header.format or None,
        "players": header.names,
        "events": reading.play.version,
        "over": over is not None,
        "scores": None if over is None else over.scores,
        "winners": None if over is None else [header.names[s] for s in over.winners],
        "fault": None if reading.fault is None else str(reading.fault),
        "torn": reading.torn,
        "sound": not problems,
        "problems": problems,
        "envelope": seal and seal.envelope.hex(),
        "opened": reading.opening is not None,
    }
    print_answer(arguments, _verdict_lines(which, reading, problems, ticket), lambda: value)
    return int(bool(problems))


def problems_of(reading: AnyReading, ticket: Ticket | None = None) -> Iterator[str]:
    """Yield a clause, without a capital or a full stop, for each thing wrong with a record.

    `ticket` is what a player kept of its sealed dice.
    """
    header, opening, dice = reading.header, reading.opening, reading.header.dice
    if reading.fault is not None:
        yield str(reading.fault)
    if ticket is not None:
        yield from ticket.mismatches(dice.seal.envelope if dice.seal else b"", opening)
    if dice.seal is not None and opening is not None:
        yield from mismatches(dice.seal, opening, header.game, header.format, header.players)
    for number in wrong_dice(reading):
        if dice.day:
            yield gettext("the dice of event {number} are not those of the date", number=number)
        else:
            yield gettext("the dice of event {number} are not those of the seed", number=number)


def _verdict_lines(
    which: Which, reading: AnyReading, problems: list[str], ticket: Ticket | None
) -> Iterator[str]:
    """Yield the sentences of `check`: what is in the record, what is wrong, what its dice prove."""
    yield counted(
        "{record}: {number} event in order.",
        "{record}: {number} events in order.",
        reading.play.version,
        record=record_words_first(which),
    )
    if reading.torn:
        yield gettext("The last line was never finished, and is left out.")
    yield from (gettext("{problem}.", problem=capital(problem)) for problem in problems)
    dice, is_open = reading.header.dice, reading.opening is not None
    if dice.seal is not None:
        yield from _seal_lines(reading, dice.seal.envelope)
    if problems:
        return
    if dice.seal is None and dice.kind == "date":
        yield gettext("The dice follow from the date, and could be known beforehand.")
    elif dice.seal is None:
        yield gettext("The dice are not sealed.")
    elif is_open:
        yield gettext("The dice follow from this seed and these words.")
        if ticket is not None:
            yield gettext("The seed was fixed before you gave a word.")
            if ticket.seat >= 0:
                yield gettext("Your word is in these dice.")
    is_checked = dice.seal is None or is_open  # closed dice are not
    yield gettext("Nothing is wrong.") if is_checked else gettext("The record is sound.")


def _seal_lines(reading: AnyReading, envelope: bytes) -> Iterator[str]:
    """Yield sentences about sealed dice: what they prove on which terms, and what was checked."""
    yield gettext(
        "Sealed dice, level L1. A server without the help of a player chose no throw, if you kept "
        "the envelope before you gave a word."
    )
    words = (f"{number} {word}" for number, word in enumerate(envelope_words(envelope), start=1))
    yield gettext("The envelope: {words}.", words=", ".join(words))
    thrown = sum(isinstance(event, Rolled) for event in reading.play.log[: reading.last_sealed])
    if reading.last_sealed is not None:
        yield gettext("Sealed to throw {number}; later dice are not sealed.", number=thrown)
    if reading.opening is None:
        yield gettext("The envelope is still closed: check the throws after the game.")
        return
    given = zip(reading.header.names, reading.opening.words, strict=True)
    if without := [name for name, word in given if word is None]:
        yield gettext("Without a word: {names}.", names=listed(without))
    yield ngettext("{number} throw is compared.", "{number} throws are compared.", thrown)
