"""The rules of a table that is not open yet, and what a box and a length set in them.

A box sets all rules of the box, and a length sets how the match ends. Nobody is asked: the form can
bring the last setup back.
"""

from contextlib import suppress
from dataclasses import dataclass
from typing import NamedTuple

from shutbox.engine.errors import ShutboxError
from shutbox.engine.messages import gettext
from shutbox.engine.typed_text import parse_name, write_name
from shutbox.games.box.rule_tables import ScoreRule
from shutbox.games.catalogue import find
from shutbox.match import Format, Match, Preset, presets
from shutbox.match.format import ATOMS

DEFAULT_BOX = "classic"


class LengthOption(NamedTuple):
    """A length of a match that the form offers."""

    atom: str  # the atom of the format that ends the match
    number: int  # its usual number
    step: int  # in which the form changes the number; 0 if it is fixed


LENGTHS = {
    "one": LengthOption("rounds", 1, 0),
    "three": LengthOption("rounds", 3, 0),
    "rounds": LengthOption("rounds", 5, 1),
    "to-100": LengthOption("target", 100, 10),
    "to-200": LengthOption("target", 200, 10),
    "knockout": LengthOption("limit", 45, 5),
}
"""The lengths by their keys in the form, in the order in which it shows them."""


@dataclass(frozen=True, slots=True)
class Setup:
    """The rules of a table that is being set up: the box and the format of its match.

    >>> str(Setup("ten", "rounds=3")), Setup("covered", "target=100").title
    ('ten;rounds=3', 'First to 100')
    """

    game: str = DEFAULT_BOX  # the box with its house rules, in the notation of names
    format: str = ""  # as `with_format` writes it; empty for one round and nothing else

    def __str__(self) -> str:
        return f"{self.game};{self.format}"

    @property
    def preset(self) -> Preset | None:
        """The named match that has exactly these rules, if there is one."""
        own = (self.game, self.format)
        return next((p for p in presets().values() if (p.game, str(p.format)) == own), None)

    @property
    def title(self) -> str:
        """The title of the preset, or the length in words."""
        return self.preset.shown_title if self.preset else Format.parse(self.format).length

    @property
    def ends(self) -> str:
        """A sentence on how the match ends, and the price of a round in chips; "" without a match.

        >>> Setup("covered", "target=100").ends
        'The first to reach a total of 100 wins.'

        Raises BadFormat if the box cannot be played in this format.
        """
        return Match(find(self.game), Format.parse(self.format)).list_line() if self.format else ""


def with_format(setup: Setup, text: str, base: str = "") -> Setup:
    """Return a setup with a format as typed; its other keys are as in `base`. Raises BadFormat.

    >>> with_format(Setup("ten"), "rounds=5, order=seats", "limit=45,stake=2").format
    'rounds=5,stake=2'
    """
    format = Format.parse(text, base)
    return Setup(setup.game, "" if format == Format() else str(format))


def with_length(setup: Setup, atom: str, number: int) -> Setup:
    """Return a setup with `number` for `atom`, which ends the match, and a score that it can use.

    >>> raced = with_length(Setup("classic(tiles=1-10)"), "target", 100)
    >>> str(raced), str(with_length(raced, "rounds", 1))
    ('classic(tiles=1-10,score=covered);target=100', 'classic(tiles=1-10);')

    The score rule of a race or a knockout goes with it. Raises BadFormat for a number out of
    bounds.
    """
    game, format = setup.game, Format.parse(setup.format)
    if format.target or format.limit:
        base, own = parse_name(game)
        own.pop("score", None)
        game = write_name(base, own)
    return fit_score(with_format(Setup(game), f"{atom}={number}", setup.format))


def fit_score(setup: Setup) -> Setup:
    """Return a setup with a score that its match can use, if the box lets it be changed.

    A race to a total counts what is covered, a knockout what is left.

    >>> str(fit_score(Setup("six", "target=100")))
    'six(score=covered);target=100'
    """
    scoring, format = find(setup.game).scoring, Format.parse(setup.format)
    if scoring and format.target and scoring.low_is_good:
        score = ScoreRule.COVERED.value
    elif scoring and format.limit and not scoring.low_is_good:
        score = ScoreRule.SUM.value
    else:
        return setup
    base, own = parse_name(setup.game)
    with suppress(ShutboxError):  # a game without that rule: the match says why it cannot be
        return Setup(find(write_name(base, {**own, "score": score})).name, setup.format)
    return setup


def length_of(setup: Setup, wanted: str = "") -> tuple[str, str]:
    """Return the key in LENGTHS that fits the format, and its number; ("", "0") if none fits.

    If several fit, it is `wanted`, if that is one of them, or else the first.

    >>> length_of(Setup(format="target=110"), "to-200"), length_of(Setup(format="until=shut"))
    (('to-200', '110'), ('', '0'))
    """
    options = Format.parse(setup.format).options
    ends = {key: text for key, text in options.items() if ATOMS[key].ends}
    fits = [id for id, row in LENGTHS.items() if ends == {row.atom: str(row.number)}]
    fits += [id for id, row in LENGTHS.items() if row.step and ends.keys() == {row.atom}]
    if not fits:
        return "", "0"
    id = wanted if wanted in fits else fits[0]
    return id, ends[LENGTHS[id].atom]


def box_title(game: str) -> str:
    """Return the title of a box; a title that is only a number also gets the word "tiles".

    >>> box_title("ten"), box_title("classic(tiles=1-10)"), box_title("cargo")
    ('Ten tiles', 'Classic with ten tiles', 'Cargo')
    """
    # Translators: titles of games, the boxes with ten and with six tiles.
    counts = {"ten": gettext("Ten tiles"), "six": gettext("Six tiles")}
    return counts.get(game, find(game).card().title)
