"""Write the pictures of the browser table, docs/pictures/*.png, from games with fixed dice.

Needs playwright and a Chromium: `make pictures`.
"""

import base64
import struct
import sys
import tempfile
import zlib
from pathlib import Path
from typing import TYPE_CHECKING, Any

ROOT = Path(__file__).parents[1]
sys.path[:0] = [str(ROOT / "src"), str(ROOT / "tests")]

from browser.visitors import DEALING, Visitor, browser_command, launched  # noqa: E402
from serving import Served  # noqa: E402

if TYPE_CHECKING:
    from playwright.sync_api import Browser

FOLDER = ROOT / "docs" / "pictures"
MOST_BYTES = 140_000
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

# Name, game, seats, how it is seen, and how many throws and choices are made before the picture.
PICTURES: tuple[tuple[str, str, list[dict[str, str]], dict[str, Any], int], ...] = (
    *(
        (f"classic-{size['width']}-{look}", "classic", [ANN], {"viewport": size, **seen}, 3)
        for size in (PHONE, TABLET, WIDE)
        for look, seen in LOOKS.items()
    ),
    ("the-300", "the-300", [ANN], {"viewport": WIDE}, 3),
    ("double-shutter", "double-shutter", [ANN], {"viewport": WIDE}, 3),
    ("cargo", "cargo", [ANN], {"viewport": WIDE}, 2),
    ("match", "markers-five", [ANN, BOB], {"viewport": TALL}, 40),
)


# To 256 colours: the most frequent ones of a coarse grid, and the nearest of them for all others.
REDUCE = """async (address) => {
    const image = new Image();
    image.src = address;
    await image.decode();
    const { width, height } = image;
    const canvas = new OffscreenCanvas(width, height).getContext("2d");
    canvas.drawImage(image, 0, 0);
    const { data } = canvas.getImageData(0, 0, width, height);
    const cells = new Map();
    const cellOf = (i) => (data[i] >> 3 << 10) | (data[i + 1] >> 3 << 5) | (data[i + 2] >> 3);
    for (let i = 0; i < data.length; i += 4) {
        const cell = cells.get(cellOf(i)) || [0, 0, 0, 0];
        cells.set(cellOf(i), cell);
        for (let c = 0; c < 3; c += 1) cell[c] += data[i + c];
        cell[3] += 1;
    }
    const often = [...cells.values()].sort((a, b) => b[3] - a[3]).slice(0, 256);
    const colours = often.map(([r, g, b, n]) => [r, g, b].map((sum) => Math.round(sum / n)));
    const far = (a, b) => (a[0] - b[0]) ** 2 + (a[1] - b[1]) ** 2 + (a[2] - b[2]) ** 2;
    const nearest = new Map();
    for (const [key, [r, g, b, n]] of cells) {
        const here = [r / n, g / n, b / n];
        let best = 0;
        colours.forEach((colour, i) => {
            if (far(colour, here) < far(colours[best], here)) best = i;
        });
        nearest.set(key, best);
    }
    let text = "";
    for (let i = 0; i < data.length; i += 4) text += String.fromCharCode(nearest.get(cellOf(i)));
    return { width, height, colours: colours.flat(), pixels: btoa(text) };
}"""


def reduced(browser: "Browser", png: bytes) -> bytes:
    """The picture with at most 256 colours."""
    page = browser.new_page()
    found = page.evaluate(REDUCE, "data:image/png;base64," + base64.b64encode(png).decode())
    page.close()
    width, height = found["width"], found["height"]
    pixels = base64.b64decode(found["pixels"])
    rows = b"".join(b"\0" + pixels[at : at + width] for at in range(0, len(pixels), width))

    def chunk(kind: bytes, data: bytes) -> bytes:
        checked = kind + data
        return struct.pack(">I", len(data)) + checked + struct.pack(">I", zlib.crc32(checked))

    return b"".join(
        (
            b"\x89PNG\r\n\x1a\n",
            chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, 8, 3, 0, 0, 0)),
            chunk(b"PLTE", bytes(found["colours"])),
            chunk(b"IDAT", zlib.compress(rows, 9)),
            chunk(b"IEND", b""),
        )
    )


def picture(browser: "Browser", url: str, picture: tuple[Any, ...]) -> None:
    """One table, played for a while by clicks, as it looks then."""
    name, game, seats, look, steps = picture
    visitor = Visitor(browser, url, **look)
    visitor.open(game=game, seats=seats)
    how = {"undoes": False, "tries": False, "hears": True}
    visitor.play(most=steps, **how)
    view = visitor.view()
    if view["phase"] == "playing" and view["table"]["does"] == "throw":
        visitor.play(most=1, **how)
    keys = [offer["takes"] for offer in visitor.view()["table"]["offers"]]
    # Something is picked, so that it is seen how that looks.
    for key in max(keys, key=len, default=[])[:1]:
        visitor.page.click(f"#board [data-key='{key}'] button:not([aria-disabled])")
        visitor.says("Picked")
    visitor.page.mouse.move(0, 0)
    path = FOLDER / f"{name}.png"
    path.write_bytes(reduced(browser, visitor.page.screenshot()))
    size = path.stat().st_size
    print(f"{path.relative_to(ROOT)}: {size:,} bytes")
    if visitor.faults or size > MOST_BYTES:
        sys.exit(f"{name}: {visitor.faults or 'too large'}")
    visitor.close()


def main() -> None:
    """Write all of them."""
    from playwright.sync_api import sync_playwright

    command = browser_command()
    if command is None:
        sys.exit("this system has no Chromium")
    FOLDER.mkdir(exist_ok=True)
    with (
        tempfile.TemporaryDirectory() as folder,
        Served(Path(folder), program=(DEALING, "pictures", "")) as served,
        sync_playwright() as playwright,
        launched(playwright, command) as browser,
    ):
        for one in PICTURES:
            picture(browser, served.url, one)


if __name__ == "__main__":
    main()
