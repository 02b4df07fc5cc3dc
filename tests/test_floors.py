"""The floors of the house: a module imports only what stands below it.

The imports are read from the source with `ast`, so an import within a function counts too. The
floor of every module is written down here; a new module without a floor fails.
"""

import ast
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
PACKAGE = ROOT / "src" / "shutbox"

FLOORS: dict[str, int] = {
    "errors": 0,
    "words": 0,
    "dice": 0,
    "scene": 1,
    "game": 1,
    "family": 1,
    "names": 1,
    "seats": 1,
    "play": 1,
    "player": 1,
    "telling": 1,
    "narrator": 1,
    "box": 2,
    "cargo": 2,
    "tray": 2,
    "catalogue": 2,
    "match": 3,
    "record": 3,
    "testing": 3,
    "solve": 3,
    "analysis": 4,
    "cups": 4,
    "bots": 4,
    "matches": 4,
    "store": 4,
    "table": 4,
    "sitting": 4,
    "stats": 4,
    "term": 5,
    "web": 5,
    "cli": 5,
}
"""Every module and folder right below shutbox. The package itself offers the library to users:
it may import floors 0 to 4, and no module may import it."""

ORDER = list(FLOORS)

MAY_SKIP_A_FLOOR = {3: {0, 1}}
"""Floor 3 does not know what a tile is."""

SIBLINGS = {"box", "cargo", "tray"}
"""Games know nothing of each other; the catalogue knows them all."""

ABOVE_WITHIN_A_FLOOR = {
    "catalogue": SIBLINGS,
    "matches": {"cups"},
    "analysis": {"matches"},
    "bots": {"analysis"},
    "table": {"cups"},
    "sitting": {"bots", "cups", "matches", "table"},
    "cli": {"term", "web"},
}
"""Who on the higher floors may import whom on the same floor; on floors 0 and 1 order decides."""

CHANCE = {"random", "secrets", "urandom", "getrandom", "uuid"}
CLOCKS = {"time", "datetime"}
"""Nothing below the front ends knows what time it is."""
COMPILED = {
    "solve/kernel.py": {"numpy", "numba"},
    "solve/arrays.py": {"numpy"},
    "cli/plot.py": {"matplotlib"},
}
"""The files that need an extra of the package, and what of it they may import. The kernel stands on
floor 0, numbers in and numbers out: it imports nothing of shutbox."""
SERVER = {
    "alembic",
    "jinja2",
    "limits",
    "markupsafe",
    "msgspec",
    "prometheus_client",
    "psycopg",
    "sqlalchemy",
    "starlette",
    "structlog",
    "uvicorn",
}
"""What the browser table is made of besides shutbox: the extra `web`."""
AT_RUN_TIME = {"import_module", "__import__"}
"""Imports that cannot be read from the source: the command line picks its own commands so."""
MAY_DRAW = {"cups", "testing", "web"}
"""Nothing below the cup draws a random number; the conformance kit picks what to try, and the
server makes keys."""


def imports(path: Path) -> set[str]:
    """The dotted names that a source file imports."""
    found: set[str] = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path}: imports are absolute"
            found.add(node.module or "")
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


def broken(name: str, path: Path) -> list[str]:
    """What a source file imports that it may not."""
    mentioned = names(path) | imports(path)
    extras = SERVER if name == "web" else COMPILED.get("/".join(path.parts[-2:]), set())
    found = []
    if mentioned & CHANCE and name not in MAY_DRAW:
        found.append("random numbers")
    if imports(path) & CLOCKS and FLOORS[name] < 5:
        found.append("a clock")
    if mentioned & AT_RUN_TIME and name != "cli":
        found.append("an import that nobody can read")
    for module in imports(path):
        top, _, rest = module.partition(".")
        if top != "shutbox":
            if top not in sys.stdlib_module_names and top not in extras:
                found.append(f"{module} is not in the standard library")
            continue
        other = rest.partition(".")[0]
        if "numba" in extras:
            found.append(f"{module}: the kernel imports nothing of shutbox")
        if not other:
            if FLOORS[name] < 5:
                found.append("the package itself")
        elif other != name and not may_import(name, other):
            found.append(f"{module}: floor {FLOORS[name]} imports floor {FLOORS[other]}")
    return found


def may_import(name: str, other: str) -> bool:
    """Whether one module of shutbox may import another."""
    floor, below = FLOORS[name], FLOORS[other]
    if below == floor:
        return (
            floor < 2 and ORDER.index(other) < ORDER.index(name)
        ) or other in ABOVE_WITHIN_A_FLOOR.get(name, ())
    return below in MAY_SKIP_A_FLOOR.get(floor, range(floor))


def test_every_module_has_a_floor() -> None:
    assert {name for name, _ in modules()} == set(FLOORS)


def test_the_package_offers_floors_0_to_4() -> None:
    offered = imports(PACKAGE / "__init__.py")
    assert {FLOORS[module.split(".")[1]] for module in offered} <= {0, 1, 2, 3, 4}


@pytest.mark.parametrize(("name", "path"), modules(), ids=lambda value: str(value)[-40:])
def test_imports_only_lower_floors(name: str, path: Path) -> None:
    assert broken(name, path) == []


@pytest.mark.parametrize(
    ("name", "source"),
    [
        ("solve", "from shutbox.box import Box"),
        ("box", "from shutbox.table import Table"),
        ("box", "from shutbox.cargo import Cargo"),
        ("tray", "def late():\n    import shutbox.box.game"),
        ("dice", "import random"),
        ("play", "import os\nos.urandom(1)"),
        ("match", "from os import urandom"),
        ("store", "import uuid"),
        ("record", "from datetime import datetime"),
        ("match", "import importlib\nimportlib.import_module('shutbox.box')"),
        ("match", "__import__('shutbox.box')"),
        ("table", "import numpy"),
        ("term", "from shutbox.cli import play"),
        ("game", "import shutbox"),
        ("web", "from shutbox.term import Console"),
        ("web", "import flask"),
        ("term", "import starlette"),
        ("words", "from shutbox.dice import Dice"),
        ("scene", "from shutbox.game import Over"),
        ("solve", "import numba"),
        ("analysis", "import numpy"),
        ("analysis", "from shutbox.bots import bot"),
    ],
)
def test_a_forbidden_import_is_found(name: str, source: str, tmp_path: Path) -> None:
    path = tmp_path / "planted.py"
    path.write_text(source)
    assert broken(name, path) != []
