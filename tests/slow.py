"""Slow tests: `make test` leaves them out, `make check` runs them, `make every-case` at length."""

import os
from collections.abc import Iterable
from typing import Any

import pytest

EVERY = "SHUTBOX_EVERY_CASE" in os.environ
"""Whether to test every case, however long that takes."""


def one_in(number: int, values: Iterable[Any], *, drawn: bool = False) -> list[Any]:
    """Return values for `pytest.mark.parametrize`, of which only one in `number` is not slow.

    Of slow values that are `drawn` at random, a third is tested, unless every case is.
    """
    return [
        pytest.param(*(one if isinstance(one, tuple) else [one]), marks=pytest.mark.slow)
        if place % number
        else one
        for place, one in enumerate(values)
        if EVERY or not drawn or not place % number or place % 3 == 1
    ]
