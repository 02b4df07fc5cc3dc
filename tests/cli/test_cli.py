"""The commands that do not play: their output as words and as JSON, and exit codes.

Most run inside this process. Tests of the process itself (exit code, outputs, duration) start one.
"""

import argparse
import json
import re
import runpy
import shlex
import subprocess
import sys
from collections.abc import Iterator
from contextlib import suppress
from itertools import chain
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from records import header as record_header
from shutbox import (
    Choose,
    FirstChoice,
    Over,
    SeededCup,
    Throw,
    __version__,
    catalogue,
    find,
    find_position,
    position_text,
)
from shutbox.cli.commands import Parser, arguments_parser
from shutbox.cli.main import main
from shutbox.engine.seats import Seat
from shutbox.games.catalogue import on_the_console
from shutbox.match import presets
from shutbox.table.lookup import difference
from terminal.pipe import piped

NAMES = [entry.name for entry in catalogue()]
MOST_EVENTS = 40
"""As much of a play is looked at, of a game that can go on forever."""


def answer(capsys: pytest.CaptureFixture[str], *arguments: str) -> str:
    """What a command prints that goes well."""
    assert main(arguments) == 0
    printed = capsys.readouterr()
    assert printed.err == ""
    return printed.out


def answer_json(capsys: pytest.CaptureFixture[str], *arguments: str) -> Any:
    return json.loads(answer(capsys, *arguments, "--json"))


def run(*arguments: str) -> subprocess.CompletedProcess[str]:
    """A command in a process of its own."""
    ended = piped(*arguments)
    out = ended.out.decode("utf-8")
    return subprocess.CompletedProcess(arguments, ended.code, out, ended.refusal)


def positions(name: str) -> Iterator[str]:
    """The positions of one play, as full texts."""
    game, cup = find(name), SeededCup(name)
    position = game.start()
    for _ in range(MOST_EVENTS):
        yield position_text(game, position)
        match game.awaits(position):
            case Throw(dice=dice):
                position = game.rolled(position, cup.throw(dice))
            case Choose(choices=choices):
                position = game.chosen(position, FirstChoice().pick(game, position, choices))
            case _:
                return


# games


def test_games_lists_the_catalogue(capsys: pytest.CaptureFixture[str]) -> None:
    lines = answer(capsys, "games").splitlines()
    assert [line.split(": ")[0] for line in lines] == [*NAMES, *presets()]
    assert all(line.endswith(".") for line in lines)


def test_games_as_json(capsys: pytest.CaptureFixture[str]) -> None:
    named = [(e.name, e.title, e.source) for e in catalogue()]
    named += [(p.name, p.title, p.source) for p in presets().values()]
    assert answer_json(capsys, "games") == [
        {"name": name, "title": title, "differs": difference(name), "source": source}
        for name, title, source in named
    ]


# rules


def test_rules_are_whole_sentences(capsys: pytest.CaptureFixture[str]) -> None:
    for name in NAMES:
        card = find(name).card()
        title, *rules, own_name = answer(capsys, "rules", name).splitlines()
        assert (title, own_name) == (f"{card.title}.", f"Name: {name}")
        assert rules == [*card.lines, *filter(None, [on_the_console(name)])]
        assert all(not line[0].islower() and line.endswith(".") for line in rules)
        assert answer_json(capsys, "rules", name) == {
            "game": name,
            "title": card.title,
            "rules": list(card.lines),
            "options": card.options,
        }


def test_the_options_of_the_rules_make_the_same_game(capsys: pytest.CaptureFixture[str]) -> None:
    for name in ("the-300", "double-shutter", "cargo", "tray(dice=2d6+1d20)"):
        told = answer_json(capsys, "rules", name)
        base = name.partition("(")[0]
        written = ",".join(f"{key}={value}" for key, value in told["options"].items())
        assert find(f"{base}({written})").name == name


# legal


