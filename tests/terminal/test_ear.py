"""Output for screen readers: whole sentences and nothing else.

Whole games are played on a plain terminal, on a colour terminal and through a pipe, with the same
dice and answers. The words must be the same, and only the colour terminal may add anything.
"""

import re
from operator import itemgetter
from pathlib import Path

import pytest

from terminal.driver import Terminal
from terminal.pipe import piped
from terminal.player import enter_chooses, play_to_the_end
from terminal.transcripts import TYPED, commands, path_of

SEED = "listen"
GAMES = [
    *(("classic",), ("double-shutter",), ("cargo(hold=each)",)),
    ("pub", "--players", "Ann,Bob,computer", "--format", "rounds=2,purse=2.1.20"),
    ("cargo-night", "--players", "Ann,Bob", "--throw", "auto"),
]
LARGE = {"double-shutter", "--players"}
NARROW = {"cargo(hold=each)", "pub"}
SENTENCE = re.compile(r"[A-Z0-9'].*[.!?]")
KNOWN = re.compile(
    r"(The round|Round \d+( of \d+)?)(: [^.]*)?\.|[^.:]* to play\.|All open again: [^.]*\."
)
QUESTIONS = (*"?dbslhru", "")  # every question and command there is, and an empty line


def whole_game(folder: Path, *arguments: str, columns: int = 400) -> Terminal:
    """The first game in a folder, with every question asked first, played to the end and left."""
    throws = False if arguments[0].startswith("cargo(") else None  # there every roll waits
    game = ("play", *arguments, "--seed", SEED)
    changes = {"SHUTBOX_DATA": str(folder)}
    with Terminal(*game, columns=columns, changes=changes, throws=throws) as terminal:
        for question in (*QUESTIONS, *("oepnw" if "--players" in arguments else "")):
            if question == "h" and not LARGE.isdisjoint(arguments):
                continue  # hints on large boxes take seconds, and say how far they are
            if question or not enter_chooses(terminal):
                terminal.type(question)
        play_to_the_end(terminal)
        terminal.type("no")
        assert terminal.code == 0
        return terminal


def words(terminal: Terminal) -> list[str]:
    """The words, but for the end of a turn, where a picture shows how the round stands.

    There a picture also has fewer lines, and its help has more than one command on a line.
    """
    return KNOWN.sub("", " ".join(terminal.said)).split()


@pytest.mark.parametrize("game", GAMES, ids=itemgetter(0))
def test_a_game_is_heard_in_whole_sentences_with_a_picture_and_without(
    game: tuple[str, ...], tmp_path: Path
) -> None:
    """On a plain terminal, in ASCII; with colours and on few columns, in the same words."""
    plain = whole_game(tmp_path / "plain", *game, "--plain")
    assert "\x1b" not in plain.raw
    assert plain.text.isascii()
    for line in plain.text.splitlines():
        prompt = re.fullmatch(r"([A-Z][^:?]*[:?](?: Enter [^:?]*:)?) .*", line)
        key = re.fullmatch(r"(?:[a-z]+|[?,]): [a-z].*\.", line)
        assert prompt or key or SENTENCE.fullmatch(line), f"{line!r} is no complete sentence"
    drawn = whole_game(tmp_path / "drawn", *game)
    assert "\x1b[" in drawn.raw
    assert words(drawn) == words(plain)
    if game[0] in NARROW:
        narrow = whole_game(tmp_path / "narrow", *game, columns=20)
        assert {line for line in narrow.said if len(line) > 20} == set(), "no word is broken"
        assert words(narrow) == words(plain)


@pytest.mark.parametrize("term", ["dumb", None])
def test_a_terminal_that_draws_nothing_gets_the_words_of_a_plain_one(term: str | None) -> None:
    with (
        Terminal("play", "classic", "--seed", SEED, changes={"TERM": term}) as terminal,
        Terminal("play", "classic", "--seed", SEED, "--plain") as plain,
    ):
        assert "\x1b" not in terminal.raw
        assert terminal.type("?") == plain.type("?")


def test_a_pipe_gets_the_words_of_a_terminal_and_no_escapes() -> None:
    [(arguments, lines)] = commands("cargo-night")
    ended = piped(*arguments, typed="".join(f"{line}\n" for line in lines).encode())
    assert ended.code == 0
    assert b"\x1b" not in ended.out
    shown = path_of("cargo-night").read_text(encoding="utf-8").replace(TYPED, "").splitlines()
    assert list(map(str.rstrip, ended.lines)) == list(map(str.rstrip, shown[1:-1]))


def test_a_picture_comes_once_for_each_position() -> None:
    with Terminal("play", "classic", "--seed", SEED) as terminal:
        assert terminal.picture
        terminal.type("l")
        assert not terminal.picture
        terminal.type("4 4")
        assert not terminal.picture


def test_a_terminal_that_shows_no_unicode_gets_a_picture_in_ascii() -> None:
    ascii_only = {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONIOENCODING": "ascii"}
    with Terminal("play", "classic", "--seed", SEED, changes=ascii_only) as terminal:
        assert terminal.picture[0].startswith("+---++---+")
        assert terminal.text.isascii()
