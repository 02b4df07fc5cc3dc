"""The commands that do not play: their output as words and as JSON, and exit codes.

Most run inside this process. Tests of the process itself (exit code, outputs, duration) start one.
"""

import argparse
import re
import runpy
import shlex
import sys
import tomllib
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from commands import as_json, printed, ran, refused
from records import header as record_header
from shutbox import __version__, catalogue, find
from shutbox.cli.commands import COMMANDS, FOR_PROGRAMS, Parser, arguments_parser
from shutbox.cli.main import main
from shutbox.engine.seats import Seat
from shutbox.match import presets
from shutbox.table.lookup import difference
from terminal.pipe import Ended, piped

USAGE: dict[str, list[str]] = tomllib.loads(
    (Path(__file__).parents[1] / "data" / "refusals.toml").read_text(encoding="utf-8")
)["usage"]
NAMES = [entry.name for entry in catalogue()]
LISTED = [row.name for rows in COMMANDS.values() for row in rows]  # the commands of the help
NAMED = [*LISTED, *(row.name for row in FOR_PROGRAMS)]  # all commands


# games


def test_games_lists_the_catalogue() -> None:
    lines = printed("games").splitlines()
    assert [line.split(": ")[0] for line in lines] == [*NAMES, *presets()]
    assert all(line.endswith(".") for line in lines)
    for row, line in zip(as_json("games"), lines, strict=True):
        assert row["differs"] == difference(row["name"])
        assert line == "{name}: {title}. {differs}. Source {source}.".format(**row)


# rules


def test_the_options_of_the_rules_make_the_same_game() -> None:
    for name in ("the-300", "double-shutter", "cargo", "tray(dice=2d6+1d20)"):
        told = as_json("rules", name)
        base = name.partition("(")[0]
        written = ",".join(f"{key}={value}" for key, value in told["options"].items())
        assert find(f"{base}({written})").name == name


# legal


def test_every_line_of_a_refusal_is_said(tmp_path: Path) -> None:
    mine = tmp_path / "mine.toml"
    mine.write_text('[mine]\ntiles = "0-31"\ndice = "13d6"\ncover = "two"\ncolour = "red"\n')
    code, out, err = ran("rules", str(mine))
    assert code == 1
    assert (out, err.count("\nshutbox: mine.toml: [mine] ")) == ("", err.count("\n") - 1)
    assert err.count("\n") > 3


# Refusals and usage


def test_what_lists_the_games_is_named_as_it_is_run_there(monkeypatch: pytest.MonkeyPatch) -> None:
    says = "shutbox: there is no game 'nonsense'; {} lists the names\n"
    assert piped("odds", "nonsense").refusal == says.format("shutbox games")
    monkeypatch.setenv("SHUTBOX_TARGETS", "make play games")
    assert piped("play", "nonsense").refusal == says.format("make games")
    assert piped("stats").lines == ["No games yet; make play starts one."]


def test_help(capsys: pytest.CaptureFixture[str]) -> None:
    for words in ([], *([command] for command in NAMED)):
        with pytest.raises(SystemExit) as stopped:
            main([*words, "--help"])
        assert stopped.value.code == 0
        assert capsys.readouterr().out.startswith(" ".join(["usage: shutbox", *words]))


def every_command(parser: Parser) -> Iterator[Parser]:
    """Those that something runs: `shutbox admin` only has others below it."""
    below = [a for a in parser._actions if isinstance(a, argparse._SubParsersAction)]
    for action in below:
        for command in action.choices.values():
            yield from every_command(command)
    if not below:
        yield parser


def test_the_help_of_a_command_ends_with_examples_which_are_understood() -> None:
    parser = arguments_parser()
    for command in every_command(arguments_parser().fill_all()):
        examples = str(command.epilog).partition("examples:\n")[2].splitlines()
        assert examples
        for example in examples:
            words = shlex.split(example.partition(" >")[0])
            read = parser.parse_args(words[1:])
            assert " ".join(words).startswith(command.prog)
            assert read.run is command.get_default("run")


@pytest.mark.parametrize("typed", USAGE)
def test_what_was_meant_is_said_under_its_own_usage(
    typed: str, capsys: pytest.CaptureFixture[str]
) -> None:
    usage, meant = USAGE[typed]
    with pytest.raises(SystemExit) as stopped:
        main(typed.split())
    assert stopped.value.code == 2
    out, said = capsys.readouterr()
    assert out == ""
    assert said.startswith(f"usage: {usage}")
    assert meant in said.splitlines()[-1]


HIDDEN = "\x1b\x07\x9b\u00ad\u200b\u200d\u202e\u2028\u3164\ufeff\ufff9\U000e0041"
"""What a terminal acts on, or nobody sees."""


@pytest.mark.parametrize("command", ["show", "check", "replay", "resume"])
def test_what_a_terminal_would_act_on_is_written_out(
    command: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    seats = Seat("Ann\u200b\u200d\u00ad"), Seat("Bob\u3164\ufff9\U000e0041")
    path = tmp_path / f"{HIDDEN}\n.shutbox"
    path.write_bytes(bytes(record_header("classic", *seats, format="rounds=1")))
    main([command, str(path)])
    main([command, str(path.with_name(f"gone {HIDDEN}"))])
    with suppress(SystemExit):
        main([command, str(path), HIDDEN])
    said = "".join(capsys.readouterr())
    assert said.isascii()
    assert said.replace("\n", "").isprintable()
    assert command == "check" or r"Ann\u200b" in said
    for sign in HIDDEN:
        assert ascii(sign)[1:-1] in said


@pytest.mark.parametrize("command", ["show", "check", "replay", "resume"])
def test_a_record_has_no_file_read(
    command: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("x.toml").write_text('[a]\ntitle = "Mine"\ntiles = "1-9"\n', encoding="utf-8")
    assert find("x.toml").card().title == "Mine"
    for name in ("x.toml", "./x.toml", "x.toml#a", "/etc/passwd", "a\\b"):
        Path("record").write_bytes(bytes(record_header(name)))
        assert "a record names its game, and no file such as" in refused(command, "record")


def test_no_command_prints_the_help() -> None:
    told = printed()
    for command in LISTED:
        assert len(re.findall(rf"^  {command} ", told, re.M)) == 1, command


def test_a_clone_has_no_completions() -> None:
    assert "pip install ." in refused("completion", "bash")


def test_version() -> None:
    assert piped("--version") == Ended(0, f"shutbox {__version__}\n".encode(), b"")


def test_a_server_that_cannot_start_says_why() -> None:
    done = piped("serve", "--port", "65536")
    assert done.code == 1
    assert done.refusal.splitlines()[-1].startswith("shutbox: there is no port 65536")
    assert "Traceback" not in done.refusal


def test_ctrl_c_while_modules_are_loaded_shows_no_traceback(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    class Interrupted(ModuleType):
        def __getattr__(self, name: str) -> Any:
            raise KeyboardInterrupt

    monkeypatch.setitem(sys.modules, "shutbox.cli.main", Interrupted("shutbox.cli.main"))
    with pytest.raises(SystemExit) as ended:
        runpy.run_module("shutbox", run_name="__main__")
    assert ended.value.code == 130


def test_ctrl_c_while_a_library_makes_something_shows_no_traceback(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    class HalfMade:
        def __init__(self) -> None:
            raise KeyboardInterrupt

        def __del__(self) -> None:
            raise AttributeError

    monkeypatch.setattr(sys, "unraisablehook", sys.__unraisablehook__)
    monkeypatch.setattr("shutbox.cli.main.run_command", lambda words: HalfMade())
    assert main([]) == 130
    assert capsys.readouterr().err == ""
