"""The record of a play that is going on: every event is on the disk before it has happened."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

from shutbox.errors import NotKept
from shutbox.messages import gettext
from shutbox.play import Event
from shutbox.record import Writer
from shutbox.store.durable_file import GrowingFile, why

Create = Callable[[bytes], tuple[int, Path, GrowingFile]]
"""Makes a file of a store that begins with these bytes: its number, its path, and the file."""


class Journal:
    """Keeps the events of one play, each between `prepare` and `apply`; `with` closes it.

    There is a file once an event is kept: a play that nobody begins leaves nothing behind.
    """

    def __init__(
        self,
        writer: Writer,
        file: Create | GrowingFile,
        *,
        id: int | None = None,
        path: Path | None = None,
        version: int = 0,
        first: bytes = b"",
    ) -> None:
        """`version` events are kept already; `first` is written before the next one."""
        self.id = id  # the number in the store; None before there is one, or elsewhere
        self.path = path  # where the record is; None before there is a file
        self._writer = writer
        self._file: Create | GrowingFile | None = file
        self._version = version
        self._first = first

    def __enter__(self) -> "Journal":
        return self

    def __exit__(self, *exception: object) -> None:
        self.close()

    def keep(self, number: int, seat: int, event: Event[Any]) -> None:
        """The event is on the disk, or an error is raised and the record is as it was.

        Raises NotKept if the disk refuses, or the number is not the next; and BadRecord for what
        has no line, see `Writer`.
        """
        line = self._writer.line(number, seat, event)
        if number != self._version + 1:
            due = self._version + 1
            raise NotKept("event {number} is not kept: event {due} is due", number=number, due=due)
        try:
            match self._file:
                case None:
                    raise OSError(gettext("the record is closed"))
                case GrowingFile() as file:
                    file.add(self._first + line)
                case create:
                    self.id, self.path, self._file = create(self._first + line)
        except OSError as error:
            facts = {"number": number, "path": self.path, "reason": why(error)}
            if self.path is None:
                raise NotKept("event {number} is not kept: {reason}", **facts) from error
            raise NotKept("event {number} is not kept in {path}: {reason}", **facts) from error
        self._first = b""
        self._version = number

    def close(self) -> None:
        """Let go of the record, so that another program may go on with it."""
        if isinstance(self._file, GrowingFile):
            self._file.close()
        self._file = None
