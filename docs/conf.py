"""The documentation site, built from these pages and from docstrings: `make docs`.

It works from files without a server, and loads nothing from other hosts.
"""

import os
import re
import shutil
import sys
from pathlib import Path
from typing import Any

HERE = Path(__file__).parent
SOURCE = str(HERE.parent / "src")
sys.path[:0] = [SOURCE, str(HERE)]
os.environ["PYTHONPATH"] = SOURCE  # notebooks run in their own process

import addresses  # noqa: E402
import command_line  # noqa: E402
from docutils import nodes  # noqa: E402
from docutils.utils.math.latex2mathml import tex2mathml  # noqa: E402
from sphinx.application import Sphinx  # noqa: E402
from sphinx.pycode import ModuleAnalyzer  # noqa: E402

import shutbox  # noqa: E402

_analyze = ModuleAnalyzer.analyze


def _without_overloads(analyzer: ModuleAnalyzer) -> None:
    """Forget overloads, so that a function has one signature, as in `help`."""
    _analyze(analyzer)
    analyzer.overloads = {}


ModuleAnalyzer.analyze = _without_overloads  # type: ignore[method-assign]

REFERENCE = HERE / "reference"
"""The folder of pages that are generated, or copied from elsewhere."""

project = "shutbox"
author = project_copyright = "shutbox contributors"
version = release = shutbox.__version__
extensions = ["myst_nb", "sphinx.ext.autodoc"]
root_doc = "index"
source_suffix = {".md": "myst-nb", ".rst": "restructuredtext"}
default_role = "code"

# People also read the pages in the repository, so they are plain Markdown.
myst_heading_anchors = 4
myst_links_external_new_tab = False
myst_enable_extensions = ["dollarmath"]
suppress_warnings = ["misc.highlighting_failure", "ref.python"]

# The reference pages name each object by its public name, so internals are not in the index.
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
html_static_path = ["prompt"]
html_js_files = ["copy.js", *(["prompt.js"] if ENGINE.is_dir() else [])]
html_css_files = ["prompt.css"]
html_math_renderer = "mathml"

BESIDE = {f"{name}.md": f"{name.lower()}.md" for name in ("CONTRIBUTING", "SECURITY", "CHANGELOG")}
"""Pages outside this folder, and their names here."""

CONTENTS = {
    "For players": "start playing browser games matches variants records review odds today hearing",
    "For hosts": "hosting",
    "For programmers": "tour cookbook solving solver rl protocol own-game dice data",
    "Reference": "reference reference/commands reference/addresses api notation record stability",
    "For contributors": "reference/contributing architecture extending translating glossary "
    "reference/security reference/changelog",
}
"""The pages in the order of the sidebar, by heading."""

GENERATED = ["addresses.md", "commands.md", *BESIDE.values()]
"""The pages of the folder `reference`. Any other page there is deleted."""


def setup(app: Sphinx) -> None:
    """Copy the pages that lie outside this folder, and connect the events."""
    REFERENCE.mkdir(exist_ok=True)
    for there, here in BESIDE.items():
        page = (HERE.parent / there).read_text(encoding="utf-8").replace("](docs/", "](../")
        for link, name in BESIDE.items():
            page = page.replace(f"]({link}", f"]({name}")
        (REFERENCE / here).write_text(page, encoding="utf-8")
    (REFERENCE / "addresses.md").write_text(addresses.page(), encoding="utf-8")
    (REFERENCE / "commands.md").write_text(command_line.page(), encoding="utf-8")
    for old in set(REFERENCE.iterdir()) - {REFERENCE / name for name in GENERATED}:
        old.unlink()
    app.add_html_math_renderer("mathml", (_formula, None), (_formula, None))
    app.connect("source-read", _read)
    app.connect("build-finished", _take_engine)
    app.connect("html-page-context", _for_keys_and_readers, priority=900)  # after the theme


def _read(app: Sphinx, page: str, source: list[str]) -> None:
    if page == root_doc:
        for heading, names in CONTENTS.items():
            listed = "\n".join(names.split())
            source[0] += f"\n```{{toctree}}\n:hidden:\n:caption: {heading}\n\n{listed}\n```\n"
    source[0] = re.sub("\n\n```$", "\n```", source[0], flags=re.MULTILINE)  # ends of doctests
    for there, here in BESIDE.items():
        source[0] = source[0].replace(f"](../{there}", f"](reference/{here}")


def _formula(translator: Any, node: nodes.math | nodes.math_block) -> None:
    """Write a formula as MathML, which browsers draw without a script."""
    as_block = isinstance(node, nodes.math_block)
    mathml = tex2mathml(node.astext(), as_block=as_block)
    if as_block:
        mathml = f'<div class="formula" tabindex="0">{mathml}</div>'
    translator.body.append(mathml)
    raise nodes.SkipNode


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
