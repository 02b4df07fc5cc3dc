"""shutbox on a pipe: bytes in, bytes out, and the exit code."""

import os
import subprocess
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass

from forkserver import Fork
from terminal.driver import PATIENCE, command, environment, read_by_python


@dataclass(frozen=True, slots=True)
class Ended:
    """The result of a run."""

    code: int
    out: bytes
    err: bytes

    @property
    def lines(self) -> list[str]:
        """The lines of the output."""
        return self.out.decode("utf-8").splitlines()

    @property
    def refusal(self) -> str:
        """The text on stderr."""
        return self.err.decode("utf-8")


def piped(
    *arguments: str, typed: bytes = b"", changes: Mapping[str, str | None] | None = None
) -> Ended:
    """Run shutbox with `typed` as its whole input."""
    if read_by_python(changes):
        return ended(command(*arguments), typed, changes)
    return _forked(arguments, typed, changes)


def in_shell(
    line: str, *, typed: bytes = b"", changes: Mapping[str, str | None] | None = None
) -> Ended:
    """Run a shell command in which `$SHUTBOX` stands for the program."""
    words = " ".join(f"'{word}'" for word in command())
    return ended(["sh", "-c", line.replace("$SHUTBOX", words)], typed, changes)


def ended(
    program: list[str], typed: bytes, changes: Mapping[str, str | None] | None = None
) -> Ended:
    """Run a program with `typed` as its whole input."""
    done = subprocess.run(
        program,
        input=typed,
        capture_output=True,
        env=environment(changes),
        timeout=PATIENCE,
        check=False,
    )
    return Ended(done.returncode, done.stdout, done.stderr)


def _forked(
    arguments: tuple[str, ...], typed: bytes, changes: Mapping[str, str | None] | None
) -> Ended:
    (source, typing), (said, out), (refused, errors) = (os.pipe() for _ in range(3))
    process = Fork(arguments, environment(changes), source, out, errors)
    for end in (source, out, errors):
        os.close(end)
    with ThreadPoolExecutor(2) as pool, open(said, "rb") as first, open(refused, "rb") as second:
        read = pool.submit(first.read), pool.submit(second.read)
        with suppress(BrokenPipeError), open(typing, "wb") as keyboard:
            keyboard.write(typed)
        try:
            out_and_errors = [each.result(PATIENCE) for each in read]
        except TimeoutError:
            process.kill()
            raise
    return Ended(process.wait(PATIENCE), *out_and_errors)
