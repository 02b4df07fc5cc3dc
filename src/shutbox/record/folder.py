"""The user's folder of records: a file for each, numbered in the order in which they were created.

It also holds envelopes, practice answers, stored options and a host's database, but no index that
could go stale. A damaged record is never written to: its sound part is copied to a new record,
where the play continues. The envelope of a sealed game is a file that only the user can read, named
after the random number of the game. It is on the disk before the record is created, and removed
once the record itself holds the seed.
"""

import os
import re
import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from copy import copy
from errno import EACCES, EPERM, EROFS
from functools import partial
from pathlib import Path
from typing import Any

from shutbox.engine.english import capital, command, visible_path
from shutbox.engine.errors import BadRecord, InUse, NotKept, ShutboxError, UnknownRecord, blaming
from shutbox.engine.game import C, P
from shutbox.engine.messages import gettext, gettext_noop
from shutbox.engine.play import Prepared
from shutbox.engine.sealed_dice import OpenEnvelope, Seal, mismatches, read_opening
from shutbox.record import Find, Header, Reading, Writer, read
from shutbox.record.durable_file import GrowingFile, create_file, lock, make_folder, open_regular
from shutbox.record.lines import SYSTEM_DICE

ENDING = ".shutbox"  # the suffix of a record
MOST_ID = 10**18 - 1  # the highest number of a record
LARGEST_ENVELOPE = 20_000  # bytes of its file

Which = int | Path  # the number of a record in the folder, or the path of a file

Create = Callable[[bytes], tuple[int, Path, GrowingFile]]
"""Creates a record from its first bytes, and returns its number, path and file."""

VARIABLE = "SHUTBOX_DATA"  # the environment variable with the path of the folder of records

_NAME = re.compile(r"([1-9][0-9]{0,17})\.shutbox")


def data_folder() -> Path:
    r"""Return the folder of records: `$SHUTBOX_DATA`, or a folder in the user's data folder.

    That is `$XDG_DATA_HOME/shutbox` or `~/.local/share/shutbox`, on macOS
    `~/Library/Application Support/shutbox`, on Windows `%LOCALAPPDATA%\shutbox`. It need not
    exist. Raises NotKept for a user without a home.
    """
    if given := os.environ.get(VARIABLE):
        return Path(given)
    try:
        if not os.path.isabs(os.environ.get("HOME", "/")):  # empty, say: Path.home would be /
            raise RuntimeError
        if sys.platform == "win32":
            place = Path(os.environ.get("LOCALAPPDATA") or Path.home() / "AppData" / "Local")
        elif sys.platform == "darwin":
            place = Path.home() / "Library" / "Application Support"
        else:  # the XDG specification says that relative paths are ignored
            given = os.environ.get("XDG_DATA_HOME", "")
            place = Path(given if os.path.isabs(given) else Path.home() / ".local" / "share")
    except RuntimeError:
        raise NotKept(
            "no folder is known in which records can be kept; name one in {variable}",
            variable=VARIABLE,
        ) from None
    return place / "shutbox"


def record_words(which: Which) -> str:
    """Return words for a record in a sentence: `game 7`, or its path, always on one line."""
    if isinstance(which, int):
        return gettext("game {number}", number=which)
    return visible_path(which)


def record_words_first(which: Which) -> str:
    """Return the words of `record_words` to begin a sentence; a path keeps its letters."""
    return capital(record_words(which)) if isinstance(which, int) else record_words(which)


def no_games() -> str:
    """Return the sentence for a user without any game."""
    return gettext("No games yet; {command} starts one.", command=command("play"))


def envelope_path(folder: Path, seal: Seal) -> Path:
    """Return the path for the envelope of the game with this seal, whether or not it exists."""
    return folder / f"{seal.gid.hex()}.envelope"


def find_envelope(folder: Path, header: Header) -> OpenEnvelope | None:
    """Return a game's stored seed and words; None if no file is readable and fits its seal."""
    with suppress(OSError, UnicodeDecodeError, BadRecord):
        if seal := header.dice.seal:
            with open(open_regular(envelope_path(folder, seal)), "rb") as stream:
                text = stream.read(LARGEST_ENVELOPE).decode("ascii")
            envelope = read_opening(text, len(header.players))
            if not any(mismatches(seal, envelope, header.game, header.format, header.players)):
                return envelope
    return None


