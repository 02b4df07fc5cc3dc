"""Helpers of tests that list all faults of many files or sentences, one a line."""

from collections.abc import Iterable, Mapping

import pytest


def assert_none(faults: Iterable[object]) -> None:
    """Fail with every fault. A tuple, such as a file, a line and a text, is one line, too."""
    lines = [": ".join(map(str, f)) if isinstance(f, tuple) else str(f) for f in faults]
    if lines:
        pytest.fail("\n".join([f"{len(lines)} faults:", *lines]), pytrace=False)


def circles_of(reach: Mapping[str, Iterable[str]]) -> list[str]:
    """Return the names from which a way leads back to them; `reach` has the next ones of each."""

    def reached(name: str) -> set[str]:
        found, waiting = set[str](), [*reach[name]]
        while waiting:
            there = waiting.pop()
            if there not in found:
                found.add(there)
                waiting += reach[there]
        return found

    return [name for name in reach if name in reached(name)]
