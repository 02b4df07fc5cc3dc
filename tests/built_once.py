"""Slow builds, made once for all parallel test processes."""

import fcntl
import os
from collections.abc import Callable
from pathlib import Path

import pytest


def built_once(factory: pytest.TempPathFactory, name: str, build: Callable[[Path], None]) -> Path:
    """Return the folder that `build` has filled in this run. The first process to call this builds
    it.

    A test that changes files must change a copy of the folder.
    """
    base = factory.getbasetemp()
    if "PYTEST_XDIST_WORKER" in os.environ:
        base = base.parent
    folder, is_built = base / name, base / f"{name} is built"
    with (base / f"{name}.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not is_built.exists():
            build(folder)
            is_built.touch()
    return folder
