"""The steps that the guides give for a change, followed literally in a copy of the project."""

import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from installing import ROOT, run_program

NOT_COPIED = shutil.ignore_patterns(".git", ".venv*", ".*_cache", "build", "__pycache__")
BLOCK = re.compile(r"^( *)```(\w+)\n(.*?)^ *```$", re.MULTILINE | re.DOTALL)


@pytest.fixture
def copy(tmp_path: Path) -> Iterator[Path]:
    """A copy of the project without what is generated."""
    copy = tmp_path / "a copy"
    shutil.copytree(ROOT, copy, ignore=NOT_COPIED)
    yield copy
    shutil.rmtree(copy)


def blocks(page: str, heading: str) -> list[str]:
    """Return the blocks of code below a heading of a page."""
    section = (ROOT / page).read_text(encoding="utf-8").split(f"## {heading}\n")[1]
    found = BLOCK.findall(section.split("\n## ")[0])
    return [re.sub(rf"(?m)^{indent}", "", code) for indent, _, code in found]


def append(path: Path, text: str) -> None:
    path.write_text(f"{path.read_text('utf-8')}\n{text}", "utf-8")


def insert(path: Path, after: str, text: str) -> None:
    old = path.read_text("utf-8")
    assert old.count(after) == 1
    path.write_text(old.replace(after, after + text), "utf-8")


def run(copy: Path, *arguments: str) -> None:
    """Run Python in the copy; the test fails with its output if it fails."""
    ran = run_program(sys.executable, *arguments, folder=copy, variables={"PYTHONPATH": "src"})
    assert ran.returncode == 0, ran.stdout[-3000:] + ran.stderr[-3000:]


def run_tests(copy: Path, *arguments: str) -> None:
    run(copy, "-m", "pytest", "-q", "-n0", "-p", "no:cacheprovider", *arguments)


def test_a_box_is_what_contributing_says(copy: Path) -> None:
    stanza, case, row = blocks("CONTRIBUTING.md", "Your first change: add a box")
    append(copy / "src/shutbox/games/box/variants.toml", stanza)
    append(copy / "tests/data/rules.toml", case)
    games = copy / "docs/games.md"
    rows = re.sub(r"(?m)^(\| `win-at-three` .*\n)", rf"\1{row}", games.read_text("utf-8"))
    games.write_text(rows, "utf-8")
    run(copy, "docs/gallery.py", "eleven")
    run(copy, "docs/counts.py")
    run(copy, "docs/values.py")
    run_tests(
        copy,
        *("tests/table/test_names.py", "tests/test_project.py", "tests/terminal/test_menu.py"),
        *("tests/web/test_gallery.py", "tests/test_examples.py", "tests/test_values_page.py"),
        *("-k", "not shell_example"),
    )
    run_tests(
        copy,
        *(
            "tests/games/test_rules.py",
            "tests/games/test_cards.py",
            "tests/games/test_conformance.py",
        ),
        *("-k", "eleven or (every and not test_conformance)"),
    )


def test_a_rule_atom_is_what_the_guide_says(copy: Path) -> None:
    [diff] = blocks("docs/extending.md", "Add a rule atom")
    (copy / "atom.diff").write_text(diff, "utf-8")
    subprocess.run(["git", "apply", "--unidiff-zero", "atom.diff"], cwd=copy, check=True)
    (copy / "atom.diff").unlink()
    run_tests(
        copy,
        *(
            "tests/games/test_rules.py",
            "tests/games/test_cards.py",
            "tests/games/test_variant_files.py",
        ),
        "tests/web/test_new_table.py",
        # Of the others none is about all atoms, or this one.
        *(
            "-k",
            "highest or every_rule or every_value or random_boxes or no_rule_out or unknown_rule",
        ),
    )


SHOWN = "test_every_page_that_is_not_of_a_table_is_shown_to_everybody"


def test_a_command_and_a_page_are_what_the_guide_says(copy: Path) -> None:
    command, row, page, template, route, features = blocks(
        "docs/extending.md", "Add a command, a page"
    )
    cli, web = copy / "src/shutbox/cli", copy / "src/shutbox/web"
    (cli / "throw.py").write_text(command, "utf-8")
    insert(cli / "commands.py", 'gettext_noop("heading of commands", "More"): (\n', row)
    (web / "pages/sources.py").write_text(page, "utf-8")
    (web / "templates/sources.html").write_text(template, "utf-8")
    insert(web / "server/app.py", "import install, links,", " sources,")
    insert(web / "server/app.py", '("GET", "/offline", install.offline),\n', route)
    heading = "### Commands\n\n| to change | look in |\n|---|---|\n"
    insert(copy / "docs/architecture.md", heading, features)
    run(copy, "-m", "shutbox", "throw", "2d6")
    run_tests(
        copy,
        *("tests/cli/test_cli.py", "tests/test_floors.py", "tests/test_sentences.py"),
        *(f"tests/web/test_doors.py::{SHOWN}", "tests/web/test_page_sentences.py"),
        *(
            "-k",
            "help or function or circle or throw or sentence or template or sources "
            f"or {SHOWN} or (test_floors and every)",
        ),
    )
