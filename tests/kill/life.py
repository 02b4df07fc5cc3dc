"""One run of the program on a pipe, with a player who only knows its output.

The player asks what is legal and answers with words that were offered. The run lasts until the game
is over or the program is killed.
"""

import os
import random
import re
import signal
import subprocess
import time
from dataclasses import dataclass, field
from threading import Timer

from terminal.driver import PATIENCE, command, environment

THROWN = "There is nothing to take back since the last throw."
NOT_YOURS = "The last choice was a computer player's; only your own goes back."
_OFFERED = re.compile(r"(?:Choices|One tile|\w+ tiles): ([^.]*)\.")
_HAND = re.compile(r"hrow (one|two) (?:die|dice) and type|the (?:die|dice) really")


@dataclass(slots=True)
class Life:
    """The output of a run, and what was typed."""

    said: list[str] = field(default_factory=list)
    """All complete lines without questions, typed answers and replies to `l`."""
    acknowledged: list[str] = field(default_factory=list)
    """The answers that advanced the game and after which the program spoke or asked."""
    unacknowledged: list[str] = field(default_factory=list)
    """The last answer, if the program did neither after it."""
    killed: bool = False
    seconds: float = 0
    """The time from the first byte of output to the last."""


def live(
    arguments: tuple[str, ...], data: str, chance: random.Random, delay: float | None = None
) -> Life:
    """Run the program with its records in `data`, and kill it some time after the first byte."""
    process = subprocess.Popen(
        command(*arguments),
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env=environment({"SHUTBOX_DATA": data}),
        bufsize=0,
    )
    player = _Player(process, chance)
    assert process.stderr is not None
    with process:
        player.hears(1)
        begun = player.last_heard
        timer = Timer(PATIENCE if delay is None else delay, process.kill)
        timer.start()
        player.play()
        process.wait()
        timer.cancel()
        timer.join()
        complaints = process.stderr.read().decode()
    life = player.life
    life.seconds = player.last_heard - begun
    life.killed = process.returncode == -signal.SIGKILL
    assert delay is not None or not life.killed, "it hangs"
    assert (life.killed or process.returncode == 0, complaints) == (True, "")
    return life


class _Player:
    """The player of one run."""

    def __init__(self, process: "subprocess.Popen[bytes]", chance: random.Random) -> None:
        assert process.stdin is not None
        assert process.stdout is not None
        self.life = Life()
        self.last_heard = time.monotonic()
        self._chance = chance
        self._in, self._out = process.stdin, process.stdout
        self._unread = b""
        self._prompt = ""
        self._number = 2  # how many dice were typed last
        self._last = ""  # "chose" or "typed dice", if that can be taken back or corrected

    def hears(self, most: int = 65_536) -> bool:
        """Read more output. Return whether there was any."""
        heard = os.read(self._out.fileno(), most)
        self._unread += heard
        if heard:
            self.last_heard = time.monotonic()
        return heard != b""

    def play(self) -> None:
        """Answer until the program has ended."""
        self.life.said += self._listen()
        while self._prompt:
            self._answer()

    def _listen(self) -> list[str]:
        """Return the complete lines up to the next question or the end."""
        while not self._unread.endswith((b": ", b"? ")) and self.hears():
            pass
        *lines, last = self._unread.decode().split("\n")
        self._unread = b""
        self._prompt = last if last.endswith((": ", "? ")) else ""
        return lines

    def _type(self, line: str) -> list[str]:
        """Type a line, and return the lines before the next question."""
        try:
            self._in.write(f"{line}\n".encode())
        except BrokenPipeError:
            self._prompt = ""
            return []
        return self._listen()[1:]  # without the rest of the question's line

    def _move(self, answer: str, typed: str | None = None) -> None:
        """Give an answer that advances the game."""
        self._last = ""
        said = self._type(answer if typed is None else typed)
        if said[:1] in (
            [NOT_YOURS],
            [THROWN],
        ):  # a computer player has chosen since, or dice were thrown
            return
        self.life.said += said
        went_on = said or self._prompt  # the next throw tells some choices
        (self.life.acknowledged if went_on else self.life.unacknowledged).append(answer)

    def _answer(self) -> None:
        chance = self._chance
        if self._prompt.startswith("Play again?"):
            self._type("no")
        elif by_hand := _HAND.search(self._prompt):
            if by_hand[1]:  # otherwise the same dice are typed again
                self._number = 1 if by_hand[1] == "one" else 2
            dice = sorted(str(chance.randint(1, 6)) for _ in range(self._number))
            self._move("+".join(dice))
            self._last = "typed dice"
        elif "nter throws" in self._prompt:
            if self._last == "chose" and chance.random() < 0.3:
                self._move("u")
            else:
                self._last = ""
                self.life.said += self._type("")
        elif self._last == "typed dice" and chance.random() < 0.2:
            self._type("c")
        else:
            self._choose()

    def _choose(self) -> None:
        prompt, answer = self._prompt, " ".join(self._type("l"))
        if not self._prompt:
            return
        assert self._prompt == prompt
        found = _OFFERED.search(answer)
        assert found, f"no answer to l: {answer!r}"
        offers = found[1].split("; ")
        offer = self._chance.choice(offers)
        enter = "Press Enter to cover" in prompt and self._chance.random() < 0.5
        self._move(offer, "" if enter else offer)
        self._last = "chose"
