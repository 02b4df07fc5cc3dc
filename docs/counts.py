"""Writes the number of boxes into README.md, and the beginning of README.md into PACKAGE.md.

    python docs/counts.py

`make docs` runs it. A test compares both pages with its output.
"""

import re
from pathlib import Path

from shutbox import catalogue, find

ROOT = Path(__file__).parents[1]


def pages() -> dict[Path, str]:
    """Return the correct text of both pages."""
    boxes = sum("tiles" in find(entry.name).card().options for entry in catalogue())
    readme, package = ((ROOT / name).read_text("utf-8") for name in ("README.md", "PACKAGE.md"))
    readme = re.sub(r"\b\d+ boxes\b", f"{boxes} boxes", readme)
    paragraphs = [*readme.split("\n\n")[:2], *package.split("\n\n")[2:]]
    return {ROOT / "README.md": readme, ROOT / "PACKAGE.md": "\n\n".join(paragraphs)}


if __name__ == "__main__":
    for path, text in pages().items():
        path.write_text(text, "utf-8")
