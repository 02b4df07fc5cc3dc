"""Compilation by numba, if it is installed: what all compiled files but `kernel` share."""

import os
from collections.abc import Callable
from typing import Any, TypeVar, cast

try:
    import numba
except ImportError:  # NumPy alone
    numba = None  # type: ignore[assignment]

COMPILED = numba is not None
KEPT = bool(os.environ.get("NUMBA_CACHE_DIR"))  # as in `kernel`
Function = TypeVar("Function", bound=Callable[..., Any])


def compiled(function: Function) -> Function:
    """Compile at the first call, keep it on disk, and let go of Python's lock while it runs.

    Without numba the function stays what it is.
    """
    if numba is None:
        return function
    return cast(Function, numba.njit(cache=KEPT, nogil=True, error_model="numpy")(function))
