"""The compiled modules, imported on first use and cached on disk between runs.

They need the extra `fast`. Only `columns` also runs with NumPy alone, without numba.
"""

import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from functools import cache
from importlib.util import find_spec
from typing import Any

CACHE_DIR = "NUMBA_CACHE_DIR"  # the environment variable for where numba keeps its files
ROOM = 1 << 20  # bytes that must be free on the disk to cache compiled code


def installed() -> bool:
    """Whether numba and NumPy, which `kernel` needs, are installed; neither is imported."""
    return all(find_spec(library) is not None for library in ("numba", "numpy"))


@contextmanager
def _imports() -> Iterator[None]:
    """Set CACHE_DIR, unless the user has, while a module is imported: numba reads it on import.

    An ImportError is suppressed: the decorated function then returns None.
    """
    given = os.environ.get(CACHE_DIR)
    if folder := given or _room_for_compiled():
        os.environ[CACHE_DIR] = folder
    try:
        with suppress(ImportError):
            yield
    finally:
        if given is None:
            os.environ.pop(CACHE_DIR, None)


@cache
@_imports()
def kernel() -> Any:
    """Import and return the module `solving.kernel`, or return None without NumPy."""
    from shutbox.solving import kernel

    return kernel


@cache
@_imports()
def import_columns() -> Any:
    """Import and return the module `solving.columns`, or return None without NumPy."""
    from shutbox.solving import columns

    return columns


@cache
@_imports()
def turn_kernel() -> Any:
    """Import and return the module `solving.turn_kernel`, or return None without NumPy."""
    from shutbox.solving import turn_kernel

    return turn_kernel


@cache
@_imports()
def row_kernel() -> Any:
    """Import and return the module `solving.row_kernel`, which also runs as plain Python."""
    from shutbox.solving import row_kernel

    return row_kernel


def _room_for_compiled() -> str | None:
    """Create and return our folder for compiled code; None if not writable, or not ours."""
    # Slow to import, and most programs never need them.
    from tempfile import TemporaryFile

    from shutbox.solving.cache import cache_folder

    cache = cache_folder()
    if cache is None:
        return None
    folder = cache / "compiled"
    try:
        folder.mkdir(parents=True, exist_ok=True)
        user = getattr(os, "geteuid", None)  # Windows and browsers have no user ids
        if user is not None and folder.stat().st_uid != user():
            return None  # another user could put code there, and we would run it
        folder.chmod(0o700)
        with TemporaryFile(dir=folder) as file:
            file.write(bytes(ROOM))
    except OSError:
        return None
    return str(folder)
