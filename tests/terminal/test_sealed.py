"""Sealed dice at a terminal: what is said, when the envelope opens, and where the seed never is."""

import os
import re
import sys
from pathlib import Path
from stat import S_IMODE

import pytest

from sealed import by_file, spellings
from shutbox.engine.play import Rolled
from shutbox.engine.sealed_dice import OpenEnvelope, envelope_words
from shutbox.record.folder import Store, find_envelope
from terminal.driver import AGAIN, Terminal
from terminal.pipe import Ended, piped
from terminal.player import answer, offered, record

SEALED = "The dice are sealed; ?dice shows the envelope."
OPENED = "The envelope is open; shutbox check {} checks every throw."
ALL = ("play", "pub", "--players", "computer:random,computer:random")


def envelope(folder: Path, id: int = 1) -> OpenEnvelope:
    """The seed and the words of a game that is not over."""
    opened = find_envelope(folder, record(id).header)
    assert opened is not None
    return opened


def wrong(id: int = 1) -> list[str]:
    """What `verify_dice.py` finds wrong with a record."""
    [found] = by_file([(Store().path(id).read_text(encoding="utf-8"), None)])
    return found


def envelope_in(lines: list[str]) -> list[str]:
    """The words of the envelope, of which each has its number."""
    found = dict(re.findall(r"\b([0-9]{1,2}) ([a-z]{3,8})\b", " ".join(lines)))
    return [found[str(number)] for number in range(1, 13)]


# What is said.


def test_one_line_is_said_before_the_first_game_and_one_after_each(data_folder: Path) -> None:
    lines = piped(*ALL).lines
    assert (lines[1], lines[-1]) == (SEALED, OPENED.format(1))
    assert sum("ealed" in line or "envelope" in line for line in lines) == 2
    assert SEALED not in piped(*ALL).lines
    brief = piped(*ALL, "--length", "brief").lines
    assert not any("ealed" in line or "envelope" in line for line in brief)
    assert wrong(1) == wrong(3) == []
    assert record(3).opening is not None
    assert [path.name for path in data_folder.glob("*.envelope")] == []


def test_the_card_shows_the_envelope_and_takes_a_word() -> None:
    with Terminal("play", "classic", "--plain", "--throw", "ask") as terminal:
        first = envelope_in(terminal.type("?dice"))
        assert "To use a word of your own, type ?word and the word." in terminal.spoken
        assert "Type your own word, or " in terminal.spoken[-1]
        assert envelope_in(terminal.type("?word")) == first  # no word was typed
        terminal.type("?word another")
        # The envelope was closed before the word came.
        assert envelope_in(terminal.type("?word  Pub Night e\u0301")) == first
        assert "Your word: 'Pub Night \xe9'." in terminal.spoken
        [*_, ticket] = [line for line in terminal.spoken if line.startswith("The ticket: ")]
        assert "at most 64 characters" in terminal.type(f"?word {'x' * 65}")[0]
        terminal.type()
        assert terminal.type("?word late") == [
            "The game has begun, so its words stay. Give your word before the next game."
        ]
        assert envelope_in(terminal.type("?dice")) == first
        assert not any(line.startswith("To use") for line in terminal.spoken)
        assert terminal.spoken[-1].endswith(" Keep the twelve words if you want to check it later.")
        seal = record().header.dice.seal
        assert seal is not None
        assert list(envelope_words(seal.envelope)) == first
        answer(terminal)
        assert any(
            line.startswith("The envelope is open. The seed") for line in terminal.type("?dice")
        )
        assert OPENED.format(1) in terminal.spoken
        assert terminal.prompt == AGAIN, "nothing is taken back any more"
        terminal.type("no")
    opened = record().opening
    assert opened is not None
    assert opened.words == ("Pub Night \xe9",)
    ticket = ticket.removeprefix("The ticket: ")
    for kept, code in ((ticket, 0), (" ".join(first), 0), (ticket.replace("Pub", "Tap"), 1)):
        assert piped("check", "--ticket", kept).code == code
    assert piped("check", "--ticket", " ".join(reversed(first))).code == 1
    assert wrong() == []


