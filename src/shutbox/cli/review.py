"""`shutbox review`: luck and skill in one recorded game, or in many."""

import argparse
from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

from shutbox.cli.commands import Parser, add_shared
from shutbox.cli.output import ProgressLine, note, print_answer, write_csv
from shutbox.cli.records import (
    AnyReading,
    damage_lines,
    find_record,
    in_one_line,
    left_out_sentence,
    local_time,
    record_value,
)
from shutbox.cli.settings import VOICE_OPTIONS, console_of
from shutbox.engine.english import listed, shown
from shutbox.engine.errors import BadName, NotUnderstood, ShutboxError
from shutbox.engine.messages import gettext
from shutbox.output.results import check_csv_name
from shutbox.output.stats import ended_turns
from shutbox.record.folder import Store, Which, no_games, record_words, record_words_first
from shutbox.solving.review.report import COLUMNS, Review
from shutbox.solving.review.review import Reviewer
from shutbox.solving.review.review_text import events, moments, summary
from shutbox.solving.review.sums import group_report, names_by_seat, sum_reviews, sums_sentences
from shutbox.table.lookup import game_of


class ReviewedRecord(NamedTuple):
    """A record with its review."""

    which: Which
    reading: AnyReading
    review: Review

    def report(self) -> dict[str, Any]:
        """Return the review as a dict for `json.dumps`, with where the record is damaged."""
        fault = self.reading.fault
        damaged = None if fault is None else str(fault)
        return {**self.review.report(), "damage": damaged}


def review_arguments(parser: Parser) -> None:
    """Add the arguments of `shutbox review`."""
    text = gettext(
        "numbers of games of your own, or files: one is told event by event, several are summed "
        "up; without any, all your own"
    )
    parser.add_argument("records", nargs="*", metavar="RECORD", help=text)
    add_shared(parser, "--player", "--anyway", *VOICE_OPTIONS)
    printed = parser.add_argument_group(gettext("how it is printed"))
    add_shared(printed, "-o --output")
    add_shared(printed, "--json")
    parser.set_run(review, "", "7", "-o luck.csv")


def review(arguments: argparse.Namespace) -> None:
    """Print the review of one record event by event, or the sums over several, by default all.

    With `--output`, write rows of events instead.
    """
    if arguments.output is not None:
        if arguments.json:
            raise NotUnderstood("--output writes into a file; leave out --json")
        check_csv_name(arguments.output)
    store = Store()
    given = [*dict.fromkeys(find_record(text, store) for text in arguments.records)]
    progress = ProgressLine(gettext("Solving what was played"))
    reviewer = Reviewer(anyway=arguments.anyway, progress=progress)
    if len(given) == 1 and arguments.player is None:
        _review_one(arguments, reviewer, given[0], store.read(given[0], game_of))
    else:
        _review_many(arguments, reviewer, store, given or store.ids())


def _review_one(
    arguments: argparse.Namespace, reviewer: Reviewer, which: Which, reading: AnyReading
) -> None:
    """Print, speak or write the review of one record."""
    faults = damage_lines(which, reading)
    if arguments.output is not None or arguments.json:
        reviewed = ReviewedRecord(which, reading, reviewer.review(reading))
        if arguments.json:
            print_answer(arguments, (), reviewed.report)
        else:
            _write_rows(arguments, [reviewed], faults)
        return
    if arguments.speak:
        from shutbox.term.coach import say_review  # a review without a voice starts faster

        play, names, own = reading.play, reading.header.names, names_by_seat(reading.header)
        say_review(play, names, console_of(arguments), reviewer.progress, own)
        return
    review, own = reviewer.review(reading), names_by_seat(reading.header)
    facts = {"record": record_words_first(which), "begun": local_time(reading.header.begun)}
    begun = gettext("{record}, begun {begun}.", **facts)
    costly = (
        line for lines, retry in moments(review, numbered=True) for line in (*lines, retry) if line
    )
    print_answer(arguments, [begun, *faults, *summary(review, own), *costly, *events(review)])


