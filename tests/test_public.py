"""Public names of the docs are available after `import shutbox`."""

import importlib.util
import pkgutil
import re
import sys
from pathlib import Path
from xml.etree import ElementTree

import pytest

import shutbox
import shutbox.rl
from installing import run_program
from listing import assert_none
from shutbox import solving
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


PACKAGES = (shutbox, shutbox.rl)
REFERENCE = (ROOT / "docs" / "reference.md").read_text("utf-8")
DOCUMENTED = re.findall(
    r"^\.\. (?:auto\w+|py:data):: (shutbox[\w.]*)(?:$|\()", REFERENCE, re.MULTILINE
)


def said_by(program: str, *arguments: str) -> list[str]:
    """Return the lines that a fresh Python writes which runs a program."""
    done = run_program(sys.executable, "-c", program, *arguments)
    return (done.stdout + done.stderr).splitlines()


def unreachable(names: set[str]) -> list[str]:
    """Return the names that are not there after `import shutbox`, in a fresh program.

    Names right below shutbox are there; modules below these can be imported.
    """
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
    return said_by(program, *sorted(names))


def test_names_in_the_docs_are_reachable_and_every_public_name_is_in_the_reference_once() -> None:
    named = {name for page in PAGES for name in dotted(page.read_text(encoding="utf-8"))}
    assert_none(unreachable({name for name in named if not EXTRA.match(name)}))
    assert unreachable({"shutbox.find", "shutbox.nonsense"}) == ["shutbox.nonsense"]
    for package in PACKAGES:
        assert package.__all__ == sorted(package.__all__)
        names = [f"{package.__name__}.{name}" for name in package.__all__]
        assert_none(name for name in names if DOCUMENTED.count(name) != 1)


def test_no_module_has_the_name_of_what_is_offered_beside_it() -> None:
    """Once it is imported, it would stand in that place."""
    for package in PACKAGES:
        [folder] = package.__path__
        modules = {module.name for module in pkgutil.iter_modules([folder])}
        assert not modules & set(package.__all__)


def test_what_is_offered_later_is_listed_at_once_and_costs_nothing_before() -> None:
    listed, loaded, learning, *then = said_by(
        "import sys, shutbox\n"
        "print(*dir(shutbox))\n"
        "print(*(name for name in ('shutbox.solving', 'shutbox.match') if name in sys.modules))\n"
        "import shutbox.rl\n"
        "print(*dir(shutbox.rl))\n"
        "print(shutbox.solve('six', aim='shut').value())\n"
        "print(shutbox.solving.Aim is shutbox.Aim)\n"
    )
    assert then == ["145/1944", "True"]
    assert loaded == ""
    assert set(shutbox.__all__) <= set(listed.split())
    assert set(shutbox.rl.__all__) <= set(learning.split())
    for name in listed.split():
        assert importlib.util.find_spec(f"shutbox.{name}") or hasattr(shutbox, name)


def results() -> list[object]:
    """What a notebook can hold; the last ones draw themselves there."""
    table = shutbox.Table("six", 7)
    table.throw()
    return [
        *(
            shutbox.advise("classic:1-9/6+6"),
            shutbox.evaluate("six", "fewest"),
            shutbox.fair("six"),
        ),
        *(shutbox.compare("six").beats(rounds=3), shutbox.simulate("six", turns=100, seed=7)),
        *(shutbox.at("classic").scene, shutbox.at("classic:1-9/6+6").awaited, solving.MEAN),
        *(shutbox.solve("six").policy(), shutbox.rl.TurnArrays.of("six"), shutbox.practice("six")),
        *(shutbox.practice("six").draw(7), shutbox.sheet("classic"), shutbox.find("pub")),
        *(shutbox.compare("six"), shutbox.odds("classic")),
        *(shutbox.solve("classic"), shutbox.Table("classic", 7), shutbox.at("classic")),
        *(shutbox.review(table), shutbox.find("pub").card()),
        *(shutbox.solve("six").best("1-6/6"), shutbox.at("six:1-6/6").best()),
    ]


def test_what_is_held_prints_in_a_line_lists_what_is_documented_and_draws_itself() -> None:
    pytest.importorskip("numpy", reason="NumPy is not installed: make tools")
    faults = list[object]()
    held_by = results()
    for held in held_by:
        kinds = type(held).__mro__
        names = {name for name in dir(held) if not name.startswith("_")}
        documented = set(
            re.findall(r"`(\w+)`", " ".join(kind.__doc__ or "" for kind in kinds[:-1]))
        )
        documented |= {name for kind in kinds for name in vars(kind).get("__annotations__", ())}
        documented |= {
            name for name in names if getattr(getattr(kinds[0], name, None), "__doc__", "")
        }
        unknown = names - documented - {"COLUMNS", "NAME", "count", "index"}
        if unknown or len(repr(held)) > 400 or "object at 0x" in repr(held):
            faults.append((kinds[0].__name__, repr(held), unknown))
    for held in (*held_by[-7:], shutbox.equity("six[seats=2]")):
        drawn = [getattr(held, name, str)() for name in ("_repr_html_", "_repr_svg_")]
        for text in filter(None, drawn):
            ElementTree.fromstring(text if text.startswith("<svg") else f"<p>{text}</p>")
        if not any(drawn):
            faults.append((type(held).__name__, "draws nothing"))
    assert_none(faults)
