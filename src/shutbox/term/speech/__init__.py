"""A voice for the terminal: every line is also spoken, if the computer has a voice.

The standard library is enough. On Linux the voice is speech-dispatcher through its socket, which
blind users have set up as they like it, or else espeak-ng; on macOS `say`; on Windows SAPI.

A voice speaks sentences one after another while the program goes on. Once the voice is dead, `say`
raises OSError, `stop` can, and `close` does not. None of them waits for sound.
"""

FASTEST, USUAL, SLOWEST = 450, 175, 80
"""Words a minute, as espeak-ng counts them; the scales of other voices are mapped to these."""

_DIRECTIONS = dict.fromkeys(map(ord, "\u061c\u200e\u200f"))
_DIRECTIONS |= dict.fromkeys((*range(0x202A, 0x202F), *range(0x2066, 0x206A)))
"""A translation table that removes the marks of the direction of writing."""


def spoken(text: str) -> str:
    r"""Return text on one line, without anything that a voice or its socket would interpret.

    >>> spoken("Ann\x1b[2J\r\n.\r\nQUIT: 7.")
    'Ann [2J . QUIT: 7.'
    >>> spoken("\N{RIGHT-TO-LEFT ISOLATE}Ann\N{POP DIRECTIONAL ISOLATE}: 7.")
    'Ann: 7.'

    `[[` begins a command for the voices of macOS. Marks of the direction of writing are left out,
    since a voice would read them as a pause.
    """
    text = text.translate(_DIRECTIONS)
    printable = "".join(sign if sign.isprintable() else " " for sign in text)
    return " ".join(printable.replace("[[", "[ [").split())