def test_legal_in_words_and_as_json(capsys: pytest.CaptureFixture[str]) -> None:
    seen = set()
    for text in chain.from_iterable(map(positions, NAMES)):
        told = answer_json(capsys, "legal", text)
        own_text, says, *said = answer(capsys, "legal", text).splitlines()
        assert (own_text, says[-1], said) == (text, ".", told.get("choices", []))
        game, position = find_position(text)
        match game.awaits(position):
            case Throw(dice=dice, seat=seat):
                expected = {"position": text, "awaits": "throw", "seat": seat, "dice": str(dice)}
            case Choose(choices=choices, seat=seat):
                texts = [game.choice_text(choice) for choice in choices]
                expected = {"position": text, "awaits": "choose", "seat": seat, "choices": texts}
            case Over(scores=scores):
                expected = {"position": text, "awaits": "over", "seat": None, "scores": [*scores]}
        assert list(told.items()) == list(expected.items())
        seen.add(told["awaits"])
    assert seen == {"throw", "choose", "over"}


LARGE = [
    "two-dice(tiles=1-30,dice=12d6)",
    "two-dice(tiles=1-30,dice=12d100)",
    "two-dice(tiles=1-30,dice=12d6):1-30/3+3+3+3+3+3+3+3+3+3+3+3",
    "two-dice(tiles=1-30,dice=1d100):1-30/60",
    "two-dice(tiles=1-30,dice=12d2):1-30/2+2+2+2+2+2+2+2+2+2+2+2",
    "two-dice(tiles=1-15,behind=15.14.13.12.11.10.9.8.7.6.5.4.3.2.1,dice=12d2)",
    "tray(dice=20d100)",
    "tray(dice=20d6):d100-1.d100-2.d100-3.d100-4.d100-5.d100-6.d100-7.d100-8.d100-9.d100-10",
    "cargo(dice=10,rolls=10,hold=each):6.5.4/5/1+1+2+3+4+5+6",
]


@pytest.mark.parametrize("position", LARGE)
def test_a_huge_question_is_answered_or_refused_and_never_hangs(position: str) -> None:
    done = run("legal", position, "--json")
    if done.returncode == 0:
        assert json.loads(done.stdout)["awaits"] in ("throw", "choose")
        assert done.stderr == ""
    else:
        assert done.returncode == 1
        error = json.loads(done.stdout)["error"]
        assert done.stderr == f"shutbox: {error['message']}\n"
        assert any(character.isdigit() for character in done.stderr), "the limit is named"


# Refusals and usage


@pytest.mark.parametrize(
    "arguments",
    [
        ("play", "nothing"),
        ("play", "./nothing.toml"),
        ("rules", "classic(fewer=sometimes)"),
        ("rules", "\U0001f3b2"),
        ("rules", "x" * 5000),
        ("legal", ""),
        ("legal", "classic:10"),
        ("legal", "classic:1\n2"),
    ],
)
def test_a_refusal_is_one_sentence_on_stderr_and_exit_1(arguments: tuple[str, ...]) -> None:
    done = run(*arguments)
    assert (done.returncode, done.stdout) == (1, "")
    [line] = done.stderr.splitlines()
    assert line.startswith("shutbox: ")
    assert len(line) < 300
    assert line.isprintable()


def test_what_lists_the_games_is_named_as_it_is_run_there(monkeypatch: pytest.MonkeyPatch) -> None:
    says = "shutbox: there is no game 'nonsense'; {} lists the names\n"
    assert run("odds", "nonsense").stderr == says.format("shutbox games")
    monkeypatch.setenv("SHUTBOX_TARGETS", "make play games")
    assert run("play", "nonsense").stderr == says.format("make games")
    assert run("stats").stdout == "No games yet; make play starts one.\n"


def test_every_mistake_of_a_variant_file_has_a_line(tmp_path: Path) -> None:
    mine = tmp_path / "mine.toml"
    mine.write_text('[mine]\ntiles = "0-31"\ndice = "13d6"\ncover = "two"\ncolour = "red"\n')
    done = run("rules", str(mine))
    assert (done.returncode, done.stdout) == (1, "")
    lines = done.stderr.splitlines()
    assert all(line.startswith("shutbox: mine.toml: [mine] ") for line in lines)
    for key in ("tiles", "dice", "cover", "colour"):
        assert any(key in line for line in lines)


