"""Packs Python and shutbox for browsers. `docs/engine.mjs` runs it in Pyodide.

Modules that the pages never need are left out, and translations, of which a page loads one. All
other modules are compiled by the same Python that will run them, and stored uncompressed, since the
whole file is compressed later.
"""

import importlib.util
import marshal
from collections.abc import Iterator
from pathlib import Path
from zipfile import ZipFile, ZipInfo

NOT_OF_PYTHON = (
    *("_pyrepl/", "asyncio/__main__", "concurrent/interpreters/"),
    *("ctypes/", "curses/", "dbm/", "doctest", "email/mime", "encodings/", "ensurepip/", "ftplib"),
    *("http/server", "http/cookiejar", "idlelib/", "imaplib", "json/tool", "lib2to3/", "mailbox"),
    *("multiprocessing/", "optparse", "pdb", "pickletools", "poplib", "profile", "profiling/"),
    *("pydoc", "pydoc_data/", "smtplib", "sqlite3/", "symtable", "sysconfig/", "tarfile"),
    *("tkinter/", "trace.", "turtle", "unittest/", "venv/", "wave", "webbrowser", "wsgiref/"),
    *("xml/", "xmlrpc/", "zipapp", "zoneinfo/", "_sysconfigdata", "_pyio", "_pydecimal"),
    *("_pydatetime", "_pylong", "nturl2path", "pyclbr", "cProfile", "pstats", "bdb", "cmd."),
    *("config-3", "plistlib", "netrc", "configparser", "_pyodide/jsbind_docs", "_strptime"),
)
KEPT = tuple(
    f"encodings/{name}"
    for name in ("__init__", "aliases", "ascii", "cp437", "latin_1", "unicode_escape", "utf_8")
)
"""Modules to keep from packages that are otherwise left out."""
NOT_OF_SHUTBOX = (
    *("shutbox/cli", "shutbox/term", "shutbox/rl", "shutbox/output/fonts"),
    *(f"shutbox/web/{room}" for room in ("admin", "api", "server", "storage")),
    *(f"shutbox/web/http/{name}" for name in ("middleware", "rates")),
    *(f"shutbox/web/pages/{name}" for name in ("install", "links")),
    *("shutbox/web/static", "shutbox/web/device/script"),
    *(f"shutbox/solving/{name}" for name in ("columns", "jit", "kernel", "turn_kernel")),
)
OF_PACKAGES = (
    *("jinja2/", "markupsafe/", "python_multipart/", "starlette/__init__", "starlette/_utils"),
    *(
        f"starlette/{name}"
        for name in ("background", "concurrency", "convertors", "datastructures")
    ),
    *(f"starlette/{name}" for name in ("exceptions", "formparsers", "requests", "responses")),
    *(f"starlette/{name}" for name in ("_exception_handler", "routing", "types", "websockets")),
)
"""The files of other packages that the pages are drawn with."""
WITHOUT_THREADS = {
    "anyio/__init__.py": b"",
    "anyio/abc.py": b"",
    "anyio/to_thread.py": b"""
async def run_sync(work, *about, **how):
    return work(*about)
""",
}
"""The part of AnyIO that runs here: a browser has no threads, so functions run at once."""


def compiled(source: bytes, name: str, optimize: int) -> bytes:
    """Return the bytes of a `.pyc` that is never compared with its source."""
    code = compile(source, name, "exec", dont_inherit=True, optimize=optimize)
    unchecked = (1).to_bytes(4, "little")
    head = importlib.util.MAGIC_NUMBER + unchecked + importlib.util.source_hash(source)
    return head + marshal.dumps(code)


def of_python(zipped: str) -> Iterator[tuple[str, bytes]]:
    """Yield the files of the standard library to pack."""
    with ZipFile(zipped) as library:
        for name in sorted(library.namelist()):
            if name.startswith(NOT_OF_PYTHON) and not name.startswith(KEPT):
                continue
            content = library.read(name)
            if name.endswith(".py"):  # without docstrings, which are not needed here
                yield f"{name}c", compiled(content, name, 2)


def of_shutbox(source: Path, example: Path) -> Iterator[tuple[str, bytes]]:
    """Yield the files of shutbox to pack, and the example game of the documentation."""
    yield f"{example.stem}.pyc", compiled(example.read_bytes(), example.name, 0)
    for path in sorted((source / "shutbox").rglob("*")):
        name = path.relative_to(source).as_posix()
        if name.startswith(NOT_OF_SHUTBOX) or "__pycache__" in name or not path.is_file():
            continue
        if path.suffix == ".py":
            # The docstrings of the library are for whoever tries it in the documentation.
            optimize = 2 if name.startswith("shutbox/web") else 0
            yield f"{name}c", compiled(path.read_bytes(), name, optimize)
        elif path.suffix in (".toml", ".txt", ".html"):
            yield name, path.read_bytes()


def of_packages(folder: Path) -> Iterator[tuple[str, bytes]]:
    """Yield the files of other packages to pack."""
    for path in sorted(folder.rglob("*.py")):
        name = path.relative_to(folder).as_posix()
        if name.startswith(OF_PACKAGES):
            yield f"{name}c", compiled(path.read_bytes(), name, 2)
    for name, source in WITHOUT_THREADS.items():
        yield f"{name}c", compiled(source, name, 2)


def pack(target: str, files: Iterator[tuple[str, bytes]]) -> None:
    """Write a zip file whose bytes do not depend on time or place."""
    with ZipFile(target, "w") as packed:
        for name, content in files:
            packed.writestr(ZipInfo(name, (1980, 1, 1, 0, 0, 0)), content)
