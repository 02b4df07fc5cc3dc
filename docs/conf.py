"""The documentation site, built from these pages and from docstrings: `make docs`.

It works from files without a server, and loads nothing from other hosts.
"""

import os
import shutil
import sys
from pathlib import Path
from typing import Any

HERE = Path(__file__).parent
SOURCE = str(HERE.parent / "src")
sys.path[:0] = [SOURCE, str(HERE)]
os.environ["PYTHONPATH"] = SOURCE  # notebooks run in their own process

import public_names  # noqa: E402
from sphinx.application import Sphinx  # noqa: E402

from shutbox import __version__  # noqa: E402

REFERENCE = HERE / "reference"
"""The folder of pages generated from docstrings, or copied from elsewhere."""

project = "shutbox"
author = project_copyright = "shutbox contributors"
version = release = __version__
extensions = ["myst_nb", "sphinx.ext.apidoc", "sphinx.ext.autodoc"]
root_doc = "contents"
source_suffix = {".md": "myst-nb", ".rst": "restructuredtext"}
nitpicky = False

# People also read the pages in the repository, so they are plain Markdown.
myst_heading_anchors = 4
myst_links_external_new_tab = False
suppress_warnings = ["misc.highlighting_failure", "ref.python"]

apidoc_modules = [
    {
        "path": "../src/shutbox",
        "destination": "reference",
        "exclude_patterns": [f"../src/shutbox/{name}" for name in ("cli", "term", "web")],
        "separate_modules": True,
        "include_private": False,
        "automodule_options": {"members", "show-inheritance"},
    }
]
# A name is documented where it is defined. Packages that re-export it mention it in their text.
autodoc_default_options = {"ignore-module-all": True}
autodoc_member_order = "bysource"
autodoc_typehints = "signature"

# Notebooks run during the build. An error in one fails the build.
nb_execution_mode = "force"
nb_execution_raise_on_error = True

html_theme = "furo"
html_title = f"shutbox {version}"
html_theme_options = {"top_of_page_buttons": []}
html_show_sourcelink = False
html_copy_source = False


# If `make site` has built the table without a server, `make docs` lets its Python run the examples.
ENGINE = HERE.parent / "build" / "site" / "engine"
if ENGINE.is_dir():
    html_static_path = ["prompt"]
    html_js_files = ["prompt.js"]
    html_css_files = ["prompt.css"]

BESIDE = {f"{name}.md": f"{name.lower()}.md" for name in ("CONTRIBUTING", "SECURITY", "CHANGELOG")}
"""Pages outside this folder, and their names here."""


def setup(app: Sphinx) -> None:
    """Copy the pages that lie outside this folder, and connect the events."""
    REFERENCE.mkdir(exist_ok=True)
    for there, here in BESIDE.items():
        page = (HERE.parent / there).read_text(encoding="utf-8").replace("](docs/", "](../")
        for link, name in BESIDE.items():
            page = page.replace(f"]({link}", f"]({name}")
        (REFERENCE / here).write_text(page, encoding="utf-8")
    (REFERENCE / "names.md").write_text(public_names.page(), encoding="utf-8")
    app.connect("source-read", _link_to_them)
    app.connect("build-finished", _take_engine)
    app.connect("html-page-context", _for_keys_and_readers, priority=900)  # after the theme


def _link_to_them(app: Sphinx, page: str, source: list[str]) -> None:
    for there, here in BESIDE.items():
        source[0] = source[0].replace(f"](../{there}", f"](reference/{here}")


def _take_engine(app: Sphinx, error: Exception | None) -> None:
    if error is None and ENGINE.is_dir():
        shutil.copytree(ENGINE, Path(app.outdir) / "_static" / "engine", dirs_exist_ok=True)


def _for_keys_and_readers(
    app: Sphinx, page: str, template: str, context: dict[str, Any], doctree: object
) -> None:
    """Make wide examples scrollable by keyboard, and give the headings in the page list a level."""
    context["body"] = context.get("body", "").replace("<pre>", '<pre tabindex="0">')
    tree = context.get("furo_navigation_tree", "")
    context["furo_navigation_tree"] = tree.replace(
        'role="heading"', 'role="heading" aria-level="2"'
    )
