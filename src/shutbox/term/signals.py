"""What a terminal needs when a program in it is suspended or killed.

While a line is edited the terminal is in a mode of its own: whoever gets it next, the shell or
nobody, must find it as it was. Python keeps readline from doing this itself.
"""

import os
import signal
from collections.abc import Callable
from functools import partial
from types import FrameType

_KILLERS = ("SIGTERM", "SIGHUP", "SIGQUIT")


def watch(ask_again: Callable[[], None], *, edits: bool) -> None:
    """Ask again after Ctrl-Z and fg; with line editing, also leave the terminal as it was."""
    if not hasattr(signal, "SIGCONT"):
        return
    signal.signal(signal.SIGCONT, lambda signum, frame: ask_again())
    if edits:
        import termios  # not on every platform, but wherever there is a SIGCONT

        settings = termios.tcgetattr(0)
        signal.signal(signal.SIGTSTP, _suspend)
        for name in _KILLERS:
            signal.signal(getattr(signal, name), partial(_die, settings))


def _suspend(signum: int, frame: FrameType | None) -> None:
    import termios

    settings = termios.tcgetattr(0)
    signal.signal(signum, signal.SIG_DFL)
    os.kill(os.getpid(), signum)
    # Here the program goes on, in the foreground again.
    signal.signal(signum, _suspend)
    termios.tcsetattr(0, termios.TCSADRAIN, settings)


def _die(settings: list[object], signum: int, frame: FrameType | None) -> None:
    import termios
    from contextlib import suppress

    with suppress(termios.error):  # the terminal may be gone
        termios.tcsetattr(0, termios.TCSADRAIN, settings)  # type: ignore[arg-type]
    signal.signal(signum, signal.SIG_DFL)
    os.kill(os.getpid(), signum)
