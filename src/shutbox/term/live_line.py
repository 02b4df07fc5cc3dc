"""A line that readline edits, watched while it is typed.

Python's readline does not say which keys are pressed. Its C library does: it calls the function in
`rl_redisplay_function` each time it shows the line. Here ctypes puts a function of Python there
while a line is read. Where that is impossible, as with libedit, the line is edited all the same.
"""

import signal
from collections.abc import Callable
from contextlib import suppress
from types import FrameType
from typing import Any

try:
    import readline
except ImportError:  # a platform whose lines Python does not edit; nobody asks for this there
    readline = None  # type: ignore[assignment]

_SOON = 0.02  # seconds until Ctrl-C is tried again if it came where no exception can be raised


class LiveLine:
    """A reader of lines that reports the text typed so far.

    `moved` is called before the line is shown. If the terminal has another size, it paints the
    screen up to the line and returns the prompt for that size; else it returns None. `typed` is
    called with the text whenever the line has been shown.
    """

    def __init__(self, moved: Callable[[], str | None], typed: Callable[[str], None]) -> None:
        self._moved = moved
        self._typed = typed
        self._library: Any = None  # the C library; None until it is loaded
        self._place: Any = None  # its variable rl_redisplay_function
        self._functions: tuple[Any, ...] = ()  # its own function there, ours, and what ours wraps
        self._reports = False  # whether the library has called our function for this line

    def read(self, prompt: str) -> str:
        """Return a line that the player types after `prompt`. Raises what `input` raises."""
        # The library is loaded once the prompt is visible, so that nobody waits for it.
        readline.set_pre_input_hook(self._watch)
        usual = signal.getsignal(signal.SIGINT)
        if usual is signal.default_int_handler:  # and not ignored
            signal.signal(signal.SIGALRM, self._interrupt)
            signal.signal(signal.SIGINT, self._interrupt)
        try:
            return input(prompt)
        finally:
            signal.setitimer(signal.ITIMER_REAL, 0)
            signal.signal(signal.SIGINT, usual)
            readline.set_pre_input_hook(None)
            self._let_go()

    def show_again(self) -> bool:
        """Show the prompt and the typed text at the cursor; return False if nothing is typed."""
        if self._reports:
            self._library.rl_forced_update_display()
        return self._reports

    def _watch(self) -> None:
        with suppress(ImportError, AttributeError, OSError, ValueError):
            if self._library is None:
                import ctypes

                library = ctypes.CDLL(readline.__file__)
                self._place = ctypes.c_void_p.in_dll(library, "rl_redisplay_function")
                ours = ctypes.CFUNCTYPE(None)(self._show)
                address = ctypes.cast(ours, ctypes.c_void_p).value
                self._functions = self._place.value, address, ours
                self._library = library
            self._place.value = self._functions[1]

    def _let_go(self) -> None:
        """Let the library show the line by itself again."""
        self._reports = False
        if self._library is not None:
            self._place.value = self._functions[0]

    def _show(self) -> None:
        """Show the line, as the library asks to, and report it."""
        self._reports = True
        with suppress(OSError):  # the terminal may be gone
            if (prompt := self._moved()) is not None:
                self._library.rl_set_prompt(prompt.encode(errors="replace"))
        self._library.rl_redisplay()
        with suppress(OSError):
            self._typed(readline.get_line_buffer())

    def _interrupt(self, number: int, frame: FrameType | None) -> None:
        """Raise KeyboardInterrupt in `read`; in a function that the library calls, wait for that.

        By then the library must show the line by itself: Python cannot be called while an exception
        is on its way.
        """
        if frame is None or frame.f_code is not LiveLine.read.__code__:
            signal.setitimer(signal.ITIMER_REAL, _SOON)
            return
        self._let_go()
        raise KeyboardInterrupt
