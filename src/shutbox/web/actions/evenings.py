"""The rules of a table that is not open yet, and how a choice changes them.

A choice is another box, another match with a name, or another length. No choice discards settings
silently. Settings made by hand stay unless the choice contradicts them. If a choice would drop
them, or would change other rules besides, the visitor is asked first.
"""

from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, replace

from shutbox.engine.dice import Dice
from shutbox.engine.english import runs
from shutbox.engine.errors import ShutboxError
from shutbox.engine.messages import gettext, gettext_noop
from shutbox.engine.typed_text import parse_name, read_numbers, split, write_name
from shutbox.games import catalogue
from shutbox.games.box.rule_tables import COVERS, FEWER, CoverRule, Fewer, ScoreRule
from shutbox.match import Format, Match, presets
from shutbox.match.format import ATOMS
from shutbox.web.compute.tasks import AnyGame, check_text

FIRST = "classic"
PLAIN = {"order": "seats", "begins": "1", "stake": "0"}  # defaults, not written in a format
LENGTHS = {
    "one": ("rounds", 1, 0),
    "three": ("rounds", 3, 0),
    "rounds": ("rounds", 5, 1),
    "to-100": ("target", 100, 10),
    "to-200": ("target", 200, 10),
    "knockout": ("limit", 45, 5),
}
"""The lengths that the form offers: the atom of the format that ends the match, its number, and the
step in which the number changes, 0 if it is fixed."""
RESULTS = {  # each rule for the score, in words
    ScoreRule.SUM: gettext_noop("what is left"),
    ScoreRule.COUNT: gettext_noop("how many are left"),
    ScoreRule.DIGITS: gettext_noop("the tiles as a number"),
    ScoreRule.COVERED: gettext_noop("what you cover"),
}
LABELS = {  # the names of the rules on the page
    "tiles": gettext_noop("Tiles"),
    "down": gettext_noop("Down from the start"),
    "dice": gettext_noop("Dice"),
    "fewer": gettext_noop("One die"),
    "cover": gettext_noop("A cover"),
    "score": gettext_noop("Result"),
}


@dataclass(frozen=True, slots=True)
class Rules:
    """The rules of a table that is being set up: the box, the match and its format."""

    game: str = FIRST  # the box with its house rules, in the notation of names
    preset: str = ""
    format: str = ""  # the format as typed; it overrides the format of the preset
    score_before: str = ""  # the score rule that a length replaced; `-`: the box's own; empty: none

    @property
    def played(self) -> Format:
        """The format of the match: the preset's, changed by the typed one. Raises BadFormat."""
        preset = presets().get(self.preset)
        return Format.parse(self.format, preset.format if preset else None)

    @property
    def ends(self) -> str:
        """A sentence on how the match ends, and the price of a round in chips; "" without a match.

        >>> Rules("covered", "race-200", "target=100").ends
        'The first to reach a total of 100 wins.'

        Raises BadFormat, and the errors of `find`.
        """
        if self.preset not in presets() and not self.format.strip():
            return ""
        return Match(find(self.game), self.played).brief()

    @property
    def title(self) -> str:
        """The preset's title, or if a format is typed, the length in words. Raises BadFormat.

        >>> Rules(format="target=100").title, Rules("classic", "pub").title
        ('First to 100', 'Pub Game')
        """
        if self.preset in presets() and not self.format.strip():
            return presets()[self.preset].title
        return self.played.length

    @property
    def by_hand(self) -> "Rules":
        """These rules with the score rule from before a length replaced it, if one did."""
        if not self.score_before:
            return self
        game = self.game
        with suppress(ShutboxError):  # a form can send any text
            game = _scored(game, self.score_before)
        return replace(self, game=game, score_before="")

    @property
    def fitting(self) -> "Rules":
        """These rules with a score that their match can use, if the box lets it be changed.

        A race to a total counts what is covered, a knockout what is left. Raises BadFormat if the
        format cannot be read, and the errors of `find`.
        """
        found, format = self.by_hand, self.played
        scoring = find(found.game).scoring
        if scoring and format.target is not None and scoring.low_is_good:
            score = ScoreRule.COVERED.value
        elif scoring and format.limit is not None and not scoring.low_is_good:
            score = ScoreRule.SUM.value
        else:
            return found
        before = parse_name(found.game)[1].get("score", "-")
        with suppress(ShutboxError):  # a game without that rule: the match says why it cannot be
            return replace(found, game=_scored(found.game, score), score_before=before)
        return found


