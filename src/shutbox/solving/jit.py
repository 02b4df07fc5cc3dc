"""Compilation by numba, if it is installed, for all compiled modules."""

import os
from collections.abc import Callable
from typing import Any, TypeVar, cast

try:
    import numba
except ImportError:  # the functions then run as plain Python on NumPy arrays
    numba = None  # type: ignore[assignment]

COMPILED = numba is not None
CACHED = bool(os.environ.get("NUMBA_CACHE_DIR"))
"""Whether compiled code is cached on disk: only if the importing program has set a folder for it.
Without one numba would write beside this file, where some users have no permission."""


def cores() -> int:
    """Return the number of cores that this process can use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


Function = TypeVar("Function", bound=Callable[..., Any])


def compiled(function: Function, forceinline: bool = False) -> Function:
    """Return a function; numba, if installed, compiles it at first call, to run without the GIL."""
    if numba is None:
        return function
    compiler = numba.njit(cache=CACHED, nogil=True, error_model="numpy", forceinline=forceinline)
    return cast(Function, compiler(function))


def inlined(function: Function) -> Function:
    """Compile a small function as `compiled` does, so that compiled callers inline it."""
    return compiled(function, forceinline=True)
