"""The stock phrases that players can say at a table, in place of a chat."""

from typing import Literal, get_args

from shutbox.messages import pgettext, pgettext_noop

Phrase = Literal["hello", "luck", "thrown", "played", "close", "unlucky", "thanks", "bye"]
_SAYS: dict[str, str] = {
    "hello": pgettext_noop("phrase", "Hello"),
    "luck": pgettext_noop("phrase", "Good luck"),
    "thrown": pgettext_noop("phrase", "Well thrown"),
    "played": pgettext_noop("phrase", "Well played"),
    "close": pgettext_noop("phrase", "That was close"),
    "unlucky": pgettext_noop("phrase", "Bad luck"),
    "thanks": pgettext_noop("phrase", "Thank you"),
    "bye": pgettext_noop("phrase", "Goodbye"),
}


def phrases() -> tuple[tuple[str, str], ...]:
    """Return the key and the words of each phrase."""
    return tuple((key, words_of(key)) for key in get_args(Phrase))


def words_of(phrase: str) -> str:
    """Return the words of a phrase; of one that only a later release knows, its key."""
    return pgettext("phrase", _SAYS[phrase]) if phrase in _SAYS else phrase
