"""What takes its time: `make check` runs all of it, and `make test` a part."""

from collections.abc import Iterable
from typing import Any

import pytest


def one_in(number: int, values: Iterable[Any]) -> list[Any]:
    """All of them, for `pytest.mark.parametrize`; all but the first of so many are slow."""
    return [
        pytest.param(*(one if isinstance(one, tuple) else [one]), marks=pytest.mark.slow)
        if place % number
        else one
        for place, one in enumerate(values)
    ]
