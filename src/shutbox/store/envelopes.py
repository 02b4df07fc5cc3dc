"""The seeds of sealed games that are not over: a file for each, beside the record.

The file is named after the random number of its game, and only the user can read it. It is on the
disk before the record is created, and removed once the record itself holds the seed.
"""

import os
from contextlib import suppress
from pathlib import Path

from shutbox.errors import BadRecord
from shutbox.record import Header
from shutbox.sealed_dice import OpenEnvelope, Seal, mismatches, read_opening
from shutbox.store.durable_file import GrowingFile, open_file, open_regular, sync_folder

LARGEST = 20_000  # bytes of the file


def envelope_path(folder: Path, seal: Seal) -> Path:
    """Return the path of the file for a game in this folder."""
    return folder / f"{seal.gid.hex()}.envelope"


def store_envelope(folder: Path, seal: Seal, opened: OpenEnvelope) -> None:
    """Store the seed and the words of a game. A second call changes nothing. Raises OSError."""
    path = envelope_path(folder, seal)
    with suppress(FileExistsError):
        file = GrowingFile(open_file(path, os.O_RDWR | os.O_CREAT | os.O_EXCL, 0o600), 0)
        try:
            file.add(opened.text.encode())
            sync_folder(folder)
        except BaseException:
            path.unlink(missing_ok=True)
            raise
        finally:
            file.close()


def find_envelope(folder: Path, header: Header) -> OpenEnvelope | None:
    """Return the stored seed and words of a game; None if none are found that fit its seal."""
    with suppress(OSError, UnicodeDecodeError, BadRecord):
        if seal := header.dice.seal:
            path = envelope_path(folder, seal)
            with os.fdopen(open_regular(path, os.O_RDONLY), "rb") as file:
                opened = read_opening(file.read(LARGEST).decode("ascii"), len(header.players))
            if not any(mismatches(seal, opened, header.game, header.format)):
                return opened
    return None
