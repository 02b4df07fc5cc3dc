"""Parsing of typed text: words, options such as `rounds=5`, and the names of games.

Typed words are notation: English in every language, and understood in the language in use, too
(`in_english`). Options are parsed only here, and all their mistakes are reported at once. A name is
`classic`, or `classic(fewer=must-top,dice=3d4)`; each family of games interprets its own overrides.
"""

import re
import unicodedata
from collections.abc import Callable, Mapping, Sequence
from itertools import pairwise, takewhile
from pathlib import Path
from types import UnionType
from typing import Any, TypeAlias, TypeVar

from shutbox.engine.english import NUMBERS, TypedWord, Word, listed, safe_text, shown
from shutbox.engine.errors import NotUnderstood
from shutbox.engine.messages import cached, gettext, gettext_noop, language, pgettext

LONGEST = 2000  # characters of a game name with its overrides
LONGEST_TEXT = 400  # characters of a list of numbers
MOST_NUMBERS = 60  # in such a list
NUMBER_WORDS = {word: number for number, word in enumerate(NUMBERS, 1)}
ENDING_WORDS = ("end", "quit", "exit", "q")  # end a game, replay or question; help names the first
RESERVED = {*"bcdhlnrsuvwy,.?", *ENDING_WORDS}
RESERVED |= {"hint", "help", "rules", "review", "undo", "score", "m", "new", "menu", "plain"}
RESERVED |= {"speak", "mute", "brief", "full", "slow", "coach", "advise", "ask", "keys"}
"""The keys and words that work at any question of a game at a terminal. No choice may be one."""


def bounded(text: str, most: int) -> str:
    """Return `text` unchanged. Raises NotUnderstood if it is no string, or longer than `most`."""
    if not isinstance(text, str):
        raise NotUnderstood("{text} is not a text", text=shown(safe_text(text)))
    if len(text) > most:
        raise NotUnderstood("{text} is longer than {most} characters", text=shown(text), most=most)
    return text


_SIGNS = {
    **dict.fromkeys("\u060c\u066c\u3001", ","),
    **dict.fromkeys("\u066b\u3002", "."),
    **dict.fromkeys("\u2010\u2011\u2013\u2212", "-"),
}
"""The ASCII signs of those of other scripts that Unicode does not map to them."""


def in_ascii(text: str) -> str:
    r"""Return a text with the digits, spaces and signs of every script as those of ASCII.

    >>> in_ascii("\uff11\uff0c\uff12"), in_ascii("\u0663\u2013\u0665"), in_ascii("½")
    ('1,2', '3-5', '½')
    """
    return text if text.isascii() else "".join(map(_sign_in_ascii, text))


def _sign_in_ascii(sign: str) -> str:
    category = unicodedata.category(sign)
    if category == "Cf":  # such as the marks of direction that some keyboards send
        return ""
    if category == "Nd":
        return str(unicodedata.decimal(sign))
    # "No" stays: NFKC makes digits of ² and ½, by which nobody means these numbers.
    return sign if category == "No" else unicodedata.normalize("NFKC", _SIGNS.get(sign, sign))


LETTERS = re.compile(r"[^\W\d_]+(?:[-'\u2019][^\W\d_]+)*")  # such as dix-sept and aujourd'hui


@cached
def own_words() -> Mapping[str, str]:
    """Map the words of the language in use, and of English, which wins, to English words."""
    if language() == "en":
        return {}
    lines = Path(__file__).with_name("typed_words.txt").read_text(encoding="utf-8").splitlines()
    words = [line.partition(" #")[0].strip() for line in lines]
    own = {
        each.strip().lower(): word for word in words for each in pgettext("typed", word).split(",")
    }
    return own | {word: word for word in words}


def own_word(word: str) -> str:
    """Return the word of the language in use that a sentence shows for an English typed one."""
    return pgettext("typed", word).partition(",")[0] or word  # the comma is a command, too


def typed_line(text: str) -> str:
    """Return a line as it is understood: in lower case, with digits of ASCII and English words.

    >>> typed_line("Hint"), typed_line("\N{FULLWIDTH DIGIT ONE} and 7")
    ('hint', '1 and 7')
    """
    return in_english(in_ascii(text).lower())


def in_english(text: str) -> str:
    """Return a text with its words of the language in use in English; others stay as they are."""
    return LETTERS.sub(lambda word: own_words().get(word[0].lower(), word[0]), text)


def typed_words(text: str) -> list[str]:
    """Return the words, in lower case, that a person typed or said; "seven" becomes "7".

    Spaces, commas, plus signs and "and" separate words.

    >>> typed_words("One and seven"), typed_words("1,7"), typed_words(" 1 + 7 ")
    (['1', '7'], ['1', '7'], ['1', '7'])
    """
    parts = [_sign_in_ascii(sign).lower() for sign in text]
    places = [place for place, part in enumerate(parts) for _ in part]
    words: list[str] = []
    for match in re.finditer(r"[^\s,+]+", "".join(parts)):
        if (english := in_english(match[0])) != "and":
            words.append(word := TypedWord(NUMBER_WORDS.get(english, english)))
            word.typed = text[places[match.start()] : places[match.end() - 1] + 1]
    return words


