"""Compilation by numba, if it is installed: what all compiled files share."""

import os
from collections.abc import Callable
from typing import Any, TypeVar, cast

try:
    import numba
except ImportError:  # plain Python, over arrays of NumPy
    numba = None  # type: ignore[assignment]

COMPILED = numba is not None
KEPT = bool(os.environ.get("NUMBA_CACHE_DIR"))
"""Whether what is compiled is kept on disk: where the program that imports this has a folder for
it. Without one numba would write beside this file, where not everybody may."""


def cores() -> int:
    """Return how many cores this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


Function = TypeVar("Function", bound=Callable[..., Any])


def compiled(function: Function, forceinline: bool = False) -> Function:
    """Compile at the first call, keep it on disk, and let go of Python's lock while it runs."""
    if numba is None:
        return function
    compiler = numba.njit(cache=KEPT, nogil=True, error_model="numpy", forceinline=forceinline)
    return cast(Function, compiler(function))


def inlined(function: Function) -> Function:
    """The same for a function that is too small to be called."""
    return compiled(function, forceinline=True)
