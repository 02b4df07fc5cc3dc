"""Data for other programs: every figure in a file equals that of its record."""

import csv
import json
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

import shutbox
from records import header, random_play, reading, short_record
from shutbox.cli.main import main
from shutbox.engine.errors import NotUnderstood
from shutbox.engine.seats import Seat
from shutbox.match import Match
from shutbox.output.results import Column, write_csv_file
from shutbox.record import Source, to_bytes, to_json
from shutbox.record.folder import Store
from shutbox.solving.review import report as reviews
from shutbox.table.lookup import find_any, match_of

DOCS = Path(__file__).parents[2] / "docs" / "data.md"
ANN, BOB = Seat("Ann"), Seat("Bob", "most")
ROUNDS = "six[seats=2,rounds=2,begins=high-roll,order=rotate]"
KINDS = (Column("name"), Column("number", int), Column("share", float), Column("good", bool))
ROWS = (("Zo\xeb, \u2680", 7, 0.5, True), (None, None, None, None), ("e=1", -1, 1e-9, False))


def record_of(name: str, seed: int, most_events: int = 200) -> bytes:
    """A record of a random play."""
    game = find_any(name)
    players: tuple[Seat, ...] = (ANN,)
    of, format = game.name, ""
    if isinstance(game, Match):
        of, format = game.game.name, str(game.format)
        players = (ANN, BOB)[: len(game.players)]
        game = match_of(of, [seat.name for seat in players], format)
    about = header(of, *players, format=format, dice=Source("hand"))
    return to_bytes(about, game, random_play(game, seed, most_events).log)


def kept(*records: bytes) -> Store:
    """The user's own folder with these records, which may be damaged."""
    store = Store()
    store.folder.mkdir(parents=True, exist_ok=True)
    for id, data in enumerate(records, start=1):
        store.path(id).write_bytes(data)
    return store


def done(capsys: pytest.CaptureFixture[str], *arguments: object, code: int = 0) -> tuple[str, str]:
    """What a command prints, and what it says beside."""
    assert main([str(one) for one in arguments]) == code
    out, err = capsys.readouterr()
    return out, err


def read_csv(file: Path) -> list[dict[str, str]]:
    with file.open(encoding="utf-8", newline="") as stream:
        return list(csv.DictReader(stream))


# Records


def test_records_go_out_as_json(capsys: pytest.CaptureFixture[str]) -> None:
    records = [record_of(name, seed, 60) for seed, name in enumerate(("classic", ROUNDS, "tray"))]
    kept(*records)
    each = [json.loads(done(capsys, "export", id)[0]) for id in range(1, len(records) + 1)]
    assert each == [json.loads(json.dumps(to_json(found))) for found in map(reading, records)]
    assert json.loads(done(capsys, "export", "--all")[0]) == each


def test_what_is_damaged_is_named_and_the_rest_is_handed_on(
    capsys: pytest.CaptureFixture[str],
) -> None:
    whole, log = short_record()
    lines = whole.splitlines(keepends=True)
    middle = len(lines) - 3
    damaged = b"".join([*lines[:middle], b"7" + lines[middle], *lines[middle + 1 :]])
    kept(whole, b"no record\n", damaged, whole)
    out, err = done(capsys, "export", "--all")
    left_out, place = err.splitlines()
    says = (
        f"Left out: game 2 ({Store().path(2)}) cannot be read: this file is not a shutbox record: "
    )
    assert left_out.startswith(says)
    assert place.startswith(f"Game 3 is damaged at line {middle + 1}: ")
    assert [len(game["events"]) for game in json.loads(out)] == [len(log), len(log) - 3, len(log)]


# Reviews and policies


def test_the_rows_of_a_review_are_its_figures(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    data, file = record_of("classic", 2), tmp_path / "luck.csv"
    kept(data)
    found = shutbox.review(reading(data))
    done(capsys, "review", 1, "-o", file)
    for row, event in zip(read_csv(file), found.report()["events"], strict=True):
        for key in ("luck", "cost"):
            assert row[key] == str(event.get(key, ""))
        assert [float(delta) for delta in row["deltas"].split()] == event["delta"]


def test_the_rows_of_a_policy_are_its_arrays(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    pytest.importorskip("numpy", reason="NumPy is not installed: make tools")
    file = tmp_path / "policy.csv"
    done(capsys, "policy", "six", "--aim", "shut", "-o", file)
    policy = shutbox.solve("six", "shut").policy()
    rows = read_csv(file)
    assert [row["position"] for row in rows] == policy.positions.tolist()
    assert [row["choice"] for row in rows] == policy.choices.tolist()
    assert [float(row["value"]) for row in rows] == policy.values.tolist()
    assert [int(row["count"]) for row in rows] == policy.counts.tolist()
    assert [int(row["best"]) for row in rows] == policy.best.tolist()
    assert [row["roll"] for row in rows] == [str(pip) for [pip] in policy.rolls.tolist()]


# Files


def test_a_file_is_replaced_as_a_whole_or_not_at_all(tmp_path: Path) -> None:
    file = tmp_path / "out.csv"
    file.write_text("as it was", encoding="utf-8")
    seen = list[str]()

    def breaking() -> Iterator[tuple[object, ...]]:
        yield ROWS[0]
        seen.append(file.read_text(encoding="utf-8"))
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        write_csv_file(file, KINDS, breaking())
    assert (seen, file.read_text(encoding="utf-8")) == (["as it was"], "as it was")
    assert list(tmp_path.iterdir()) == [file]
    link = tmp_path / "link.csv"
    link.symlink_to(file)
    write_csv_file(link, KINDS, ROWS)
    assert link.is_symlink()
    assert [[*row.values()] for row in read_csv(file)] == [
        ["Zo\xeb, \u2680", "7", "0.5", "true"],
        ["", "", "", ""],
        ["e=1", "-1", "1e-09", "false"],
    ]
    with pytest.raises(NotUnderstood, match=r"out\.csv cannot be written: No such file"):
        write_csv_file(tmp_path / "no" / "out.csv", KINDS, ROWS)
    assert not (tmp_path / "no").exists()


def test_the_docs_have_all_columns_in_their_order() -> None:
    why = "NumPy is not installed: make tools"
    policies = pytest.importorskip("shutbox.solving.policy", reason=why).Policy.COLUMNS
    types = {"text": str, "whole number": int, "number": float, "true or false": bool}
    tables = {"Reviews": reviews.COLUMNS, "Policies": policies}
    for heading, columns in tables.items():
        part = DOCS.read_text(encoding="utf-8").split(f"\n### {heading}\n")[1].split("\n#")[0]
        told = re.findall(r"^\| `(\w+)` \| ([\w ]+) \|", part, re.MULTILINE)
        assert tuple(Column(name, types[said]) for name, said in told) == columns
