"""Which shutbox this process is: its version, and the files that it was read from.

While a newer one is being installed, a server that runs is another build than the workers that it
would start. Those two do not understand each other for certain, so they tell each other first.
"""

from pathlib import Path
from zlib import crc32

import shutbox
from shutbox.lookup import find_any


def build_on_disk() -> str:
    """The version of this process, and a mark of the files of the package as they are now.

    Installing writes every file anew, so no two installations have the same mark.
    """
    folder = Path(shutbox.__file__).parent
    mark = 0
    for path in sorted(folder.rglob("*.py")):
        found = path.stat()
        mark = crc32(f"{path} {found.st_size} {found.st_mtime_ns}".encode(), mark)
    return f"{shutbox.__version__} {mark:08x}"


def read_all() -> None:
    """Read the boxes and matches that there are, while the files are those of this build."""
    find_any("pub")


BUILD = build_on_disk()
"""That of this process: it was read when it started."""
