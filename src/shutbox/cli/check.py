"""`shutbox check`: whether a record is undamaged, and whether its dice follow from their seed."""

import argparse
from collections.abc import Iterator
from pathlib import Path

from shutbox.cli.output import answer
from shutbox.cli.parser import Parser, add_shared
from shutbox.cli.records import AnyReading, head, read_record
from shutbox.english import capital, listed, number_word
from shutbox.lookup import wrong_dice
from shutbox.messages import gettext, ngettext
from shutbox.play import Rolled
from shutbox.sealed_dice import Seal, mismatches
from shutbox.store import Which, named

FAULTY = 1  # the exit code for a record that is not sound


def add_check(parser: Parser) -> None:
    """Add the arguments of `shutbox check`."""
    add_shared(parser, "record")
    about = gettext("the seal that you kept: its twelve words in quotes, or 32 to 64 hex digits")
    parser.add_argument("--seal", metavar="WORDS", help=about)
    add_shared(parser, "--json")
    parser.runs(check, "check", "check game.shutbox --json")


def check(arguments: argparse.Namespace) -> int:
    """Print whether a record is sound and its dice follow from their seed. Return the exit code."""
    which, reading = read_record(arguments.record)
    problems, seal = list(problems_of(reading)), reading.header.dice.seal
    if arguments.seal is not None and not (seal and seal.is_kept(arguments.seal)):
        problems.append(gettext("the seal is not the one you gave"))
    verdict = {
        "sound": not problems,
        "problem": problems[0] if problems else None,
        "problems": problems,
        "seal": seal and seal.digest.hex(),
        "opened": reading.opened is not None,
    }
    says = _verdict(which, reading, problems, has_seal=arguments.seal is not None)
    answer(arguments, says, lambda: {**head(which, reading), **verdict})
    return FAULTY if problems else 0


def problems_of(reading: AnyReading) -> Iterator[str]:
    """Yield a clause for each thing that is wrong with a record: no capital, no full stop."""
    header, opened = reading.header, reading.opened
    if reading.fault is not None:
        yield str(reading.fault)
    if header.dice.seal is not None and opened is not None:
        yield from mismatches(header.dice.seal, opened, header.game, header.format)
    for number in wrong_dice(reading):
        yield gettext("the dice of event {number} are not those of the seed", number=number)


def _verdict(
    which: Which, reading: AnyReading, problems: list[str], *, has_seal: bool
) -> Iterator[str]:
    yield ngettext(
        "{record}: {number} event in order.",
        "{record}: {number} events in order.",
        reading.play.version,
        record=named(which) if isinstance(which, Path) else capital(named(which)),
        number=number_word(reading.play.version),
    )
    if reading.torn:
        yield gettext("The last line was never finished, and is left out.")
    yield from (gettext("{problem}.", problem=capital(problem)) for problem in problems)
    if reading.header.dice.seal is not None:
        yield from _of_seal(reading, reading.header.dice.seal)
        if reading.opened is not None and not problems and not has_seal:
            yield gettext(
                "The dice follow from this seed and these words; only a seal kept from before "
                "shows that both were fixed before."
            )
    elif not problems:
        yield gettext("The dice are not sealed.")
    if not problems:
        yield gettext("Nothing is wrong.")


def _of_seal(reading: AnyReading, seal: Seal) -> Iterator[str]:
    """Yield sentences about a seal: what it promises, what that needs, and what was checked."""
    yield gettext(
        "Sealed dice, level L1: nobody chose a throw, if your own word is in the seal and you "
        "kept the seal."
    )
    words = (f"{number} {word}" for number, word in enumerate(seal.words, start=1))
    yield gettext("The seal: {words}.", words=", ".join(words))
    named = list(zip(reading.header.names, seal.commitments, strict=True))
    if without := [name for name, promised in named if promised is None]:
        yield gettext("Without a word: {names}.", names=listed(without))
    thrown = sum(isinstance(event, Rolled) for event in reading.play.log[: reading.sealed_to])
    if reading.sealed_to is not None:
        yield gettext("Sealed to throw {number}; later dice are not sealed.", number=thrown)
    if reading.opened is None:
        yield gettext("The envelope is closed, so no throw can be checked yet.")
        return
    for (name, promised), word in zip(named, reading.opened.words, strict=True):
        if promised is not None and word is None:
            yield gettext(
                "{name}: a promised word did not come, which left its owner one bit of choice.",
                name=name,
            )
    yield ngettext("{number} throw is compared.", "{number} throws are compared.", thrown)
