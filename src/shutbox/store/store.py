"""The user's folder of records: one file each, numbered as they began.

Nothing else is in the folder that matters but what was answered in practice: no index that could be
wrong, no settings. A record that is damaged is never written to: what is sound of it is copied, and
the play goes on there.
"""

import os
import re
import sys
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from errno import EACCES, EPERM, EROFS
from io import BytesIO
from pathlib import Path
from typing import Any, BinaryIO

from shutbox.errors import BadRecord, InUse, NotKept, UnknownRecord
from shutbox.game import C, Game, P
from shutbox.messages import gettext
from shutbox.play import Event
from shutbox.record import Find, Header, Reading, Writer, read
from shutbox.store.durable_file import (
    GrowingFile,
    lock,
    make_folder,
    open_file,
    open_regular,
    sync_folder,
    why,
)

ENDING = ".shutbox"  # what the name of a record ends with

Which = int | Path
"""The number of a record in the user's folder, or a file."""

Create = Callable[[bytes], tuple[int, Path, GrowingFile]]
"""Makes a file of a store that begins with these bytes: its number, its path, and the file."""

VARIABLE = "SHUTBOX_DATA"
"""The environment variable that names the folder of records itself."""

_NAME = re.compile(r"([1-9][0-9]{0,17})\.shutbox")


def data_folder() -> Path:
    r"""The folder of records: `$SHUTBOX_DATA`, or where programs keep the data of their user.

    That is `$XDG_DATA_HOME/shutbox` or `~/.local/share/shutbox`, on macOS
    `~/Library/Application Support/shutbox`, on Windows `%LOCALAPPDATA%\shutbox`. It need not
    exist. Raises NotKept for a user without a home.
    """
    if given := os.environ.get(VARIABLE):
        return Path(given)
    try:
        return _data_of_user() / "shutbox"
    except RuntimeError:
        raise NotKept(
            "no folder is known in which records can be kept; name one in {variable}",
            variable=VARIABLE,
        ) from None


def _data_of_user() -> Path:
    if sys.platform == "win32":
        given = os.environ.get("LOCALAPPDATA")
        return Path(given) if given else Path.home() / "AppData" / "Local"
    if sys.platform == "darwin":
        return Path.home() / "Library" / "Application Support"
    # The specification has relative paths ignored.
    given = os.environ.get("XDG_DATA_HOME", "")
    return Path(given) if os.path.isabs(given) else Path.home() / ".local" / "share"


def read_file(path: Path, most: int) -> bytes:
    """The first bytes of a file, at most so many. Raises UnknownRecord."""
    with _reading(path) as stream:
        return stream.read(most)


def read_lines(path: Path, most: int) -> Iterator[bytes]:
    """The lines of a file, none longer than so many bytes. Raises UnknownRecord."""
    with _reading(path) as stream:
        yield from iter(lambda: stream.readline(most), b"")


@contextmanager
def _reading(path: Path) -> Iterator[BinaryIO]:
    try:
        with _stream(path) as stream:
            yield stream
    except OSError as error:
        facts = {"record": named(path), "reason": why(error)}
        raise UnknownRecord("{record} cannot be read: {reason}", **facts) from error


def named(which: Which) -> str:
    """A record as it is called in a sentence."""
    if isinstance(which, int):
        return gettext("game {number}", number=which)
    return str(which).replace("\n", "\\n")  # a sentence is one line


def _stream(path: Path) -> BinaryIO:
    return os.fdopen(open_regular(path, os.O_RDONLY), "rb")


