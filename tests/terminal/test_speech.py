"""Speech in the terminal: a key silences it, and nothing depends on it."""

import os
import re
import signal
from contextlib import closing
from pathlib import Path

import pytest
from bench.terminal import dispatcher, missing

from shutbox.term import synthesizers
from shutbox.term.synthesizers import ProcessVoice, Ssip, find_voice
from terminal.driver import KEPT, Terminal
from terminal.live import Live
from terminal.pipe import piped
from terminal.voices import NOWHERE, SLOWLY, FakeDispatcher, FakeProgram, Stepped

GAME = ("play", "classic", "--seed", "pub", "--speak")
NO_VOICE = "No voice was found, so you read the game"
GONE = "The voice has gone; the game goes on in writing."
HOSTILE = ".\r\nQUIT\r\n.; $(touch x) `id` [[rate 9]] -v \x1b[2J\x00 Zo\u00eb"
HARMLESS = ". QUIT .; $(touch x) `id` [ [rate 9]] -v [2J Zo\u00eb"


@pytest.fixture(autouse=True)
def no_socket(monkeypatch: pytest.MonkeyPatch) -> None:
    """Hide the dispatcher of this machine; the fixture `fake` offers another."""
    monkeypatch.setenv("SPEECHD_ADDRESS", NOWHERE)


def test_all_that_is_said_is_spoken_in_this_order_with_questions(fake: FakeDispatcher) -> None:
    with Terminal(*GAME, "--plain") as terminal:
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


@pytest.mark.parametrize(("typed", "most"), [(["1"], 25), (["2", "", "Ann"], 40)], ids=str)
def test_few_words_come_before_the_first_throw(
    typed: list[str], most: int, fake: FakeDispatcher, data_folder: Path
) -> None:
    """The lists of the first screen and of the computers are spoken only at `?`."""
    with Terminal("play", "--speak") as terminal:
        for answer in typed:
            opening = len(fake.spoken)
            terminal.type(answer)
    throws = fake.spoken.index("Enter throws two dice:") + 1
    for first, words in ((0, most), (opening, 19)):
        assert len(" ".join(fake.spoken[first:throws]).split()) <= words, fake.spoken[first:throws]
    with Terminal("play", "--speak") as terminal:
        for answer, line in (("", "5: More games."), ("2", "5: Abacus, Perfect. Knows every ")):
            if answer:
                terminal.type(answer)
            heard = " ".join(fake.spoken)
            terminal.type("?")
            assert line not in heard
            assert line in " ".join(fake.spoken)


def test_the_help_by_ear_is_one_line_and_asked_again_it_lists_all_commands(
    fake: FakeDispatcher,
) -> None:
    with Terminal(*GAME, "--plain") as terminal:
        [help_line] = terminal.type("?")
        assert help_line == (
            "Type tiles with spaces between them, such as 1 9. Dice are one die, or 1. b: which "
            "tiles are up. h: a hint; h again compares all choices. end: ends the game. ? again: "
            "all commands."
        )
        assert "u: takes back" in " ".join(terminal.type("?"))
        terminal.type("b")
        assert terminal.type("?") == [help_line]


def test_a_question_about_chips_is_not_answered_by_what_was_typed_before_it() -> None:
    who = ("--players", "Bob,Ann", "--format", "rounds=2,purse=1.20")
    with Live("play", "pub", *who, "--plain") as terminal:
        terminal.child.send("sit out\r")
        Terminal.read(terminal)
        assert "Bob sits" not in terminal.text
        terminal.child.send("buy\r")
        Terminal.read(terminal)
        assert "Bob buys 20 chips." in terminal.text


def test_a_replay_and_practice_have_a_voice_too(fake: FakeDispatcher) -> None:
    piped("play", "classic", "--seed", "pub", typed=b"1 5\nend\n")
    told = piped("replay", "--speak", "--length", "brief")
    assert fake.spoken == told.lines
    assert "2 and 4, 6." in fake.spoken
    asked = piped("practice", "six", "--speak", "--seed", "x", typed=b"q\n")
    assert asked.lines[0] in fake.spoken


def test_any_key_silences_the_voice_before_enter_is_pressed(fake: FakeDispatcher) -> None:
    with Terminal(*GAME, "--plain") as terminal:
        assert "CANCEL SELF" not in fake.commands
        terminal.half_type("1")
        fake.wait_for("CANCEL SELF")
        terminal.half_type(" 5")
        assert terminal.type() == ["1 and 5 go down.", "You threw 4 and 4, 8."]
        assert fake.commands.count("CANCEL SELF") == 1, "a voice that is silent is left alone"
        terminal.press("\x03")
        fake.wait_for("CANCEL SELF", 2)


