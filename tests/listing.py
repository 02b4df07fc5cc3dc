"""One test for many files or sentences: it fails with a list of all faults, one a line."""

from collections.abc import Iterable

import pytest


def assert_none(faults: Iterable[object]) -> None:
    """Fail with every fault. A tuple, such as a file, a line and a text, is one line, too."""
    lines = [": ".join(map(str, f)) if isinstance(f, tuple) else str(f) for f in faults]
    if lines:
        pytest.fail("\n".join([f"{len(lines)} faults:", *lines]), pytrace=False)
