"""The documentation site: it has every page and docstring, is complete, and works from files."""

import re
import subprocess
import sys
import zlib
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from built_once import built_once
from serving import ROOT
from shutbox.cli.commands import COMMANDS, FOR_PROGRAMS

WCAG = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"]
"""What is not a matter of taste: the landmarks are those of the theme."""

if TYPE_CHECKING:
    from playwright.sync_api import Browser


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The site, built as `make docs` does: whatever does not lead anywhere is an error."""
    for needed in ("sphinx", "myst_nb", "furo"):
        pytest.importorskip(needed, reason=f"{needed} is not installed: make docs")
    pytest.importorskip("numpy", reason="NumPy is not installed: make tools")
    return built_once(tmp_path_factory, "docs", build)


def build(folder: Path) -> None:
    """Fail with what Sphinx says if it warns."""
    command = [sys.executable, "-m", "sphinx", "--fail-on-warning", "--keep-going", "--quiet"]
    built = subprocess.run(
        [*command, str(ROOT / "docs"), str(folder)], capture_output=True, text=True, check=False
    )
    assert built.returncode == 0, built.stderr


def test_nothing_private_is_documented(site: Path) -> None:
    data = zlib.decompress((site / "objects.inv").read_bytes().split(b"\n", 4)[4])
    rows = [line.split() for line in data.decode().splitlines()]
    names = {name for name, kind, *_ in rows if kind.startswith("py:")}
    assert "shutbox.solve" in names
    assert [name for name in names if re.search(r"\._[a-z]", name)] == []
    assert not {"shutbox.solving.kernel", "shutbox.cli.commands", "shutbox.web"} & names
    search = (site / "searchindex.js").read_text(encoding="utf-8")
    assert '"reference"' in search
    assert "shutbox.solving.kernel.html" not in search


def test_every_command_has_its_section(site: Path) -> None:
    page = (site / "reference" / "commands.html").read_text(encoding="utf-8")
    heads = set(re.findall(r"<h[34]>(shutbox [a-z -]+)<", page))
    assert heads >= {
        f"shutbox {row.name}" for rows in (*COMMANDS.values(), FOR_PROGRAMS) for row in rows
    }
    assert "shutbox admin close" in heads


def test_it_loads_nothing_from_elsewhere(site: Path) -> None:
    for page in site.rglob("*.html"):
        text = page.read_text(encoding="utf-8")
        loads = re.findall(r'<(?:script|link|img)[^>]*(?:src|href)="([^"]*)"', text)
        assert not [link for link in loads if "://" in link], page


def test_the_notebook_was_run(site: Path) -> None:
    page = (site / "tour.html").read_text(encoding="utf-8")
    assert "highest: loses 1.259 points a turn" in page
    assert page.count("<svg") >= 2
    assert (site / "solving.html").read_text(encoding="utf-8").count("<math") == 3  # formulas
    assert page.count("<img") >= 1


def test_pages_open_from_files_with_nothing_that_axe_finds(
    site: Path, browser: "Browser", axe: Any
) -> None:
    page = browser.new_page()
    for name in ("index", "playing", "tour", "solving", "reference", "reference/commands"):
        page.goto(f"file://{site}/{name}.html")
        options = {"runOnly": {"type": "tag", "values": WCAG}, "resultTypes": ["violations"]}
        violations = axe.run(page, options=options).response["violations"]
        assert not [(violation["id"], violation["nodes"][0]["html"]) for violation in violations], (
            name
        )
    page.close()
