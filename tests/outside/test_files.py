"""Files and outputs as shells, editors, disks and spreadsheets leave them."""

import os
import tomllib
from pathlib import Path

import pytest

import shutbox
from listing import assert_none
from records import short_record
from shutbox.cli.main import main
from shutbox.engine.errors import ShutboxError, UnknownRecord
from shutbox.output.results import Column, write_csv_file
from shutbox.output.stats import stats
from shutbox.record.folder import Store
from shutbox.table.lookup import find_position
from terminal.pipe import in_shell

CELLS: dict[str, str] = tomllib.loads(
    Path(__file__).with_name("cells.toml").read_text(encoding="utf-8")
)


def test_no_cell_of_a_csv_file_is_a_formula(tmp_path: Path) -> None:
    faults, file = [], tmp_path / "out.csv"
    for text, cell in CELLS.items():
        write_csv_file(file, [Column("name")], [(text,)])
        written = file.read_text("utf-8").removeprefix("name\n").rstrip("\n").strip('"')
        if written != cell:
            faults.append((text, written))
    assert_none(faults)


FULL, CLOSED = "No space left on device", "it is closed"


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="there is no /dev/full here")
def test_what_cannot_be_written_is_refused_with_a_sentence_and_changes_no_exit_code() -> None:
    faults = []
    for arguments, to, reason, unbuffered in (
        *((each, ">/dev/full", FULL, None) for each in ("--help", "rules cargo --json", "play")),
        ("play classic", ">&-", CLOSED, None),
        ("--version", ">&-", CLOSED, "1"),
        ("play classic", ">/dev/full", FULL, "1"),
        ("help play", ">&- 2>&-", "", None),
    ):
        changes = {"PYTHONUNBUFFERED": unbuffered}
        ended = in_shell(f"$SHUTBOX {arguments} {to}", typed=b"b\nb\n", changes=changes)
        says = f"shutbox: the output cannot be written: {reason}\n" if reason else ""
        if (ended.code, ended.refusal) != (1, says):
            faults.append((arguments, to, unbuffered, ended))
    for arguments, to in (("play nothing", "2>&-"), ("legal x --json", "2>/dev/full")):
        with_errors, ended = (
            in_shell(f"$SHUTBOX {arguments}"),
            in_shell(f"$SHUTBOX {arguments} {to}"),
        )
        if (ended.code, ended.out) != (with_errors.code, with_errors.out):
            faults.append((arguments, to, None, ended))
    assert_none(faults)


BOX = '[mine]\ntitle = "Mine"\ntiles = "1-3"\n'
PLACES = {
    "b#c/m.toml": ["./b#c/m.toml", "b#c/m.toml#mine", "./b#c/m.toml:1.2.3"],
    "M2.TOML": ["M2.TOML", "M2.Toml#mine", "M2.TOML[rounds=2]", "M2.TOML:1.2.3"],
    "n#1.toml": ["n#1.toml", "n#1.toml#mine"],
    "plain#mine": ["./plain#mine"],
    "mine (1).toml": ["mine (1).toml"],
    "my[1].toml": ["./my[1].toml", "my[1].toml#mine"],
    "C:x/m.toml": ["C:x/m.toml", "C:x/m.toml#mine", "C:x/m.toml:1.2.3"],
}
"""Files of a box as people, browsers and other systems name them, and how commands name them."""


def test_an_existing_file_is_found_whatever_its_name_has(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    faults = []
    for place, texts in PLACES.items():
        Path(place).parent.mkdir(exist_ok=True)
        Path(place).write_text(BOX, encoding="utf-8")
        Path("M2.Toml").write_text(BOX, encoding="utf-8")  # a system may know no case
        for text in texts:
            try:
                game, _ = find_position(text)
            except ShutboxError as error:
                faults.append((text, str(error)))
            else:
                if not game.name.startswith("two-dice(tiles=1-3)"):
                    faults.append((text, game.name))
    assert_none(faults)


def test_no_folder_and_no_file_has_a_nul_in_its_name() -> None:
    for ask in (shutbox.review, lambda name: stats(folder=name)):
        with pytest.raises(UnknownRecord) as refusal:
            ask("a\0b")
        assert r"a\x00b" in str(refusal.value)


NAMES = ("a#b", "a b", "100%", "new\nline", "-x", "c:d", "7", "~", "[x]", "--at")
"""Names that shells and other systems allow for files."""


def test_a_record_and_an_output_can_have_every_name(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("record").write_bytes(short_record()[0])
    faults = []
    for name in NAMES:
        Path(name).write_bytes(short_record()[0])
        says = name.replace("\n", "\\n")
        for words, begins in (
            (["show", f"./{name}"], f"{says}: Classic, "),
            (["check", "--", f"./{name}"], f"{says}: seven events in order.\n"),
            (["review", "record", f"--output={name}.csv"], f"The data is in {says}.csv.\n"),
            (["picture", "six", f"--output={name}.svg"], f"The picture is in {says}.svg.\n"),
        ):
            main(words)
            out, err = capsys.readouterr()
            if err or not out.startswith(begins):
                faults.append((words, out[:80], err))
    assert_none(faults)


def test_no_output_takes_the_place_of_a_folder_or_a_pipe(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    places = tmp_path / "a\nfolder.csv", tmp_path / "pipe.csv"
    places[0].mkdir()
    os.mkfifo(places[1])
    (tmp_path / "record").write_bytes(short_record()[0])
    for place in places:
        assert main(["review", str(tmp_path / "record"), "-o", str(place)]) == 1
        says = str(place).replace("\n", "\\n")
        assert capsys.readouterr().err == f"shutbox: {says} cannot be written: it is no file\n"


TOLD = (
    *("show", "replay", "check", "export", "export --all", "review", "review 2", "stats"),
    *("games --mine", "resume", "resume 2"),
)
"""The commands that meet the newest record of one's own."""


def test_a_damaged_newest_record_is_named_with_its_file(capsys: pytest.CaptureFixture[str]) -> None:
    whole, _ = short_record()
    store = Store()
    store.folder.mkdir(parents=True, exist_ok=True)
    store.path(1).write_bytes(whole)
    faults = []
    for data, reason in ((b"", "the file is empty"), (b"shutbox rec", "is cut off in its first")):
        store.path(2).write_bytes(data)
        for command in TOLD:
            main(command.split())
            said = "".join(capsys.readouterr()).lower()
            named = f"game 2 ({store.path(2)}) cannot be read: ".lower()
            if said.count(named) != 1 or reason not in said:
                faults.append((data, command, said))
    assert_none(faults)


def test_a_number_that_no_record_can_have_is_refused_in_a_short_sentence(
    capsys: pytest.CaptureFixture[str],
) -> None:
    digits = "9" * 5000
    for command in ("show", "replay", "check", "export", "review", "resume"):
        assert main([command, digits]) == 1
        assert capsys.readouterr() == ("", "shutbox: there is no game with so high a number\n")
    for number in (10**5000, -(10**5000), 10**18):
        with pytest.raises(UnknownRecord, match="so high a number"):
            shutbox.review(number)
    for option in ("practice six --questions", "odds six --seats"):
        with pytest.raises(SystemExit):
            main([*option.split(), digits])
        assert "is too long for a number" in capsys.readouterr().err.splitlines()[-1]
