"""The longest tests: `make check` leaves them out, `make nightly` runs them part by part.

A part is a list of commands. `python tests/nightly.py kill site` runs two parts, without a name all
of them, and `list` names them. Each part prints one line at its end, and leaves it in
`build/nightly`, with the commit that was tested. A test belongs to a part if its name begins as
`nightly.toml` says, or if it is marked, as in `pytest.mark.nightly("cases")`. Of each long file,
`smoke` names what `make check` runs.
"""

import os
import subprocess
import sys
import time
import tomllib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

EVERY = "SHUTBOX_EVERY_CASE" in os.environ
"""Whether to test every case, however long that takes."""
ROOT = Path(__file__).parents[1]
RESULTS = ROOT / "build" / "nightly"
_TESTS = "python -m pytest -n 2 --dist worksteal --nightly {name}"
_INSTALL = "python -m uv pip install --quiet --python"
_EDGE = (  # warnings come from old packages, or announce future changes
    "-m pytest -n 2 -p no:cacheprovider "
    "-W ignore::DeprecationWarning -W ignore::PendingDeprecationWarning "
    "tests/web/test_play.py tests/web/test_streams.py tests/web/test_health.py "
    "tests/output/test_picture.py tests/output/test_data_out.py"
)


@dataclass(frozen=True)
class Part:
    """A part of `make nightly`; `nightly.toml` explains it."""

    about: str
    commands: Sequence[str] = ("{tests}",)
    tests: Sequence[str] = ()
    settings: Mapping[str, str] = field(default_factory=dict)

    def command(self, name: str, command: str) -> list[str]:
        """Return the words of one of its commands; `name` is that of the part."""
        full = command.format(tests=_TESTS, install=_INSTALL, edge=_EDGE)
        words = full.format(name=name).split()
        return [sys.executable if word == "python" else word for word in words]


_TABLE = tomllib.loads(Path(__file__).with_suffix(".toml").read_text(encoding="utf-8"))
PARTS = {name: Part(**row) for name, row in _TABLE["part"].items()}
SMOKE: Sequence[str] = _TABLE["smoke"]
"""The tests of a part that `make check` runs, too."""


def one_in(number: int, values: Iterable[Any], *, drawn: bool = False) -> list[Any]:
    """Return values for `pytest.mark.parametrize`, of which only one in `number` is not nightly.

    Of nightly values that are `drawn` at random, a third is tested, unless every case is.
    """
    return [
        pytest.param(
            *(one if isinstance(one, tuple) else [one]), marks=pytest.mark.nightly("cases")
        )
        if place % number
        else one
        for place, one in enumerate(values)
        if EVERY or not drawn or not place % number or place % 3 == 1
    ]


def part_of(item: pytest.Item) -> str:
    """Return the part to which a test belongs; empty if `make check` runs it."""
    if (mark := item.get_closest_marker("nightly")) is not None:
        part: str = mark.args[0]
        assert part in PARTS, f"{item.nodeid}: there is no part {part!r}"
        return part
    name = item.nodeid.removeprefix("tests/")
    if name.startswith(tuple(SMOKE)):
        return ""
    return next((part for part, it in PARTS.items() if name.startswith(tuple(it.tests))), "")


def run(name: str) -> bool:
    """Run a part, print one line about it, and return whether all of it passed."""
    part, begun = PARTS[name], time.monotonic()
    environment = {**os.environ, **part.settings}
    failed = ""
    for command in part.commands:
        code = subprocess.run(part.command(name, command), cwd=ROOT, env=environment).returncode
        if code:
            failed = f": {command} ended with {code}"
            break
    commit = subprocess.run(
        ["git", "rev-parse", "--short", "HEAD"], cwd=ROOT, capture_output=True, text=True
    ).stdout.strip()
    seconds = time.monotonic() - begun
    line = f"{name}: {'failed' if failed else 'passed'} in {seconds:.0f} s at {commit}{failed}"
    RESULTS.mkdir(parents=True, exist_ok=True)
    (RESULTS / f"{name}.txt").write_text(f"{line}\n", encoding="utf-8")
    print(line, flush=True)
    return not failed


def main(names: list[str]) -> int:
    """Run these parts, or all; return the exit code."""
    if names == ["list"]:
        print("\n".join(f"{name}: {part.about}" for name, part in PARTS.items()))
        return 0
    if unknown := [name for name in names if name not in PARTS]:
        print(f"there is no part {unknown[0]!r}; parts: {', '.join(PARTS)}", file=sys.stderr)
        return 2
    passed = [run(name) for name in names or PARTS]
    print("".join(path.read_text("utf-8") for path in sorted(RESULTS.glob("*.txt"))), end="")
    return 0 if all(passed) else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
