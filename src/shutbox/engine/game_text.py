"""The sentences that all games share: the legal choices, refusals that suggest some, the score."""

from collections.abc import Iterator, Sequence
from itertools import groupby
from operator import attrgetter

from shutbox.engine.english import (
    MOST_WORDS,
    capital,
    counted,
    how_many_fit,
    joined_clauses,
    listed,
    number_word,
)
from shutbox.engine.errors import IllegalChoice
from shutbox.engine.game import Awaited, C, Over, Throw
from shutbox.engine.messages import gettext, pgettext
from shutbox.engine.scene import Offer

_MOST_TRIED = 3  # the most choices that a refusal suggests
_BESIDE = 7  # words of a refusal besides the choices it suggests
_SHORT = 3  # words of a name such as 1 and 7


def legal_text(awaited: Awaited[C], offers: tuple[Offer, ...]) -> str:
    """Return sentences, each short enough to follow, that name all that the player can do now."""
    return " ".join(legal_lines(awaited, offers))


def legal_lines(awaited: Awaited[C], offers: tuple[Offer, ...]) -> Iterator[str]:
    """Yield the sentences of `legal_text`."""
    if isinstance(awaited, Over):
        yield gettext("The turn is over. There is nothing left to choose.")
    elif isinstance(awaited, Throw):
        yield counted("Throw one die.", "Throw {number} dice.", len(awaited.dice.sides))
    else:
        first, *others = _parts([offer.says for offer in offers])
        if others and all(offer.kind == "cover" for offer in offers):
            yield from _by_count(offers)
        else:
            # Translators: the open choices; "Also {offers}." goes on with the rest of them.
            yield gettext("Choices: {offers}.", offers=first)
            yield from (gettext("Also {offers}.", offers=part) for part in others)


def _by_count(offers: Sequence[Offer]) -> Iterator[str]:
    """Yield sentences with the covers of one tile, of two and so on."""
    count_of = attrgetter("count")
    for count, group in groupby(sorted(offers, key=count_of), count_of):
        first, *others = _parts([offer.says for offer in group])
        says = counted("one tile: {offers}.", "{number} tiles: {offers}.", count, offers=first)
        yield capital(says)
        yield from (gettext("Also {offers}.", offers=part) for part in others)


def _parts(names: Sequence[str]) -> Iterator[str]:
    """Yield the names, joined into lists, each short enough for a sentence; a longer name alone."""
    while names:
        fit = how_many_fit(names, MOST_WORDS - 2)
        yield joined_clauses(names[:fit])
        names = names[fit:]


def refusal_of_choice(why: str, position: object, choices: Sequence[str]) -> IllegalChoice:
    """Return a refusal for the reason `why`; it suggests some of all open `choices`, as spoken."""
    error = IllegalChoice(refusal_text(why, choices), position)
    error.why, error.choices = why, tuple(choices)
    return error


def refusal_text(why: str, choices: Sequence[str], key: str = "") -> str:
    """Return why a choice is refused, with up to three others to try, and how many there are.

    `choices` are the spoken names of all open choices; `key` is the command that lists them.

    >>> refusal_text("6 is not 8", ["8", "1 and 7", "2 and 6", "3 and 5"], "l")
    '6 is not 8. Try 8, 1 and 7, or 2 and 6; l lists all four'
    """
    named = choices[: how_many_fit(choices[:_MOST_TRIED], MOST_WORDS - _BESIDE)]
    facts = {"why": why, "choices": _either(named), "number": number_word(len(choices))}
    if len(named) == len(choices):
        # Translators: try: a suggestion; {choices} are choices to type, such as 8 or 2 and 6.
        return gettext("{why}. Try {choices}", **facts)
    if key:
        return gettext("{why}. Try {choices}; {key} lists all {number}", key=key, **facts)
    return gettext("{why}. Try {choices}; there are {number} in all", **facts)


def _either(names: Sequence[str]) -> str:
    """Join choices by "or": `6, 4 or 2`, `8, 1 and 7, or 2 and 6`, `4 and 5; or 1, 2 and 6`."""
    if len(names) < 2 or not any(" " in name for name in names):
        return listed(names, last="or")
    *others, last = names
    if any("," in name or len(name.split()) > _SHORT for name in names):
        first = joined_clauses(others)
        return gettext("{first}; or {last}", first=first, last=last)
    first = pgettext("list separator", ", ").join(others)
    return gettext("{first}, or {last}", first=first, last=last)


def score_text(awaited: Awaited[C], score: int) -> str:
    """Return a score as a clause after a name: `7 so far.`, or `score 7.` once the game is over."""
    if isinstance(awaited, Over):
        # Translators: a number, at the end of a turn; follows a name, or begins a sentence.
        return gettext("score {score}.", score=score)
    # Translators: a number, during a turn; follows a name, or begins a sentence.
    return gettext("{score} so far.", score=score)