class Store:
    """The records in a folder; the folder need not exist yet."""

    def __init__(self, folder: Path | str | None = None) -> None:
        """Use a folder, by default the user's own; raises what `data_folder` raises."""
        self.folder = data_folder() if folder is None else Path(folder)

    def ids(self) -> tuple[int, ...]:
        """Return the numbers of all records, ascending; () without a folder.

        Raises UnknownRecord for a folder that cannot be read.
        """
        try:
            return self._ids()
        except FileNotFoundError:
            return ()
        except (OSError, ValueError) as error:  # a ValueError for NUL in its name
            reason = getattr(error, "strerror", None) or error
            facts = {"folder": visible_path(self.folder), "reason": reason}
            raise UnknownRecord("no records can be read in {folder}: {reason}", **facts) from error

    def newest(self) -> int | None:
        """Return the highest record number, or None if there is none. Raises as `ids` does."""
        return max(self.ids(), default=None)

    def path(self, which: Which) -> Path:
        """Return the path for a record's number, existing or not; return a path unchanged."""
        return self.folder / f"{which}{ENDING}" if isinstance(which, int) else which

    def words_with_file(self, which: Which) -> str:
        """Return words for a record with its file: `game 7 (/home/ann/7.shutbox)`, or its path."""
        file = f" ({visible_path(self.path(which))})" if isinstance(which, int) else ""
        return record_words(which) + file

    def read(self, which: Which, find: Find[P, C]) -> Reading[P, C]:
        """Read a record, even one in use. Raises UnknownRecord, BadRecord and PluginFailed.

        `find` returns the game that a header names, such as `table.lookup.game_of`.
        """
        with self._refusing(which), open(open_regular(self.path(which)), "rb") as stream:
            return read(stream, find)

    def each(
        self, wanted: Iterable[Which], find: Find[P, C]
    ) -> Iterator[tuple[Which, Reading[P, C] | ShutboxError]]:
        """Yield each of the `wanted` records in order, read as by `read`, or what `read` raises."""
        for which in wanted:
            try:
                yield which, self.read(which, find)
            except ShutboxError as error:
                yield which, error

    def begin(self, header: Header, envelope: OpenEnvelope | None = None) -> "Journal":
        """Return the journal of a new play. Its first event creates the record, with a number.

        If the dice are sealed, `envelope` is their envelope, which is stored before the record.
        """
        create = partial(self._create, seal=header.dice.seal, envelope=envelope)
        return Journal(Writer(header), create, first=bytes(header))

    def resume(self, which: Which, find: Find[P, C]) -> "tuple[Reading[P, C], Journal]":
        """Read a record and open its journal, for one program at a time.

        Nothing is written before the next event. Then a torn line is cut off, and a lost line
        feed is restored. A record with a fault is left as it is, and its sound part is copied to a
        new record. Raises UnknownRecord, BadRecord, InUse; NotKept without permission to write.
        """
        with self._refusing(which), ExitStack() as stack:
            descriptor = open_regular(self.path(which), os.O_RDWR)
            stack.callback(os.close, descriptor)
            lock(descriptor)
            with open(descriptor, "rb", closefd=False) as stream:
                reading = read(stream, find)
                writer, version = Writer(reading.header), reading.play.version
                if reading.fault:
                    stream.seek(0)
                    copied = stream.read(reading.sound_bytes)
                    return reading, Journal(writer, self._create, version=version, first=copied)
                stream.seek(reading.sound_bytes - 1)
                last_byte = stream.read(1)
            file = GrowingFile(descriptor, reading.sound_bytes)
            stack.pop_all()
            return reading, Journal(
                writer,
                file,
                id=which if isinstance(which, int) else None,
                path=self.path(which),
                version=version,
                first=b"" if last_byte == b"\n" else b"\n",
            )

    def waiting(
        self,
        find: Find[P, C],
        most: int | None = None,
        on_skip: Callable[[ShutboxError], object] = lambda error: None,
    ) -> "tuple[int, Reading[P, C]] | None":
        """Return the number and content of the newest unfinished game that can be resumed, or None.

        Only the newest `most` records are tried, by default all; `on_skip` gets the refusal of each
        that cannot be. If none is found, but some are in use or cannot be written to, raises the
        InUse or NotKept of the newest of these. Raises UnknownRecord for an unreadable folder.
        """
        refusal: ShutboxError | None = None
        for id in sorted(self.ids(), reverse=True)[:most]:
            try:
                reading, journal = self.resume(id, find)
            except ShutboxError as error:
                if refusal is None and isinstance(error, InUse | NotKept):
                    refusal = error
                else:
                    on_skip(error)
                continue
            journal.close()
            if reading.can_go_on:
                if refusal is not None:
                    on_skip(refusal)
                return id, reading
        if refusal is not None:
            raise refusal
        return None

    def _ids(self) -> tuple[int, ...]:
        matches = (_NAME.fullmatch(name) for name in os.listdir(self.folder))
        return tuple(sorted(int(match[1]) for match in matches if match))

    def _create(
        self, data: bytes, *, seal: Seal | None = None, envelope: OpenEnvelope | None = None
    ) -> tuple[int, Path, GrowingFile]:
        """Create a record of `data` under the next number, or raise OSError and create none."""
        make_folder(self.folder)
        if seal is not None and envelope is not None:
            with suppress(FileExistsError):  # stored before, when the record could not be created
                create_file(envelope_path(self.folder, seal), envelope.text.encode(), 0o600).close()
        id = max(self._ids(), default=0) + 1
        while True:
            try:
                return id, self.path(id), create_file(self.path(id), data)
            except FileExistsError:  # another program was first
                id += 1

    @contextmanager
    def _refusing(self, which: Which) -> Iterator[None]:
        """Name the record `which` and its file in every error of the `with` block.

        A refusal stays what it is, and is the cause of the error. Of an OSError, it is InUse if
        another program plays the record, NotKept if it can only be read, else UnknownRecord.
        """
        if isinstance(which, int) and abs(which) > MOST_ID:
            raise UnknownRecord("there is no game with so high a number")
        record = record_words(which)
        try:
            with blaming():
                yield
        except ShutboxError as error:
            refusal, says = copy(error), gettext_noop("{record} cannot be read: {reason}")
            ShutboxError.__init__(refusal, says, record=self.words_with_file(which), reason=error)
            raise refusal from error
        except BlockingIOError:
            raise InUse("{record} is being played by another program", record=record) from None
        except FileNotFoundError:
            facts = {"record": record, "folder": visible_path(self.folder)}
            if isinstance(which, int):
                raise UnknownRecord("there is no {record} in {folder}", **facts) from None
            raise UnknownRecord("there is no {record}", **facts) from None
        except OSError as error:
            facts = {"record": self.words_with_file(which), "reason": error.strerror or str(error)}
            if error.errno in (EACCES, EPERM, EROFS) and os.access(self.path(which), os.R_OK):
                raise NotKept("{record} may be read, not written to: {reason}", **facts) from error
            raise UnknownRecord("{record} cannot be read: {reason}", **facts) from error


