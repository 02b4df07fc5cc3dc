"""Lines that do more than one thing to the tray: each of them is a change of its own."""

import re

from shutbox.dice import MOST_DICE
from shutbox.english import dice_words
from shutbox.errors import IllegalChoice
from shutbox.games.tray.position import LONGEST_LINE, Change, Die, TrayPosition, Verb
from shutbox.games.tray.scene import refused
from shutbox.typed_text import typed_words

_LINE = re.compile(r"([a-z]+)((?: [0-9]{0,2}d[0-9]{1,4}(?:-[0-9]{1,4})?| [0-9]{1,2})+| all)")
_DICE = re.compile("([0-9]{1,2}) (?:die|dices?)")
_KIND_AND_FACE = re.compile(r"[a-z]+ d[0-9]+ [0-9]+")  # of one die


def several(position: TrayPosition, text: str) -> tuple[str, ...]:
    """The single changes that a line stands for; none where it is not about several dice.

    >>> tray = TrayPosition((Die(6, 3), Die(6, 5), Die(20, 17, held=True)))
    >>> several(tray, "hold 5 and 3"), several(tray, "hold all")
    (('hold 5', 'hold 3'), ('hold d6-3', 'hold d6-5'))
    >>> several(tray, "add 2d6+1d20"), several(tray, "hold 5"), several(tray, "free d20 17")
    (('add d6', 'add d6', 'add d20'), (), ())
    >>> several(tray, "6 dice"), several(tray, "one die")
    (('add d6', 'add d6', 'add d6'), ('remove d6-5', 'remove d20-17'))

    So many dice stay or come, the first ones and six-sided ones.

    Raises IllegalChoice where all dice are meant and there are none, or there are so many already.
    """
    line = " ".join(typed_words(text)) if len(text) <= LONGEST_LINE else ""
    if count := _DICE.fullmatch(line):
        return _so_many(position, int(count[1]))
    match = _LINE.fullmatch(line)
    if match is None or _KIND_AND_FACE.fullmatch(line):
        return ()
    verb = next((verb for verb in Verb if verb.value.startswith(match[1])), Verb.THROW)
    if verb is Verb.THROW:
        return ()
    if match[2] == " all":
        held = {Verb.HOLD: False, Verb.FREE: True}.get(verb)
        dice = [d for d in position.dice if d.held == held and d.face]
        if held is not None and not dice:
            raise refused(position, Change(verb))
        return tuple(f"{verb.value} {Die(die.sides, die.face)}" for die in dice)
    return _each(verb, match[2].split())


def _so_many(position: TrayPosition, number: int) -> tuple[str, ...]:
    if number == len(position.dice):
        raise IllegalChoice("the tray has {dice} already", position, dice=dice_words(number))
    gone = [Die(die.sides, die.face) for die in position.dice[number:]]
    come = [Die(6)] * (min(number, MOST_DICE + 1) - len(position.dice))
    changes = [
        *(Change(Verb.REMOVE, die) for die in gone),
        *(Change(Verb.ADD, die) for die in come),
    ]
    return tuple(map(str, changes))


def _each(verb: Verb, typed: list[str]) -> tuple[str, ...]:
    dice: list[str] = []
    for die in typed:
        number, _, kind = die.partition("d")
        if verb is Verb.ADD and number and kind and "-" not in kind:
            # One more than the tray holds is enough to be refused.
            dice += [f"d{kind}"] * min(int(number), MOST_DICE + 1)
        else:
            dice.append(die)
    return tuple(f"{verb.value} {die}" for die in dice) if dice != typed or len(dice) > 1 else ()
