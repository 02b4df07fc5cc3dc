"""The documentation site: it has every page and docstring, is complete, and works from files."""

import re
import subprocess
import sys
import zlib
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

import shutbox
from built_once import built_once
from serving import ROOT

WCAG = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"]
"""What is not a matter of taste: the landmarks are those of the theme."""

if TYPE_CHECKING:
    from playwright.sync_api import Browser


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The site, built as `make docs` does: whatever does not lead anywhere is an error."""
    for needed in ("sphinx", "myst_nb", "furo"):
        pytest.importorskip(needed, reason=f"{needed} is not installed: make docs")
    pytest.importorskip("numpy", reason="NumPy is not installed: make extras")
    return built_once(tmp_path_factory, "docs", build)


def build(folder: Path) -> None:
    """Fail with what Sphinx says if it warns."""
    command = [sys.executable, "-m", "sphinx", "--fail-on-warning", "--keep-going", "--quiet"]
    built = subprocess.run(
        [*command, str(ROOT / "docs"), str(folder)], capture_output=True, text=True, check=False
    )
    assert built.returncode == 0, built.stderr


def test_the_picture_of_the_terminal_draws_every_space(browser: "Browser") -> None:
    page = browser.new_page()
    page.goto((ROOT / "docs" / "terminal.svg").as_uri())
    assert page.locator("text", has_text="●").count() > 4
    drawn = """() => [...document.querySelectorAll("text")]
        .filter((one) => one.getNumberOfChars() !== one.textContent.length)
        .map((one) => one.textContent)"""
    assert page.evaluate(drawn) == []
    page.close()


def documented(site: Path) -> set[str]:
    """The Python names that the site has a place for."""
    data = (site / "objects.inv").read_bytes().split(b"\n", 4)[4]
    lines = zlib.decompress(data).decode().splitlines()
    return {line.split()[0] for line in lines if line.split()[1].startswith("py:")}


def test_every_public_name_leads_to_where_it_is_told(site: Path) -> None:
    page = (site / "reference" / "names.html").read_text(encoding="utf-8")
    rows = re.findall(r"<td>(.*?)</td>\s*<td>(.*?)</td>", page, re.DOTALL)
    assert len(rows) > len(shutbox.__all__)
    assert {re.sub("<.*?>", "", name).strip() for name, _ in rows} > set(shutbox.__all__)
    assert [row for row in rows if "<a " not in row[0] or not row[1]] == []


def test_every_module_is_documented(site: Path) -> None:
    names = documented(site)
    folder = ROOT / "src" / "shutbox"
    for path in folder.rglob("*.py"):
        module = ".".join(path.relative_to(ROOT / "src").with_suffix("").parts)
        module = module.removesuffix(".__init__")
        if module.split(".")[1:2] not in (["cli"], ["term"], ["web"], ["__main__"]):
            assert module in names


def test_it_loads_nothing_from_elsewhere(site: Path) -> None:
    for page in site.rglob("*.html"):
        text = page.read_text(encoding="utf-8")
        loads = re.findall(r'<(?:script|link|img)[^>]*(?:src|href)="([^"]*)"', text)
        assert not [link for link in loads if "://" in link], page


def test_the_notebook_was_run(site: Path) -> None:
    page = (site / "tour.html").read_text(encoding="utf-8")
    assert "highest: loses 1.259 points a turn" in page
    assert page.count("<svg") >= 2


def test_pages_open_from_files_with_nothing_that_axe_finds(
    site: Path, browser: "Browser", axe: Any
) -> None:
    page = browser.new_page()
    for name in ("index", "playing", "tour", "solving", "reference/shutbox.match.game"):
        page.goto(f"file://{site}/{name}.html")
        options = {"runOnly": {"type": "tag", "values": WCAG}, "resultTypes": ["violations"]}
        found = axe.run(page, options=options).response["violations"]
        assert not [(one["id"], one["nodes"][0]["html"]) for one in found], name
    page.close()
