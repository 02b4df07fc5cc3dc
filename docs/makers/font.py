"""Builds the serif font of the pages: `python docs/makers/font.py`.

The font is TeX Gyre Pagella Bold, reduced to the letters of languages in Latin script, with its
lining digits of equal width. The vertical metrics put digits and capitals in the middle of a line.
The script needs fonttools and brotli, and the font as installed by Debian's package fonts-texgyre.
The path of another copy can be given.
"""

import sys
from io import BytesIO
from pathlib import Path

from fontTools import subset
from fontTools.ttLib import TTFont

SOURCE = "/usr/share/texmf/fonts/opentype/public/tex-gyre/texgyrepagella-bold.otf"
TARGET = Path(__file__).parents[2] / "src/shutbox/web/static/fonts/shutbox-serif.woff2"
DIGITS = Path(__file__).parents[2] / "src/shutbox/output/fonts/digits.otf"
PLAIN = "U+30-39,U+41-5A,U+61-7A,U+2B,U+2D"  # the characters in pictures, for `output/picture.py`
LETTERS = "U+20-7E,U+A0-17F,U+2010-2015,U+2018-201E,U+2026,U+20AC,U+2212"
ABOVE, BELOW = 860, 220
NAMES = {1: "Shutbox Serif", 3: "Shutbox Serif Bold", 4: "Shutbox Serif Bold", 6: "ShutboxSerif"}


def made(source: str, letters: str = LETTERS, flavor: str | None = "woff2") -> bytes:
    """Return the reduced font for browsers, or without a flavor for other programs."""
    options = subset.Options(
        layout_features=["kern", "liga"], hinting=False, desubroutinize=True, drop_tables=["FFTM"]
    )
    font = TTFont(source, recalcTimestamp=False)
    cut = subset.Subsetter(options)
    cut.populate(unicodes=subset.parse_unicodes(letters))
    cut.subset(font)
    head, lines = font["hhea"], font["OS/2"]
    head.ascent = lines.sTypoAscender = lines.usWinAscent = ABOVE
    head.descent = lines.sTypoDescender = -BELOW
    lines.usWinDescent = BELOW
    head.lineGap = lines.sTypoLineGap = 0
    lines.fsSelection |= 1 << 7  # use the typographic line metrics on every system
    for number, name in NAMES.items():
        font["name"].setName(name, number, 3, 1, 0x409)
    font.flavor = flavor
    out = BytesIO()
    font.save(out)
    return out.getvalue()


if __name__ == "__main__":
    source = sys.argv[1] if sys.argv[1:] else SOURCE
    TARGET.write_bytes(made(source))
    DIGITS.write_bytes(made(source, PLAIN, None))
    for file in (TARGET, DIGITS):
        print(f"{file}: {file.stat().st_size} bytes")