def was_typed(number: str, text: str) -> bool:
    """Whether a number is one digit, or digits in `text`: 17 can be 1 and 7, "seventeen" cannot."""
    return len(number) == 1 or number in in_ascii(text)


def normalized(text: object, longest: int) -> str:
    """Return a text in lower case, without spaces around signs; the space in `1 2` stays.

    Return "" for a text longer than `longest`, or anything that is not a string.
    """
    if not isinstance(text, str) or len(text) > longest:
        return ""
    return re.sub(r"\s*([^\w\s])\s*", r"\1", in_ascii(text).strip().lower())


def dice_text(number: int) -> str:
    """Return the text of the choice to throw this many dice, such as `two dice`."""
    word = NUMBERS[number - 1] if number <= len(NUMBERS) else number
    return f"{word} die" if number == 1 else f"{word} dice"


Reader = Callable[[str], Any]  # reads the value of one key; raises NotUnderstood

V = TypeVar("V")
W = TypeVar("W", bound=Word)

Values: TypeAlias = tuple[dict[str, V], list[str]]  # the values by key, and the problems


def check_type(value: object, kind: type | UnionType) -> None:
    """Raise NotUnderstood unless a value is of a kind, such as for a text in its place."""
    if not isinstance(value, kind):
        facts = {"value": shown(safe_text(value)), "kind": getattr(kind, "__name__", kind)}
        raise NotUnderstood("{value} is not of the type {kind}", **facts)


def find_named(name: object, named: Mapping[str, V]) -> V:
    """Return the value with this name. Raises NotUnderstood, which lists the names there are."""
    if isinstance(name, str) and name in named:
        return named[name]
    facts = {"text": shown(name), "allowed": listed(named, "or")}
    raise NotUnderstood("{text} is not known; write {allowed}", **facts)


def text_problems(values: Mapping[str, Any]) -> list[str]:
    """Return a sentence for each value that is a text, which only `find` and `parse` read."""
    says = gettext_noop("{key}: {text} is a text; shutbox.find and Format.parse read texts")
    return [gettext(says, key=k, text=shown(v)) for k, v in values.items() if type(v) is str]


def split_options(text: str) -> Values[str]:
    """Return the keys and values of a text, in lower case, and a sentence for each mistake of form.

    >>> split_options("Rounds=5, shut = wins")
    ({'rounds': '5', 'shut': 'wins'}, [])
    >>> split_options("a=1,b,a=2")
    ({'a': '1'}, ["'b' is not understood; write key=value", 'a is given twice'])
    """
    options: dict[str, str] = {}
    problems = []
    for part in in_ascii(text).split(",") if text.strip() else []:
        key, _, value = (word.strip().lower() for word in part.partition("="))
        if not key or not value:
            says = gettext_noop("{part} is not understood; write key=value")
            problems.append(gettext(says, part=shown(part)))
        elif key in options:
            problems.append(gettext("{key} is given twice", key=key))
        else:
            options[key] = value
    return options, problems


def read_options(options: Mapping[str, str], readers: Mapping[str, Reader]) -> Values[Any]:
    """Return the values that could be read, by key, and a sentence for each that could not."""
    values: dict[str, Any] = {}
    problems = []
    for key, text in options.items():
        if key not in readers:
            says = gettext_noop("{key} is not a rule; the rules are {keys}")
            problems.append(gettext(says, key=shown(key), keys=listed(readers)))
            continue
        try:
            values[key] = readers[key](text)
        except NotUnderstood as error:
            problems.append(f"{key}: {error}")
    return values, problems


def one_of(words: type[W]) -> Callable[[str | Word], W]:
    """Return the reader of a text, or a member, of `words`; it raises NotUnderstood for others."""
    by_value = {word.value: word for word in words}
    return lambda text: text if isinstance(text, words) else find_named(text, by_value)


def read_number(text: str) -> int:
    """Return a whole number of up to five digits. Raises NotUnderstood for any other text."""
    if not re.fullmatch("[0-9]{1,5}", text):
        raise NotUnderstood("{text} is not a number", text=shown(text))
    return int(text)


_PART = re.compile(r"([0-9]{1,4})(?:-(?P<last>[0-9]{1,4})|x(?P<times>[0-9]{1,2}))?")


