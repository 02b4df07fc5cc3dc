"""The answers that need no Enter: those that no further key could change, or turn into one.

They are found from the offers, without knowing rules.
"""

import re
from collections import Counter
from collections.abc import Collection, Iterable, Iterator

from shutbox.engine.scene import Offer, Scene
from shutbox.engine.typed_text import ENDING_WORDS, NUMBER_WORDS, in_ascii, own_words


def find_meaning(
    typed: str, scene: Scene | None, commands: Collection[str], *, throws: bool = False
) -> str | None:
    """Return the answer that `typed` means if no further key could change it, else None.

    >>> from shutbox import find
    >>> box = find("full-house")
    >>> scene = box.scene(box.position_at("1.4.5.9.10/4+6"))
    >>> [find_meaning(typed, scene, "dbs") for typed in ("d", "1", "10", "1 ", "19", "4")]
    ['d', None, '10', None, '1 9', None]

    `scene` is the scene of an open choice, and `commands` are keys and words that work at any time.
    A line that begins with a space always needs Enter. But if a throw is due (`throws`), or Enter
    takes a default, a space alone acts as Enter, so its answer is empty. A key with which nothing
    begins is an answer, too, so that it is refused at once.
    """
    offers = scene.offers if scene is not None else ()
    typed = in_ascii(typed)
    if typed == " " and (throws or (scene is not None and scene.default is not None)):
        return ""
    if not typed.strip() or typed.startswith(" "):
        return None
    typed = typed.casefold()
    offered = [words for offer in offers for words in _words(offer)]
    if typed in commands:
        return None if any(word.startswith(typed) for word in (*ENDING_WORDS, *offered)) else typed
    if (offers or throws) and not _can_grow(typed, offered, commands):
        return typed
    if scene is not None and any(map(any, scene.numbers_taken())):
        return _cover(typed, scene)
    fitting = [offer for offer in offers if any(w.startswith(typed) for w in _words(offer))]
    return fitting[0].text if len(fitting) == 1 else None


def _can_grow(typed: str, offered: Iterable[str], commands: Collection[str]) -> bool:
    """Whether a word that is understood here begins as the last word typed, which can be empty."""
    english = {*commands, *ENDING_WORDS, *NUMBER_WORDS, "throw", "roll", "keep", "and"}
    own = (own for own, word in own_words().items() if word in english)
    parts = (part for words in offered for part in words.split())
    last = re.split(r"[\W\d]", typed)[-1]
    return any(word.startswith(last) for word in (*english, *own, *parts))


def _cover(typed: str, scene: Scene) -> str | None:
    """Return the text of the offer that takes the tiles typed; None if none does or more can."""
    taken = [Counter(numbers) for numbers in scene.numbers_taken()]
    picked = _count_picked(typed, {number for numbers in taken for number in numbers})
    fitting = [place for place, numbers in enumerate(taken) if picked and picked <= numbers]
    grows = any(n > 9 and str(n).startswith(typed[-1]) for numbers in taken for n in numbers)
    if typed[-1].isdecimal() and not (fitting or grows):
        return typed
    if len(fitting) != 1 or taken[fitting[0]] != picked:
        return None
    return scene.offers[fitting[0]].text


def _count_picked(typed: str, numbers: Collection[int]) -> Counter[int] | None:
    """Count the tiles typed; None if the text is no list of them, or the last can still grow."""
    number = "|".join(sorted(map(str, numbers), key=len, reverse=True))
    if not re.fullmatch(f"(?:[ ,+]*(?:{number}))+[ ,+]*", typed):
        return None
    picked = re.findall(number, typed)
    can_grow = any(n.startswith(picked[-1]) and n != picked[-1] for n in map(str, numbers))
    return None if can_grow and typed.endswith(picked[-1]) else Counter(map(int, picked))


def _words(offer: Offer) -> Iterator[str]:
    """Yield what can be typed for an offer, in lower case: notation, words, the number of dice."""
    yield offer.text.casefold()
    yield offer.says.casefold()
    if offer.kind == "dice":
        yield str(offer.count)
