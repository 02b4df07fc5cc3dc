"""The layers of the package: a module imports only from layers below it.

The imports are read from the source with `ast`, so an import within a function counts, too. The
layer of every module is listed here. A new module without a layer fails.
"""

import ast
import re
import sys
from collections import Counter
from collections.abc import Iterable, Mapping
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
PACKAGE = ROOT / "src" / "shutbox"

FLOORS: dict[str, int] = {
    "messages": 0,
    "errors": 0,
    "english": 0,
    "typed_text": 0,
    "dice": 0,
    "sealed_dice": 0,
    "lru": 0,
    "scene": 1,
    "results": 1,
    "game": 1,
    "plugins": 1,
    "picture": 1,
    "seats": 1,
    "play": 1,
    "narrator": 1,
    "games": 2,
    "match": 3,
    "record": 3,
    "testing": 3,
    "solver": 3,
    "analysis": 4,
    "cups": 4,
    "boxes": 4,
    "bots": 4,
    "lookup": 4,
    "specialists": 4,
    "store": 4,
    "table": 4,
    "stats": 4,
    "term": 5,
    "web": 5,
    "cli": 5,
    "rl": 5,
}
"""Every module and folder right below shutbox. The package itself offers the library to users:
it may import floors 0 to 4, and no module may import it."""

ORDER = list(FLOORS)

MAY_SKIP_A_FLOOR = {3: {0, 1}}
"""Floor 3 does not know what a tile is."""

SIBLINGS = {path.parent.name for path in (PACKAGE / "games").glob("*/game.py")}
"""Games know nothing of each other; the catalogue knows them all."""

ROOMS: dict[str, dict[str, set[str]]] = {
    "games": {
        "family": set(),
        "traits": set(),
        **{game: {"family", "traits"} for game in SIBLINGS},
        "catalogue": {"family", "traits", *SIBLINGS},
    },
    "web": {
        "limits": set(),
        "errors": set(),
        "logs": set(),
        "rooms": {"limits", "errors"},
        "storage": {"limits", "errors", "logs", "rooms"},
        "compute": {"limits", "errors", "logs"},
        "live": {"limits", "errors", "rooms", "compute"},
        "actions": {"limits", "errors", "rooms", "live", "compute"},
        "http": {"limits", "errors", "logs", "rooms", "compute", "live", "actions"},
        "api": {"limits", "errors", "logs", "rooms", "live", "actions", "http"},
        "pages": {"limits", "errors", "logs", "rooms", "live", "actions", "http"},
        "device": {"limits", "errors", "rooms", "compute", "live", "actions", "http", "pages"},
        "admin": {"limits", "errors", "logs", "rooms", "storage", "live", "actions"},
    },
}
"""Rooms within a folder, and which of its other rooms each may import. `web/server` puts all of
them together, and may import every one."""
ROOMS["web"]["server"] = set(ROOMS["web"])
ENCODES = {"http", "api", "storage"}
"""Rooms of `web` that may turn values into JSON by msgspec; the others hand on plain values."""
CORE_ONLY = {"rooms", "compute", "live", "actions"}
"""Rooms of `web` that use the core and the standard library and nothing else."""

ABOVE_WITHIN_A_FLOOR = {
    "lookup": {"cups"},
    "analysis": {"cups", "lookup", "specialists", "store"},
    "bots": {"analysis", "cups", "specialists"},
    "specialists": {"boxes"},
    "table": {"bots", "cups", "lookup"},
    "stats": {"lookup", "store"},
    "cli": {"term", "web"},
}
"""Who on the higher floors may import whom on the same floor; on floors 0 and 1 order decides."""

