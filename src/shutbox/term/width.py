"""How many columns text takes at a terminal, and where its lines are broken."""

import textwrap
import unicodedata

from shutbox.engine.english import visible

NARROWEST = 10  # lines are not broken below this many columns


def columns_of(sign: str) -> int:
    """Return how many columns of the screen a character takes: 0, 1 or 2."""
    if unicodedata.combining(sign) or is_mark(sign):
        return 0
    return 2 if unicodedata.east_asian_width(sign) in "WF" else 1


def is_mark(sign: str) -> bool:
    """Whether a character shows nothing but shapes its neighbours, as the joiners of names do."""
    return len(sign) == 1 and unicodedata.category(sign) == "Cf"


def fit(line: str, columns: int) -> str:
    r"""Return a line broken between words to fit `columns`, but never before a percent sign.

    >>> fit("stuck on the next throw 9 %, against 7 %", 25)
    'stuck on the next throw\n9 %, against 7 %'
    """
    text = visible(line).replace(" %", "\N{NO-BREAK SPACE}%")
    if not text.isascii():  # a wide letter counts as two
        text = "".join(sign + "\0" * (columns_of(sign) - 1) for sign in text)
    lines = textwrap.fill(text, max(NARROWEST, columns), break_on_hyphens=False)
    return lines.replace("\N{NO-BREAK SPACE}%", " %").replace("\0", "")