def _review_many(
    arguments: argparse.Namespace, reviewer: Reviewer, store: Store, wanted: Sequence[Which]
) -> None:
    """Print or write the sums over records, without those that cannot be read or reviewed."""
    player = arguments.player
    readings, left_out = _read_different(store, wanted)
    readings = _only_of_player(player, readings)
    faults = [line for which, reading in readings for line in damage_lines(which, reading)]
    if arguments.output is None and not arguments.json:
        readings = [each for each in readings if _has_finished_turn(each[1], player)]
    reviews, refused = _review_each(reviewer, readings)
    left_out += refused
    faults += map(left_out_sentence, left_out)
    if arguments.output is not None:
        _write_rows(arguments, reviews, faults)
        return
    sums = sum_reviews(((each.reading.header, each.review) for each in reviews), player)
    records = [
        {"record": record_value(each.which), "begun": each.reading.header.begun} | each.report()
        for each in reviews
    ]
    report = {"groups": [*map(group_report, sums)], "records": records, "left_out": left_out}
    lines = sums_sentences(sums) if wanted else [no_games()]
    if arguments.speak and not arguments.json:
        console_of(arguments).say(*lines, *faults)
    else:
        print_answer(arguments, [*lines, *faults], lambda: report)


def _read_different(
    store: Store, wanted: Iterable[Which]
) -> tuple[list[tuple[Which, AnyReading]], list[str]]:
    """Return the records, and a clause on each that cannot be read or is the same as another."""
    readings, left_out = list[tuple[Which, AnyReading]](), list[str]()
    first: dict[tuple[object, ...], Which] = {}
    for which, result in store.each(wanted, game_of):
        if isinstance(result, ShutboxError):
            left_out.append(in_one_line(result))
            continue
        known = first.setdefault((result.header, *result.play.log), which)
        if known == which:
            readings.append((which, result))
        else:
            facts = {"record": record_words(which), "other": record_words(known)}
            left_out.append(gettext("{record} is the same as {other}", **facts))
    return readings, left_out


def _only_of_player(
    player: str | None, readings: list[tuple[Which, AnyReading]]
) -> list[tuple[Which, AnyReading]]:
    """Return the records in which a player has a seat, without one all. Raises BadName if none."""
    played = [each for each in readings if player in (None, *each[1].header.names)]
    if played or player is None:
        return played
    names = dict.fromkeys(name for _, reading in readings for name in reading.header.names)
    facts = {"player": shown(player), "names": listed(names)}
    if not names:
        raise BadName("{player} has played none of these games", **facts)
    raise BadName("{player} has played none of these games; those who have are {names}", **facts)


def _has_finished_turn(reading: AnyReading, player: str | None) -> bool:
    """Whether a record has a finished turn to sum up, which is asked before its game is solved."""
    play = reading.play
    if play.game.scoring is None:
        return True  # the refusal says why it is left out
    seats = names_by_seat(reading.header, player)
    ends = (end for step in play.steps for end in ended_turns(play.game, step.after))
    return any(end.seat in seats for end in ends)


def _review_each(
    reviewer: Reviewer, readings: Iterable[tuple[Which, AnyReading]]
) -> tuple[list[ReviewedRecord], list[str]]:
    """Return the records with their reviews, and a clause on each that cannot be reviewed."""
    reviews, refused = list[ReviewedRecord](), list[str]()
    for which, reading in readings:
        try:
            reviews.append(ReviewedRecord(which, reading, reviewer.review(reading)))
        except ShutboxError as error:
            facts = {"record": record_words(which), "reason": in_one_line(error)}
            refused.append(gettext("{record}: {reason}", **facts))
    return reviews, refused


def _write_rows(
    arguments: argparse.Namespace, reviews: Iterable[ReviewedRecord], faults: Iterable[str]
) -> None:
    """Write the rows of all events, or of `--player`'s; note `faults`, which CSV cannot say."""
    name = [column.name for column in COLUMNS].index("name")
    rows = (
        row
        for which, reading, review in reviews
        for row in review.rows(record=str(record_value(which)), begun=reading.header.begun)
        if arguments.player in (None, row[name])
    )
    write_csv(arguments.output, COLUMNS, rows)
    for line in faults:
        note(line)
