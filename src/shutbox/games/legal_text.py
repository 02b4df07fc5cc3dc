"""What games say of choices in the same way: which are legal, and what to try instead of others."""

from collections.abc import Iterator, Sequence

from shutbox.english import MOST_WORDS, capital, few, listed, number_word
from shutbox.errors import IllegalChoice
from shutbox.game import Awaited, C, Over, Throw
from shutbox.messages import gettext
from shutbox.scene import Offer

MOST_TRIED = 3  # the most choices that a refusal gives

_BESIDE = 7  # words of a sentence beside the choices it gives

_SHORT = 3  # words of a name such as 1 and 7


def legal(awaited: Awaited[C], offers: tuple[Offer, ...]) -> str:
    """What one may do: all of it, in sentences that can be followed.

    >>> from shutbox.dice import Dice
    >>> legal(Throw(Dice.of(2, 6)), ())
    'Throw two dice.'
    """
    if isinstance(awaited, Over):
        return gettext("Nothing: the turn is over.")
    if isinstance(awaited, Throw):
        return gettext("Throw {dice}.", dice=awaited.dice.words)
    names = [offer.says for offer in offers]
    first, *others = _parts(names)
    if not others:
        return gettext("Legal: {offers}.", offers=first)
    number = capital(number_word(len(names)))
    says = gettext("{number} ways: {offers}.", number=number, offers=first)
    return " ".join([says, *(gettext("Also {offers}.", offers=part) for part in others)])


def _parts(names: Sequence[str]) -> Iterator[str]:
    """All the names, in lists of as many words as a sentence can have beside a few."""
    while names:
        fit = few(names, MOST_WORDS - 2)
        yield gettext("; ").join(names[:fit])
        names = names[fit:]


def illegal(why: str, position: object, choices: Sequence[str]) -> IllegalChoice:
    """The refusal of a choice, where these are open, as a voice names them."""
    error = IllegalChoice(refused(why, choices), position)
    error.why, error.choices = why, tuple(choices)
    return error


def refused(why: str, choices: Sequence[str], key: str = "") -> str:
    """Why a choice is refused, up to three to try, and how many there are.

    `key` is what is typed to have them all.

    >>> refused("6 is not 8", ["8", "1 and 7", "2 and 6", "3 and 5"], "l")
    '6 is not 8. Try 8, 1 and 7, or 2 and 6; l lists all four'
    """
    named = choices[: few(choices[:MOST_TRIED], MOST_WORDS - _BESIDE)]
    facts = {"why": why, "choices": _either(named), "number": number_word(len(choices))}
    if len(named) == len(choices):
        return gettext("{why}. Try {choices}", **facts)
    if key:
        return gettext("{why}. Try {choices}; {key} lists all {number}", key=key, **facts)
    return gettext("{why}. Try {choices}; there are {number} in all", **facts)


def _either(names: Sequence[str]) -> str:
    """Choices to pick from: `6, 4 or 2`, `8, 1 and 7, or 2 and 6`, `4 and 5; or 1, 2 and 6`."""
    if len(names) < 2 or not any(" " in name for name in names):
        return listed(names, last="or")
    *others, last = names
    if any("," in name or len(name.split()) > _SHORT for name in names):
        return gettext("{first}; or {last}", first=gettext("; ").join(others), last=last)
    return gettext("{first}, or {last}", first=gettext(", ").join(others), last=last)


def score_text(awaited: Awaited[C], score: int) -> str:
    """How one stands, a clause to follow a name.

    >>> score_text(Over((7,)), 7)
    'score 7.'
    """
    if isinstance(awaited, Over):
        return gettext("score {score}.", score=score)
    return gettext("score so far {score}.", score=score)