def find(name: str) -> AnyGame:
    """Return a game by its name, never one of a file. Raises UnknownGame and the like."""
    check_text(name)
    return catalogue.find(name)


def _scored(game: str, score: str) -> str:
    """Return a box's name with this score rule, `-` for its own. Raises the errors of `find`."""
    base, own = parse_name(game)
    own.pop("score", None)
    return find(write_name(base, own if score == "-" else {**own, "score": score})).name


@dataclass(frozen=True, slots=True)
class Choice:
    """The rules after a choice, and how they differ from the old ones."""

    rules: Rules
    asks: bool  # whether it drops settings made by hand, or changes others: the visitor must agree
    changes: tuple[tuple[str, str, str], ...]
    """The rules that change, then the settings made by hand that stay: the name of the rule, its
    old and its new value in words, "" if there is none."""


def choose(now: Rules, game: str, preset: str) -> Choice:
    """Return the rules after choosing the box `game` with the match `preset`, "" for none.

    >>> chosen = choose(Rules("classic(tiles=1-10)"), "covered", "race-200")
    >>> chosen.rules.game, chosen.asks, [rule for rule, old, new in chosen.changes if old != new]
    ('covered(tiles=1-10)', True, ['Box', 'Result'])
    >>> choose(Rules(), "covered", "race-200").asks
    False

    A rule set by hand stays if the new box has Classic's value for it. Raises as `find`.
    """
    base, own = parse_name(find(now.by_hand.game).name)
    first, theirs = find(FIRST).card().options, find(game).card().options
    kept = {key: text for key, text in own.items() if theirs.get(key) == first.get(key)}
    wanted = find(game).name
    with suppress(ShutboxError):  # if the box lacks one of these rules, none of them stays
        wanted = find(write_name(game, kept)).name
    format = now.format if preset == now.preset else _kept_format(now.format, preset)
    rules = Rules(wanted, preset, format)
    with suppress(ShutboxError):  # a format that cannot be played is reported where it is typed
        rules = rules.fitting
    changes = tuple(_changes(now, rules))
    if now.format != format:
        with suppress(ShutboxError):
            changes = ((gettext("Match"), now.title, rules.title), *changes)
    brings = preset not in ("", now.preset) and game != base
    drops = own.items() - find(rules.by_hand.game).card().options.items() or format != now.format
    brought = own and brings and any(old != new for _, old, new in changes)
    return Choice(rules, bool(drops or brought), changes)


def choose_length(now: Rules, atom: str, number: int) -> Choice:
    """Return the rules after choosing a length: `number` for `atom`, a key such as `rounds`.

    >>> chosen = choose_length(Rules("classic(tiles=1-10)"), "target", 100)
    >>> chosen.rules.game, chosen.rules.format, chosen.asks
    ('classic(tiles=1-10,score=covered)', 'target=100', True)
    >>> chosen.changes[0]
    ('Result', 'what is left', 'what you cover')
    >>> back = choose_length(chosen.rules, "rounds", 1)
    >>> back.rules, back.asks
    (Rules(game='classic(tiles=1-10)', preset='', format='', score_before=''), False)

    The preset goes, the score is `fitting`, and 1 round is no match. Raises BadFormat, also for a
    number out of its bounds, and the errors of `find`.
    """
    typed, _ = split(now.format, "", "")
    kept = {key: text for key, text in typed.items() if not (key in ATOMS and ATOMS[key].ends)}
    if (atom, number) != ("rounds", 1):
        kept = {atom: str(number), **kept}
    rules, before = replace(now, preset="", format=_written(kept)).fitting, now.by_hand
    asks = bool(parse_name(before.game)[1]) and rules.game != before.game
    return Choice(rules, asks, tuple(_changes(before, rules)))


