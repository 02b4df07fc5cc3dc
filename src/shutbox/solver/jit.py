"""Compilation by numba, if it is installed: what all compiled files but `kernel` share."""

import os
from collections.abc import Callable
from typing import Any, TypeVar, cast

import numpy as np

try:
    import numba
except ImportError:  # plain Python, over arrays of NumPy
    numba = None  # type: ignore[assignment]

COMPILED = numba is not None
KEPT = bool(os.environ.get("NUMBA_CACHE_DIR"))  # as in `kernel`
Function = TypeVar("Function", bound=Callable[..., Any])


def compiled(function: Function) -> Function:
    """Compile at the first call, keep it on disk, and let go of Python's lock while it runs.

    Without numba it is plain Python, where numbers of NumPy overflow as compiled ones do: silently.
    """
    if numba is None:
        return np.errstate(over="ignore")(function)
    return cast(Function, numba.njit(cache=KEPT, nogil=True, error_model="numpy")(function))