def test_the_lowest_seat_of_a_person_has_the_word() -> None:
    piped("play", "pub", "--players", "computer,Ann,Bob", typed=b"end\n")
    says = piped("resume", typed=b"?dice\nend\n").lines
    assert "Without a word: Computer and Bob." in says
    says = piped("check").lines
    assert "The envelope is still closed: check the throws after the game." in says


# When the envelope opens.


def test_a_game_that_was_killed_before_its_envelope_opened_is_opened_later(
    data_folder: Path,
) -> None:
    piped(*ALL)
    path = Store().path(1)
    *lines, last = path.read_text().splitlines(keepends=True)
    opened = record().opening
    assert opened is not None
    path.write_text("".join(lines))
    seal = record().header.dice.seal
    assert seal is not None
    (data_folder / f"{seal.gid.hex()}.envelope").write_text(opened.text)
    assert "The envelope is still closed: check the throws after the game." in piped("check").lines
    assert "game 1 is over" in piped("resume", "1").refusal
    assert path.read_text() == "".join([*lines, last])
    assert list(data_folder.glob("*.envelope")) == []
    assert "game 1 is over" in piped("resume", "1").refusal
    assert path.read_text() == "".join([*lines, last])


@pytest.mark.skipif(sys.platform == "win32", reason="modes are Unix's")
def test_the_seed_is_in_a_file_that_only_its_owner_reads(data_folder: Path) -> None:
    old = os.umask(0)
    try:
        piped("play", "classic", typed=b"end\n")
    finally:
        os.umask(old)
    [path] = data_folder.glob("*.envelope")
    assert S_IMODE(path.stat().st_mode) == 0o600


@pytest.mark.parametrize("damage", ["removed", "another", "torn"])
def test_a_game_without_its_seed_goes_on_and_says_from_which_throw(
    damage: str, data_folder: Path
) -> None:
    piped("play", "double-shutter", typed=b"end\n")
    [path] = data_folder.glob("*.envelope")
    sealed = record().play.throws
    if damage == "removed":
        path.unlink()
    elif damage == "another":
        path.write_text(OpenEnvelope(bytes(32), ("a",)).text)
    else:
        path.write_text(path.read_text()[:40])
    for _ in range(2):
        with Terminal("resume", "--plain") as terminal:
            assert "The seed of this game is not here: its dice are no longer sealed." in (
                terminal.spoken
            )
            terminal.type(offered(terminal)[0])
            terminal.type("end")
    reading = record()
    assert (reading.fault, reading.opening) == (None, None)
    assert sum(isinstance(e, Rolled) for e in reading.play.log[: reading.last_sealed]) == sealed
    assert reading.play.throws > sealed
    assert f"Sealed to throw {sealed}; later dice are not sealed." in piped("check").lines


# Where the seed never is.


def test_the_seed_of_a_game_that_is_not_over_is_in_no_output(
    data_folder: Path, tmp_path: Path
) -> None:
    commands = (
        *("show", "replay", "check", "export", "games --mine", "stats"),
        *("check --json", "games --mine --json", "stats --json", "export --all"),
    )
    games: list[Ended] = []
    for kind in ("classic", "pub", "cargo", "tray", "double-shutter"):
        players = ("--players", "Ann,computer:random") if kind == "pub" else ()
        games.append(piped("play", kind, *players, typed=b"?dice\nl\n?dice\nv\nend\n"))
    seeds = [envelope(data_folder, id) for id in Store().ids() if record(id).over is None]
    assert len(seeds) >= 3
    said = [*games, *(piped(*command.split()) for command in commands)]
    said.append(piped("resume", typed=b"?dice\nend\n"))
    texts = [text for ended in said for text in (ended.out, ended.err)]
    kept = [path for folder in (data_folder, tmp_path) for path in folder.rglob("*")]
    texts += [path.read_bytes() for path in kept if path.is_file() and path.suffix != ".envelope"]
    for opened in seeds:
        for spelling in spellings(opened.seed):
            assert not any(spelling in text for text in texts)
        beside = data_folder.glob("*.envelope")
        assert any(opened.seed.hex() in path.read_text() for path in beside)
