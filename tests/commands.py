"""Commands run in this process: what they print, and how they are refused."""

import json
from contextlib import redirect_stderr, redirect_stdout
from io import StringIO
from typing import Any, NamedTuple

from shutbox.cli.main import main


class Ran(NamedTuple):
    """The exit code of a command, and what it has written."""

    code: int
    out: str
    err: str

    @property
    def lines(self) -> list[str]:
        """The lines of the output."""
        return self.out.splitlines()


def ran(*arguments: str) -> Ran:
    """Run a command. Raises SystemExit for wrong usage, as `main` does."""
    with redirect_stdout(StringIO()) as out, redirect_stderr(StringIO()) as err:
        code = main(arguments)
    return Ran(code, out.getvalue(), err.getvalue())


def printed(*arguments: str) -> str:
    """Return what a command prints that goes well; progress can be told beside it."""
    done = ran(*arguments)
    assert done.code == 0, done.err
    return done.out


def as_json(*arguments: str) -> Any:
    """Return what a command prints as JSON."""
    return json.loads(printed(*arguments, "--json"))


def refused(*arguments: str) -> str:
    """Return the line with which a command is refused."""
    done = ran(*arguments)
    assert (done.code, done.out, done.err.count("\n")) == (1, "", 1)
    return done.err
