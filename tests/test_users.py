"""The programs in `users`, as strangers write them, run, and their types are right.

mypy checks them with all other tests, strictly (`make lint`).
"""

import re
import runpy
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
PYRIGHT = ROOT / "build" / "openapi" / "bin" / "basedpyright"  # pyright from a Python index
EXAMPLES = ("brains", "plugin", "template_game.py", "first_bot.py", "front_end.py")
PROGRAMS = sorted((Path(__file__).parent / "users").glob("*.py"))


def needs(program: Path) -> list[str]:
    """The modules that the first line of a program names."""
    found = re.search(r"Needs: ([\w, ]+)\.", program.read_text(encoding="utf-8").splitlines()[0])
    return found[1].split(", ") if found else []


@pytest.mark.parametrize("program", PROGRAMS, ids=lambda path: path.stem)
def test_a_program_of_a_stranger_runs(program: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for module in needs(program):
        pytest.importorskip(module, reason=f"{module} is not installed: make tools")
    monkeypatch.setenv("SHUTBOX_DATA", "")  # a program may set it
    runpy.run_path(str(program), run_name="__main__")


def test_pyright_finds_nothing_in_them_and_in_the_examples() -> None:
    if not PYRIGHT.exists():
        pytest.skip("basedpyright is not installed: make tools")
    command = [str(PYRIGHT), "--level", "error", "--pythonpath", sys.executable, "tests/users"]
    examples = [f"examples/{name}" for name in EXAMPLES]
    done = subprocess.run([*command, *examples], capture_output=True, text=True, cwd=ROOT)
    assert done.returncode == 0, done.stdout