class Journal:
    """The journal of one play: it stores each event between `Play.prepare` and `Play.apply`.

    Every event is on the disk before it happens. The file is created with the first event, so a
    play without events leaves nothing behind. `with` closes the journal.
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
        """Continue a `file` of `version` events, or create it; `first` precedes the next event."""
        self.id = id  # the number in the store; None before there is one, or for a file elsewhere
        self.path = path  # the path of the record; None before there is a file
        self._writer = writer
        # Before the first event of a new record, this is the function that will create its file.
        # Then it is the open file, and None once the journal is closed.
        self._file: Create | GrowingFile | None = file
        self._version = version
        self._first = first

    def __enter__(self) -> "Journal":
        return self

    def __exit__(self, *exception: object) -> None:
        self.close()

    def append(self, prepared: Prepared[Any, Any]) -> None:
        """Write an event to the disk, or raise an error and leave the record as it was.

        Raises NotKept if the disk refuses, the journal is closed, or the event's number is not the
        next; and BadRecord for an event that no line can hold.
        """
        line = self._writer.line(prepared)
        number = prepared.number
        if number != self._version + 1:
            due = self._version + 1
            raise NotKept("move {number} is not kept: move {due} is due", number=number, due=due)
        try:
            match self._file:
                case None:
                    raise OSError(gettext("the record is closed"))
                case GrowingFile() as file:
                    file.add(self._first + line)
                case create:
                    self.id, self.path, self._file = create(self._first + line)
        except OSError as error:
            facts = {"number": number, "reason": error.strerror or error}
            if self.path is None:
                raise NotKept("move {number} is not kept: {reason}", **facts) from error
            facts["path"] = visible_path(self.path)
            raise NotKept("move {number} is not kept in {path}: {reason}", **facts) from error
        self._first = b""
        self._version = number

    def unseal(self) -> None:
        """Make the next write begin with a line saying that the dice are no longer sealed."""
        self._first += self._writer.plain_line(SYSTEM_DICE)

    def open_envelope(self, envelope: OpenEnvelope) -> None:
        """Write the envelope of sealed dice into the record, and remove its file. Raises NotKept.

        Does nothing if no record has been created, if it is closed, or if its dice are not sealed.
        """
        seal = self._writer.header.dice.seal
        if isinstance(self._file, GrowingFile) and self.path is not None and seal is not None:
            try:
                self._file.add(self._first + self._writer.plain_line(envelope.text))
            except OSError as error:
                reason = error.strerror or error
                raise NotKept("the envelope stays closed: {reason}", reason=reason) from error
            self._first = b""
            with suppress(OSError):
                envelope_path(self.path.parent, seal).unlink()

    def close(self) -> None:
        """Close the record, so that another program can continue it; if closed, do nothing."""
        if isinstance(self._file, GrowingFile):
            self._file.close()
        self._file = None
