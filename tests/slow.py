"""Slow tests: `make check` runs all of them, and `make test` a part."""

from collections.abc import Iterable
from typing import Any

import pytest


def one_in(number: int, values: Iterable[Any]) -> list[Any]:
    """Return values for `pytest.mark.parametrize`, of which only one in `number` is not slow."""
    return [
        pytest.param(*(one if isinstance(one, tuple) else [one]), marks=pytest.mark.slow)
        if place % number
        else one
        for place, one in enumerate(values)
    ]
