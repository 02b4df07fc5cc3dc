"""Draws the icons of an installed shutbox from icon.svg: `python docs/makers/icons.py`.

It needs playwright and Chromium. The icon `full` fills its square, for systems that cut icons into
a shape of their own.
"""

import base64
import sys
from io import BytesIO
from pathlib import Path

from PIL import Image
from playwright.sync_api import sync_playwright

ROOT = Path(__file__).parents[2]
sys.path[:0] = [str(ROOT / "tests")]

from browser.visitors import browser_command, launched  # noqa: E402

STATIC = ROOT / "src/shutbox/web/static"
ICONS = {"192": (192, 1.0, ""), "512": (512, 1.0, ""), "full": (512, 0.72, "#f4efe6")}
"""For each file: its size in pixels, the scale of the picture, and the background."""


def main() -> None:
    """Draw each icon, and reduce its colours."""
    picture = base64.b64encode((STATIC / "icon.svg").read_bytes()).decode()
    with sync_playwright() as playwright, launched(playwright, browser_command() or "") as browser:
        for name, (size, part, ground) in ICONS.items():
            page = browser.new_page(viewport={"width": size, "height": size})
            page.set_content(
                f'<body style="margin:0;height:100vh;display:grid;place-items:center;'
                f'background:{ground or "transparent"}"><img width="{round(size * part)}" '
                f'src="data:image/svg+xml;base64,{picture}">'
            )
            page.wait_for_function("() => document.images[0].complete")
            shot = Image.open(BytesIO(page.screenshot(omit_background=not ground)))
            file = STATIC / "icons" / f"{name}.png"
            shot.quantize(48, method=Image.Quantize.FASTOCTREE).save(file, optimize=True)
            print(f"{file}: {file.stat().st_size} bytes")


if __name__ == "__main__":
    main()
