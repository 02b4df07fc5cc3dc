"""The search for a voice on this computer: the first that answers, in a fixed order."""

import math
import shutil
import subprocess
import sys
from collections.abc import Callable
from contextlib import suppress
from typing import Any, TypeAlias

from shutbox.english import shown
from shutbox.messages import gettext
from shutbox.term.speech import USUAL
from shutbox.term.speech.process import BEFORE_EACH, SAPI, ProcessVoice
from shutbox.term.speech.ssip import Ssip

PATIENCE = 5.0
"""Seconds after which a program that only looks up a voice counts as dead."""

Voice: TypeAlias = Ssip | ProcessVoice
_Found = tuple[Voice, bool]  # a voice, and whether it has the name that was asked for
_Search = Callable[[int | None, str], _Found]  # raises OSError if there is no such voice


def find_voice(
    rate: int | None = None, name: str = "", platform: str = sys.platform
) -> tuple[Voice | None, tuple[str, ...]]:
    """Return the voice of this computer, or None, and sentences about what went wrong.

    `rate` is in words a minute, and `name` is one that the program of the voice lists. Without
    them, the settings of that program apply.
    """
    for search in _SEARCHES.get(platform, _ON_LINUX):
        with suppress(OSError):
            voice, knows_name = search(rate, name)
            if knows_name:
                return voice, ()
            warning = gettext(
                "There is no voice named {name}; you hear the usual one.", name=shown(name)
            )
            return voice, (warning,)
    if platform in _SEARCHES:
        return None, (gettext("No voice was found, so you read the game."),)
    problem = gettext(
        "No voice was found, so you read the game; to hear it, install speech-dispatcher or "
        "espeak-ng."
    )
    return None, (problem,)


def _ssip(rate: int | None, name: str) -> _Found:
    voice = Ssip(rate, name)
    return voice, voice.knows_name


def _espeak(rate: int | None, name: str) -> _Found:
    program = _program("espeak-ng")
    # With text on its command line the program speaks it and ends; without, it reads its input.
    known = not name or _accepts([program, f"-v{name}", "-q", "."])
    options = [f"-v{name}"] if name and known else []
    options += [] if rate is None else [f"-s{rate}"]
    return ProcessVoice([program, *options]), known


def _say(rate: int | None, name: str) -> _Found:
    program = _program("say")
    # Given an empty file it ends at once, and its exit code says whether the voice exists.
    known = not name or _accepts([program, "-v", name, "-f", "/dev/null"])
    options = ["-v", name] if name and known else []
    options += [] if rate is None else ["-r", str(rate)]
    command = [program, *options, "-f", "-"]
    return ProcessVoice(["/bin/sh", "-c", BEFORE_EACH, "say", *command]), known


def _sapi(rate: int | None, name: str) -> _Found:
    shell = [_program("powershell"), "-NoProfile", "-NonInteractive", "-Command", SAPI]
    settings = {"SHUTBOX_SAPI_RATE": str(sapi_rate(rate or USUAL)), "SHUTBOX_SAPI_VOICE": name}
    return ProcessVoice(shell, settings, silence=b"\n"), True


def sapi_rate(words: int) -> int:
    """Convert words a minute to the scale of SAPI: 0 is USUAL, and 10 more is three times as fast.

    >>> [sapi_rate(words) for words in (80, 175, 450)]
    [-7, 0, 9]
    """
    return round(10 * math.log(words / USUAL, 3))


def _program(name: str) -> str:
    if (path := shutil.which(name)) is None:
        raise FileNotFoundError(name)
    return path


def _accepts(command: list[str]) -> bool:
    """Whether a silent command ends without an error. Raises OSError if it hangs."""
    quiet: Any = dict.fromkeys(("stdin", "stdout", "stderr"), subprocess.DEVNULL)
    try:
        return not subprocess.run(command, **quiet, timeout=PATIENCE, check=False).returncode
    except subprocess.TimeoutExpired:
        raise TimeoutError(command[0]) from None


_ON_LINUX: tuple[_Search, ...] = (_ssip, _espeak)
_SEARCHES: dict[str, tuple[_Search, ...]] = {"darwin": (_say,), "win32": (_sapi,)}
