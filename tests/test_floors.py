"""The layers of the package: a module imports only from layers below it.

The imports are read from the source with `ast`, so an import within a function counts, too. The
layer of every module is listed in `floors.toml`. A new module without a layer fails. One test lists
all faults.
"""

import ast
import re
import sys
import tomllib
from collections import Counter
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any, cast

from listing import assert_none, circles_of

ROOT = Path(__file__).parents[1]
PACKAGE = ROOT / "src" / "shutbox"

TABLE: dict[str, dict[str, Any]] = tomllib.loads(
    Path(__file__).with_name("floors.toml").read_text(encoding="utf-8")
)
FLOORS = {
    place: int(floor) for floor, places in TABLE["floors"].items() for place in places.split()
}
ORDER = list(FLOORS)
IN_ORDER = {0, 1, 4}
"""The floors on which a file may import what stands before it in the list. On the others it may
only do so within its folder."""
ABOVE_WITHIN_A_FLOOR = {"cli": {"term", "web"}}
"""Who may import whom besides."""
DIVIDED = {name.partition(".")[0] for name in FLOORS if "." in name}
"""The folders that stand on several floors."""
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
    "web": {room: {*may} for room, may in TABLE["rooms"].items()},
}
"""Rooms within a folder, and which of its other rooms each may import."""
ROOMS["web"]["server"] = set(ROOMS["web"])
CORE_ONLY = {"rooms", "compute", "live", "actions"}
"""Rooms of `web` that use the core and the standard library and nothing else."""
ONLY: dict[str, set[str]] = {what: {*files} for what, files in TABLE["only"].items()}

CHANCE = {"random", "secrets", "urandom", "getrandom", "uuid"}
CLOCKS = {"time", "datetime"}
JIT = "shutbox.solving.jit"
"""How what is compiled asks for that."""
GAME_CLASSES = {"Box", "Cargo", "DiceTray"}
"""Only `games/` knows them; everybody else asks a game what it can do."""
AT_RUN_TIME = {"import_module", "__import__"}
"""Imports that cannot be read from the source: the command line picks its own commands so."""
OF_ONE_GAME = {"solving.box", *(f"games.{game}" for game in SIBLINGS)}
"""What only one kind of game has."""


@dataclass(frozen=True)
class Source:
    """A source file: its path below the package, and its text."""

    path: str
    text: str

    @cached_property
    def nodes(self) -> list[ast.AST]:
        """Every node of the file, of which the first is the module."""
        return list(ast.walk(ast.parse(self.text)))

    @property
    def module(self) -> str:
        """Return its dotted name below shutbox."""
        return self.path.removesuffix(".py").removesuffix("/__init__").replace("/", ".")

    @property
    def folder(self) -> str:
        """Return the folder right below shutbox that it is in, or its own name."""
        return self.module.partition(".")[0]

    @property
    def place(self) -> str:
        """Return the name by which `FLOORS` has it."""
        return place_of(self.module)

    @property
    def room(self) -> str:
        """Return the room of its folder. It is empty if the folder has no rooms."""
        return f"{self.module}..".split(".")[1] if self.folder in ROOMS else ""

    @cached_property
    def imports(self) -> set[str]:
        """The dotted names that it imports. From a divided folder these are what is in it."""
        found = {a.name for node in self.nodes if isinstance(node, ast.Import) for a in node.names}
        for node in self.nodes:
            if isinstance(node, ast.ImportFrom):
                module = f"{'.' * node.level}{node.module or ''}"
                divided = module.removeprefix("shutbox.") in {*ROOMS, *DIVIDED}
                found |= {f"{module}.{a.name}" for a in node.names} if divided else {module}
        return found

    @cached_property
    def for_types(self) -> set[str]:
        """Those of `imports` whose names stand for types alone."""
        tests = (node for node in self.nodes if isinstance(node, ast.If))
        found = (
            node for test in tests if "TYPE_CHECKING" in ast.dump(test.test) for node in test.body
        )
        return {f"{node.module}" for node in found if isinstance(node, ast.ImportFrom)}

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

    def is_one_of(self, table: Iterable[str]) -> bool:
        """Return whether a table names this file, or its folder."""
        return not {self.folder, "/".join(f"shutbox/{self.path}".split("/")[-2:])}.isdisjoint(table)


def place_of(module: str) -> str:
    """Return the longest name of `FLOORS` with which a dotted name begins; empty if none does."""
    parts = module.split(".")
    return next((name for name in (".".join(parts[:2]), parts[0]) if name in FLOORS), "")


FILES = [
    Source(path.relative_to(PACKAGE).as_posix(), path.read_text(encoding="utf-8"))
    for path in sorted(PACKAGE.rglob("*.py"))
]
SOURCES = [
    file
    for file in FILES
    if file.path not in ("__init__.py", "__main__.py") and cast(ast.Module, file.nodes[0]).body[1:]
]
"""Every module but the package itself, and but files that say only what their folder is."""


def faults(sources: Iterable[Source]) -> list[str]:
    """Return what is wrong with source files, each fault with its file."""
    checks = (forbidden_imports, games_imported, games_asked_for, caches)
    return [f"{s.path}: {fault}" for s in sources for check in checks for fault in check(s)]


