"""Public names of the docs are available after `import shutbox`."""

import pkgutil
import re
import subprocess
import sys
from pathlib import Path
from types import ModuleType
from xml.etree import ElementTree

import pytest

import shutbox
import shutbox.rl
from shutbox.engine.errors import BOTS  # the name of a group of entry points

ROOT = Path(__file__).parents[1]
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]

FILES = {"service", "env", "dump", "toml", "db", "mo", "po"}
"""Endings of files that are called after shutbox."""
FRONT_ENDS = {"cli", "term", "web"}
"""What plays stands on the library, and is no part of it."""


def dotted(text: str) -> set[str]:
    """Names such as `shutbox.record`, and what is imported from modules."""
    found = set(re.findall(r"(?<![\w/.@-])shutbox(?:\.[A-Za-z_]\w*)+", text))
    for module, names in re.findall(r"from (shutbox[\w.]*) import ([\w, ]+)", text):
        found |= {f"{module}.{name.strip()}" for name in names.split(",")}
    return {
        name
        for name in found
        if name != BOTS
        and name.split(".")[1] not in FRONT_ENDS
        and name.rpartition(".")[2] not in FILES
    }


EXTRA = re.compile(r"shutbox\.(rl|solving\.(kernel|columns|policy|turn_kernel))\b")
"""The modules that need an extra."""


def reached(names: set[str]) -> str:
    """What a fresh program says that writes the names after `import shutbox`."""
    program = (
        "import shutbox, sys\n"
        "from importlib import import_module\n"
        "for name in sys.argv[1:]:\n"
        "    _, top, *deeper = name.split('.')\n"
        "    found = getattr(shutbox, top, None)\n"
        "    path = f'shutbox.{top}'\n"
        "    for part in deeper:\n"
        "        path += f'.{part}'\n"
        "        found = getattr(found, part, None) or import_module(path)\n"
        "    if found is None: print(name)\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", program, *sorted(names)], capture_output=True, text=True, check=False
    )
    return done.stdout + done.stderr


@pytest.mark.parametrize("package", [shutbox, shutbox.rl], ids=lambda package: package.__name__)
def test_no_module_has_the_name_of_what_is_offered_beside_it(package: ModuleType) -> None:
    """Once it is imported, it would stand in that place."""
    [folder] = package.__path__
    modules = {module.name for module in pkgutil.iter_modules([folder])}
    assert not modules & set(package.__all__)


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_names_in_the_docs_are_reachable(page: Path) -> None:
    """Names right below shutbox are there; modules below these can be imported."""
    names = dotted(page.read_text(encoding="utf-8"))
    assert reached({name for name in names if not EXTRA.match(name)}) == ""


def test_a_name_that_is_not_there_is_found() -> None:
    assert reached({"shutbox.find", "shutbox.nonsense"}) == "shutbox.nonsense\n"


REFERENCE = (ROOT / "docs" / "reference.md").read_text("utf-8")
DOCUMENTED = re.findall(
    r"^\.\. (?:auto\w+|py:data):: (shutbox[\w.]*)(?:$|\()", REFERENCE, re.MULTILINE
)


@pytest.mark.parametrize("package", [shutbox, shutbox.rl], ids=lambda package: package.__name__)
def test_every_public_name_is_in_the_reference_once(package: ModuleType) -> None:
    assert package.__all__ == sorted(package.__all__)
    for name in package.__all__:
        assert DOCUMENTED.count(f"{package.__name__}.{name}") == 1, name


def test_what_is_offered_later_costs_nothing_before() -> None:
    loaded = (
        "import sys, shutbox\n"
        "late = ('shutbox.solving', 'shutbox.match', 'fractions')\n"
        "print([name for name in late if name in sys.modules])\n"
        "game = shutbox.find('six')\n"
        "print(shutbox.solve(game, aim='shut').value(game.start()))\n"
        "print(shutbox.solving.Aim is shutbox.Aim)\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", loaded], capture_output=True, text=True, check=False
    )
    assert done.stdout.splitlines()[1:] == ["145/1944", "True"], done.stderr
    assert "shutbox.solving" not in done.stdout.splitlines()[0]


HELD: list[object] = [
    *(shutbox.solve("classic"), shutbox.Table("classic", 7), shutbox.at("classic")),
    *(shutbox.odds("classic"), shutbox.advise("classic:1-9/6+6"), shutbox.compare("six")),
    *(shutbox.evaluate("six", "fewest"), shutbox.compare("six").beats(rounds=3)),
    *(
        shutbox.at("classic").scene,
        shutbox.find("pub").card(),
        shutbox.at("classic:1-9/6+6").awaited,
    ),
    *(shutbox.practice("six"), shutbox.practice("six").draw(7), shutbox.sheet("classic")),
    *(shutbox.solve("six").best("1-6/6"), shutbox.at("six:1-6/6").best(), shutbox.find("pub")),
]


@pytest.mark.parametrize("held", HELD, ids=lambda held: type(held).__name__)
def test_what_is_held_prints_in_a_line_and_lists_what_is_documented(held: object) -> None:
    assert len(repr(held)) <= 300
    names = {name for name in dir(held) if not name.startswith("_")}
    about = " ".join(kind.__doc__ or "" for kind in type(held).__mro__[:-1])
    fields = {name for kind in type(held).__mro__ for name in vars(kind).get("__annotations__", ())}
    fields |= {"COLUMNS", "NAME", "count", "index"}
    told = {name for name in names if getattr(getattr(type(held), name, None), "__doc__", None)}
    assert names - fields - told <= set(re.findall(r"`(\w+)`", about))


@pytest.mark.parametrize(
    "held",
    HELD[-6:-1] + HELD[:3] + [shutbox.find("pub").card()],
    ids=lambda held: type(held).__name__,
)
def test_what_is_held_draws_itself_in_a_notebook(held: object) -> None:
    drawn = [getattr(held, name)() for name in ("_repr_html_", "_repr_svg_") if hasattr(held, name)]
    assert drawn
    for text in drawn:
        ElementTree.fromstring(text if text.startswith("<svg") else f"<p>{text}</p>")
