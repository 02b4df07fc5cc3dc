"""The layers of the package: a module imports only from layers below it.

The imports are read from the source with `ast`, so an import within a function counts, too. The
layer of every module is listed here. A new module without a layer fails. One test lists all faults.
"""

import ast
import re
import sys
from collections import Counter
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from listing import assert_none

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
    "cargoes": 4,
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
    "specialists": {"boxes", "cargoes"},
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
    "strategy/match_strength.py": {"numpy"},
    "cli/output.py": {"matplotlib"},
    "solver/score_plot.py": {"matplotlib"},
    "rl/encoder.py": {"numpy"},
    "rl/match_env.py": {"gymnasium", "numpy", "pettingzoo"},
    "rl/__init__.py": {"gymnasium"},
    "rl/spiel_game.py": {"numpy", "pyspiel"},
    "rl/turn_arrays.py": {"numpy"},
    "rl/turn_env.py": {"gymnasium", "numpy"},
    "shutbox/results.py": {"pandas"},
    "shutbox/picture.py": {"resvg_py"},
}
"""The files that need an extra of the package, and what of it they may import. What is
compiled stands on floor 0, numbers in and numbers out: it imports nothing of shutbox but JIT."""
JIT = {"shutbox.solver", "shutbox.solver.jit"}
"""How what is compiled asks for that."""
SERVER = {
    "cryptography",
    "http_ece",
    "jinja2",
    "limits",
    "markupsafe",
    "msgspec",
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
    "cargoes.py": {"games.cargo"},
    "specialists.py": {"boxes", "cargoes"},
    "web/compute/tasks.py": {"boxes", "cargoes"},  # imported before there may be another release
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
OF_ONE_GAME = {"boxes", "cargoes", *(f"games.{game}" for game in SIBLINGS)}
"""What only one kind of game has."""
FORGETS = {"shutbox/lru.py", "live/repository.py"}
"""The cache that drops what was not used for longest; and what has rules of its own."""
WALKS = {
    "solver/fold.py",  # the walk, and one in order of events
    "solver/solution.py",  # from a position to the next throw
    "analysis/hindsight.py",  # one game, with dice that are known
}
"""What asks of a position all three things that a game can wait for."""


@dataclass(frozen=True)
class Source:
    """A source file: its path below the package, and its text."""

    path: str
    text: str

    @cached_property
    def nodes(self) -> list[ast.AST]:
        """Every node of the file."""
        return list(ast.walk(ast.parse(self.text)))

    @property
    def floor(self) -> str:
        """Return the name by which `FLOORS` has it."""
        return self.path.partition("/")[0].removesuffix(".py")

    @property
    def room(self) -> str:
        """Return the room of its folder. It is empty if the folder has no rooms."""
        inside = self.path.partition("/")[2].partition("/")[0].removesuffix(".py")
        return inside if self.floor in ROOMS and inside != "__init__" else ""

    @cached_property
    def imports(self) -> set[str]:
        """The dotted names that it imports. From a folder with rooms these are its rooms."""
        found = {a.name for node in self.nodes if isinstance(node, ast.Import) for a in node.names}
        for node in self.nodes:
            if isinstance(node, ast.ImportFrom):
                module = f"{'.' * node.level}{node.module or ''}"
                rooms = module.removeprefix("shutbox.") in ROOMS
                found |= {f"{module}.{a.name}" for a in node.names} if rooms else {module}
        return found

    @cached_property
    def names(self) -> set[str]:
        """Every name that it mentions, of its own or as an attribute."""
        found = set(self.imports)
        for node in self.nodes:
            if isinstance(node, ast.Attribute):
                found.add(node.attr)
            elif isinstance(node, ast.Name):
                found.add(node.id)
            elif isinstance(node, ast.Import | ast.ImportFrom):
                found |= {alias.name for alias in node.names}
        return found

    @property
    def classes(self) -> list[ast.ClassDef]:
        """Return its public classes."""
        found = [node for node in self.nodes if isinstance(node, ast.ClassDef)]
        return [node for node in found if not node.name.startswith("_")]

    def is_one_of(self, table: Iterable[str]) -> bool:
        """Return whether a table names this file, or its floor."""
        return not {self.floor, "/".join(f"shutbox/{self.path}".split("/")[-2:])}.isdisjoint(table)


FILES = [
    Source(path.relative_to(PACKAGE).as_posix(), path.read_text(encoding="utf-8"))
    for path in sorted(PACKAGE.rglob("*.py"))
]
SOURCES = [file for file in FILES if file.path not in ("__init__.py", "__main__.py")]


def faults(sources: Iterable[Source]) -> list[str]:
    """Return what is wrong with source files, each fault with its file."""
    checks = (forbidden_imports, games_imported, games_asked_for, caches)
    return [f"{s.path}: {fault}" for s in sources for check in checks for fault in check(s)]


def forbidden_imports(source: Source) -> Iterator[str]:
    """Yield what a source file imports or mentions that its floor or its room may not."""
    floor, room = source.floor, source.room
    short = "/".join(f"shutbox/{source.path}".split("/")[-2:])
    serves = floor == "web" and room not in CORE_ONLY
    extras = SERVER if serves else COMPILED.get(short, set())
    if source.names & CHANCE and not source.is_one_of(MAY_DRAW):
        yield "random numbers"
    if source.imports & CLOCKS and FLOORS[floor] < 5:
        yield "a clock"
    if source.names & AT_RUN_TIME and floor != "cli":
        yield "an import that nobody can read"
    for module in source.imports:
        top, _, rest = module.partition(".")
        other = rest.partition(".")[0]
        if top == "msgspec" and room and room not in ENCODES:
            yield f"{module}: values are encoded in {', '.join(sorted(ENCODES))}"
        if top != "shutbox":
            if top not in sys.stdlib_module_names and top not in extras:
                yield f"{module} is not in the standard library"
            continue
        if "numba" in extras and module not in JIT:
            yield f"{module}: the kernel imports nothing of shutbox"
        if not other and FLOORS[floor] < 5:
            yield "the package itself"
        elif other and other != floor and not may_import(floor, other):
            yield f"{module}: floor {FLOORS[floor]} imports floor {FLOORS[other]}"
        elif other == floor and room:
            into = rest.split(".")[1] if "." in rest else ""
            if into not in {room, *ROOMS[floor][room]}:
                yield f"{module}: {floor}/{room} imports {floor}/{into}"


def may_import(name: str, other: str) -> bool:
    """Return whether one module of shutbox may import another."""
    floor, below = FLOORS[name], FLOORS[other]
    if below == floor:
        return (
            floor < 2 and ORDER.index(other) < ORDER.index(name)
        ) or other in ABOVE_WITHIN_A_FLOOR.get(name, ())
    return below in MAY_SKIP_A_FLOOR.get(floor, range(floor))


def games_imported(source: Source) -> Iterator[str]:
    """Yield what only one kind of game has, where it is imported by somebody who may not."""
    if FLOORS[source.floor] > 2:
        inside = {module.removeprefix("shutbox.") for module in source.imports}
        found = {of for module in inside for of in OF_ONE_GAME if f"{module}.".startswith(f"{of}.")}
        allowed = [games for place, games in KNOW_A_GAME.items() if source.path.startswith(place)]
        yield from (f"imports {of}, which one game has" for of in found.difference(*allowed))


def games_asked_for(source: Source) -> Iterator[str]:
    """Yield the classes of games that a file tests for by `isinstance` or in a pattern."""
    for node in source.nodes if source.floor != "games" else ():
        asked: list[ast.AST] = []
        if isinstance(node, ast.Call) and getattr(node.func, "id", "") == "isinstance":
            asked = list(ast.walk(node.args[1]))
        elif isinstance(node, ast.MatchClass):
            asked = [node.cls]
        found = [n.id for n in asked if isinstance(n, ast.Name) and n.id in GAME_CLASSES]
        yield from (f"asks whether a game is a {name}" for name in found)


def caches(source: Source) -> Iterator[str]:
    """Yield a fault if a file drops the oldest entry of a dictionary by itself."""
    forgets = re.search(r"OrderedDict|popitem\(|\bdel \S+\[next\(iter\(", source.text)
    if forgets and not source.is_one_of(FORGETS):
        yield "a second cache that forgets"


def walks(source: Source) -> bool:
    """Return whether a file has a statement for a throw, a choice and an end of a game."""
    for node in source.nodes:
        if isinstance(node, ast.Match):
            classes = [p for case in node.cases for p in ast.walk(case.pattern)]
            named = {ast.unparse(p.cls) for p in classes if isinstance(p, ast.MatchClass)}
            if {"Throw", "Choose", "Over"} <= named:
                return True
    return False


def same_fields(sources: Iterable[Source]) -> list[list[str]]:
    """Return the names of public classes that declare the same fields, three or more."""
    named: dict[frozenset[str], list[str]] = {}
    for node in (node for source in sources for node in source.classes):
        declared = [each.target for each in node.body if isinstance(each, ast.AnnAssign)]
        fields = frozenset(target.id for target in declared if isinstance(target, ast.Name))
        named.setdefault(fields, []).append(node.name)
    return [sorted(names) for fields, names in named.items() if len(names) > 1 and len(fields) > 2]


def circles(sources: Iterable[Source]) -> list[str]:
    """Return the files of the package that import themselves by way of others."""
    files = {source.path[:-3].replace("/", "."): source for source in sources}
    files = {name.removesuffix(".__init__"): source for name, source in files.items()}
    reach = {name: imported_files(source, files) - {name} for name, source in files.items()}

    def reached(name: str) -> set[str]:
        found, waiting = set[str](), [*reach[name]]
        while waiting:
            there = waiting.pop()
            if there not in found:
                found.add(there)
                waiting += reach[there]
        return found

    return [name for name in reach if name in reached(name)]


def imported_files(source: Source, files: Collection[str]) -> set[str]:
    """Return the modules of the package whose files a file imports."""
    found = set[str]()
    for node in source.nodes:
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module:
            # A name out of a folder is a module of its own, or what the folder itself offers.
            deep = [f"{node.module}.{alias.name}" for alias in node.names]
            found |= {d if d.partition(".")[2] in files else node.module for d in deep}
    return {name.partition(".")[2] for name in found if name.partition(".")[2] in files}


def test_every_file_imports_what_it_may() -> None:
    assert_none(faults(SOURCES))


def test_every_module_has_a_floor_and_every_room_is_in_the_table() -> None:
    assert {source.floor for source in SOURCES} == set(FLOORS)
    for floor, rooms in ROOMS.items():
        assert {s.room for s in SOURCES if s.floor == floor} - {""} == set(rooms)


def test_the_docs_have_every_module_on_its_floor() -> None:
    page = (ROOT / "docs" / "architecture.md").read_text(encoding="utf-8")
    told = dict(re.findall(r"^\| (\d) \| (.*?) \| ", page, re.MULTILINE))
    assert_none(n for n, floor in FLOORS.items() if not re.search(f"`{n}[`/]", told[str(floor)]))


def test_the_package_offers_floors_0_to_4() -> None:
    [package] = (file for file in FILES if file.path == "__init__.py")
    own = (module for module in package.imports if module.startswith("shutbox."))
    assert {FLOORS[module.split(".")[1]] for module in own} <= {0, 1, 2, 3, 4}


def test_a_public_class_name_has_one_meaning() -> None:
    named = Counter(node.name for source in SOURCES for node in source.classes)
    assert_none(name for name, number in named.items() if number > 1)
    assert_none(same_fields(SOURCES))


def test_no_file_imports_itself_in_a_circle() -> None:
    assert_none(circles(FILES))


def test_there_is_one_walk_of_the_protocol() -> None:
    solves = [s for s in SOURCES if s.floor in ("solver", "analysis", "boxes", "cargoes", "rl")]
    assert {"/".join(s.path.split("/")[-2:]) for s in solves if walks(s)} == WALKS


PLANTED = [
    ("analysis/x.py", "def late():\n    from shutbox.games.box.rules import BoxRules"),
    ("term/x.py", "from shutbox.games import cargo"),
    ("rl/x.py", "from shutbox.boxes.solver import BoxGraph"),
    ("table/x.py", "isinstance(game, int | Box)"),
    ("match/x.py", "match game:\n    case Cargo():\n        pass"),
    ("store/x.py", "known.popitem(last=False)"),
    ("bots.py", "del self.known[next(iter(self.known))]"),
    ("web/rooms/x.py", "import msgspec"),
    ("web/rooms/x.py", "from shutbox.web.live.live_room import LiveRoom"),
    ("web/rooms/x.py", "from shutbox.web.storage import reader"),
    ("web/storage/x.py", "from shutbox.web.live import repository"),
    ("web/live/x.py", "from shutbox.web.http import answers"),
    ("web/live/x.py", "from shutbox.web.storage.log import Archive"),
    ("web/live/x.py", "import sqlalchemy"),
    ("web/live/x.py", "from shutbox.web import http"),
    ("web/actions/x.py", "from shutbox.web.storage.log import StoredLog"),
    ("web/actions/x.py", "import msgspec"),
    ("web/http/x.py", "from shutbox.web.api import schemas"),
    ("web/api/x.py", "from shutbox.web.pages import table"),
    ("web/pages/x.py", "def late():\n    from shutbox.web.api import streams"),
    ("web/pages/x.py", "from shutbox.web.server.settings import Settings"),
    ("web/compute/x.py", "from shutbox.web.live import repository"),
    ("web/limits.py", "from shutbox.web.rooms import room"),
    ("web/x.py", "from shutbox.term import Console"),
    ("web/http/x.py", "import flask"),
    ("solver/x.py", "from shutbox.games.box import Box"),
    ("solver/x.py", "import numba"),
    ("games/box/x.py", "from shutbox.table import Table"),
    ("games/box/x.py", "from shutbox.games.cargo import Cargo"),
    ("games/box/x.py", "from shutbox.games.catalogue import find"),
    ("games/tray/x.py", "def late():\n    import shutbox.games.box.game"),
    ("dice.py", "import random"),
    ("play.py", "import os\nos.urandom(1)"),
    ("match/x.py", "from os import urandom"),
    ("match/x.py", "import importlib\nimportlib.import_module('shutbox.games.box')"),
    ("match/x.py", "__import__('shutbox.games.box')"),
    ("match/x.py", "from . import format"),
    ("store/x.py", "import uuid"),
    ("record/x.py", "from datetime import datetime"),
    ("table/x.py", "import numpy"),
    ("term/x.py", "from shutbox.cli import play"),
    ("term/x.py", "import starlette"),
    ("game.py", "import shutbox"),
    ("english.py", "from shutbox.dice import Dice"),
    ("scene.py", "from shutbox.game import Over"),
    ("analysis/x.py", "import numpy"),
    ("analysis/x.py", "from shutbox.bots import bot"),
    ("boxes/x.py", "from shutbox.analysis.solvers.select import solve"),
]
"""Files that break a rule, each with what it says."""


def test_what_breaks_a_rule_is_found() -> None:
    assert_none(planted for planted in PLANTED if not faults([Source(*planted)]))


def test_a_circle_a_second_walk_and_two_alike_classes_are_found() -> None:
    there = Source("a/x.py", "def late():\n    from shutbox.b import y")
    assert circles([there, Source("b/__init__.py", "import shutbox.a.x")]) == ["a.x", "b"]
    cases = "case Over(): pass", "case Choose(choices=c): pass", "case Throw() as throw: pass"
    assert walks(Source("x.py", "\n    ".join(["match game.awaits(position):", *cases])))
    first = Source("x.py", "class A:\n    a: int\n    b: int\n    c: int = 0\n")
    alike = Source("y.py", "class B:\n    c: str\n    b: str\n    a: str\n")
    assert same_fields([first, alike]) == [["A", "B"]]
    assert same_fields([first, Source("y.py", "class B:\n    b: str\n    a: str\n")]) == []
