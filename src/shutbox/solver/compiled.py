"""What is compiled, loaded when it is asked for, and kept on disk between runs.

The kernel is in the extra `fast`; without it nothing here can be had but `columns`, which NumPy
alone can do.
"""

import os
import shutil
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from shutbox.errors import ShutboxError
from shutbox.solver.cache_folder import book_folder

CACHE_DIR = "NUMBA_CACHE_DIR"  # the environment variable for where numba keeps its files
ROOM = 1 << 20  # bytes that must fit on the disk to keep what is compiled


def installed() -> bool:
    """Whether the kernel can be had: its libraries are there, and nothing is imported yet."""
    return all(find_spec(library) is not None for library in ("numba", "numpy"))


@cache
def kernel() -> Any | None:
    """The module `solver.kernel`; None where it would not be compiled."""
    with _kept_compiled(), suppress(ImportError):
        from shutbox.solver import jit, kernel

        return kernel if jit.COMPILED else None
    return None


@cache
def columns() -> Any | None:
    """The module `solver.columns`; None where not even NumPy is installed."""
    with _kept_compiled(), suppress(ImportError):
        from shutbox.solver import columns

        return columns
    return None


@cache
def simulation() -> Any | None:
    """The module `solver.simulation`; None where it would not be compiled."""
    with _kept_compiled(), suppress(ImportError):
        from shutbox.solver import jit, simulation

        return simulation if jit.COMPILED else None
    return None


@contextmanager
def _kept_compiled() -> Iterator[None]:
    """Tell numba where to keep what it compiles; it looks when it is imported."""
    given = os.environ.get(CACHE_DIR)
    folder = given or _room_for_compiled()
    if folder is not None:
        os.environ[CACHE_DIR] = folder
    try:
        yield
    finally:
        if given is None:
            os.environ.pop(CACHE_DIR, None)


def _room_for_compiled() -> str | None:
    """A folder of one's own for what is compiled; None where nothing can be written."""
    books = book_folder()
    if books is None:
        return None
    folder = Path(books) / "compiled"
    try:
        folder.mkdir(parents=True, exist_ok=True)
        user = getattr(os, "geteuid", None)  # Windows and browsers have no users of that kind
        if user is not None and folder.stat().st_uid != user():
            return None  # others could put code there that would be run
        folder.chmod(0o700)
        with tempfile.TemporaryFile(dir=folder) as file:
            file.write(bytes(ROOM))
    except OSError:
        return None
    return str(folder)


def called(call: Callable[..., Any], *arguments: Any) -> Any:
    """What a call returns that runs compiled code.

    numba keeps what it has compiled without a checksum, and fails on what is damaged in many ways.
    Then all of it is thrown away, and compiled once more.
    """
    try:
        return call(*arguments)
    except (MemoryError, ShutboxError):
        raise
    except Exception:
        folder = _room_for_compiled()
        if folder is None:
            raise
        shutil.rmtree(folder, ignore_errors=True)
        return call(*arguments)
