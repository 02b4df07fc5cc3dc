"""A voice for the terminal: every line is also spoken, if the computer has a voice.

The standard library is enough. On Linux the voice is speech-dispatcher through its socket, which
blind users have set up as they like it, or else espeak-ng; on macOS `say`; on Windows SAPI.

A voice speaks sentences one after another while the program goes on. Once the voice is dead, `say`
raises OSError, `stop` can, and `close` does not. None of them waits for sound.
"""

FASTEST, USUAL, SLOWEST = 450, 175, 80
"""Words a minute, as espeak-ng counts them; the scales of other voices are mapped to these."""


def spoken(text: str) -> str:
    r"""Return text on one line, without anything that a voice or its socket would interpret.

    >>> spoken("Ann\x1b[2J\r\n.\r\nQUIT: 7.")
    'Ann [2J . QUIT: 7.'

    `[[` begins a command for the voices of macOS.
    """
    printable = "".join(sign if sign.isprintable() else " " for sign in text)
    return " ".join(printable.replace("[[", "[ [").split())