CHANCE = {"random", "secrets", "urandom", "getrandom", "uuid"}
CLOCKS = {"time", "datetime"}
"""Nothing below the front ends knows what time it is."""
COMPILED = {
    "solver/jit.py": {"numpy", "numba"},
    "solver/kernel.py": {"numpy", "numba"},
    "solver/columns.py": {"numpy", "numba"},
    "solver/simulation.py": {"numpy", "numba"},
    "solver/policy.py": {"numpy"},
    "equity/standings.py": {"numpy"},
    "equity/successors.py": {"numpy"},
    "equity/sweep.py": {"numpy"},
    "cli/output.py": {"matplotlib"},
    "solver/score_plot.py": {"matplotlib"},
    "equity/share_table.py": {"matplotlib"},
    "rl/encoder.py": {"numpy"},
    "rl/match_env.py": {"gymnasium", "numpy", "pettingzoo"},
    "rl/__init__.py": {"gymnasium"},
    "rl/spiel_game.py": {"numpy", "pyspiel"},
    "rl/turn_arrays.py": {"numpy"},
    "rl/turn_env.py": {"gymnasium", "numpy"},
    "shutbox/results.py": {"pandas", "pyarrow"},
    "shutbox/picture.py": {"resvg_py"},
}
"""The files that need an extra of the package, and what of it they may import. What is
compiled stands on floor 0, numbers in and numbers out: it imports nothing of shutbox but JIT."""
JIT = {"shutbox.solver", "shutbox.solver.jit"}
"""How what is compiled asks for that."""
SERVER = {
    "alembic",
    "cryptography",
    "http_ece",
    "jinja2",
    "limits",
    "markupsafe",
    "msgspec",
    "prometheus_client",
    "psycopg",
    "py_vapid",
    "redis",
    "segno",
    "sqlalchemy",
    "starlette",
    "structlog",
    "uvicorn",
}
"""What the browser table is made of besides shutbox: the extras `web`, `postgresql`, `push`
and `redis`."""
KNOW_A_GAME = {
    "boxes/": {"boxes", "games.box"},
    "specialists.py": {"boxes"},
    "web/compute/tasks.py": {"boxes"},  # imported before there may be another release
    "web/actions/evenings.py": {"games.box"},  # the words of its rules
    "web/actions/new_table.py": {"games.box"},
    "web/pages/table.py": {"games.box"},  # the form for a box of one's own
}
"""Who above the games imports what belongs to one of them."""
GAME_CLASSES = {"Box", "Cargo", "Tray"}
"""Only `games/` knows them; everybody else asks a game what it can do."""
AT_RUN_TIME = {"import_module", "__import__"}
"""Imports that cannot be read from the source: the command line picks its own commands so."""
MAY_DRAW = {"cups", "testing", "web", "shutbox/bots.py", "simulation/simulate.py"}
"""Nothing below the cup draws a random number; the conformance kit picks what to try, the server
makes keys, a computer player chooses at random, and turns are played from a secret seed."""


def imports(path: Path) -> set[str]:
    """The dotted names that a source file imports."""
    found: set[str] = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path}: imports are absolute"
            module = node.module or ""
            # Out of a folder with rooms comes one of them, and nothing that the folder itself has.
            rooms = module.removeprefix("shutbox.") in ROOMS
            found |= {f"{module}.{a.name}" for a in node.names} if rooms else {module}
    return found


def names(path: Path) -> set[str]:
    """Every name that a source file mentions, of its own or as an attribute."""
    found: set[str] = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Attribute):
            found.add(node.attr)
        elif isinstance(node, ast.Name):
            found.add(node.id)
        elif isinstance(node, ast.Import | ast.ImportFrom):
            found |= {alias.name for alias in node.names}
    return found


def modules() -> list[tuple[str, Path]]:
    """(name on its floor, file) of every source file but the package's own two."""
    files = sorted(PACKAGE.rglob("*.py"))
    named = [(path.relative_to(PACKAGE).parts[0].removesuffix(".py"), path) for path in files]
    return [(name, path) for name, path in named if name not in ("__init__", "__main__")]


def room_of(name: str, path: Path) -> str:
    """The room of its folder in which a file stands; empty where the folder has no rooms."""
    inside = path.relative_to(PACKAGE).parts
    if name not in ROOMS or inside[1] == "__init__.py":
        return ""
    return inside[1].removesuffix(".py")


