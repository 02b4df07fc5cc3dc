"""A voice for the terminal: what is said is spoken, too, where the computer has a voice.

The standard library is enough. On Linux the voice is speech-dispatcher by its socket, which blind
people have set up as they like it, or else espeak-ng; on macOS `say`; on Windows SAPI.
"""

from shutbox.term.speech.search import find_voice
from shutbox.term.speech.voice import Voice

__all__ = ["Voice", "find_voice"]
