"""Speech in the terminal: a key silences it, and nothing depends on it."""

import os
import re
import signal
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest
from bench.speech import Heard, dispatcher, missing

from shutbox.term import synthesizers
from shutbox.term.synthesizers import ProcessVoice, Ssip, find_voice
from terminal.driver import KEPT, Terminal
from terminal.live import Live
from terminal.pipe import piped
from terminal.voices import NOWHERE, PATIENCE, FakeDispatcher, FakeProgram

GAME = ("play", "classic", "--seed", "pub", "--speak")
NO_VOICE = "No voice was found, so you read the game"
GONE = "The voice has gone; the game goes on in writing."
HOSTILE = ".\r\nQUIT\r\n.; $(touch x) `id` [[rate 9]] -v \x1b[2J\x00 Zo\u00eb"
HARMLESS = ". QUIT .; $(touch x) `id` [ [rate 9]] -v [2J Zo\u00eb"


@pytest.fixture
def fake(tmp_path: Path) -> Iterator[FakeDispatcher]:
    with FakeDispatcher(tmp_path / "socket") as server:
        yield server


@pytest.fixture
def no_socket(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SPEECHD_ADDRESS", NOWHERE)


def test_all_that_is_said_is_spoken_in_this_order_and_the_questions_too(
    fake: FakeDispatcher,
) -> None:
    with Terminal(*GAME, "--plain", changes={"SPEECHD_ADDRESS": fake.address}) as terminal:
        terminal.type("1 5")
        terminal.type("end")
        assert terminal.code == 0
    assert fake.spoken == [line for line in terminal.said if line]
    assert fake.spoken[:4] == [
        "Classic. Type ? for help.",
        "1 to 9 are up.",
        "You threw 2 and 4, 6.",
        "Which tiles?",
    ]
    assert fake.spoken[-1] == KEPT


def test_a_replay_and_practice_have_a_voice_too(fake: FakeDispatcher) -> None:
    changes = {"SPEECHD_ADDRESS": fake.address}
    piped("play", "classic", "--seed", "pub", typed=b"1 5\nend\n")
    told = piped("replay", "--speak", "--length", "brief", changes=changes)
    assert fake.spoken == told.lines
    assert "2 and 4, 6." in fake.spoken
    asked = piped("practice", "six", "--speak", "--seed", "x", typed=b"q\n", changes=changes)
    assert asked.lines[0] in fake.spoken


def test_any_key_silences_the_voice_before_enter_is_pressed(fake: FakeDispatcher) -> None:
    with Terminal(*GAME, "--plain", changes={"SPEECHD_ADDRESS": fake.address}) as terminal:
        assert "CANCEL SELF" not in fake.commands
        terminal.half_type("1")
        fake.wait_for("CANCEL SELF")
        terminal.half_type(" 5")
        assert terminal.type() == ["1 and 5 go down.", *FOUR]
        assert fake.commands.count("CANCEL SELF") == 1, "a voice that is silent is left alone"
        terminal.press("\x03")
        fake.wait_for("CANCEL SELF", 2)


class Stepped(FakeDispatcher):
    """A dispatcher that speaks each line until `end` is called."""

    def __init__(self, path: Path) -> None:
        super().__init__(path, speed=1e-6)
        self.number = 0

    def speaking(self) -> str:
        """Return the line that is being spoken, once it is, even if a key has cut it by now."""
        with self.news:
            lines = self.lines
            assert self.news.wait_for(
                lambda: lines[self.number :] and lines[self.number].how != "waits", PATIENCE
            ), f"nothing more is said: {self.spoken}"
        return lines[self.number].text

    def end(self) -> str:
        """End the line that is being spoken, and return the next."""
        self.speaking()
        with self.news:
            self._end(self.lines[self.number], "whole")
        return self.after_a_cut()

    def heeds_keys(self) -> None:
        """Wait until the program has looked for keys, which it does between two looks at this."""
        look = "SET SELF PRIORITY message"
        self.wait_for(look, self.commands.count(look) + 3)

    def after_a_cut(self) -> str:
        """Return the line after the one that was spoken."""
        self.number += 1
        return self.speaking()


def test_a_computer_waits_for_the_voice_and_a_key_costs_one_line(tmp_path: Path) -> None:
    game = ("play", "classic", "--players", "Robo=computer:first,Ann", "--seed", "a", "--plain")
    fake = Stepped(tmp_path / "socket")
    with fake:
        voice = ("--speak", "--rate", "80")  # the slowest: the end of a line is not estimated
        with Live(*game, *voice, changes={"SPEECHD_ADDRESS": fake.address}) as terminal:
            while not fake.speaking().startswith("Robo: threw"):
                fake.end()
            for _ in range(3):
                fake.end()
                terminal.take(0.05)
                assert terminal.text.count("\n") <= fake.number + 2, "at most one line ahead"
                assert len(fake.lines) == fake.number + 1
            terminal.child.send(" ")
            fake.wait_for("CANCEL SELF")
            skipped = re.fullmatch(
                r"Skipped (\d+) lines\. Robo: \d+\. y for all\.", fake.after_a_cut()
            )
            assert skipped
            terminal.child.send(" ")  # neither this is cut, nor an own throw
            fake.heeds_keys()
            assert re.match("(Ann|You):? threw", fake.end())
            terminal.child.send("b\r")  # which counts once it is asked
            fake.heeds_keys()
            assert "hich tiles" in fake.end()
            assert fake.after_a_cut() == "1 to 9 are up."
            *heard, asked, told = [line.how for line in fake.lines[fake.number - 3 :]]
            assert (heard, told) == (["whole", "whole"], "speaks")
            assert asked in ("cut", "never"), "the key ends the question, even before it begins"
            while terminal.take(0.2):
                pass
            [after] = re.findall(r"(?s)\nRobo: 4 goes down.*\nSkipped", terminal.text)
            assert after.count("\n") - 1 == int(skipped[1]), "all are written"


FOUR = ["You threw 4 and 4, 8."]


def test_a_full_stop_says_the_last_sentence_again_and_asks_again(fake: FakeDispatcher) -> None:
    with Terminal(*GAME, changes={"SPEECHD_ADDRESS": fake.address}) as terminal:
        before = len(fake.spoken)
        terminal.child.send(".")
        terminal.read()
        assert terminal.spoken == ["You threw 2 and 4, 6."]
        assert fake.spoken[before:] == ["You threw 2 and 4, 6.", "Which tiles?"]


@pytest.mark.parametrize("plain", [["--plain"], []], ids=["plain", "picture"])
def test_without_a_voice_a_full_stop_and_enter_do_the_same(plain: list[str]) -> None:
    with Terminal("play", "classic", "--seed", "pub", *plain) as terminal:
        assert terminal.type(".") == ["You threw 2 and 4, 6."]
        assert terminal.prompt == "Which tiles?"
        assert "A full stop says the last sentence again." in terminal.type("?")


def test_a_dispatcher_that_dies_is_told_once_and_the_game_goes_on(fake: FakeDispatcher) -> None:
    with Terminal(*GAME, changes={"SPEECHD_ADDRESS": fake.address}) as terminal:
        fake.die()
        said = terminal.type("1 5")
        assert said.count(GONE) == 1
        assert said[0] == "1 and 5 go down."
        assert GONE not in terminal.type("8")
        terminal.type("end")
        assert terminal.code == 0


def test_a_dispatcher_that_never_answers_is_no_voice(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("shutbox.term.synthesizers.PATIENCE", 0.05)
    monkeypatch.setenv("PATH", str(tmp_path))
    with FakeDispatcher(tmp_path / "socket", deaf=True) as deaf:
        monkeypatch.setenv("SPEECHD_ADDRESS", deaf.address)
        voice, amiss = find_voice(platform="linux")
    assert voice is None
    assert amiss[0].startswith(NO_VOICE)


def test_what_is_spoken_cannot_be_a_command(
    fake: FakeDispatcher, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SPEECHD_ADDRESS", fake.address)
    with closing(Ssip()) as voice:
        voice.say(HOSTILE)
        voice.say("   ")
        voice.say("Seven.")
    assert fake.spoken == [f".{HARMLESS}", "Seven."], "the first full stop is doubled"
    assert fake.commands.count("QUIT") == 1


def test_no_mark_of_direction_is_spoken(
    fake: FakeDispatcher, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A translation can put a name between them, so that it reorders no text beside it."""
    monkeypatch.setenv("SPEECHD_ADDRESS", fake.address)
    with closing(Ssip()) as voice:
        for opens, closes in ("\u2066\u2069", "\u2067\u2069", "\u2068\u2069", "\u202b\u202c"):
            voice.say(f"{opens}Ann{closes}: threw \u200e2 and 4\u200f.")
    assert fake.spoken == ["Ann: threw 2 and 4."] * 4


def test_rate_and_voice_are_asked_of_the_dispatcher(
    fake: FakeDispatcher, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SPEECHD_ADDRESS", fake.address)
    for name in ("german+anna", "DE", "Nobody\r\nQUIT"):
        fake.commands.clear()
        voice, amiss = find_voice(450, name, platform="linux")
        assert isinstance(voice, Ssip)
        voice.close()
        assert "SET SELF RATE 100" in fake.commands
        assert ("SET SELF SYNTHESIS_VOICE German+Anna" in fake.commands) == (not amiss)
        assert amiss == () or amiss[0].startswith("There is no voice named 'Nobody\\r\\nQUIT'")
        assert fake.commands.count("QUIT") == 1
    assert amiss


@pytest.mark.usefixtures("no_socket")
def test_espeak_speaks_where_there_is_no_dispatcher(tmp_path: Path) -> None:
    espeak = FakeProgram(tmp_path, "espeak-ng")
    changes = {"PATH": espeak.path, "SPEECHD_ADDRESS": NOWHERE}
    voice = ("--plain", "--rate", "300", "--voice", "en")
    with Terminal(*GAME, *voice, changes=changes) as terminal:
        said = espeak.lines(6)
        assert said[:2] == ["begins: -ven -q .", "begins: -ven -s300"]
        assert said[2:] == [line for line in terminal.said if line]
        terminal.type("1 5")
        said = espeak.lines(10)
        assert said[6] == "begins: -ven -s300", "a key ended it, and the next sentence began anew"
        assert said[7] == "1 and 5 go down."


@pytest.mark.usefixtures("no_socket")
def test_a_program_that_dies_is_told_once_and_the_game_goes_on(tmp_path: Path) -> None:
    espeak = FakeProgram(tmp_path, "espeak-ng")
    changes = {"PATH": espeak.path, "SPEECHD_ADDRESS": NOWHERE}
    with Terminal(*GAME, "--plain", changes=changes) as terminal:
        espeak.kill()
        assert terminal.type("b") == ["1 to 9 are up.", GONE]
        assert terminal.type("b") == ["1 to 9 are up."]
        terminal.type("end")
        assert terminal.code == 0


def test_no_voice_is_one_sentence_and_a_game_as_ever(tmp_path: Path) -> None:
    changes = {"PATH": str(tmp_path), "SPEECHD_ADDRESS": NOWHERE}
    with_voice = piped(*GAME, typed=b"1 5\n", changes=changes)
    without = piped(*GAME[:-1], typed=b"1 5\n")
    assert with_voice.lines[0].startswith(NO_VOICE)
    assert with_voice.lines[1] == "Classic. Type ? for help."
    assert with_voice.lines[2:-1] == without.lines[1:-1]
    assert (with_voice.code, with_voice.refusal) == (0, "")


@pytest.mark.usefixtures("no_socket")
@pytest.mark.parametrize(
    ("platform", "program", "begins"),
    [
        ("linux", "espeak-ng", "begins: -s200"),
        ("darwin", "say", "begins: -r 200 -f -"),
        (
            "win32",
            "powershell",
            "begins: -NoProfile -NonInteractive -Command SHUTBOX_SAPI_RATE=1 SHUTBOX_SAPI_VOICE=",
        ),
    ],
)
def test_each_system_has_a_program_that_reads_lines(
    platform: str, program: str, begins: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    spoken = FakeProgram(tmp_path, program)
    monkeypatch.setenv("PATH", spoken.path)
    voice, amiss = find_voice(200, platform=platform)
    assert isinstance(voice, ProcessVoice)
    assert amiss == ()
    with closing(voice):
        voice.say(HOSTILE)
        assert spoken.lines(2) == [begins, HARMLESS]
        voice.stop()
        if platform == "win32":
            assert spoken.lines(3)[2] == "", "an empty line is silence"
        voice.say("Seven.")
        assert spoken.lines(4)[-1] == "Seven."
        process = voice._process
        voice.stop()
    assert process is not None
    assert process.wait(20) in (0, -signal.SIGKILL)


@pytest.mark.usefixtures("no_socket")
@pytest.mark.parametrize(("platform", "program"), [("linux", "espeak-ng"), ("darwin", "say")])
def test_a_voice_that_nobody_has_is_told_and_the_usual_one_speaks(
    platform: str, program: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    spoken = FakeProgram(tmp_path, program)
    monkeypatch.setenv("PATH", spoken.path)
    voice, amiss = find_voice(name="nonsense", platform=platform)
    assert voice is not None
    assert amiss == ("There is no voice named 'nonsense'; you hear the usual one.",)
    with closing(voice):
        voice.say("Seven.")
        begun, again, line = spoken.lines(3)
        assert "nonsense" in begun
        assert "nonsense" not in again
        assert line == "Seven."
        voice.stop()


@pytest.mark.usefixtures("no_socket")
@pytest.mark.parametrize(("platform", "program"), [("linux", "espeak-ng"), ("darwin", "say")])
def test_a_voice_that_hangs_is_none(
    platform: str, program: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / program).write_text("#!/bin/sh\nexec sleep 600\n")
    (tmp_path / program).chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}{os.pathsep}{os.environ['PATH']}")
    monkeypatch.setattr(synthesizers, "LOOKUP", 0.1)
    voice, amiss = find_voice(name="Nell", platform=platform)
    assert voice is None
    assert amiss[0].startswith(NO_VOICE)


@pytest.mark.skipif(missing() != "", reason=missing())
def test_a_real_dispatcher_speaks_each_line_and_falls_silent(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    with dispatcher() as address:
        monkeypatch.setenv("SPEECHD_ADDRESS", address)
        voice = Heard()
        voice.say(".You threw 2 and 4, 6.")
        voice.event("BEGIN")
        voice.event("END")
        voice.events.clear()
        voice.say("Two and seven go down, and this goes on for very long. " * 40)
        voice.event("BEGIN")
        voice.stop()
        voice.event("CANCELED")
        voice.close()
        found, amiss = find_voice(300, "en-gb", platform="linux")
        assert amiss == ()
        assert isinstance(found, Ssip)
        found.say("Seven.")
        found.close()


@pytest.mark.skipif(missing() != "", reason=missing())
def test_a_whole_game_is_spoken_by_a_real_dispatcher() -> None:
    with dispatcher() as address:
        changes = {"SPEECHD_ADDRESS": address, "PATH": os.environ["PATH"]}
        with Terminal(*GAME, "--keys", "--length", "full", changes=changes) as terminal:
            terminal.child.send("15")
            terminal.read()
            assert terminal.spoken[0] == "1 and 5 go down."
            terminal.type("end")
            assert terminal.code == 0
            assert GONE not in terminal.said
