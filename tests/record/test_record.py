"""Records: they are read as written, and damage is found, up to the last valid event."""

import json
import tomllib
import tracemalloc
from dataclasses import replace
from io import BytesIO
from pathlib import Path
from typing import Any

import pytest

from records import (
    ANN,
    ROBO,
    Passed,
    ends,
    game_named,
    game_of,
    header,
    prepared,
    random_play,
    reading,
    short_record,
)
from shutbox import Over, Roll, catalogue
from shutbox.engine.errors import BadFormat, BadRecord, UnknownGame
from shutbox.engine.play import Chosen, Event, Rolled
from shutbox.engine.seats import Seat
from shutbox.record import Header, Source, Writer, read, to_bytes, to_json
from shutbox.record.lines import LONGEST_LINE, with_code

GOLDEN = Path(__file__).parents[1] / "data" / "records"
EXPECTED: dict[str, dict[str, Any]] = tomllib.loads((GOLDEN / "expected.toml").read_text())
REFUSED: dict[str, list[dict[str, str]]] = tomllib.loads((GOLDEN / "refused.toml").read_text())

GAMES = [entry.name for entry in catalogue()]
GAMES += ["tray(dice=2d6+1d20)", "cargo(hold=each)", "classic(tiles=1-12,dice=3d4)", "passed"]

VERBS = {key: key for key in ("throws", "reads", "chooses", "takes")} | {"corrects": "corrects to"}


# What is written is read.


@pytest.mark.parametrize("name", GAMES)
def test_a_record_of_any_game_reads_back(name: str) -> None:
    for seed in range(4):
        reads_back(header(name, ANN, ROBO, dice=Source("hand")), seed)


@pytest.mark.parametrize("form", ["rounds=2", "rounds=3,stake=1"])
@pytest.mark.parametrize("name", ["classic", "cargo"])
def test_a_record_of_a_match_reads_back(name: str, form: str) -> None:
    reads_back(header(name, ANN, ROBO, Seat("Mary Ann"), format=form), 1)


def reads_back(head: Header, seed: int) -> None:
    """Whatever is written of a random play is read, from its start and from any position of it."""
    game = game_of(head)
    whole = random_play(game, seed)
    for step in (None, *whole.steps[:9]):
        begun, log = head, list(whole.log)
        if step is not None and game.longest is not None:
            begun = replace(head, position=game.position_id(step.before))
            log = [later.event for later in whole.steps if later.number >= step.number]
        data = to_bytes(begun, game, log)
        back = reading(data)
        assert (back.header, back.play.position) == (begun, whole.position)
        assert (back.fault, back.torn, back.sound_bytes) == (None, False, len(data))
        assert to_bytes(back.header, back.game, back.play.log) == data


@pytest.mark.parametrize("name", sorted(EXPECTED))
def test_the_records_of_the_data_open(name: str) -> None:
    assert {path.stem for path in GOLDEN.glob("*.shutbox")} == set(EXPECTED)
    expected = EXPECTED[name]
    data = (GOLDEN / f"{name}.shutbox").read_bytes()
    back = reading(data)
    assert back.play.version == expected["events"]
    if "position" in expected:
        assert back.game.position_id(back.play.position) == expected["position"]
    if "scores" in expected:
        awaited = back.game.awaits(back.play.position)
        assert isinstance(awaited, Over)
        assert awaited.scores == tuple(expected["scores"])
    assert (back.fault.line if back.fault else None) == expected.get("line")
    assert back.torn == expected.get("torn", False)
    assert str(back.header.dice) == expected.get("dice", "system")
    # What is sound is written again byte for byte.
    again = to_bytes(back.header, back.game, back.play.log, back.opening, back.last_sealed)
    assert again.removesuffix(b"\n") == data[: back.sound_bytes].removesuffix(b"\n")


# What is damaged is found.


def test_a_record_cut_anywhere_keeps_its_whole_lines() -> None:
    data, log = short_record()
    lines = ends(data)
    head = lines[6]
    for cut in range(len(data) + 1):
        if cut < head - 1:
            whole = cut in (0, *lines)
            says = "the file is empty|the record ends before" if whole else "the record is cut off"
            with pytest.raises(BadRecord, match=says):
                reading(data[:cut])
            continue
        back = reading(data[:cut])
        # The line feed of the last line may be missing.
        events = sum(end - 1 <= cut for end in lines[7:])
        assert back.play.log == log[:events]
        assert back.fault is None
        assert back.torn == (cut not in lines and cut + 1 not in lines)
        assert back.sound_bytes == max(
            cut if cut + 1 == end else end for end in lines if end - 1 <= cut
        )


