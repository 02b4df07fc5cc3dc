"""The user's practice answers: a file in the folder of records, with a line of JSON for each.

A damaged line is ignored, but stays in the file. The next answer replaces a torn line at the end.
"""

import json
import math
import os
from collections.abc import Iterator
from contextlib import ExitStack, suppress
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from shutbox.engine.errors import InUse, NotKept
from shutbox.record.durable_file import GrowingFile, lock, make_folder, open_file, sync_folder
from shutbox.record.folder import data_folder

NAME = "practice.answers"  # of the file
LARGEST = 1 << 24  # bytes that are read, from the end of the file: some 150,000 answers


@dataclass(frozen=True, slots=True)
class PracticeAnswer:
    """One choice that the user made in practice, with its cost; it is one line of the file."""

    game: str  # the name of the game
    position: str  # the position, without the game
    choice: str  # in notation
    cost: float  # what it cost against the best choice: 0 or more
    hinted: bool  # whether the user had asked for a hint


class PracticeLog:
    """The practice log of a user, open in one program at a time; `with` closes it.

    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as place:
    ...     with PracticeLog(Path(place)) as log:
    ...         log.add(PracticeAnswer("classic", "1.3.4.9/1+3", "4", 0.0, hinted=False))
    ...     with PracticeLog(Path(place)) as log:
    ...         print([answer.choice for answer in log.answers], log.damaged)
    ['4'] 0
    """

    def __init__(self, folder: Path | None = None) -> None:
        """Open or create the log, by default the user's. Raises NotKept; InUse if it is open."""
        self.path = (data_folder() if folder is None else folder) / NAME
        try:
            with ExitStack() as stack:
                make_folder(self.path.parent)
                flags = os.O_RDWR | os.O_CREAT | getattr(os, "O_NONBLOCK", 0)
                descriptor = open_file(self.path, flags)
                stack.callback(os.close, descriptor)
                sync_folder(self.path.parent)
                lock(descriptor)
                start = max(0, os.fstat(descriptor).st_size - LARGEST)
                os.lseek(descriptor, start, os.SEEK_SET)
                with os.fdopen(descriptor, "rb", closefd=False) as file:
                    data = file.read(LARGEST)
                self._file = GrowingFile(descriptor, start + data.rfind(b"\n") + 1)
                stack.pop_all()
        except BlockingIOError:
            raise InUse("practice goes on in another program") from None
        except OSError as error:
            facts = {"path": self.path, "reason": error.strerror or error}
            raise NotKept("{path} cannot be written to: {reason}", **facts) from error
        lines = data.split(b"\n")[1 if start else 0 : -1]
        read = [_read(line) for line in lines]
        self.answers = tuple(answer for answer in read if answer is not None)
        """The earlier answers in all games, the oldest first; of a large file only the latest."""
        self.damaged = len(read) - len(self.answers)
        """The number of unreadable lines among them."""

    def __enter__(self) -> "PracticeLog":
        return self

    def __exit__(self, *exception: object) -> None:
        self._file.close()

    def of(self, game: str) -> Iterator[PracticeAnswer]:
        """Return the `answers` in one game, the oldest first; those of `add` are not among them."""
        return (answer for answer in self.answers if answer.game == game)

    def add(self, answer: PracticeAnswer) -> None:
        """Write an answer to disk, not to `answers`; or raise NotKept and leave the file as is."""
        line = json.dumps(asdict(answer), separators=(",", ":")).encode("ascii") + b"\n"
        try:
            self._file.add(line)
        except OSError as error:
            reason = error.strerror or error
            raise NotKept("the answer is not kept: {reason}", reason=reason) from error


def _read(line: bytes) -> PracticeAnswer | None:
    """Return the answer in a line, or None if it is damaged."""
    with suppress(ValueError, AttributeError, RecursionError):
        answer: Any = json.loads(line)
        kinds = {name: type(value) for name, value in answer.items()}
        if kinds == PracticeAnswer.__annotations__ and 0 <= answer["cost"] < math.inf:
            return PracticeAnswer(**answer)
    return None
