"""The console of a command, as its options ask for it."""

import argparse

from shutbox.errors import NotUnderstood
from shutbox.term import Console


def console_of(arguments: argparse.Namespace) -> Console:
    """The console; where a voice is asked for and there is none, that is said, and it is silent.

    Raises NotUnderstood where the voice would be too slow or too fast.
    """
    keys = getattr(arguments, "keys", False)
    if not arguments.speak:
        return Console(plain=arguments.plain, keys=keys)
    from shutbox.term.speech import find_voice  # a game without a voice starts faster without it
    from shutbox.term.speech.voice import FASTEST, SLOWEST

    if arguments.rate is not None and not SLOWEST <= arguments.rate <= FASTEST:
        facts = {"rate": arguments.rate, "least": SLOWEST, "most": FASTEST}
        raise NotUnderstood("--rate: {rate} words a minute; {least} to {most}", **facts)
    voice, amiss = find_voice(arguments.rate, arguments.voice)
    console = Console(plain=arguments.plain, voice=voice, keys=keys)
    console.say(*amiss)
    return console
