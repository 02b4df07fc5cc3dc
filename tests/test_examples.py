"""Everything that newcomers copy must work: the example files, and the shell examples of the docs.

Every ```sh block of a page in docs is run as it is. If a ```text block follows it directly, that
must be its output. pytest itself runs the `>>>` examples of the pages.
"""

import re
import sys
from collections.abc import Iterable, Iterator
from enum import Enum
from itertools import chain
from pathlib import Path
from typing import Any

import addresses
import chat_bot
import command_line
import front_end
import pytest
import template_game
from first_bot import KeepOpen, mean_score

from installing import ROOT, run_program
from listing import assert_none
from nightly import one_in
from shutbox import Choose, ShutboxError, catalogue, find, play_out
from shutbox.cli.commands import COMMANDS, FOR_PROGRAMS
from shutbox.engine.cups import ScriptCup, SeededCup
from shutbox.engine.narrator import narrate
from shutbox.engine.play import FirstChoice
from shutbox.games.box.game import KEYS
from shutbox.games.box.rule_tables import CoverRule, Fewer, ScoreRule
from shutbox.match import End, Order, Ties, Until, WhenShut, presets
from shutbox.match.format import ATOMS
from shutbox.record import Reading, Source, read
from shutbox.table.bots import KINDS
from shutbox.table.lookup import find_any, game_of
from shutbox.testing import check
from shutbox.web import errors as web_errors
from shutbox.web.actions.registry import ACTIONS

PAGES = sorted((ROOT / "docs").glob("*.md"))
SHELL = re.compile(r"^```sh\n(.*?)^```$(?:\n+```text\n(.*?)^```$)?", re.MULTILINE | re.DOTALL)
BLOCKS = {
    f"{page.stem}-{number}": match.groups()
    for page in PAGES
    for number, match in enumerate(SHELL.finditer(page.read_text(encoding="utf-8")), start=1)
}
LINK = re.compile(r"\]\(([^)#:]*)(?:#([^)]*))?\)")
BESIDE = [ROOT / f"{name}.md" for name in ("README", "CONTRIBUTING", "SECURITY", "CHANGELOG")]


def run(folder: Path, *words: str, typed: str = "") -> str:
    """Return what a program writes in a folder; it must not fail."""
    done = run_program(
        *words,
        typed=typed,
        folder=folder,
        paths=(ROOT / "examples",),
        variables={
            "SPEECHD_ADDRESS": "unix_socket:/nowhere/at/all",  # examples start no voice
            "SHUTBOX_DATA": str(folder / "data"),
            "SHUTBOX_CACHE": str(folder / "cache"),
        },
    )
    assert done.returncode == 0, done.stdout + done.stderr
    # On a slow machine long work says how far it is.
    assert all(line.startswith("Solving ") for line in done.stderr.splitlines()), done.stderr
    return done.stdout


def test_template_game_keeps_every_promise_of_the_protocol_and_plays_out() -> None:
    game = template_game.ThreeThrows()
    assert check(game, plays=100) == 21
    assert play_out(game, FirstChoice(), ScriptCup(["6"])).scores == (6,)
    position = game.position_at("1/2")
    thrown = game.chosen(position, game.parse_choice(position, "again"))
    assert play_out(game, FirstChoice(), ScriptCup(["1"]), thrown).scores == (1,)


def test_an_example_runs_as_a_script(tmp_path: Path) -> None:
    for words, typed, says in (
        ("template_game", "again\nkeep\n", r"Three Throws\.\n.*\nScore [1-6]\.\n"),
        ("front_end cargo Ann record.shutbox", "accept\n" * 5, r"Cargo\.\nNothing .*\nThrew .*"),
        ("first_bot", "", "Keeps the box open: .*\nTakes the first choice: .*\n"),
        ("chat_bot Ann", "hint\n", r"Classic\.\n.*\nBest: .*"),
    ):
        name, *arguments = words.split()
        script = str(ROOT / "examples" / f"{name}.py")
        said = run(tmp_path, sys.executable, script, *arguments, typed=typed)
        assert re.fullmatch(says, said, re.DOTALL), said