def broken(name: str, path: Path, room: str = "") -> list[str]:
    """What a source file imports that it may not; `room` is where in its folder it stands."""
    mentioned = names(path) | imports(path)
    serves = name == "web" and room not in CORE_ONLY
    extras = SERVER if serves else COMPILED.get("/".join(path.parts[-2:]), set())
    found = []
    if mentioned & CHANCE and not MAY_DRAW & {name, "/".join(path.parts[-2:])}:
        found.append("random numbers")
    if imports(path) & CLOCKS and FLOORS[name] < 5:
        found.append("a clock")
    if mentioned & AT_RUN_TIME and name != "cli":
        found.append("an import that nobody can read")
    for module in imports(path):
        top, _, rest = module.partition(".")
        if top == "msgspec" and room and room not in ENCODES:
            found.append(f"{module}: values are encoded in {', '.join(sorted(ENCODES))}")
        if top != "shutbox":
            if top not in sys.stdlib_module_names and top not in extras:
                found.append(f"{module} is not in the standard library")
            continue
        other = rest.partition(".")[0]
        if "numba" in extras and module not in JIT:
            found.append(f"{module}: the kernel imports nothing of shutbox")
        if not other:
            if FLOORS[name] < 5:
                found.append("the package itself")
        elif other != name and not may_import(name, other):
            found.append(f"{module}: floor {FLOORS[name]} imports floor {FLOORS[other]}")
        elif other == name and room:
            into = rest.split(".")[1] if "." in rest else ""
            if into not in {room, *ROOMS[name][room]}:
                found.append(f"{module}: {name}/{room} imports {name}/{into}")
    return found


def may_import(name: str, other: str) -> bool:
    """Whether one module of shutbox may import another."""
    floor, below = FLOORS[name], FLOORS[other]
    if below == floor:
        return (
            floor < 2 and ORDER.index(other) < ORDER.index(name)
        ) or other in ABOVE_WITHIN_A_FLOOR.get(name, ())
    return below in MAY_SKIP_A_FLOOR.get(floor, range(floor))


OF_ONE_GAME = {"boxes", *(f"games.{game}" for game in SIBLINGS)}
"""What only one kind of game has."""


def names_a_game(path: Path, allowed: set[str]) -> list[str]:
    """What a source file imports of one kind of game, other than what it may."""
    inside = (module.removeprefix("shutbox.") for module in imports(path))
    found = {of for module in inside for of in OF_ONE_GAME if f"{module}.".startswith(f"{of}.")}
    return sorted(found - allowed)


@pytest.mark.parametrize(
    "path", [path for name, path in modules() if FLOORS[name] > 2], ids=lambda p: str(p)[-40:]
)
def test_only_what_is_made_for_a_game_imports_it_by_name(path: Path) -> None:
    inside = path.relative_to(PACKAGE).as_posix()
    allowed = [games for place, games in KNOW_A_GAME.items() if inside.startswith(place)]
    assert names_a_game(path, set().union(*allowed)) == []


def test_a_game_imported_by_name_is_found(tmp_path: Path) -> None:
    path = tmp_path / "planted.py"
    path.write_text("def late():\n    from shutbox.games.box.rules import BoxRules\n")
    assert names_a_game(path, {"boxes"}) == ["games.box"]
    path.write_text("from shutbox.games import cargo\nfrom shutbox.boxes.solver import BoxGraph\n")
    assert names_a_game(path, set()) == ["boxes", "games.cargo"]


def test_every_module_has_a_floor() -> None:
    assert {name for name, _ in modules()} == set(FLOORS)


def test_the_docs_have_every_module_on_its_floor() -> None:
    page = (ROOT / "docs" / "architecture.md").read_text(encoding="utf-8")
    told = dict(re.findall(r"^\| (\d) \| (.*?) \| ", page, re.MULTILINE))
    for name, floor in FLOORS.items():
        assert re.search(f"`{name}[`/]", told[str(floor)]), f"{name} is on floor {floor}"


def test_the_package_offers_floors_0_to_4() -> None:
    offered = imports(PACKAGE / "__init__.py")
    own = (module for module in offered if module.startswith("shutbox."))
    assert {FLOORS[module.split(".")[1]] for module in own} <= {0, 1, 2, 3, 4}


@pytest.mark.parametrize(("name", "path"), modules(), ids=lambda value: str(value)[-40:])
def test_imports_only_lower_floors(name: str, path: Path) -> None:
    assert broken(name, path, room_of(name, path)) == []


@pytest.mark.parametrize("name", ROOMS)
def test_every_room_is_in_the_table(name: str) -> None:
    rooms = {room_of(name, path) for other, path in modules() if other == name}
    assert rooms - {""} == set(ROOMS[name])


