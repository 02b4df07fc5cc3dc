"""Records: they are read as written, and damage is found, up to the last valid event."""

import json
import tomllib
import tracemalloc
from dataclasses import replace
from io import BytesIO
from pathlib import Path
from typing import Any
from zlib import crc32

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
from sealed import Spec, played
from shutbox import Over, Roll, catalogue
from shutbox.engine.errors import BadFormat, BadRecord, UnknownGame
from shutbox.engine.play import Chosen, Event, Rolled
from shutbox.engine.seats import Seat
from shutbox.record import Header, Source, Writer, read, to_bytes, to_json
from shutbox.record.lines import LONGEST_LINE, with_code

GOLDEN = Path(__file__).parents[1] / "data" / "records"
EXPECTED: dict[str, dict[str, Any]] = tomllib.loads((GOLDEN / "expected.toml").read_text())

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


@pytest.mark.parametrize(
    ("position", "says"),
    [
        ("9.5.1/2+4", "line 5: the position '9.5.1/2+4' is written 1.5.9/2+4"),
        ("-", "line 5: the game is over at '-'"),
        ("1.5.77", "line 5: impossible position '1.5.77'"),
    ],
)
def test_a_position_that_no_play_begins_at_is_refused(position: str, says: str) -> None:
    head = replace(header("classic", ANN), position=position)
    with pytest.raises(BadRecord) as refused:
        reading(bytes(head))
    assert str(refused.value).startswith(says)


@pytest.mark.parametrize("name", sorted(EXPECTED))
def test_the_records_of_the_data_open(name: str) -> None:
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


def test_every_record_of_the_data_is_expected() -> None:
    assert {path.stem for path in GOLDEN.glob("*.shutbox")} == set(EXPECTED)


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


def test_no_changed_byte_is_believed() -> None:
    data, log = short_record()
    for place in range(len(data) - 1):
        spoilt = data[:place] + bytes([data[place] ^ 1]) + data[place + 1 :]
        if place < ends(data)[6]:
            with pytest.raises(BadRecord):
                reading(spoilt)
            continue
        back = reading(spoilt)
        assert back.play.log == log[: back.play.version], place
        assert back.fault is not None


@pytest.mark.parametrize(
    ("line", "says"),
    [
        ("3 Ann: chooses 8", "event 2 is due; the line begins with '3'"),
        ("2 Ann chooses 8", "'Ann chooses 8' does not say who does what, such as Ann: throws 3+5"),
        ("2 Bob: chooses 8", "'Bob' is none of the players"),
        ("2 Robo: chooses 8", "Robo cannot do that; it is the turn of Ann"),
        ("2 Ann: sings 8", "'sings 8' says nothing that happens; throws, reads, chooses, "),
        ("2 Ann: corrects 3+5", "'corrects 3+5' says nothing that happens"),
        ("2 Ann: throws 5+3+", "'5+3+' is no roll; a record writes one as 3+5"),
        ("2 Ann: throws ٣+5", "'٣+5' is no roll"),
        ("2 Ann: throws 3+5", "the roll 3+5 comes when no throw is due"),
        ("2 Ann: chooses 7 1", "a record writes the choice '7 1' as '1 7'"),
        ("2 Ann: chooses 9", "9 does not make 8"),
        ("2 Ann: takes back", "there is nothing to take back since the last throw"),
        ("2 Ann: corrects to 3+6", "only dice that were typed in are corrected"),
        ("2 Ann: chooses 8 ", "what is said after 'chooses' has a space at an end"),
    ],
)
def test_a_fault_says_what_is_wrong(line: str, says: str) -> None:
    head = header("classic", ANN, ROBO)
    data = to_bytes(head, game_named("classic"), [Rolled(Roll((3, 5)))])
    code = crc32(f"{head.code} {line}".encode())
    back = reading(data + f"{line} #{code:08x}\n".encode())
    assert back.play.version == 1
    assert back.fault is not None
    assert back.fault.line == 10
    assert back.fault.reason.startswith(says)
    assert back.sound_bytes == len(data)


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


