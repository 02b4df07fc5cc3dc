"""The rules of a table that is not open yet, and how another box or another match changes them.

No choice discards settings silently. Settings made by hand stay unless the choice contradicts them.
If a choice would drop them, or brings another box under them, the host is asked first.
"""

from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass

from shutbox.errors import ShutboxError
from shutbox.games.catalogue import find
from shutbox.match import Format, Match, presets
from shutbox.match.atoms import ATOMS
from shutbox.typed_text import parse_name, split, write_name

FIRST = "classic"


@dataclass(frozen=True, slots=True)
class Rules:
    """The rules as set up so far."""

    game: str = FIRST
    """The box with its house rules, in the notation of names."""
    preset: str = ""
    format: str = ""
    """The format as typed; it overrides the format of the preset."""

    @property
    def ends(self) -> str:
        """The end of the match and the price of a round, in words; empty without a match.

        >>> Rules("covered", "race-200", "target=100").ends
        'The first to reach a total of 100 wins.'

        Raises BadFormat, and the errors of `find`.
        """
        preset = presets().get(self.preset)
        if preset is None and not self.format.strip():
            return ""
        played = Format.parse(self.format, preset.format if preset else None)
        return Match(find(self.game), played).brief()


@dataclass(frozen=True, slots=True)
class Choice:
    """The rules after a choice, and how they differ from the old ones, in sentences."""

    rules: Rules
    asks: bool
    """Whether settings made by hand change, so that the host must agree first."""
    gone: tuple[str, ...]
    new: tuple[str, ...]
    stays: tuple[str, ...]
    """Settings made by hand that still hold."""


def choose(now: Rules, game: str, preset: str) -> Choice:
    """Return the rules after choosing the box `game` with the match `preset`, "" for none.

    >>> chosen = choose(Rules("classic(tiles=1-10)"), "covered", "race-200")
    >>> chosen.rules.game, chosen.asks, chosen.new[0]
    ('covered(tiles=1-10)', True, 'Your score is the sum of the tiles you put down; high is good.')
    >>> choose(Rules(), "covered", "race-200").asks
    False

    Raises the errors of `find`.
    """
    base, own = parse_name(find(now.game).name)
    first, theirs = find(FIRST).card().options, find(game).card().options
    kept = {key: text for key, text in own.items() if theirs.get(key) == first.get(key)}
    wanted = find(game).name
    with suppress(ShutboxError):  # if the box lacks one of these rules, none of them stays
        wanted = find(write_name(game, kept)).name
    format = now.format if preset == now.preset else _kept_format(now.format, preset)
    rules = Rules(wanted, preset, format)
    brings = preset not in ("", now.preset) and game != base
    drops = own.items() - find(wanted).card().options.items() or format != now.format
    before, after = _lines(now), _lines(rules)
    plain = _lines(Rules(base, now.preset))
    gone = tuple(line for line in before if line not in after)
    return Choice(
        rules,
        asks=bool(drops or (own and brings and gone)),
        gone=gone,
        new=tuple(line for line in after if line not in before),
        stays=tuple(line for line in after if line in before and line not in plain),
    )


def _kept_format(text: str, preset: str) -> str:
    """Return the typed format without the atoms that contradict the preset."""
    theirs: Mapping[str, str] = presets()[preset].format.options if preset in presets() else {}
    typed, problems = split(text, "", "")
    if problems or typed.keys() - ATOMS.keys():
        return text  # the parser of formats refuses it later
    ends = any(ATOMS[key].ends for key in theirs)
    kept = {
        key: value
        for key, value in typed.items()
        if theirs.get(key, value) == value and not (ends and ATOMS[key].ends and key not in theirs)
    }
    return text if kept == typed else ",".join(f"{key}={value}" for key, value in kept.items())


def _lines(rules: Rules) -> tuple[str, ...]:
    card = find(rules.game).card()
    ends = ""
    with suppress(ShutboxError):  # a format that cannot be played is reported where it is typed
        ends = rules.ends
    return tuple(line for line in (*card.lines, ends) if line and line != card.example)
