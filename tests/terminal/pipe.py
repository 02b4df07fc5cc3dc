"""shutbox at the end of a pipe: bytes in, bytes out, and the exit code."""

import subprocess
from collections.abc import Mapping
from dataclasses import dataclass

from terminal.driver import PATIENCE, command, environment


@dataclass(frozen=True, slots=True)
class Ended:
    """What a run left behind."""

    code: int
    out: bytes
    err: bytes

    @property
    def lines(self) -> list[str]:
        """The lines of its output."""
        return self.out.decode("utf-8").splitlines()

    @property
    def refusal(self) -> str:
        """What it said on stderr."""
        return self.err.decode("utf-8")


def piped(
    *arguments: str, typed: bytes = b"", changes: Mapping[str, str | None] | None = None
) -> Ended:
    """Run shutbox with `typed` as its whole input."""
    return _ended(command(*arguments), typed, changes)


def in_shell(
    line: str, *, typed: bytes = b"", changes: Mapping[str, str | None] | None = None
) -> Ended:
    """Run a line of the shell in which `$SHUTBOX` stands for the program."""
    words = " ".join(f"'{word}'" for word in command())
    return _ended(["sh", "-c", line.replace("$SHUTBOX", words)], typed, changes)


def _ended(program: list[str], typed: bytes, changes: Mapping[str, str | None] | None) -> Ended:
    done = subprocess.run(
        program,
        input=typed,
        capture_output=True,
        env=environment(changes),
        timeout=PATIENCE,
        check=False,
    )
    return Ended(done.returncode, done.stdout, done.stderr)
