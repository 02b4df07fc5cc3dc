"""A voice for the terminal: what is said is spoken, too, where the computer has a voice.

The standard library is enough. On Linux the voice is speech-dispatcher by its socket, which blind
people have set up as they like it, or else espeak-ng; on macOS `say`; on Windows SAPI.

A voice speaks sentences one after another while the program goes on. Each of its methods raises
OSError once it is dead, and none of them waits for sound.
"""

FASTEST, USUAL, SLOWEST = 450, 175, 80
"""Words a minute, as espeak-ng counts them; the scales of the others are laid over these."""


def spoken(text: str) -> str:
    r"""Text on one line, without anything that a voice or its socket would act on.

    >>> spoken("Ann\x1b[2J\r\n.\r\nQUIT: 7.")
    'Ann [2J . QUIT: 7.'

    `[[` begins a command to the voices of macOS.
    """
    printable = "".join(sign if sign.isprintable() else " " for sign in text)
    return " ".join(printable.replace("[[", "[ [").split())