def read_numbers(text: str) -> tuple[int, ...]:
    """Return the numbers of a list in text, in its order.

    >>> read_numbers("1-4.7"), read_numbers("9-7"), read_numbers("2x3.1"), read_numbers("-")
    ((1, 2, 3, 4, 7), (9, 8, 7), (2, 2, 2, 1), ())

    Raises NotUnderstood for any other text, and for more than MOST_NUMBERS numbers.
    """
    numbers: list[int] = []
    text = in_ascii(bounded(text, LONGEST_TEXT))
    for part in [] if text.strip() == "-" else text.split("."):
        word = part.strip()
        if not (match := _PART.fullmatch(word)):
            raise NotUnderstood(
                "{word} is not a number; write a list such as 1-9 or 1.3.5", word=shown(word)
            )
        first = int(match[1])
        if match["last"]:
            last = int(match["last"])
            step = 1 if first <= last else -1
            numbers += range(first, last + step, step)[: MOST_NUMBERS + 1]
        else:
            numbers += [first] * int(match["times"] or 1)
        if len(numbers) > MOST_NUMBERS:
            facts = {"text": shown(text), "most": MOST_NUMBERS}
            raise NotUnderstood("{text} lists more than {most} numbers", **facts)
    return tuple(numbers)


def write_numbers(numbers: Sequence[int]) -> str:
    """Return a list as text for `read_numbers`, with runs and repeats of three or more shortened.

    >>> write_numbers((1, 2, 3, 4, 7)), write_numbers((9, 8, 7)), write_numbers((2, 2, 2, 1))
    ('1-4.7', '9-7', '2x3.1')
    """
    parts, rest = list[str](), numbers
    while rest:
        length, step = max((_run_length(rest, step), step) for step in (1, -1, 0))
        if length < 3:
            length = 1
            parts.append(str(rest[0]))
        elif step:
            parts.append(f"{rest[0]}-{rest[length - 1]}")
        else:
            parts.append(f"{rest[0]}x{length}")
        rest = rest[length:]
    return ".".join(parts) or "-"


def _run_length(numbers: Sequence[int], step: int) -> int:
    """Return how many numbers there are until one is not `step` more than the number before it."""
    steps = (after - before for before, after in pairwise(numbers))
    return 1 + sum(1 for _ in takewhile(lambda each: each == step, steps))


_WORDS = re.compile("|".join(["^the", "and", *sorted(NUMBER_WORDS, key=len, reverse=True)]))
"""The words that `plain_title` replaces. Longer ones come first: seventeen begins with seven."""
_NAME = re.compile(
    r"\s*([a-z0-9][a-z0-9-]{0,39}(?:\.[a-z0-9][a-z0-9-]{0,39})?)\s*(?:\((.*)\))?\s*", re.IGNORECASE
)


def parse_name(text: str) -> tuple[str, dict[str, str]]:
    """Return the base name and the overrides of a game, in lower case.

    >>> parse_name("classic(fewer=must-top, dice=3d4)")
    ('classic', {'fewer': 'must-top', 'dice': '3d4'})

    Raises NotUnderstood for text of another form, and for the first override that is not
    `key=value` or has a key given twice.
    """
    match = _NAME.fullmatch(in_ascii(text)) if len(text) <= LONGEST else None
    if match is None or not match[0].isascii():
        raise NotUnderstood(
            "{text} is not the name of a game; names look like classic, or classic(fewer=must-top)",
            text=shown(text),
        )
    options, problems = split_options(match[2] or "")
    if problems:
        raise NotUnderstood(problems[0])
    return match[1].lower(), options


def write_name(base: str, options: Mapping[str, str]) -> str:
    """Return the name that `parse_name` reads back, such as `classic(fewer=must-top)`."""
    overrides = ",".join(f"{key}={value}" for key, value in options.items())
    return f"{base}({overrides})" if options else base


def plain_title(title: str) -> str:
    """Return a title or a name in the form for comparison: letters and digits, in lower case.

    Numbers in words become digits. A leading "the", and every "and", is left out. All this is done
    inside longer words, too, so the result is good only for comparison.

    >>> plain_title("Ship, Captain and Crew") == plain_title("ship-captain-crew")
    True
    >>> plain_title("The Lucky Seven"), plain_title("2 To Go")
    ('lucky7', '2togo')
    """
    plain = "".join(sign for sign in title.casefold() if sign.isalnum())
    return _WORDS.sub(lambda word: str(NUMBER_WORDS.get(word[0], "")), plain)


def titles(title: str) -> list[str]:
    """Return the titles of a game in the language in use; the first is shown, and all find it."""
    return [each.strip() for each in pgettext("title of a game", title).split(";")]


def title_to_name(text: str, names: Mapping[str, str]) -> str:
    """Replace the title in a text by the name of its game; overrides in brackets stay.

    `names` are the names by `plain_title`. A text with another title is returned unchanged, and so
    is one that is too long, or has a control character in its title.
    """
    title, bracket, options = text.partition("(")
    fits = len(text) <= LONGEST and " ".join(in_ascii(title).split()).isprintable()
    name = names.get(plain_title(title)) if fits else None
    return text if name is None else f"{name}{bracket}{options}"
