"""What a terminal needs when a program in it is suspended or killed.

While a line is edited the terminal is in a mode of its own: whoever gets it next, the shell or
nobody, must find it as it was. Python keeps readline from doing this itself.
"""

import os
import signal
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from types import FrameType
from typing import Any

try:
    import termios
except ImportError:  # a platform whose terminals know neither these modes nor these signals
    termios = None  # type: ignore[assignment]


def watch(ask_again: Callable[[], None], *, edits: bool) -> None:
    """Ask again after Ctrl-Z and fg; with line editing, also leave the terminal as it was."""
    if termios is None:
        return
    signal.signal(signal.SIGCONT, lambda signum, frame: ask_again())
    if edits:
        settings = termios.tcgetattr(0)
        signal.signal(signal.SIGTSTP, partial(_suspend, settings))
        for killer in (signal.SIGTERM, signal.SIGHUP, signal.SIGQUIT):
            signal.signal(killer, partial(_die, settings))


def _suspend(settings: list[Any], signum: int, frame: FrameType | None) -> None:
    editing = termios.tcgetattr(0)
    termios.tcsetattr(0, termios.TCSADRAIN, settings)  # not every shell does it itself
    signal.signal(signum, signal.SIG_DFL)
    os.kill(os.getpid(), signum)
    # Here the program goes on, in the foreground again.
    signal.signal(signum, partial(_suspend, settings))
    termios.tcsetattr(0, termios.TCSADRAIN, editing)


def _die(settings: list[Any], signum: int, frame: FrameType | None) -> None:
    with suppress(termios.error):  # the terminal may be gone
        termios.tcsetattr(0, termios.TCSADRAIN, settings)
    signal.signal(signum, signal.SIG_DFL)
    os.kill(os.getpid(), signum)