def forbidden_imports(source: Source) -> Iterator[str]:
    """Yield what a source file imports or mentions that its floor or its room may not."""
    place, room = source.place, source.room
    folder, floor = source.folder, FLOORS[source.place]
    short = "/".join(f"shutbox/{source.path}".split("/")[-2:])
    serves = folder == "web" and room not in CORE_ONLY
    of_file = {*TABLE["extras"].get(short, ())}
    extras = ONLY["serve"] if serves else of_file
    if source.names & CHANCE and not source.is_one_of(ONLY["draw"]):
        yield "random numbers"
    if source.imports & CLOCKS and floor < 5 and not source.is_one_of(ONLY["count_days"]):
        yield "a clock"
    if source.names & AT_RUN_TIME and folder != "cli":
        yield "an import that nobody can read"
    for module in source.imports:
        top, _, rest = module.partition(".")
        other = place_of(rest)
        if top == "msgspec" and room and room not in ONLY["encode"] and top not in of_file:
            yield f"{module}: shapes are read and written in web/rooms/shapes.py"
        if top != "shutbox":
            if top not in sys.stdlib_module_names and top not in extras:
                yield f"{module} is not in the standard library"
            continue
        if "numba" in extras and module != JIT:
            yield f"{module}: the kernel imports nothing of shutbox"
        if not other and floor < 5:
            yield "the package itself"
        elif other and other != place and not may_import(place, other):
            yield f"{module}: {place} on floor {floor} imports {other} on floor {FLOORS[other]}"
        elif other == folder and room:
            into = f"{rest}.".split(".")[1]
            types = TABLE["for_types"].get(room, ()) if module in source.for_types else ()
            if into not in {room, *ROOMS[folder][room], *types}:
                yield f"{module}: {folder}/{room} imports {folder}/{into}"


def may_import(name: str, other: str) -> bool:
    """Return whether one place of shutbox may import another."""
    floor, below = FLOORS[name], FLOORS[other]
    if below != floor:
        return below in MAY_SKIP_A_FLOOR.get(floor, range(floor))
    beside = floor in IN_ORDER or name.partition(".")[0] == other.partition(".")[0]
    is_before = ORDER.index(other) < ORDER.index(name)
    return (beside and is_before) or other in ABOVE_WITHIN_A_FLOOR.get(name, ())


def games_imported(source: Source) -> Iterator[str]:
    """Yield what only one kind of game has, where it is imported by somebody who may not."""
    if FLOORS[source.place] > 2:
        inside = {module.removeprefix("shutbox.") for module in source.imports}
        found = {of for module in inside for of in OF_ONE_GAME if f"{module}.".startswith(f"{of}.")}
        allowed = [
            games for place, games in TABLE["know_a_game"].items() if source.path.startswith(place)
        ]
        yield from (f"imports {of}, which one game has" for of in found.difference(*allowed))


def games_asked_for(source: Source) -> Iterator[str]:
    """Yield the classes of games that a file tests for by `isinstance` or in a pattern."""
    for node in source.nodes if source.folder != "games" else ():
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
    if forgets and not source.is_one_of(ONLY["forget"]):
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


def circles(sources: Iterable[Source]) -> list[str]:
    """Return the files of the package that import themselves by way of others."""
    files = {source.path[:-3].replace("/", "."): source for source in sources}
    files = {name.removesuffix(".__init__"): source for name, source in files.items()}
    return circles_of(
        {name: imported_files(source, files) - {name} for name, source in files.items()}
    )


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
    parts = [source.module.split(".") for source in SOURCES]
    assert {".".join(each[: 1 + (each[0] in DIVIDED)]) for each in parts} == set(FLOORS)
    for folder, rooms in ROOMS.items():
        assert {s.room for s in SOURCES if s.folder == folder} - {""} == set(rooms)


def test_the_root_is_for_folders() -> None:
    alone = [file.path for file in FILES if "/" not in file.path]
    assert alone == ["__init__.py", "__main__.py", "testing.py"]


def test_the_page_of_features_names_every_module_and_only_files_that_exist() -> None:
    page = (ROOT / "docs" / "architecture.md").read_text(encoding="utf-8")
    features = page.partition("## The floors")[0]
    named = set(re.findall(r"`([\w/]+\.(?:py|js|mjs|css|toml|json|txt))`", features))
    is_there = {name: (PACKAGE / name).is_file() or (ROOT / name).is_file() for name in named}
    scripts = {path.relative_to(PACKAGE).as_posix() for path in PACKAGE.rglob("*.js")}
    modules = {source.path for source in SOURCES if not source.path.endswith("/__init__.py")}
    assert_none(sorted(name for name in named if not is_there[name]))
    assert_none(sorted((modules | scripts) - named))


def test_the_package_offers_floors_0_to_4() -> None:
    [package] = (file for file in FILES if file.path == "__init__.py")
    own = (module for module in package.imports if module.startswith("shutbox."))
    assert {FLOORS[place_of(m.removeprefix("shutbox."))] for m in own} <= {0, 1, 2, 3, 4}


def test_a_public_class_name_has_one_meaning() -> None:
    classes = (node for s in SOURCES for node in s.nodes if isinstance(node, ast.ClassDef))
    named = Counter(node.name for node in classes if not node.name.startswith("_"))
    assert_none(name for name, number in named.items() if number > 1)


def test_no_file_imports_itself_in_a_circle() -> None:
    assert_none(circles(FILES))


def test_there_is_one_walk_of_the_protocol() -> None:
    solves = [s for s in SOURCES if s.folder in ("solving", "rl")]
    assert {"/".join(s.path.split("/")[-2:]) for s in solves if walks(s)} == ONLY["walk"]


def test_what_breaks_a_rule_is_found() -> None:
    planted = (Source(path, text) for path, texts in TABLE["planted"].items() for text in texts)
    assert_none(source for source in planted if not faults([source]))


def test_a_circle_and_a_second_walk_are_found() -> None:
    there = Source("a/x.py", "def late():\n    from shutbox.b import y")
    assert circles([there, Source("b/__init__.py", "import shutbox.a.x")]) == ["a.x", "b"]
    cases = "case Over(): pass", "case Choose(choices=c): pass", "case Throw() as throw: pass"
    assert walks(Source("x.py", "\n    ".join(["match game.awaits(position):", *cases])))
