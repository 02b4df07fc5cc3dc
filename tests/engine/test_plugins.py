"""Plugins: a package of games and computer players is found, used, and missed where it is gone."""

import json
import re
import runpy
import warnings
from contextlib import nullcontext
from io import BytesIO
from pathlib import Path
from typing import Any

import pytest
from template_game import ThreeThrows

import shutbox
from installing import PIG, run
from shutbox.cli.main import main
from shutbox.engine import errors, plugins
from shutbox.engine.cups import SeededCup
from shutbox.engine.errors import (
    BadName,
    BadVariant,
    IllegalChoice,
    NotUnderstood,
    PluginFailed,
    UnknownGame,
)
from shutbox.engine.play import FirstChoice
from shutbox.engine.plugins import PluginWarning
from shutbox.engine.seats import Seat
from shutbox.games.catalogue import catalogue, package_of
from shutbox.record import Source, read, to_bytes, to_json
from shutbox.table.bots import bot, kinds
from shutbox.table.lookup import find_any, find_position, game_of, match_of
from shutbox.table.setup import Sitting
from shutbox.testing import check
from shutbox.web.pages.templates import at_address

BEGUN = "2026-11-21 12:00:05 UTC"
RACE = "acme.pig[seats=2,target=100,end=stop]"


def broken(
    site: Path, name: str, code: str, group: str = errors.GAMES, thing: str = "THING"
) -> None:
    """Install a package `bad-NAME` that offers a thing of the module `broken` under the name."""
    info = site / f"bad_{name.replace('.', '_')}-0.1.dist-info"
    info.mkdir()
    (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: bad-{name}\nVersion: 0.1\n")
    (info / "entry_points.txt").write_text(f"[{group}]\n{name} = broken:{thing}\n")
    (site / "broken.py").write_text(code)


# Found by its name.


@pytest.mark.usefixtures("pig")
def test_the_example_keeps_the_protocol_alone_and_in_a_match() -> None:
    assert check(shutbox.find("acme.pig"), plays=50) > 30
    assert check(shutbox.find("acme.pig(target=11)"), plays=50) > 15
    assert check(find_any("acme.pig(target=20)[seats=2,rounds=2]"), plays=5) > 50


@pytest.mark.usefixtures("pig")
def test_it_is_found_by_its_name_and_stands_last_in_the_catalogue() -> None:
    for name in ("acme.pig", "acme.pig(target=50)", RACE):
        game = find_any(name)
        assert game.name == name
        text = shutbox.at(game).text
        assert find_position(text) == (game, game.start())
        assert at_address(text).startswith("/p/acme.pig")
    assert [entry.name for entry in catalogue()][-1] == "acme.pig"
    assert [entry.name for entry in catalogue("acme")] == ["acme.pig"]
    assert package_of("acme.pig(target=50)") == "acme-pig 1.2"
    assert package_of("classic") == ""
    assert catalogue("nobody") == ()


@pytest.mark.usefixtures("pig")
@pytest.mark.parametrize(
    ("name", "error", "says"),
    [
        ("acme.pog", UnknownGame, "there is no game acme.pog; try acme.pig"),
        ("other.pig", UnknownGame, "the package that has it is not installed, not allowed"),
        ("acme.pig(target=9)", BadVariant, "'9' is not a number from 10 to 1000"),
    ],
)
def test_what_it_does_not_have_is_refused(name: str, error: type[Exception], says: str) -> None:
    with pytest.raises(error, match=says):
        shutbox.find(name)


def test_nothing_is_searched_or_imported_before_it_is_named(pig: Path) -> None:
    program = (
        "import shutbox, sys; shutbox.find('classic'); shutbox.find('Thai Style');"
        "shutbox.bot('hobbs'); print('importlib.metadata' in sys.modules);"
        "shutbox.find('acme.pig'); print('acme_pig' in sys.modules)"
    )
    assert run(pig, "-c", program).stdout == "False\nTrue\n"


# What is worked out from it.


@pytest.mark.usefixtures("pig")
def test_the_published_values_of_pig_and_the_best_play_of_its_score() -> None:
    pytest.importorskip("numpy", reason="NumPy is not installed: make tools")
    assert shutbox.equity(RACE).share() == pytest.approx(0.5305927253, abs=1e-10)
    share = runpy.run_path(str(PIG / "values.py"))["share_of_first"]
    assert share(hold=20) == pytest.approx(0.5346983262, abs=1e-10)
    small = shutbox.equity("acme.pig[seats=2,target=30,end=stop]").share()
    assert share(30) == pytest.approx(small, abs=1e-12)
    assert float(shutbox.solve("acme.pig").value()) == pytest.approx(8.1418, abs=1e-4)
    assert shutbox.evaluate("acme.pig", shutbox.bot("acme.hold")).loss == 0
    assert shutbox.evaluate("acme.pig", shutbox.bot("acme.hold:5")).loss > 0.5


@pytest.mark.usefixtures("pig")
def test_programs_learn_it() -> None:
    gymnasium = pytest.importorskip("gymnasium", reason="gymnasium is not installed: make tools")

    from shutbox import rl

    rl._register()
    env = gymnasium.make("shutbox/acme.pig-v0")
    try:
        assert env.reset(seed=1)[0].shape == (3,)
    finally:
        del gymnasium.registry["shutbox/acme.pig-v0"]


# Records.


def played() -> bytes:
    """The record of a match of two turns, of which a computer player plays the second."""
    seats = (Seat("Ann"), Seat("Robo", "acme.hold:25"))
    game = match_of("acme.pig", ["Ann", "Robo"])
    at = Sitting.begin(game, seats, Source("seed", "pub"), program="shutbox 1", begun=BEGUN)
    table = at.table()
    while not isinstance(awaited := at.game.awaits(table.position), shutbox.Over):
        if isinstance(awaited, shutbox.Throw):
            table.throw(seat=awaited.seat)
        elif awaited.seat:
            table.bot_chooses()
        else:
            table.choose("hold")
    return to_bytes(at.header, at.game, table.log)


@pytest.mark.usefixtures("pig")
def test_a_record_names_the_package_that_it_needs(monkeypatch: pytest.MonkeyPatch) -> None:
    data = played()
    assert b"\ngame acme.pig\npackage acme-pig 1.2\nformat rounds=1\n" in data
    assert b"\nplayer Robo=computer:acme.hold:25\n" in data
    reading = read(BytesIO(data), game_of)
    assert to_bytes(reading.header, reading.game, reading.play.log) == data
    assert to_json(reading)["package"] == "acme-pig 1.2"
    monkeypatch.setenv(plugins.SETTING, "0")
    with pytest.raises(shutbox.ShutboxError, match=r"this record needs the package acme-pig\Z"):
        read(BytesIO(data), game_of)


# Those that do not work.

PREFIXED = """
from shutbox.games.family import CatalogueEntry
class Family:
    protocol = {version}
    def entries(self): {entries}
    def find(self, name, options): raise KeyError("no such pig")
THING = Family()
"""


@pytest.mark.parametrize(
    ("code", "reason"),
    [
        ("import nothing_like_it", "No module named 'nothing_like_it'"),
        ("", "has no attribute 'THING'"),
        ("import sys; sys.exit('no licence')", "no licence"),
        ("THING = 1", "its attribute protocol is None, and this program has version 1"),
        (PREFIXED.format(version=2, entries="return ()"), "protocol is 2"),
        (
            PREFIXED.format(version=1, entries="return [CatalogueEntry('other.x', 'X', '', '')]"),
            "other.x does not begin with bad",
        ),
        (
            PREFIXED.format(version=1, entries="return [CatalogueEntry('bad.toml', 'X', '', '')]"),
            "'bad.toml' is not the name of a plugin",
        ),
    ],
)
def test_a_broken_plugin_is_one_warning_and_the_others_work(
    pig: Path, code: str, reason: str
) -> None:
    broken(pig, "bad", code)
    with pytest.warns(PluginWarning) as warned:
        names = [entry.name for entry in catalogue()]
    assert names[0] == "classic"
    assert names[-1] == "acme.pig"
    [only] = warned
    assert "the plugin bad of bad-bad 0.1 cannot be used: " in str(only.message)
    assert reason in str(only.message)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert catalogue()[-1].name == "acme.pig"
        with pytest.raises(UnknownGame):
            shutbox.find("bad.pig")


def test_a_broken_player_is_one_warning(pig: Path) -> None:
    broken(pig, "bad.bot", "class THING:\n    protocol = 3", errors.BOTS)
    with pytest.warns(PluginWarning, match=r"the plugin bad\.bot of bad-bad\.bot 0\.1"):
        assert "acme.hold" in kinds()
    with pytest.raises(BadName, match=r"there is no 'bad\.bot' here; the package"):
        bot("bad.bot")


# Those that fail in use. One place names them; here is one proof for each door that asks it.


def test_what_cannot_be_made_is_named(empty: Path) -> None:
    entries = "return [CatalogueEntry('bad.pig', 'X', '', '')]"
    code = PREFIXED.format(version=1, entries=entries)
    broken(empty, "bad", f"{code}def bot(): pass\nbot.protocol = 1")
    broken(empty, "bad.bot", (empty / "broken.py").read_text(), errors.BOTS, "bot")
    says = r"bad\.pig of bad-bad 0\.1 failed in broken\.py, line 6: KeyError: 'no such pig'"
    with pytest.raises(PluginFailed, match=says):
        shutbox.find("bad.pig")
    says = r"bad\.bot of bad-bad\.bot 0\.1 failed in .*: TypeError: bot\(\) takes 0"
    with pytest.raises(PluginFailed, match=says):
        bot("bad.bot")


FAILS = """
from acme_pig import PIGS, Pig
class Failing(Pig):
    name = "bad.pig"
    def {method}(self, *given): {does}
class Family:
    protocol = 1
    def entries(self): return [PIGS.entries()[0].__class__("bad.pig", "Pig", "", "")]
    def find(self, name, options): return Failing(100)
THING = Family()
"""


ENDS = "bad.pig of bad-bad 0.1 failed in broken.py, line 5: ZeroDivisionError: division by zero"


@pytest.mark.parametrize(
    ("method", "does", "command", "says"),
    [
        ("card", "1 / 0", "games", ENDS),
        ("scene", "pass", "odds bad.pig", "bad.pig of bad-bad 0.1 failed in "),
        ("rolled", "1 / 0", "conform bad.pig", "bad.pig: ZeroDivisionError in broken.py, line 5"),
        ("scene", "raise SystemExit", "play bad.pig", "bad.pig of bad-bad 0.1 failed in "),
    ],
)
@pytest.mark.filterwarnings("always::shutbox.engine.plugins.PluginWarning")
def test_a_command_says_in_one_line_which_plugin_fails(
    pig: Path,
    capsys: pytest.CaptureFixture[str],
    method: str,
    does: str,
    command: str,
    says: str,
) -> None:
    broken(pig, "bad", FAILS.format(method=method, does=does))
    assert main(command.split()) == (command != "games")
    told = capsys.readouterr()
    assert [line for line in (told.out + told.err).splitlines() if says in line]
    assert "Traceback" not in told.err
    assert command != "games" or "\nacme.pig: " in told.out


def test_an_event_of_a_game_that_fails_does_not_happen(pig: Path) -> None:
    broken(pig, "bad", FAILS.format(method="rolled", does="1 / 0"))
    table = shutbox.Table("bad.pig", 7)
    with pytest.raises(PluginFailed, match=ENDS):
        table.throw()
    assert table.version == 0


def test_other_errors_are_not_blamed_on_a_plugin(pig: Path) -> None:
    game = shutbox.find("acme.pig")
    for error in (IllegalChoice("no"), MemoryError(), LookupError("of the caller")):
        with pytest.raises(type(error)) as raised, errors.blaming(game):
            raise error
        assert raised.value is error
    with pytest.raises(AttributeError), errors.blaming(shutbox.find("classic")):
        errors._root(shutbox.find("classic").nothing)  # type: ignore[attr-defined]


# Which are allowed.


@pytest.mark.usefixtures("pig")
@pytest.mark.parametrize(
    ("setting", "games", "players"),
    [
        ("1", True, True),
        ("0", False, False),
        ("acme", True, True),
        ("acme.pig", True, False),
        ("acme.hold, other", False, True),
        ("acme.pi", False, False),
    ],
)
def test_the_setting_says_which_are_used(
    setting: str, games: bool, players: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(plugins.SETTING, setting)
    assert bool(catalogue("acme")) == games
    assert ("acme.hold" in kinds()) == players
    with nullcontext() if games else pytest.raises(UnknownGame):
        shutbox.find("acme.pig")
    with nullcontext() if players else pytest.raises(BadName):
        bot("acme.hold")


def test_a_plugin_that_is_not_allowed_is_not_imported(
    empty: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    broken(empty, "bad", "raise ValueError")
    monkeypatch.setenv(plugins.SETTING, "acme.pig")
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert catalogue()[-1].name == "tray"


# Those of a notebook.


class Mine(ThreeThrows):
    """Three Throws under the name of a plugin."""

    name = "me.three-throws"


@pytest.mark.usefixtures("empty")
def test_a_notebook_adds_its_game_and_its_player() -> None:
    shutbox.register(Mine())
    again = Mine()
    shutbox.register(again)
    assert shutbox.find("me.three-throws") is again
    assert [entry.title for entry in catalogue("me")] == ["Three Throws"]
    assert package_of("me.three-throws") == ""
    with pytest.raises(BadVariant, match="this game has no options"):
        shutbox.find("me.three-throws(left=2)")
    shutbox.register("me.first", lambda text: FirstChoice())
    over = shutbox.play_out("me.three-throws", "me.first", SeededCup("pub"))
    assert 1 <= over.scores[0] <= 6
    newest = FirstChoice()
    shutbox.register("me.first", lambda text: newest)
    assert bot("me.first") is newest


@pytest.mark.usefixtures("empty")
@pytest.mark.parametrize("thing", [ThreeThrows(), 5, None, "classic"])
def test_what_cannot_be_added_is_refused(thing: Any) -> None:
    with pytest.raises(NotUnderstood):
        shutbox.register(thing)
    with pytest.raises(NotUnderstood):
        shutbox.register("first", lambda text: FirstChoice())
    with pytest.raises(NotUnderstood):
        shutbox.register("me.first", thing)
    assert catalogue()[-1].name == "tray"


# On the command line.


@pytest.mark.filterwarnings("always::shutbox.engine.plugins.PluginWarning")
def test_commands_take_it(pig: Path, capsys: pytest.CaptureFixture[str]) -> None:
    broken(pig, "bad", "raise ValueError('out of order')")
    assert main(["games"]) == 0
    told = capsys.readouterr()
    assert told.err == "shutbox: the plugin bad of bad-bad 0.1 cannot be used: out of order\n"
    says = "acme.pig: Pig. Hold, or throw again. Package acme-pig 1.2."
    assert says in told.out.splitlines()
    assert main(["games", "--json"]) == 0
    [row] = [row for row in json.loads(capsys.readouterr().out) if "package" in row]
    assert row["package"] == "acme-pig 1.2"


def test_a_game_that_raises_an_error_is_named_and_loses_nothing(pig: Path) -> None:
    sound = (pig / "acme_pig.py").read_text(encoding="utf-8")
    head = next(line for line in sound.splitlines() if "def scene(self" in line)
    fails = '\n        if globals().setdefault("CALLS", []).append(0) or len(CALLS) > 9: 1 / 0'
    (pig / "acme_pig.py").write_text(sound.replace(head, head + fails), encoding="utf-8")
    typed = "throw\n" * 40
    says = re.compile(
        r"[Tt]he plugin acme(\.pig)? of acme-pig 1\.2 failed in acme_pig\.py, line [0-9]+: "
        "ZeroDivisionError: division by zero"
    )
    play = run(pig, "-m", "shutbox", "play", "acme.pig", "--seed", "lucky", typed=typed)
    assert says.search(play.stdout + play.stderr)
    assert "Traceback" not in play.stderr
    assert play.stdout.splitlines()[-1] == "The game is saved: shutbox resume 1 continues it."
    menu = run(pig, "-m", "shutbox", "play", "--seed", "lucky", typed=f"acme.pig\n{typed}q\n")
    assert (menu.returncode, menu.stderr) == (0, "")
    assert says.search(menu.stdout)
    (pig / "acme_pig.py").write_text(sound, encoding="utf-8")
    again = run(pig, "-m", "shutbox", "resume", "1", typed="hold\n\nhold\n")
    assert again.returncode == 0
    assert "Score " in again.stdout


def test_a_record_whose_game_fails_is_read_up_to_there(pig: Path, tmp_path: Path) -> None:
    record = tmp_path / "pig.shutbox"
    record.write_bytes(played())
    code = (pig / "acme_pig.py").read_text(encoding="utf-8")
    faulty = code.replace("def rolled(self", "def rolled(self, *at): 1 / 0\n    def _rolled(self")
    (pig / "acme_pig.py").write_text(faulty, encoding="utf-8")
    told = run(pig, "-m", "shutbox", "show", str(record))
    assert "the plugin acme.pig of acme-pig 1.2 failed in acme_pig.py, line " in told.stdout
    assert "Traceback" not in told.stderr
