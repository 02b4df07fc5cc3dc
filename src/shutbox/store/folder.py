"""Where the records of a user are kept, on each kind of system."""

import os
import sys
from pathlib import Path

from shutbox.errors import NotKept

VARIABLE = "SHUTBOX_DATA"
"""The environment variable that names the folder of records itself."""


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
