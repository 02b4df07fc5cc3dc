"""The games of the transcripts in another language: the same games, and every word translated."""

import re
import sys
from pathlib import Path

import pytest

from listing import assert_none
from pseudo_language import environment, outside
from shutbox.record.folder import Store
from shutbox.table.lookup import game_of
from terminal.pipe import Ended, ended, piped
from terminal.transcripts import commands

AT_NOON = """
import sys, time
from shutbox.cli.main import main
noon = time.struct_time((2026, 11, 22, 12, 0, 0, 6, 326, 0))
time.gmtime = lambda: noon
sys.exit(main())
"""
"""The program on a day that is always the same."""


def played(name: str, folder: Path, language: dict[str, str]) -> tuple[Ended, dict[str, bytes]]:
    """A game of the transcripts at the end of a pipe, and its records by the name of their file."""
    [(arguments, lines)] = commands(name)
    folder.mkdir()
    run = ended(
        [sys.executable, "-c", AT_NOON, *arguments],
        "".join(f"{line}\n" for line in lines).encode(),
        {**language, "SHUTBOX_DATA": str(folder)},
    )
    return run, {path.name: path.read_bytes() for path in folder.iterdir() if path.is_file()}


PLAYED = ("cargo-night", "corrections", "family", "high-roll")


@pytest.mark.parametrize("name", PLAYED)
def test_a_game_is_the_same_in_every_language(name: str, tmp_path: Path) -> None:
    """Its record, and how much is said; every word that is said is of the language."""
    english, records = played(name, tmp_path / "english", {})
    pseudo, pseudo_records = played(name, tmp_path / "pseudo", environment())
    assert any(b"\n1 " in record for record in records.values()), "nothing was played"
    assert pseudo_records == records
    assert (pseudo.code, pseudo.err) == (english.code, english.err)
    assert len(pseudo.lines) == len(english.lines)
    left = [line.strip() for line in outside(pseudo.out.decode()).splitlines()]
    [(_, typed)] = commands(name)
    assert_none(line for line in left if re.search("[A-Za-z]", line) and line not in typed)


def test_commands_are_understood_in_the_language() -> None:
    typed = "5 3\nAcht\nrückgängig\nENDE\n".encode()
    piped("play", "classic", "--dice", "hand", typed=typed, changes={"SHUTBOX_LANGUAGE": "de"})
    log = Store().read(1, game_of).play.log
    assert [type(event).__name__ for event in log] == ["Rolled", "Chosen", "TookBack"]
