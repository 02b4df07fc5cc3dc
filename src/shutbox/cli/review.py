"""`shutbox review`: luck and skill in one recorded game, or in many."""

import argparse
import sys
from collections.abc import Iterable, Iterator
from itertools import chain
from typing import Any

from shutbox.cli.commands import Parser, add_shared, add_switch
from shutbox.cli.output import ProgressLine, answer, note, write
from shutbox.cli.records import (
    AnyReading,
    damage,
    find_record,
    left_out,
    local_time,
    no_games,
    one_line,
    record_value,
)
from shutbox.engine.english import listed, shown
from shutbox.engine.errors import BadName, NotUnderstood, ShutboxError
from shutbox.engine.messages import gettext
from shutbox.output.results import check_file, write_csv
from shutbox.output.stats import ended
from shutbox.record.folder import Store, Which, named, named_first
from shutbox.solving.review.report import COLUMNS, Review
from shutbox.solving.review.review import Reviewer
from shutbox.solving.review.review_text import events, moments, sentences
from shutbox.solving.review.sums import group_report, people, summed, sums_sentences
from shutbox.table.lookup import game_of

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
    writes_rows = arguments.csv or arguments.output is not None
    if arguments.csv and arguments.json:
        raise NotUnderstood("--csv or --json, not both")
    if arguments.output is not None:
        if arguments.csv or arguments.json:
            raise NotUnderstood("--output writes into a file; leave out --csv and --json")
        check_file(arguments.output)
    if arguments.exact and not (writes_rows or arguments.json):
        raise NotUnderstood("--exact goes with --json or --csv; sentences are rounded")
    store, player = Store(), arguments.player
    lines, report, found = list[str](), dict[str, Any](), list[_Reviewed]()
    given = list(dict.fromkeys(find_record(text, store) for text in arguments.records))
    progress = ProgressLine(gettext("Solving what was played"))
    reviewer = Reviewer(anyway=arguments.anyway, progress=progress)
    if len(given) == 1 and player is None:
        reading = store.read(given[0], game_of)
        faults = damage(given[0], reading)
        if writes_rows or arguments.json:
            found = [(given[0], reading, reviewer.review(reading))]
            report = _report(found[0], exact=arguments.exact)
        else:
            told, mine = reviewer.review(reading, in_points=True), people(reading.header)
            facts = {"record": named_first(given[0]), "begun": local_time(reading.header.begun)}
            begun = gettext("{record}, begun {begun}.", **facts)
            costly = chain.from_iterable(moments(told))
            lines = [begun, *faults, *sentences(told, mine), *costly, *events(told)]
    else:
        wanted, others = given or store.ids(), list[str]()
        readings = _of_player(player, _different(store, wanted, others))
        faults = [line for which, reading in readings for line in damage(which, reading)]
        if not (writes_rows or arguments.json):
            readings = [one for one in readings if _counts(one[1], player)]
        found = list(_reviewed(reviewer, readings, others))
        sums = summed(((reading.header, each) for _, reading, each in found), player)
        faults += map(left_out, others)
        lines = [*(sums_sentences(sums) if wanted else [no_games()]), *faults]
        report = {
            "groups": [*map(group_report, sums)],
            "records": [
                {"record": record_value(one[0]), "begun": one[1].header.begun}
                | _report(one, exact=arguments.exact)
                for one in found
            ],
            "left_out": others,
        }
    if writes_rows:
        _give_rows(arguments, found)
        for line in faults:  # CSV has no place for these
            note(line)
    else:
        answer(arguments, lines, lambda: report)


def _report(one: _Reviewed, *, exact: bool) -> dict[str, Any]:
    _, reading, each = one
    damaged = None if reading.fault is None else str(reading.fault)
    return {**each.report(exact=exact), "damage": damaged}


def _different(
    store: Store, wanted: Iterable[Which], others: list[str]
) -> Iterator[tuple[Which, AnyReading]]:
    """Yield the records; add clauses on those that cannot be read or come twice to `others`."""
    first: dict[tuple[object, ...], Which] = {}
    for which, found in store.each(wanted, game_of):
        if isinstance(found, ShutboxError):
            others.append(one_line(found))
            continue
        known = first.setdefault((found.header, *found.play.log), which)
        if known == which:
            yield which, found
        else:
            facts = {"record": named(which), "other": named(known)}
            others.append(gettext("{record} is the same as {other}", **facts))


def _of_player(
    player: str | None, readings: Iterable[tuple[Which, AnyReading]]
) -> list[tuple[Which, AnyReading]]:
    """Return the records in which a player has a seat, without one all. Raises BadName if none."""
    every = list(readings)
    found = [one for one in every if player in (None, *one[1].header.names)]
    if found or player is None:
        return found
    names = dict.fromkeys(name for _, reading in every for name in reading.header.names)
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


def _reviewed(
    reviewer: Reviewer, readings: Iterable[tuple[Which, AnyReading]], others: list[str]
) -> Iterator[_Reviewed]:
    """Yield the records with their reviews; add clauses on those that are refused to `others`."""
    for which, reading in readings:
        try:
            yield which, reading, reviewer.review(reading)
        except ShutboxError as error:
            facts = {"record": named(which), "reason": one_line(error)}
            others.append(gettext("{record}: {reason}", **facts))


def _give_rows(arguments: argparse.Namespace, found: Iterable[_Reviewed]) -> None:
    """Write the rows of all events, or of `--player`'s, into `--output`, else print them as CSV."""
    names = [column.name for column in COLUMNS]
    rows = (
        row
        for which, reading, each in found
        for row in each.rows(
            record=str(record_value(which)), begun=reading.header.begun, exact=arguments.exact
        )
        if arguments.player in (None, row[names.index("name")])
    )
    if arguments.output is not None:
        write(arguments.output, COLUMNS, rows)
    else:
        write_csv(sys.stdout, COLUMNS, rows)