def test_a_fault_says_what_is_wrong() -> None:
    head = header("classic", ANN, ROBO)
    data = to_bytes(head, game_named("classic"), [Rolled(Roll((3, 5)))])
    for row in REFUSED["lines"]:
        back = reading(data + with_code(row["line"], head.code))
        assert back.fault is not None
        assert back.fault.reason.startswith(row["says"]), row
        assert (back.play.version, back.fault.line, back.sound_bytes) == (1, 10, len(data))


def test_nothing_happens_after_the_game_is_over() -> None:
    game = game_named("passed")
    log: list[Event[str]] = [Rolled(Roll((1,))), Chosen("keep")]
    data = to_bytes(header("passed"), game, log)
    for line in ("3 Ann: throws 1", "3 Ann: chooses keep", "3 Ann: corrects to 2"):
        back = reading(data + with_code(line, header("passed").code))
        assert back.fault is not None
        assert back.play.version == 2
    # Before the next throw a choice may still be taken back.
    back = reading(data + with_code("3 Ann: takes back", header("passed").code))
    assert back.play.version == 3


TORN = (b"\0" * 10, b"\0" * 3 * LONGEST_LINE)
FAULTY = (
    *(b"\0" * 10 + b"\n", b"x" * LONGEST_LINE + b"\n", b"x" * 3 * LONGEST_LINE + b"\nmore\n"),
    *(b"\n", b"\r\n", b"\x80\n", b"8 Ann: throws 1+1 \n"),
)


def test_whatever_follows_a_record_spoils_nothing() -> None:
    data, log = short_record()
    for tail in (b"", *TORN, *FAULTY):
        back = reading(data + tail)
        assert (back.play.log, back.sound_bytes) == (log, len(data))
        assert back.torn == (tail in TORN)
        assert (back.fault.line if back.fault else None) == (15 if tail in FAULTY else None)


def test_lines_of_another_system_are_refused_with_the_reason() -> None:
    data, log = short_record()
    with pytest.raises(BadRecord, match=r"^the line ends with a carriage return"):
        reading(data.replace(b"\n", b"\r\n"))
    middle = ends(data)[8]
    back = reading(data[:middle] + data[middle:].replace(b"\n", b"\r\n"))
    assert back.play.log == log[:2]
    assert back.fault is not None
    assert back.fault.reason.startswith("the line ends with a carriage return")


BYTES = [
    (b"", b"\xff\xfe", "the file begins with a byte order mark"),
    (b"player Zo\xc3\xab\n", b"player Zo\xeb\n", "line 5: byte 10 of the line is not UTF-8"),
    (b'seed "pub"', b"seed " + b"[" * 9000, "line 6: '[[[["),
    (b'seed "pub"', b'seed "' + b"9" * 9000 + b'"', "line 6: the seed has 9000 characters"),
    (b"classic", b"c" * LONGEST_LINE, "line 4: the line is longer than 16000 bytes"),
]
POSITIONS = {
    "9.5.1/2+4": "line 5: the position '9.5.1/2+4' is written 1.5.9/2+4",
    "-": "line 5: the game is over at '-'",
    "1.5.77": "line 5: impossible position '1.5.77'",
}
"""Positions that no play begins at."""


def test_a_header_that_cannot_be_read_says_where() -> None:
    data, _ = short_record()
    rows = [(row["old"].encode(), row["new"].encode(), row["says"]) for row in REFUSED["headers"]]
    wrong = [(data.replace(old, new, 1), says) for old, new, says in [*rows, *BYTES]]
    wrong += [(bytes(header(position=place)), says) for place, says in POSITIONS.items()]
    wrong += [(bytes(header("no-such-game")), "line 4: there is no game 'no-such-game'")]
    wrong += [
        (other, "this file is not a shutbox record: its first line must be 'shutbox r")
        for other in (b"\n" * 1000, b"\0" * 100_000, b"PK\3\4")
    ]
    for spoilt, says in wrong:
        with pytest.raises(BadRecord) as refusal:
            reading(spoilt)
        assert str(refusal.value).startswith(says), refusal.value