@pytest.mark.parametrize(
    ("tail", "line", "torn"),
    [
        (b"", None, False),
        (b"\0" * 10, None, True),
        (b"\0" * 3 * LONGEST_LINE, None, True),
        (b"\0" * 10 + b"\n", 15, False),
        (b"x" * LONGEST_LINE + b"\n", 15, False),
        (b"x" * 3 * LONGEST_LINE + b"\nmore\n", 15, False),
        (b"\n", 15, False),
        (b"\r\n", 15, False),
        (b"\x80\n", 15, False),
        (b"8 Ann: throws 1+1 \n", 15, False),
    ],
)
def test_whatever_follows_a_record_spoils_nothing(tail: bytes, line: int, torn: bool) -> None:
    data, log = short_record()
    back = reading(data + tail)
    assert back.play.log == log
    assert back.sound_bytes == len(data)
    assert back.torn == torn
    assert (back.fault.line if back.fault else None) == line


def test_lines_of_another_system_are_refused_with_the_reason() -> None:
    data, log = short_record()
    with pytest.raises(BadRecord, match=r"^the line ends with a carriage return"):
        reading(data.replace(b"\n", b"\r\n"))
    middle = ends(data)[8]
    back = reading(data[:middle] + data[middle:].replace(b"\n", b"\r\n"))
    assert back.play.log == log[:2]
    assert back.fault is not None
    assert back.fault.reason.startswith("the line ends with a carriage return")


@pytest.mark.parametrize(
    ("old", "new", "says"),
    [
        (b"", b"\xef\xbb\xbf", "the file begins with a byte order mark"),
        (b"record 1", b"record 999999999", "this shutbox reads records of version 1 only"),
        (b"record 1", b"record 0", "this file is not a shutbox record"),
        (b"program shutbox 0.1.0\n", b"", "line 2: 'begun' stands where program is wanted"),
        (b"player Zo\xc3\xab\n", b"", "line 5: 'dice' stands where package, format, position or"),
        (b"player Zo\xc3\xab\n", b"player Ann\n" * 2, "line 6: two players are called 'Ann'"),
        (b"player Zo\xc3\xab\n", b"player Ann=x\n", "line 5: after Ann= comes computer:KIND"),
        (b"player Zo\xc3\xab\n", b"player a:b\n", "line 5: 'a:b' is no name"),
        (b"player Zo\xc3\xab\n", b"player Zo\xeb\n", "line 5: byte 10 of the line is not UTF-8"),
        (
            b"player Zo\xc3\xab\n",
            b"".join(b"player P%d\n" % seat for seat in range(13)),
            "line 17: 13 players; a record has 1 to 12",
        ),
        (b"2026-11-21", b"2026-13-21", "line 3: '2026-13-21 12:00:05 UTC' is no time"),
        (b'seed "pub"', b"seed pub", "line 6: 'pub' is no seed"),
        (b'seed "pub"', b'seed "p\\u0075b"', "line 6: the dice are written 'seed \"pub\"'"),
        (b'seed "pub"', b"seed " + b"[" * 9000, "line 6: '[[[["),
        (b'seed "pub"', b'seed "' + b"9" * 9000 + b'"', "line 6: the seed has 9000 characters"),
        (
            b'seed "pub"',
            b"fate",
            "line 6: dice are of system, hand, seed, day, date or challenge, not of",
        ),
        (b"classic", b"classic ", "line 4: the line has a space at an end"),
        (b"classic", b"clas\x1b[31msic", "line 4: the line has a character that breaks or garbles"),
        (b"classic", b"c" * LONGEST_LINE, "line 4: the line is longer than 16000 bytes"),
        (b"classic", b"cargo", "line 7: a line of the header was changed"),
    ],
)
def test_a_header_that_cannot_be_read_says_where(old: bytes, new: bytes, says: str) -> None:
    data, _ = short_record()
    with pytest.raises(BadRecord) as refusal:
        reading(data.replace(old, new, 1))
    assert str(refusal.value).startswith(says)


