"""Where the dice of a play come from, and the seed where there is one.

A seed is written as JSON writes a text, in ASCII, so that it is one line whatever is in it. JSON
is imported when a seed is met, and not before: the first prompt of a game comes sooner.
"""

import re
from contextlib import suppress
from dataclasses import dataclass

from shutbox.english import shown
from shutbox.errors import BadRecord

LONGEST_SEED = 1000  # the most characters of a seed in a record
_DAY = re.compile(r"[0-9]{4}-(0[1-9]|1[0-2])-(0[1-9]|[12][0-9]|3[01])")


@dataclass(frozen=True, slots=True)
class Source:
    """Where the dice come from.

    >>> print(Source(), Source("hand"), Source("seed", "pub"))
    system hand seed "pub"
    >>> print(Source("day", day="2026-11-23"))
    day 2026-11-23
    """

    kind: str = "system"
    """`system`: the operating system; `hand`: people throw and type in what fell; `seed`; `day`: a
    server's seed of a day, the same for everybody there, which it tells the day after."""
    seed: str = ""  # the seed; empty for other kinds, where it means nothing
    day: str = ""  # the day, in UTC, such as 2026-11-23; empty for other kinds

    def __post_init__(self) -> None:
        if self.kind not in ("system", "hand", "seed", "day"):
            raise BadRecord(
                "dice are of system, hand, seed or day, not of {kind}", kind=shown(self.kind)
            )
        if self.kind == "day" and not _DAY.fullmatch(self.day):
            raise BadRecord("{day} is no day such as 2026-11-23", day=shown(self.day))
        if self.kind != "day" and self.day:
            raise BadRecord("dice of the {kind} have no day", kind=self.kind)
        if self.kind != "seed" and self.seed:
            raise BadRecord("dice of the {kind} have no seed", kind=self.kind)
        if len(self.seed) > LONGEST_SEED:
            facts = {"number": len(self.seed), "most": LONGEST_SEED}
            raise BadRecord("the seed has {number} characters; at most {most}", **facts)
        if self.kind == "seed" and _read_seed(_write_seed(self.seed)) != self.seed:
            raise BadRecord("the seed {seed} has a character in two halves", seed=shown(self.seed))

    def __str__(self) -> str:
        if self.kind == "day":
            return f"day {self.day}"
        return f"seed {_write_seed(self.seed)}" if self.kind == "seed" else self.kind


def read_source(text: str) -> Source:
    """The source of a text, if it is written as `str` writes it. Raises BadRecord."""
    kind, space, what = text.partition(" ")
    if kind == "day":
        source = Source(kind, day=what)
    else:
        source = Source(kind, _read_seed(what) if space else "")
    if str(source) != text:
        raise BadRecord(
            "the dice are written {right}, not {text}", right=shown(str(source)), text=shown(text)
        )
    return source


def _write_seed(seed: str) -> str:
    import json

    return json.dumps(seed)


def _read_seed(text: str) -> str:
    import json

    # Nothing but a text in quotes: a number or a list may be more than the parser can bear.
    if text.startswith('"'):
        with suppress(ValueError):
            return str(json.loads(text))
    raise BadRecord(
        "{text} is no seed; it is written in quotes, as JSON writes a text", text=shown(text)
    )