class Store:
    """The records in a folder, which need not exist yet."""

    def __init__(self, folder: Path | None = None) -> None:
        """A folder, or else the user's own, see `data_folder`."""
        self.folder = data_folder() if folder is None else folder

    def ids(self) -> tuple[int, ...]:
        """The numbers of all records, ascending. Raises UnknownRecord for an unreadable folder."""
        try:
            return self._ids()
        except FileNotFoundError:
            return ()
        except OSError as error:
            facts = {"folder": self.folder, "reason": why(error)}
            raise UnknownRecord("no records can be read in {folder}: {reason}", **facts) from error

    def newest(self) -> int | None:
        """The number of the record that began last; None where there is none."""
        return max(self.ids(), default=None)

    def path(self, which: Which) -> Path:
        """Where a record is, or would be; a path is its own."""
        return self.folder / f"{which}{ENDING}" if isinstance(which, int) else which

    def read(self, which: Which, find: Find[P, C]) -> Reading[P, C]:
        """What a record holds; it may be played meanwhile. Raises UnknownRecord and BadRecord."""
        with self._refusing(which), _stream(self.path(which)) as stream:
            return read(stream, find)

    def begin(self, header: Header, game: Game[Any, Any]) -> "Journal":
        """Keep a new play. The record gets its number with the first event."""
        return Journal(Writer(header, game), self._create, first=bytes(header))

    def resume(self, which: Which, find: Find[P, C]) -> "tuple[Reading[P, C], Journal]":
        """What a record holds, and how to go on with it, for one program at a time.

        Nothing is written before the next event. Then a torn line is cut off, and a line feed
        that was lost is put back; if the record has a fault, it is left as it is, and what is
        sound of it is copied to a new record. Raises UnknownRecord, BadRecord, InUse, and NotKept
        for a record that may not be written to.
        """
        with self._refusing(which), ExitStack() as opened:
            descriptor = open_regular(self.path(which), os.O_RDWR)
            opened.callback(os.close, descriptor)
            lock(descriptor)
            with open(descriptor, "rb", closefd=False) as stream:
                reading = read(stream, find)
                stream.seek(0 if reading.fault else reading.sound - 1)
                end = stream.read(reading.sound if reading.fault else 1)
            writer, version = Writer(reading.header, reading.game), reading.play.version
            if reading.fault:
                return reading, Journal(writer, self._create, version=version, first=end)
            file = GrowingFile(descriptor, reading.sound)
            opened.pop_all()
            return reading, Journal(
                writer,
                file,
                id=which if isinstance(which, int) else None,
                path=self.path(which),
                version=version,
                first=b"" if end == b"\n" else b"\n",
            )

    def take_in(self, data: bytes, find: Find[P, C]) -> tuple[int, Reading[P, C]]:
        """Keep a whole record that came from elsewhere; its number here, and what it holds.

        Raises BadRecord unless every line of it is sound, and NotKept.
        """
        reading = read(BytesIO(data), find)
        if reading.fault or reading.torn:
            raise BadRecord(str(reading.fault or gettext("the record ends in part of a line")))
        try:
            id, _, file = self._create(data)
        except OSError as error:
            raise NotKept("the record is not kept: {reason}", reason=why(error)) from error
        file.close()
        return id, reading

    def _ids(self) -> tuple[int, ...]:
        found = (_NAME.fullmatch(name) for name in os.listdir(self.folder))
        return tuple(sorted(int(match[1]) for match in found if match))

    def _create(self, data: bytes) -> tuple[int, Path, GrowingFile]:
        """A new record that holds the data, under the next number; or OSError, and none."""
        make_folder(self.folder)
        id = max(self._ids(), default=0) + 1
        while True:
            path = self.path(id)
            try:
                descriptor = open_file(path, os.O_RDWR | os.O_CREAT | os.O_EXCL)
                break
            except FileExistsError:  # another program was first
                id += 1
        try:
            lock(descriptor, wait=True)
            file = GrowingFile(descriptor, 0)
            file.add(data)
            sync_folder(self.folder)
        except BaseException:
            os.close(descriptor)
            with suppress(OSError):
                path.unlink()
            raise
        return id, path, file

    @contextmanager
    def _refusing(self, which: Which) -> Iterator[None]:
        """What the system says of a record, in our words."""
        record = named(which)
        try:
            yield
        except BlockingIOError:
            raise InUse("{record} is being played by another program", record=record) from None
        except FileNotFoundError:
            facts = {"record": record, "folder": self.folder}
            if isinstance(which, int):
                raise UnknownRecord("there is no {record} in {folder}", **facts) from None
            raise UnknownRecord("there is no {record}", **facts) from None
        except OSError as error:
            facts = {"record": record, "reason": why(error)}
            if error.errno in (EACCES, EPERM, EROFS) and os.access(self.path(which), os.R_OK):
                raise NotKept("{record} may be read, not written to: {reason}", **facts) from error
            raise UnknownRecord("{record} cannot be read: {reason}", **facts) from error


class Journal:
    """Keeps the events of one play, each between `prepare` and `apply`; `with` closes it.

    Every event is on the disk before it has happened.

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