@pytest.mark.parametrize("data", [b"\n" * 1000, b"\0" * 100_000, b"PK\3\4"])
def test_what_is_no_record_is_refused(data: bytes) -> None:
    with pytest.raises(BadRecord, match=r"not a shutbox record: its first line must be 'shutbox r"):
        reading(data)


def test_a_game_that_is_not_found_is_named_with_its_line() -> None:
    head = header("no-such-game")
    with pytest.raises(BadRecord, match=r"^line 4: there is no game 'no-such-game'"):
        reading(bytes(head))

    def refuse(header: Header) -> Any:
        raise UnknownGame("we do not play that")

    with pytest.raises(BadRecord, match=r"^line 4: we do not play that"):
        read(BytesIO(bytes(head)), refuse)


@pytest.mark.parametrize(
    ("package", "format", "line"),
    [("", "", 4), ("", "rounds=3", 5), ("acme-pig 1.2", "rounds=3", 6)],
)
def test_a_format_that_is_refused_is_named_with_its_line(
    package: str, format: str, line: int
) -> None:
    def refuse(header: Header) -> Any:
        raise BadFormat("this match", ("it has no end",))

    head = header(package=package, format=format)
    with pytest.raises(BadRecord, match=rf"^line {line}: .*it has no end"):
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


@pytest.mark.parametrize(
    "fields",
    [
        *({"game": game} for game in ("", "a\nb", " a", "x" * LONGEST_LINE)),
        *({"program": program} for program in ("", "\ud800")),
        *({"format": form} for form in ("a\u2028b", "\u202egnp.exe")),
        *({"begun": time} for time in ("", "now", "2026-11-21 25:00:05 UTC")),
        *({"players": players} for players in ((), (ANN, ANN), (Seat("a:b"),), (Seat(""),))),
        {"players": (Seat("Ann", "a\nb"),)},
    ],
)
def test_a_header_that_would_not_read_back_is_refused(fields: dict[str, Any]) -> None:
    with pytest.raises(BadRecord):
        replace(header(), **fields)


@pytest.mark.parametrize(
    ("kind", "seed"),
    [("fate", ""), ("system", "pub"), ("seed", "x" * 1001), ("seed", "\ud83d\ude00")],
)
def test_dice_that_would_not_read_back_are_refused(kind: str, seed: str) -> None:
    with pytest.raises(BadRecord):
        Source(kind, seed)


@pytest.mark.parametrize(
    ("kind", "day"),
    [
        ("system", "2026-11-23"),
        *(("day", day) for day in ("", "today", "2026-13-01", "2026-11-23 ", "2026-1-2")),
    ],
)
def test_a_day_that_is_none_is_refused(kind: str, day: str) -> None:
    with pytest.raises(BadRecord):
        Source(kind, day=day)
    head = bytes(header(dice=Source("day", day="2026-11-23")))
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


@pytest.mark.parametrize("text", ["", "a\nb", " a", "\ud800", "x" * LONGEST_LINE])
def test_a_choice_whose_text_breaks_a_line_is_refused(text: str) -> None:
    class Odd(Passed):
        def choice_text(self, choice: str) -> str:
            return text

    with pytest.raises(BadRecord):
        Writer(header("passed")).line(prepared(2, Chosen("keep"), game=Odd()))


def test_a_seat_without_a_name_is_refused() -> None:
    for seat in (-1, 1):
        with pytest.raises(BadRecord):
            Writer(header("passed")).line(prepared(1, Rolled(Roll((1,))), seat=seat, game=Passed()))


# JSON.


@pytest.mark.parametrize("name", sorted(EXPECTED))
def test_json_has_every_line(name: str) -> None:
    data = (GOLDEN / f"{name}.shutbox").read_bytes()
    back = reading(data)
    value = to_json(back.header, back.game, back.play.log, back.opening, back.last_sealed)
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


def test_json_needs_a_name_for_each_seat() -> None:
    of = played(Spec("two", "six", ("a", None), "rounds=1", ("Ann", "Bob")))
    alone = replace(of.header, players=of.header.players[:1], dice=Source())
    with pytest.raises(BadRecord, match="player 2 is to act; the record names 1"):
        to_json(alone, game_of(of.header), of.log)