def test_a_computer_waits_for_the_voice_and_a_key_costs_one_line(stepped: Stepped) -> None:
    game = ("play", "classic", "--players", "Robo=computer:first,Ann", "--seed", "a", "--plain")
    with Live(*game, *SLOWLY) as terminal:
        while not stepped.speaking().startswith("Robo: threw"):
            stepped.end()
        for _ in range(3):
            stepped.end()
            terminal.take(0.05)
            assert terminal.text.count("\n") <= stepped.number + 2, "at most one line ahead"
            assert len(stepped.lines) == stepped.number + 1
        terminal.child.send(" ")
        stepped.wait_for("CANCEL SELF")
        skipped = re.fullmatch(
            r"Skipped (\d+) lines\. Robo: \d+\. y for all\.", stepped.after_a_cut()
        )
        assert skipped
        terminal.child.send(" ")  # neither this is cut, nor an own throw
        stepped.heeds_keys()
        assert [stepped.end(), stepped.end()] == ["Ann to play.", "All open again: 1 to 9."]
        assert stepped.end().startswith("You threw")
        terminal.child.send("b\r")  # which counts once it is asked
        stepped.heeds_keys()
        assert "hich tiles" in stepped.end()
        assert stepped.after_a_cut() == "1 to 9 are up."
        *heard, asked, told = [line.how for line in stepped.lines[stepped.number - 3 :]]
        assert (heard, told) == (["whole", "whole"], "speaks")
        assert asked in ("cut", "never"), "the key ends the question, even before it begins"
        while terminal.take(0.2):
            pass
        [after] = re.findall(r"(?s)\nRobo: 4 goes down.*\nSkipped", terminal.text)
        assert after.count("\n") - 1 == int(skipped[1]), "all are written"


@pytest.mark.parametrize("keys", [[], ["--keys"]], ids=["lines", "keys"])
def test_a_digit_typed_while_the_dice_are_told_begins_the_answer(
    keys: list[str], stepped: Stepped
) -> None:
    game = ("play", "classic", "--seed", "pub", "--plain", "--throw", "ask")
    with Live(*game, *SLOWLY, *keys) as terminal:
        while stepped.speaking() != "Enter throws two dice:":
            stepped.end()
        terminal.child.send("\r")
        assert stepped.after_a_cut() == "You threw 2 and 4, 6."
        terminal.child.send("1")
        stepped.heeds_keys()
        assert stepped.end() == "Which tiles?"
        terminal.child.expect_exact("Which tiles? 1")
        terminal.child.send(" 5" if keys else " 5\r")
        terminal.child.expect_exact("1 and 5 go down.")


def test_in_practice_a_key_silences_the_reason_at_most(stepped: Stepped) -> None:
    with Live("practice", "--seed", "a", "--plain", *SLOWLY) as terminal:
        while stepped.speaking() != "Which tiles?":
            stepped.end()
        terminal.child.send("1 2 4\r")
        assert stepped.after_a_cut() == "Wrong. Better: 2 and 5."
        terminal.child.send(" ")
        stepped.heeds_keys()
        assert stepped.end().startswith("2 and 5 shuts the box 3 times in 100.")
        terminal.child.send(" ")
        assert stepped.after_a_cut() == "Question 2."
        terminal.child.send(" ")
        stepped.heeds_keys()
        facts = ["1 to 9 are up.", "You threw 1 and 5, 6.", "Which tiles?"]
        assert [stepped.end() for _ in facts] == facts


def test_a_full_stop_says_the_last_sentence_again_and_asks_again(fake: FakeDispatcher) -> None:
    with Terminal(*GAME) as terminal:
        before = len(fake.spoken)
        terminal.child.send(".")
        terminal.read()
        assert terminal.spoken == ["You threw 2 and 4, 6."]
        assert fake.spoken[before:] == ["You threw 2 and 4, 6.", "Which tiles?"]


def test_a_dispatcher_that_dies_is_told_once_and_the_game_goes_on(fake: FakeDispatcher) -> None:
    with Terminal(*GAME) as terminal:
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


def test_what_is_spoken_cannot_be_a_command(fake: FakeDispatcher) -> None:
    with closing(Ssip()) as voice:
        voice.say(HOSTILE)
        voice.say("   ")
        voice.say("Seven.")
    assert fake.spoken == [f".{HARMLESS}", "Seven."], "the first full stop is doubled"
    assert fake.commands.count("QUIT") == 1


def test_rate_and_voice_are_asked_of_the_dispatcher(fake: FakeDispatcher) -> None:
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


@pytest.mark.parametrize(("tag", "voice"), [("de", "German+Anna"), ("xx", "")])
def test_the_voice_is_of_the_language_in_use(
    fake: FakeDispatcher, monkeypatch: pytest.MonkeyPatch, tag: str, voice: str
) -> None:
    monkeypatch.setattr(synthesizers, "language", lambda: tag)
    found, amiss = find_voice(platform="linux")
    assert found is not None
    found.close()
    chosen = [each for each in fake.commands if "SYNTHESIS_VOICE " in each]
    assert chosen == ([f"SET SELF SYNTHESIS_VOICE {voice}"] if voice else [])
    assert amiss == (
        () if voice else ("There is no voice for this language; you hear the usual one.",)
    )


