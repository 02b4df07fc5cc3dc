"""Checks of an installed shutbox with one extra or none, for `tests/wheel.sh`.

No checkout and no other library takes part: `python -I -W error installed.py EXTRA`.
"""

import doctest
import importlib
import pkgutil
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

import shutbox
from shutbox.cli.main import main
from shutbox.engine.errors import NotInstalled

EXAMPLES = {
    "": "shutbox",
    "fast": "shutbox.solving",
    "plot": "shutbox.cli.output",
    "png": "shutbox.output.picture",
    "postgresql": "shutbox.engine.errors",
    "gym": "shutbox.rl",
    "web": "shutbox.web",
}
"""The modules whose examples run with each extra. Without an extra, all modules that can be
imported.
"""


class Examples(doctest.DocTestRunner):
    """A doctest runner that stops an example if it needs a missing extra, and reports all other
    failures.
    """

    wrong = 0

    def report_failure(self, *told: Any) -> None:
        self.wrong += 1
        super().report_failure(*told)

    def report_unexpected_exception(self, out: Any, test: Any, example: Any, error: Any) -> None:
        if "pip install '.[" not in str(error[1]):
            self.wrong += 1
            super().report_unexpected_exception(out, test, example, error)


def modules(name: str) -> Iterator[ModuleType]:
    """Yield the module of a name and its submodules, if they can be imported here."""
    try:
        module = importlib.import_module(name)
    except (NotInstalled, ModuleNotFoundError) as error:
        if str(getattr(error, "name", "")).startswith("shutbox"):
            raise
        return
    yield module
    for below in pkgutil.iter_modules(getattr(module, "__path__", ()), f"{name}."):
        if below.name != "shutbox.__main__":
            yield from modules(below.name)


def use(extra: str, folder: Path) -> None:
    """Use the extra."""
    match extra:
        case "fast":
            assert shutbox.solve(shutbox.find("the-300(tiles=1-14)")) is not None
        case "plot":
            assert main(["odds", "six", "--plot", str(folder / "six.svg")]) == 0
        case "png":
            assert main(["picture", "six:1.5", "-o", str(folder / "six.png")]) == 0
        case "postgresql":
            importlib.import_module("psycopg")
        case "gym":
            importlib.import_module("shutbox.rl").MatchEnv("six[seats=2]").reset(seed=1)
            importlib.import_module("gymnasium").make("shutbox/classic-v0").reset(seed=1)
        case "web":
            importlib.import_module("shutbox.web.server.run")


def run(extra: str) -> int:
    """Run the examples and use the extra. Return 1 if something failed."""
    assert shutbox.__file__.startswith(sys.prefix), f"{shutbox.__file__} is not installed"
    runner, finder, several = Examples(optionflags=doctest.FAIL_FAST), doctest.DocTestFinder(), 0
    for module in modules(EXAMPLES[extra]):
        for test in finder.find(module):
            several += bool(test.examples)
            runner.run(test)
    # The file that checks dice stands alone, beside its words.
    for name in ("verify_dice.py", "dice_words.txt"):
        assert (Path(shutbox.__file__).parent / "engine" / name).is_file(), name
    with tempfile.TemporaryDirectory() as folder:
        use(extra, Path(folder))
    print(f"{extra or 'nothing'}: {several} docstrings with examples, {runner.wrong} wrong")
    return int(runner.wrong > 0)


if __name__ == "__main__":
    sys.exit(run(*sys.argv[1:] or [""]))