def circles() -> list[tuple[str, ...]]:
    """Files of the package that import one another in a circle, each circle once."""
    files = {str(p.relative_to(PACKAGE))[:-3].replace("/", "."): p for p in PACKAGE.rglob("*.py")}
    files = {name.removesuffix(".__init__"): path for name, path in files.items()}
    reach = {name: imported_files(path, files) - {name} for name, path in files.items()}
    found: list[tuple[str, ...]] = []
    done = set[str]()
    for start in reach:
        stack: list[tuple[str, tuple[str, ...]]] = [(start, (start,))]
        seen = set[str]()
        while stack and start not in done:
            here, way = stack.pop()
            for there in reach[here] - done:
                if there == start:
                    found.append(way)
                elif there not in seen:
                    seen.add(there)
                    stack.append((there, (*way, there)))
        done.add(start)
    return found


def imported_files(path: Path, files: Mapping[str, Path]) -> set[str]:
    """The modules of the package whose files a file imports."""
    found: set[str] = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module:
            # A name out of a folder is a module of its own, or what the folder itself offers.
            deep = [f"{node.module}.{alias.name}" for alias in node.names]
            is_module = [name.partition(".")[2] in files for name in deep]
            found |= {d if it else node.module for d, it in zip(deep, is_module, strict=True)}
    return {name.partition(".")[2] for name in found if name.partition(".")[2] in files}


def forgets(path: Path) -> bool:
    """Whether a source file drops the oldest entry of a dictionary by itself."""
    source = path.read_text(encoding="utf-8")
    return bool(re.search(r"OrderedDict|popitem\(|\bdel \S+\[next\(iter\(", source))


FORGETS = {"shutbox/lru.py", "live/repository.py"}
"""The cache that drops what was not used for longest; and what has rules of its own."""


@pytest.mark.parametrize("path", [path for _, path in modules()], ids=lambda p: str(p)[-40:])
def test_there_is_one_cache_that_forgets(path: Path) -> None:
    assert not forgets(path) or "/".join(path.parts[-2:]) in FORGETS


def test_another_cache_is_found(tmp_path: Path) -> None:
    path = tmp_path / "planted.py"
    for source in ("known.popitem(last=False)", "del self.known[next(iter(self.known))]"):
        path.write_text(source)
        assert forgets(path)


def test_a_public_class_name_has_one_meaning() -> None:
    named = Counter(
        node.name
        for _, path in modules()
        for node in ast.parse(path.read_text(encoding="utf-8")).body
        if isinstance(node, ast.ClassDef) and not node.name.startswith("_")
    )
    assert [name for name, number in named.items() if number > 1] == []


def same_fields(sources: Iterable[str]) -> list[list[str]]:
    """Return the names of public classes that declare the same fields, three or more."""
    named: dict[frozenset[str], list[str]] = {}
    for source in sources:
        for node in ast.walk(ast.parse(source)):
            if isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
                fields = frozenset(
                    each.target.id
                    for each in node.body
                    if isinstance(each, ast.AnnAssign) and isinstance(each.target, ast.Name)
                )
                named.setdefault(fields, []).append(node.name)
    return [sorted(names) for fields, names in named.items() if len(names) > 1 and len(fields) > 2]


def test_no_two_public_classes_have_the_same_fields() -> None:
    assert same_fields(path.read_text() for _, path in modules()) == []


def test_two_classes_with_the_same_fields_are_found() -> None:
    first = "class A:\n    a: int\n    b: int\n    c: int = 0\n"
    assert same_fields([first, "class B:\n    c: str\n    b: str\n    a: str\n"]) == [["A", "B"]]
    assert same_fields([first, "class B:\n    b: str\n    a: str\n"]) == []


def test_no_file_imports_itself_in_a_circle() -> None:
    assert circles() == []


@pytest.mark.parametrize(
    "path", [path for name, path in modules() if name != "games"], ids=lambda p: str(p)[-40:]
)
def test_nobody_asks_which_game_it_is(path: Path) -> None:
    assert asks_which_game(path) == []


def asks_which_game(path: Path) -> list[str]:
    """The classes of games that a file tests for by `isinstance` or in a pattern."""
    found = []
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        asked: list[ast.AST] = []
        if isinstance(node, ast.Call) and getattr(node.func, "id", "") == "isinstance":
            asked = list(ast.walk(node.args[1]))
        elif isinstance(node, ast.MatchClass):
            asked = [node.cls]
        found += [n.id for n in asked if isinstance(n, ast.Name) and n.id in GAME_CLASSES]
    return found


