"""What a terminal needs when a program in it is suspended or killed.

While a line is edited the terminal is in a mode of its own: whoever gets it next, the shell or
nobody, must find it as it was. Python keeps readline from doing this itself.
"""

import errno
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


def set_mode(descriptor: int, settings: list[Any]) -> None:
    """Put a terminal into a mode once what is written is out, however many signals come meanwhile.

    Under make the shell continues the game more than once. Python does not ask again by itself.
    """
    while True:
        try:
            termios.tcsetattr(descriptor, termios.TCSADRAIN, settings)
            return
        except termios.error as error:
            if error.args[0] != errno.EINTR:
                raise


def _suspend(settings: list[Any], signum: int, frame: FrameType | None) -> None:
    editing = termios.tcgetattr(0)
    try:
        termios.tcsetattr(0, termios.TCSADRAIN, settings)  # not every shell does it itself
    except termios.error:
        # Where make has stopped first the shell has the terminal already: we were stopped here, and
        # now the program goes on.
        pass
    else:
        signal.signal(signum, signal.SIG_DFL)
        os.kill(os.getpid(), signum)
        # Here the program goes on, in the foreground again.
        signal.signal(signum, partial(_suspend, settings))
    set_mode(0, editing)


def _die(settings: list[Any], signum: int, frame: FrameType | None) -> None:
    with suppress(termios.error):  # the terminal may be gone
        set_mode(0, settings)
    signal.signal(signum, signal.SIG_DFL)
    os.kill(os.getpid(), signum)
