"""`shutbox review`: luck and skill in one recorded game, or in many."""

import argparse
import sys
from collections.abc import Iterator, Sequence
from itertools import chain
from typing import Any

from shutbox.cli.commands import Parser, add_shared, add_switch
from shutbox.cli.output import ProgressLine, answer, note, write
from shutbox.cli.records import (
    AnyReading,
    find_record,
    local_time,
    reasons,
    record_text,
    record_value,
)
from shutbox.engine.english import capital, command, listed, shown
from shutbox.engine.errors import BadName, NotUnderstood, ShutboxError
from shutbox.engine.messages import gettext
from shutbox.output.results import check_file, write_csv
from shutbox.output.stats import ended
from shutbox.record.folder import Store, Which, named
from shutbox.solving.review.report import COLUMNS, EXACT_COLUMNS, Review
from shutbox.solving.review.review import Reviewer
from shutbox.solving.review.review_text import events, sentences
from shutbox.solving.review.sums import Sums, people, sums_sentences
from shutbox.table.lookup import game_of

_Read = tuple[Which, AnyReading]
_Reviewed = tuple[Which, AnyReading, Review]


def review_arguments(parser: Parser) -> None:
    """Add the arguments of `shutbox review`."""
    about = gettext(
        "numbers of games of your own, or files: one is told event by event, several are summed "
        "up; without any, all your own"
    )
    parser.add_argument("records", nargs="*", metavar="RECORD", help=about)
    add_shared(parser, "--player", "--anyway")
    printed = parser.add_argument_group(gettext("how it is printed"))
    add_switch(printed, "--csv", gettext("print a row for each event as CSV"))
    add_shared(printed, "-o --output")
    about = gettext("exact fractions in JSON, CSV and files, nothing rounded")
    add_switch(printed, "--exact", about)
    add_shared(printed, "--json")
    parser.runs(review, "", "7", "-o luck.csv")


def review(arguments: argparse.Namespace) -> None:
    """Print the review of one record event by event, or the sums over several, by default all.

    With `--csv` or `--output`, write rows of events instead.
    """
    if arguments.csv and arguments.json:
        raise NotUnderstood("--csv or --json, not both")
    if arguments.output is not None and (arguments.csv or arguments.json):
        raise NotUnderstood("--output writes into a file; leave out --csv and --json")
    if arguments.exact and not (arguments.csv or arguments.json or arguments.output):
        raise NotUnderstood("--exact goes with --json or --csv; sentences are rounded")
    if arguments.output is not None:
        check_file(arguments.output)
    store = Store()
    given = list(dict.fromkeys(find_record(text, store) for text in arguments.records))
    one = len(given) == 1 and arguments.player is None
    progress = ProgressLine(gettext("Solving what was played"))
    reviewer = Reviewer(anyway=arguments.anyway, progress=progress)
    found: list[_Reviewed] = []
    left_out: list[tuple[Which, str]] = []
    if one:
        reading = store.read(given[0], game_of)
        readings, found = [(given[0], reading)], [(given[0], reading, reviewer.review(reading))]
    else:
        readings = _of_player(arguments.player, _readings(store, given or store.ids(), left_out))
        every = arguments.csv or arguments.json or arguments.output is not None
        for which, reading in readings:
            if every or _counts(reading, arguments.player):
                try:
                    found.append((which, reading, reviewer.review(reading)))
                except ShutboxError as error:
                    left_out.append((which, reasons(error)))
        sums = Sums.of_records([(r.header, each) for _, r, each in found], arguments.player)
    faults = list(_faults(readings, left_out))

    def as_json(reading: AnyReading, review: Review) -> dict[str, Any]:
        damage = None if reading.fault is None else str(reading.fault)
        return {**review.report(exact=arguments.exact), "damage": damage}

    if arguments.csv or arguments.output is not None:
        _give_rows(arguments, found)
        for line in faults:  # CSV has no place for these
            note(line)
    elif one:
        when = local_time(reading.header.begun)
        begun = gettext("{record}, begun {begun}.", record=capital(named(given[0])), begun=when)
        lines = chain([begun], faults, sentences(found[0][2]), events(found[0][2]))
        answer(arguments, lines, lambda: as_json(reading, found[0][2]))
    else:
        none = [gettext("No games yet; {command} starts one.", command=command("play"))]
        lines = chain(sums_sentences(sums) if readings or left_out else none, faults)
        records = (
            {"record": record_value(which), "begun": reading.header.begun, **as_json(reading, each)}
            for which, reading, each in found
        )
        others = ({"record": record_value(which), "reason": why} for which, why in left_out)
        answer(
            arguments,
            lines,
            lambda: {**sums.report(), "records": [*records], "left_out": [*others]},
        )


def _faults(found: Sequence[_Read], left_out: Sequence[tuple[Which, str]]) -> Iterator[str]:
    """Yield a sentence for each record that is damaged or left out."""
    for which, reading in found:
        if (place := reading.fault) is not None and which not in dict(left_out):
            facts = {"record": capital(named(which)), "place": place}
            yield gettext(
                "{record} is damaged at {place}. What is before that is reviewed.", **facts
            )
    for which, reason in left_out:
        facts = {"record": capital(named(which)), "reason": reason}
        yield gettext("{record} is left out: {reason}.", **facts)


def _readings(
    store: Store, given: Sequence[Which], left_out: list[tuple[Which, str]]
) -> list[_Read]:
    """Return the records, and add to `left_out` the others with the reason, such as duplicates."""
    found: list[_Read] = []
    first: dict[tuple[object, ...], Which] = {}
    for which in given:
        try:
            reading = store.read(which, game_of)
            known = first.setdefault((reading.header, *reading.play.log), which)
            if known != which:
                left_out.append((which, gettext("it is the same as {record}", record=named(known))))
            else:
                found.append((which, reading))
        except ShutboxError as error:
            left_out.append((which, reasons(error)))
    return found


def _of_player(player: str | None, readings: Sequence[_Read]) -> list[_Read]:
    """Return the records in which a player has a seat, without one all. Raises BadName if none."""
    names = dict.fromkeys(name for _, reading in readings for name in reading.header.names)
    if player in (None, *names):
        return [one for one in readings if player in (None, *one[1].header.names)]
    facts = {"player": shown(player), "names": listed(names)}
    if not names:
        raise BadName("{player} has played none of these games", **facts)
    raise BadName("{player} has played none of these games; those who have are {names}", **facts)


def _counts(reading: AnyReading, player: str | None) -> bool:
    """Whether a record has a finished turn to sum up, which is asked before its game is solved."""
    play = reading.play
    if play.game.scoring is None:
        return True  # the refusal says why it is left out
    seats = people(reading.header, player)
    return any(s in seats for step in play.steps for s, *_ in ended(play.game, step.after))


def _give_rows(arguments: argparse.Namespace, found: Sequence[_Reviewed]) -> None:
    """Write the rows of all events, or of `--player`'s, into `--output`, else print them as CSV."""
    columns = EXACT_COLUMNS if arguments.exact else COLUMNS
    names = [column.name for column in columns]
    rows = (
        row
        for which, reading, each in found
        for row in each.rows(
            record=record_text(which), begun=reading.header.begun, exact=arguments.exact
        )
        if arguments.player in (None, row[names.index("name")])
    )
    if arguments.output is not None:
        write(arguments.output, columns, rows)
    else:
        write_csv(sys.stdout, columns, rows)