@pytest.mark.parametrize(
    ("package", "format", "line"),
    [("", "", 4), ("", "rounds=3", 5), ("acme-pig 1.2", "rounds=3", 6)],
)
def test_a_game_and_a_format_that_are_refused_are_named_with_their_line(
    package: str, format: str, line: int
) -> None:
    for refusal, number in (
        (UnknownGame("we do not play that"), 4),
        (BadFormat("this match", ("it has no end",)), line),
    ):

        def refuse(header: Header, refusal: Exception = refusal) -> Any:
            raise refusal

        head = header(package=package, format=format)
        with pytest.raises(BadRecord, match=rf"^line {number}: .*(play that|has no end)"):
            read(BytesIO(bytes(head)), refuse)


def test_garbage_costs_no_memory() -> None:
    data, log = short_record()
    tails = [b"\0" * 30_000_000, b"x\n" * 1_000_000, b"y" * 30_000_000 + b"\n"]
    inputs = [(start + tail) for tail in tails for start in (data, data[:40])]
    for spoilt in inputs:
        stream = BytesIO(spoilt)
        tracemalloc.start()
        try:
            assert read(stream, game_of).play.log == log
        except BadRecord:
            assert spoilt[:40] == data[:40]
        finally:
            _, peak = tracemalloc.get_traced_memory()
            tracemalloc.stop()
        assert peak < 300_000


# What cannot be written is refused.

NO_FIELDS: tuple[dict[str, Any], ...] = (
    *({"game": game} for game in ("", "a\nb", " a", "x" * LONGEST_LINE)),
    *({"program": program} for program in ("", "\ud800")),
    *({"format": form} for form in ("a\u2028b", "\u202egnp.exe")),
    *({"begun": time} for time in ("", "now", "2026-11-21 25:00:05 UTC")),
    *({"players": players} for players in ((), (ANN, ANN), (Seat("a:b"),), (Seat(""),))),
    {"players": (Seat("Ann", "a\nb"),)},
)
NO_SEEDS = (("fate", ""), ("system", "pub"), ("seed", "x" * 1001), ("seed", "\ud83d\ude00"))
NO_DAYS = (
    ("system", "2026-11-23"),
    *(("day", day) for day in ("", "today", "2026-13-01", "2026-11-23 ", "2026-1-2")),
)


def test_a_header_that_would_not_read_back_is_refused() -> None:
    for fields in NO_FIELDS:
        with pytest.raises(BadRecord):
            replace(header(), **fields)
    for kind, seed in NO_SEEDS:
        with pytest.raises(BadRecord):
            Source(kind, seed)
    head = bytes(header(dice=Source("day", day="2026-11-23")))
    for kind, day in NO_DAYS:
        with pytest.raises(BadRecord):
            Source(kind, day=day)
        with pytest.raises(BadRecord, match=r"^line 6: "):
            reading(head.replace(b"day 2026-11-23", f"{kind} {day}".encode()))


def test_dice_of_a_day_read_back() -> None:
    game = game_named("six")
    head = header("six", dice=Source("day", day="2026-11-23"))
    data = to_bytes(head, game, random_play(game, 1).log)
    assert b"\ndice day 2026-11-23\n" in data
    assert reading(data).header == head


def test_the_longest_seed_and_name_of_a_game_have_their_lines() -> None:
    head = header("x" * 2000, dice=Source("seed", "\U0001f600" * 1000))
    with pytest.raises(BadRecord, match=r"^line 4: "):
        reading(bytes(head))


def test_a_line_that_would_not_read_back_is_refused() -> None:
    for text in ("", "a\nb", " a", "\ud800", "x" * LONGEST_LINE):
        with pytest.raises(BadRecord):
            Writer(header("passed")).line(prepared(2, Chosen(text), game=Passed()))
    for seat in (-1, 1):
        with pytest.raises(BadRecord):
            Writer(header("passed")).line(prepared(1, Rolled(Roll((1,))), seat=seat, game=Passed()))


# JSON.


@pytest.mark.parametrize("name", sorted(EXPECTED))
def test_json_has_every_line(name: str) -> None:
    data = (GOLDEN / f"{name}.shutbox").read_bytes()
    back = reading(data)
    value = to_json(back)
    lines = []
    for number, event in enumerate(json.loads(json.dumps(value))["events"], start=1):
        player = event.pop("player")
        [(verb, what)] = event.items()
        lines.append(f"{number} {player}: {VERBS[verb]} {what}")
    if back.last_sealed is not None:
        lines.insert(value["sealed_to"], "dice system")
    if back.opening is not None:
        lines.append(value["opening"])
    _, _, said = data[: back.sound_bytes].decode().partition("\nbegin #")
    assert lines == [line.rpartition(" #")[0] for line in said.splitlines()[1:]]
