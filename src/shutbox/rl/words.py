"""The words that arguments of environments take."""

from typing import TypeVar

from shutbox.english import Word, shown
from shutbox.errors import NotUnderstood

W = TypeVar("W", bound=Word)


def word_of(kind: type[W], word: Word | str) -> W:
    """The member of an enumeration, or the one of this word.

    >>> from shutbox.match import Until
    >>> word_of(Until, "shut")
    Until.SHUT

    Raises NotUnderstood, with all words there are.
    """
    for one in kind:
        if word in (one, one.value):
            return one
    raise NotUnderstood(
        "{word} means nothing here; write {words}",
        word=shown(str(word)),
        words=" / ".join(str(one.value) for one in kind),
    )