@pytest.mark.parametrize(
    "arguments",
    [
        ("--nonsense",),
        ("games", "classic"),
        ("rules",),
        ("legal", "classic", "tray"),
        ("play", "classic", "--dice", "magic"),
        ("play", "classic", "--seed"),
    ],
)
def test_wrong_usage_is_exit_2(
    arguments: tuple[str, ...], capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as stopped:
        main(arguments)
    assert stopped.value.code == 2
    printed = capsys.readouterr()
    assert printed.out == ""
    assert printed.err.startswith("usage: shutbox")


COMMANDS = (
    *("play", "resume", "games", "rules", "legal", "picture", "show", "replay", "check"),
    *("export", "stats", "review", "odds", "policy", "advise", "fair", "compare"),
    *("practice", "serve", "admin", "help"),
)


def test_help(capsys: pytest.CaptureFixture[str]) -> None:
    for words in ([], *([command] for command in COMMANDS)):
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
    for command in every_command(arguments_parser().filled()):
        examples = str(command.epilog).partition("examples:\n")[2].splitlines()
        assert examples
        for example in examples:
            words = shlex.split(example.partition(" >")[0])
            read = parser.parse_args(words[1:])
            assert " ".join(words).startswith(command.prog)
            assert read.run is command.get_default("run")


@pytest.mark.parametrize(
    ("typed", "usage", "meant"),
    [
        ("pla", "shutbox [-h]", "there is no pla; did you mean play?"),
        ("play --player Ann", "shutbox play", "there is no --player; did you mean --players?"),
        ("odds classic --aims=shut", "shutbox odds", "there is no --aims; did you mean --aim?"),
        ("admin room", "shutbox admin", "there is no room; did you mean rooms?"),
        ("admin rooms --sorted last", "shutbox admin rooms", "did you mean --sort?"),
        ("help plya", "shutbox [-h]", "there is no plya; did you mean play?"),
        ("help nosuch", "shutbox [-h]", "no nosuch; shutbox --help lists the commands"),
        ("admin nosuch", "shutbox admin", "no nosuch; shutbox admin --help lists the commands"),
        ("play --throw nix", "shutbox play", "there is no nix; choose from auto and ask"),
        ("play classic cargo", "shutbox play", "unrecognized arguments: cargo"),
    ],
)
def test_what_was_meant_is_said_under_its_own_usage(
    typed: str, usage: str, meant: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as stopped:
        main(typed.split())
    assert stopped.value.code == 2
    said = capsys.readouterr().err
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
    command: str,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("x.toml").write_text('[a]\ntitle = "Mine"\ntiles = "1-9"\n', encoding="utf-8")
    assert find("x.toml").card().title == "Mine"
    for name in ("x.toml", "./x.toml", "x.toml#a", "/etc/passwd", "a\\b"):
        Path("record").write_bytes(bytes(record_header(name)))
        assert main([command, "record"]) == 1
        assert "a record names its game, and no file such as" in capsys.readouterr().err


def test_no_command_prints_the_help(capsys: pytest.CaptureFixture[str]) -> None:
    told = answer(capsys)
    for command in COMMANDS:
        assert len(re.findall(rf"^  {command} ", told, re.M)) == 1, command


def test_version() -> None:
    done = run("--version")
    assert (done.returncode, done.stdout, done.stderr) == (0, f"shutbox {__version__}\n", "")


@pytest.mark.parametrize(
    ("options", "says"),
    [
        (("--port", "65536"), "there is no port 65536"),
        (("--database", "sqlite:////proc/none/tables.db"), "cannot be opened"),
        (("--database", "postgresql://nobody@127.0.0.1:9/none"), "the database cannot be used"),
        (("--url", "box.example"), "--url is not an address"),
        (("--url", "https://[::1"), "--url is not an address"),
        (("--url", "https://ann@box.example"), "is not an address"),
        (("--url", "https://box.example/games"), "has a path"),
        (("--rates", "memcached://host"), "--rates is not understood; write memory://"),
    ],
)
def test_a_server_that_cannot_start_says_why(
    options: tuple[str, ...], says: str, tmp_path: Path
) -> None:
    database = () if "--database" in options else ("--database", f"sqlite:///{tmp_path}/t.db")
    done = run("serve", *options, *database)
    assert done.returncode == 1
    last = done.stderr.splitlines()[-1]
    assert last.startswith("shutbox: ")
    assert says in last
    assert "Traceback" not in done.stderr


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