def test_a_front_end_fits_sixty_lines(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    source = Path(front_end.__file__).read_text(encoding="utf-8")
    assert len(source.splitlines()) <= 60
    path, refused = tmp_path / "record.shutbox", iter(["x", "u"])

    def kept() -> Reading[Any, Any]:
        with path.open("rb") as file:
            return read(file, game_of)

    def answer() -> str:
        reading = kept()
        awaited = reading.game.awaits(reading.play.position)
        assert isinstance(awaited, Choose)  # what is asked about is on the disk
        return next(refused, reading.game.choice_text(awaited.choices[0]))

    front_end.play("pub", "Ann,computer", path, Source("seed", "pub"), answer)
    said, reading = capsys.readouterr().out.splitlines(), kept()
    assert reading.over is not None
    assert (reading.fault, reading.torn) == (None, False)
    refusals = {
        "'x' is not a tile; type the tiles to cover, such as 1 5, or ? for help",
        "there is nothing to take back since the last throw",
    }
    assert refusals < set(said)
    asked = re.compile("Ann: (which tiles\\?|only .* fits?\\.|.* dice\\?)")
    events = [
        says
        for event in narrate(reading.game, reading.play.log, ["Ann", "Computer"])
        for says in event
    ]
    assert [line for line in said if line not in refusals and not asked.fullmatch(line)] == events


def test_bot_scores_better_than_taking_the_first_choice() -> None:
    classic = find("classic")
    assert mean_score(KeepOpen(), classic, 200) < mean_score(FirstChoice(), classic, 200)


def test_a_chat_bot_plays_a_match_to_its_end() -> None:
    chat = chat_bot.Chat(SeededCup("pub"))
    assert chat.reply("Ann", "7").startswith("Write such as")
    assert chat.reply("Ann", "new nonsense") == "there is no game 'nonsense'"
    chat.reply("Ann", "new six Ann, Bob")
    table = chat.table
    assert table is not None
    seats = set()
    while isinstance(awaited := table.awaits, Choose):
        before, other = table.version, "Bob" if awaited.seat == 0 else "Ann"
        assert chat.reply(other, table.scene.offers[0].text).endswith(table.scene.ask)
        assert "no tile 99" in chat.reply(chat.names[awaited.seat], "99")
        assert table.version == before
        seats.add(awaited.seat)
        said = chat.reply(chat.names[awaited.seat], table.scene.offers[0].text)
    assert seats == {0, 1}
    assert "The match is over: Bob has won." in said
    assert chat.reply("Bob", "hint").startswith("Write such as")


def values(*enums: Iterable[Enum]) -> Iterator[str]:
    return (f"`{atom.value}`" for atoms in enums for atom in atoms)


def test_whatever_has_a_name_has_its_row_in_the_docs() -> None:
    """Games, matches, rules of a box, atoms of a format, computer players, and refusals."""
    pages = {page.stem: page.read_text(encoding="utf-8") for page in PAGES}
    first = {
        name: "".join(line.split("|")[1] for line in text.splitlines() if line[:3] == "| `")
        for name, text in pages.items()
    }
    faults = [word for word in values(Fewer, CoverRule, ScoreRule) if word not in first["variants"]]
    faults += [key for key in KEYS if f"`{key}`" not in first["variants"]]
    faults += [key for key in (*ATOMS, *KINDS) if f" `{key}` " not in first["matches"]]
    atoms = values(Until, WhenShut, Order, End, Ties)
    faults += [value for value in atoms if value not in pages["matches"]]
    for entry in catalogue():
        row = rf"^\| `{entry.name}` \| {entry.title} \|.*\| {re.escape(entry.source)} \|$"
        faults += [] if re.search(row, pages["games"], re.MULTILINE) else [row]
    rows = [
        f"| `{one.name}` | {one.title} | `{one.game}` | `{one.format}` | {one.source} |"
        for one in presets().values()
    ]
    faults += [row for row in rows if row not in pages["matches"]]
    assert web_errors.NotAllowed in ShutboxError.__subclasses__()
    kinds = (kind for kind in ShutboxError.__subclasses__() if kind.__name__[0] != "_")
    rows = [f"| `{kind.__name__}` | `{kind.code}` |" for kind in kinds]
    assert_none([*faults, *(row for row in rows if row not in pages["protocol"])])


def test_every_game_with_overrides_in_the_docs_is_found() -> None:
    found = {
        name
        for page in PAGES
        for name in re.findall(r"`([a-z0-9-]+\([a-z0-9-]+=[^`]*\))`", page.read_text("utf-8"))
    }
    assert all(map(find_any, found))
    # Source A allows one die wherever there are two: where we do not, the docs name the game.
    of_two = [e.name for e in catalogue() if e.source.startswith("A ")]
    never = [name for name in of_two if find(name).card().options["fewer"] == Fewer.NEVER.value]
    never = [name for name in never if find(name).card().options["dice"] == "2d6"]
    assert never == ["thai-style"]
    assert {f"{name}(fewer=may-top)" for name in never} <= found


@pytest.mark.parametrize(("command", "printed"), one_in(6, BLOCKS.values()), ids=BLOCKS)
def test_shell_example_of_the_docs(command: str, printed: str | None, tmp_path: Path) -> None:
    for folder in ("src", "examples"):
        (tmp_path / folder).symlink_to(ROOT / folder)
    python = f'python3() {{ "{sys.executable}" "$@"; }}\nshutbox() {{ python3 -m shutbox "$@"; }}\n'
    said = run(tmp_path, "sh", "-ec", python + command)
    if printed is not None:
        assert said == printed


def anchors(page: Path) -> set[str]:
    """What links can name of a page: its headings, as hosts of repositories write them."""
    text = re.sub(r"^```.*?^```$", "", page.read_text(encoding="utf-8"), flags=re.M | re.S)
    heads = re.findall(r"^#+ (.*)$", text, re.MULTILINE)
    return {re.sub(r"[^\w -]", "", head.lower()).replace(" ", "-") for head in heads}


def test_links_of_the_docs_lead_somewhere() -> None:
    assert_none(
        (page.name, target, anchor)
        for page in (*PAGES, *BESIDE)
        for target, anchor in LINK.findall(page.read_text(encoding="utf-8"))
        for there in [page.parent / target if target else page]
        if not there.exists() or (anchor and anchor not in anchors(there))
    )


def test_the_generated_pages_have_every_command_and_every_address() -> None:
    page = command_line.page()
    rows = [*chain(*COMMANDS.values()), *FOR_PROGRAMS]
    assert_none(row.name for row in rows if f"### shutbox {row.name}\n" not in page)
    page = addresses.page()
    assert_none(one.path for one in ACTIONS if f" {one.path}`" not in page)
