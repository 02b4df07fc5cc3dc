"""The games of the transcripts in another language: the same games, and every word translated."""

import re
import sys
from dataclasses import dataclass
from pathlib import Path

import pytest

from listing import assert_none
from pseudo_language import environment, outside
from terminal.pipe import Ended, ended
from terminal.transcripts import commands

AT_NOON = """
import sys, time
from shutbox.cli.main import main
noon = time.struct_time((2026, 11, 22, 12, 0, 0, 6, 326, 0))
time.gmtime = lambda: noon
sys.exit(main())
"""
"""The program on a day that is always the same."""


@dataclass(frozen=True, slots=True)
class Played:
    """A game that was played to the end of the typed lines."""

    ended: Ended
    records: dict[str, bytes]


def played(name: str, folder: Path, language: dict[str, str]) -> Played:
    """A game of the transcripts at the end of a pipe."""
    [(arguments, lines)] = commands(name)
    folder.mkdir()
    run = ended(
        [sys.executable, "-c", AT_NOON, *arguments],
        "".join(f"{line}\n" for line in lines).encode(),
        {**language, "SHUTBOX_DATA": str(folder)},
    )
    records = {path.name: path.read_bytes() for path in folder.iterdir() if path.is_file()}
    return Played(run, records)


PLAYED = ("cargo-night", "corrections", "family", "high-roll")


@pytest.mark.parametrize("name", PLAYED)
def test_a_game_is_the_same_in_every_language(name: str, tmp_path: Path) -> None:
    """Its record, and how much is said; every word that is said is of the language."""
    english = played(name, tmp_path / "english", {})
    pseudo = played(name, tmp_path / "pseudo", environment())
    assert any(b"\n1 " in record for record in english.records.values()), "nothing was played"
    assert pseudo.records == english.records
    assert (pseudo.ended.code, pseudo.ended.err) == (english.ended.code, english.ended.err)
    assert len(pseudo.ended.lines) == len(english.ended.lines)
    left = [line.strip() for line in outside(pseudo.ended.out.decode()).splitlines()]
    [(_, typed)] = commands(name)
    assert_none(line for line in left if re.search("[A-Za-z]", line) and line not in typed)


WORDS = {"undo": "zurück", "help": "hilfe", "end": "ende, schluss", "and": "und", "eight": "acht"}


def test_commands_are_understood_in_the_language_and_in_english(tmp_path: Path) -> None:
    head = 'msgid ""\nmsgstr "Content-Type: text/plain; charset=utf-8\\n"\n'
    entries = (f'msgctxt "typed"\nmsgid "{word}"\nmsgstr "{own}"\n' for word, own in WORDS.items())
    (tmp_path / "xx.po").write_text("\n".join([head, *entries]), encoding="utf-8")
    language = {"SHUTBOX_LANGUAGE": "xx", "SHUTBOX_TRANSLATIONS": str(tmp_path)}
    own, english = ("Acht", "zurück", "Hilfe", "SCHLUSS"), ("eight", "undo", "help", "end")

    def told(name: str, lines: tuple[str, ...]) -> str:
        """What is said in a game, with the English words in place of what was typed."""
        run = ended(
            [sys.executable, "-m", "shutbox", "play", "classic", "--dice", "hand"],
            "".join(f"{line}\n" for line in ("5 3", *lines)).encode(),
            {**language, "SHUTBOX_DATA": str(tmp_path / name)},
        )
        text = run.out.decode()
        for typed, word in zip(lines, english, strict=True):
            text = text.replace(f" {typed}\n", f" {word}\n", 1)
        return text

    said = told("own", own)
    assert "Taken back: 8." in said
    assert said == told("english", english)