def with_atoms(rules: Rules, changed: Mapping[str, str]) -> Rules:
    """Return the rules with `changed` values of atoms in the format; the same if it is malformed.

    >>> with_atoms(Rules("classic", "pub"), {"stake": "0", "order": "rotate"}).format
    'stake=0,order=rotate'
    >>> with_atoms(Rules("classic", "", "stake=2,rounds=3"), {"stake": "0"}).format
    'rounds=3'
    """
    typed, problems = split(rules.format, "", "")
    if problems:
        return rules
    preset = presets().get(rules.preset)
    theirs = {**PLAIN, **(preset.format.options if preset else {})}
    both = {**typed, **changed}.items()
    kept = {key: text for key, text in both if key not in changed or theirs.get(key) != text}
    return replace(rules, format=_written(kept))


def length_of(rules: Rules, wanted: str = "") -> tuple[str, str]:
    """Return the key in LENGTHS that fits the rules, and their number; ("", "0") if none fits.

    If several fit, it is `wanted`, if that is one of them, or else the first. Raises BadFormat.

    >>> length_of(Rules(format="target=110"), "to-200"), length_of(Rules(format="until=shut"))
    (('to-200', '110'), ('', '0'))
    """
    ends = {key: text for key, text in rules.played.options.items() if ATOMS[key].ends}
    fits = [id for id, (atom, number, _) in LENGTHS.items() if ends == {atom: str(number)}]
    fits += [id for id, (atom, _, step) in LENGTHS.items() if step and ends.keys() == {atom}]
    if not fits:
        return "", "0"
    id = wanted if wanted in fits else fits[0]
    return id, ends[LENGTHS[id][0]]


def box_title(game: str) -> str:
    """Return the title of a box; a title that is only a number also gets the word "tiles".

    >>> box_title("ten"), box_title("classic(tiles=1-10)"), box_title("cargo")
    ('Ten tiles', 'Classic with ten tiles', 'Cargo')
    """
    counts = {"ten": gettext("Ten tiles"), "six": gettext("Six tiles")}
    return counts.get(game, find(game).card().title)


def _kept_format(text: str, preset: str) -> str:
    """Return the typed format without what contradicts the preset; the same if it is malformed."""
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
    return text if kept == typed else _written(kept)


def _written(options: Mapping[str, str]) -> str:
    return ",".join(f"{key}={text}" for key, text in options.items())


def _changes(now: Rules, then: Rules) -> Iterator[tuple[str, str, str]]:
    """Yield the rules of a box that differ, then those set by hand that stay: `Choice.changes`."""
    base, own = parse_name(find(now.game).name)
    other = parse_name(find(then.game).name)[0]
    old, new = (find(rules.game).card().options for rules in (now, then))
    if base != other and old != new:
        yield gettext("Box"), box_title(base), box_title(other)
    for key in {**old, **new}:
        if old.get(key) != new.get(key) and (key in own or base == other or key == "score"):
            yield _row(key, old.get(key, ""), new.get(key, ""))
    for key in own:
        if old.get(key) == new.get(key):
            yield _row(key, old[key], old[key])


def _row(key: str, old: str, new: str) -> tuple[str, str, str]:
    label = gettext(LABELS[key]) if key in LABELS else key
    return label, _value(key, old), _value(key, new)


def _value(key: str, text: str) -> str:
    """Return the value of a rule in words; "" if the box has no such rule."""
    match key:
        case _ if text in ("", "-"):
            return text and gettext("none")
        case "tiles" | "down":
            return runs(read_numbers(text))
        case "dice":
            return Dice.parse(text).words
        case "fewer":
            return gettext(FEWER[Fewer(text)].short)
        case "cover":
            return gettext(COVERS[CoverRule(text)].short)
        case "score":
            return gettext(RESULTS[ScoreRule(text)])
    return text
