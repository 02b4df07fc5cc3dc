"""Writes the pictures of the browser table, docs/pictures/*.webp, from games with fixed dice.

Needs playwright, Pillow and Chromium: `python docs/makers/pictures.py`.
"""

import sys
import tempfile
from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING, Any

from PIL import Image

ROOT = Path(__file__).parents[2]
sys.path[:0] = [str(ROOT / "src"), str(ROOT / "tests")]

from browser.visitors import Visitor, browser_command, launched  # noqa: E402
from serving import Served  # noqa: E402

if TYPE_CHECKING:
    from playwright.sync_api import Browser

FOLDER = ROOT / "docs" / "pictures"
MOST_BYTES = 90_000
ANN = {"who": "me", "name": "Ann"}
BOB = {"who": "here", "name": "Bob"}
PHONE = {"width": 320, "height": 640}
TABLET = {"width": 768, "height": 900}
WIDE = {"width": 1440, "height": 820}
TALL = {"width": 1440, "height": 1000}
LOOKS: dict[str, dict[str, Any]] = {
    "light": {},
    "dark": {"color_scheme": "dark"},
    "contrast": {"contrast": "more"},
}

# Name, game, seats, viewport and look, and the number of throws and choices before the picture.
PICTURES: tuple[tuple[str, str, list[dict[str, str]], dict[str, Any], int], ...] = (
    *(
        (f"classic-{size['width']}-{look}", "classic", [ANN], {"viewport": size, **seen}, 3)
        for size in (PHONE, TABLET, WIDE)
        for look, seen in LOOKS.items()
    ),
    ("the-300", "the-300", [ANN], {"viewport": WIDE}, 3),
    ("double-shutter", "double-shutter", [ANN], {"viewport": WIDE}, 3),
    ("cargo", "cargo", [ANN], {"viewport": WIDE}, 2),
    ("match", "markers-five", [ANN, BOB], {"viewport": TALL}, 44),
)


def picture(browser: "Browser", url: str, picture: tuple[Any, ...]) -> None:
    """Play a table for some steps by clicks, and write its picture."""
    name, game, seats, look, steps = picture
    visitor = Visitor(browser, url, **look)
    visitor.open(game=game, seats=seats)
    how = {"undoes": False, "tries": False, "hears": True}
    visitor.play(most=steps, **how)
    view = visitor.view()
    if view["phase"] == "playing" and view["table"]["does"] == "throw":
        visitor.play(most=1, **how)
    keys = [offer["takes"] for offer in visitor.view()["table"]["offers"]]
    # Pick a tile to show how that looks, unless the only cover would be made at once.
    for key in max(keys, key=len, default=[])[: len(keys) > 1]:
        visitor.page.click(f"#board [data-key='{key}'] button:not([aria-disabled])")
        visitor.says("Picked")
    visitor.page.mouse.move(0, 0)
    path = FOLDER / f"{name}.webp"
    Image.open(BytesIO(visitor.page.screenshot())).save(path, quality=82, method=6)
    size = path.stat().st_size
    print(f"{path.relative_to(ROOT)}: {size:,} bytes")
    if visitor.faults or size > MOST_BYTES:
        sys.exit(f"{name}: {visitor.faults or 'too large'}")
    visitor.close()


def main() -> None:
    """Write all pictures."""
    from playwright.sync_api import sync_playwright

    command = browser_command()
    if command is None:
        sys.exit("this system has no Chromium")
    FOLDER.mkdir(exist_ok=True)
    with (
        tempfile.TemporaryDirectory() as folder,
        Served(Path(folder), deals="pictures") as served,
        sync_playwright() as playwright,
        launched(playwright, command) as browser,
    ):
        for one in PICTURES:
            picture(browser, served.url, one)


if __name__ == "__main__":
    main()