def test_somebody_who_asks_which_game_it_is_is_found(tmp_path: Path) -> None:
    path = tmp_path / "planted.py"
    path.write_text("isinstance(game, int | Box)\nmatch game:\n    case Cargo():\n        pass\n")
    assert asks_which_game(path) == ["Box", "Cargo"]


WALKS = {
    "solver/fold.py",  # the walk, and one in order of events
    "solver/solution.py",  # from a position to the next throw
    "analysis/hindsight.py",  # one game, with dice that are known
}
"""What asks of a position all three things that a game can wait for."""


def walks(path: Path) -> bool:
    """Whether a source file has a statement for a throw, a choice and an end of a game."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Match):
            classes = [p for case in node.cases for p in ast.walk(case.pattern)]
            named = {ast.unparse(p.cls) for p in classes if isinstance(p, ast.MatchClass)}
            if {"Throw", "Choose", "Over"} <= named:
                return True
    return False


def test_there_is_one_walk_of_the_protocol() -> None:
    solves = ("solver", "analysis", "boxes", "rl")
    found = {
        "/".join(path.parts[-2:]) for name, path in modules() if name in solves and walks(path)
    }
    assert found == WALKS


def test_a_second_walk_is_found(tmp_path: Path) -> None:
    path = tmp_path / "planted.py"
    path.write_text(
        "match game.awaits(position):\n"
        "    case Over(): pass\n"
        "    case Choose(choices=choices): pass\n"
        "    case Throw() as throw: pass\n"
    )
    assert walks(path)


@pytest.mark.parametrize(
    ("room", "source"),
    [
        ("rooms", "import msgspec"),
        ("rooms", "from shutbox.web.live.live_room import LiveRoom"),
        ("rooms", "from shutbox.web.storage import reader"),
        ("storage", "from shutbox.web.live import repository"),
        ("live", "from shutbox.web.http import answers"),
        ("live", "from shutbox.web.storage.log import Archive"),
        ("live", "import sqlalchemy"),
        ("actions", "from shutbox.web.storage.log import StoredLog"),
        ("http", "from shutbox.web.api import schemas"),
        ("api", "from shutbox.web.pages import table"),
        ("pages", "def late():\n    from shutbox.web.api import streams"),
        ("pages", "from shutbox.web.server.settings import Settings"),
        ("compute", "from shutbox.web.live import repository"),
        ("limits", "from shutbox.web.rooms import room"),
        ("actions", "import msgspec"),
        ("live", "from shutbox.web import http"),
    ],
)
def test_a_forbidden_import_within_the_web_is_found(room: str, source: str, tmp_path: Path) -> None:
    path = tmp_path / "planted.py"
    path.write_text(source)
    assert broken("web", path, room) != []


@pytest.mark.parametrize(
    ("name", "source"),
    [
        ("solver", "from shutbox.games.box import Box"),
        ("games", "from shutbox.table import Table"),
        ("games/box", "from shutbox.games.cargo import Cargo"),
        ("games/box", "from shutbox.games.catalogue import find"),
        ("games/tray", "def late():\n    import shutbox.games.box.game"),
        ("dice", "import random"),
        ("play", "import os\nos.urandom(1)"),
        ("match", "from os import urandom"),
        ("store", "import uuid"),
        ("record", "from datetime import datetime"),
        ("match", "import importlib\nimportlib.import_module('shutbox.games.box')"),
        ("match", "__import__('shutbox.games.box')"),
        ("table", "import numpy"),
        ("term", "from shutbox.cli import play"),
        ("game", "import shutbox"),
        ("web", "from shutbox.term import Console"),
        ("web", "import flask"),
        ("term", "import starlette"),
        ("english", "from shutbox.dice import Dice"),
        ("scene", "from shutbox.game import Over"),
        ("solver", "import numba"),
        ("analysis", "import numpy"),
        ("analysis", "from shutbox.bots import bot"),
        ("analysis", "from shutbox.boxes.solver import BoxGraph"),
        ("boxes", "from shutbox.analysis.solvers.select import solve"),
    ],
)
def test_a_forbidden_import_is_found(name: str, source: str, tmp_path: Path) -> None:
    path = tmp_path / "planted.py"
    path.write_text(source)
    floor, _, room = name.partition("/")
    assert broken(floor, path, room) != []