def test_macos_has_voices_by_language(tmp_path: Path) -> None:
    program = tmp_path / "say"
    lines = (
        "Albert   en_US  # Hello!",
        "Bad News en_US  # Hello!",
        "Grandma (Allemand) de_DE # Hallo!",
    )
    program.write_text("#!/bin/sh\n" + "".join(f'echo "{line}"\n' for line in lines))
    program.chmod(0o755)
    assert synthesizers._mac_voice_of(str(program), "de") == "Grandma (Allemand)"
    assert synthesizers._mac_voice_of(str(program), "fr") == ""


def test_espeak_speaks_where_there_is_no_dispatcher(tmp_path: Path) -> None:
    espeak = FakeProgram(tmp_path, "espeak-ng")
    changes = {"PATH": espeak.path}
    voice = ("--plain", "--rate", "300", "--voice", "en")
    with Terminal(*GAME, *voice, changes=changes) as terminal:
        said = espeak.lines(6)
        assert said[:2] == ["begins: -ven -q .", "begins: -ven -s300"]
        assert said[2:] == [line for line in terminal.said if line]
        terminal.type("1 5")
        said = espeak.lines(10)
        assert said[6] == "begins: -ven -s300", "a key ended it, and the next sentence began anew"
        assert said[7] == "1 and 5 go down."


def test_a_program_that_dies_is_told_once_and_the_game_goes_on(tmp_path: Path) -> None:
    espeak = FakeProgram(tmp_path, "espeak-ng")
    changes = {"PATH": espeak.path}
    with Terminal(*GAME, "--plain", changes=changes) as terminal:
        espeak.kill()
        assert terminal.type("b") == ["1 to 9 are up.", GONE]
        assert terminal.type("b") == ["1 to 9 are up."]
        terminal.type("end")
        assert terminal.code == 0


def test_no_voice_is_one_sentence_and_a_game_as_ever(tmp_path: Path) -> None:
    changes = {"PATH": str(tmp_path)}
    with_voice = piped(*GAME, typed=b"1 5\n", changes=changes)
    without = piped(*GAME[:-1], typed=b"1 5\n")
    assert with_voice.lines[0].startswith(NO_VOICE)
    assert with_voice.lines[1] == "Classic. Type ? for help."
    assert with_voice.lines[2:-1] == without.lines[1:-1]
    assert (with_voice.code, with_voice.refusal) == (0, "")


PROGRAMS = {"linux": "espeak-ng", "darwin": "say", "win32": "powershell"}
SAPI = "-NoProfile -NonInteractive -Command SHUTBOX_SAPI_RATE=1 SHUTBOX_SAPI_VOICE="


@pytest.mark.parametrize(
    ("platform", "arguments"), [("linux", "-s200"), ("darwin", "-r 200 -f -"), ("win32", SAPI)]
)
def test_each_system_has_a_program_that_reads_lines(
    platform: str, arguments: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    spoken = FakeProgram(tmp_path, PROGRAMS[platform])
    monkeypatch.setenv("PATH", spoken.path)
    voice, amiss = find_voice(200, platform=platform)
    assert isinstance(voice, ProcessVoice)
    assert amiss == ()
    with closing(voice):
        voice.say(HOSTILE)
        assert spoken.lines(2) == [f"begins: {arguments}", HARMLESS]
        voice.stop()
        if platform == "win32":
            assert spoken.lines(3)[2] == "", "an empty line is silence"
        voice.say("Seven.")
        assert spoken.lines(4)[-1] == "Seven."
        process = voice._process
        voice.stop()
    assert process is not None
    assert process.wait(20) in (0, -signal.SIGKILL)


@pytest.mark.parametrize(("platform", "program"), PROGRAMS.items())
def test_a_voice_that_nobody_has_is_told_and_the_usual_one_speaks(
    platform: str, program: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    spoken = FakeProgram(tmp_path, program)
    monkeypatch.setenv("PATH", spoken.path)
    voice, amiss = find_voice(name="nonsense", platform=platform)
    assert isinstance(voice, ProcessVoice)
    assert amiss == ("There is no voice named 'nonsense'; you hear the usual one.",)
    with closing(voice):
        voice.say("Seven.")
        begun, *_, again, line = spoken.lines(4 if program == "say" else 3)
        assert "nonsense" in begun
        assert "nonsense" not in again
        assert line == "Seven."
        process = voice._process
        voice.stop()
    assert process is not None
    process.wait(20)


@pytest.mark.parametrize("platform", ["linux", "darwin"])
def test_a_voice_that_hangs_is_none(
    platform: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    program = tmp_path / PROGRAMS[platform]
    program.write_text("#!/bin/sh\nexec sleep 600\n")
    program.chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}{os.pathsep}{os.environ['PATH']}")
    monkeypatch.setattr(synthesizers, "LOOKUP", 0.1)
    voice, amiss = find_voice(name="Nell", platform=platform)
    assert voice is None
    assert amiss[0].startswith(NO_VOICE)


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
