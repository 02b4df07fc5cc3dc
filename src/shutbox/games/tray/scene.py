"""The scene of the tray, as it is seen and heard."""

from shutbox.dice import MOST_DICE, MOST_SIDES
from shutbox.english import capital, dice_words
from shutbox.errors import IllegalChoice
from shutbox.game import Awaited, Choose, Throw, not_a_choice
from shutbox.games.tray.position import Change, TrayPosition, Verb, named, spoken
from shutbox.messages import gettext, gettext_noop
from shutbox.scene import Offer, Scene, die_piece

_CHANGES = {
    Verb.HOLD: (gettext_noop("hold {die}"), gettext_noop("{die} is held."), {False}),
    Verb.FREE: (gettext_noop("free {die}"), gettext_noop("{die} is free again."), {True}),
    Verb.REMOVE: (gettext_noop("remove {die}"), gettext_noop("{die} is removed."), {False, True}),
    Verb.ADD: (gettext_noop("add {die}"), gettext_noop("A {die} is added."), set[bool]()),
}
"""Each verb with its offer, the sentence once it is done, and the `held` values of fitting dice."""


def scene(awaited: Awaited[Change], position: TrayPosition) -> Scene:
    """Return the scene at a position of the tray; `awaited` is what the position awaits."""
    choices = awaited.choices if isinstance(awaited, Choose) else ()
    offers = tuple(_offer(position, choice) for choice in choices)
    can_throw = bool(choices) and choices[0].verb is Verb.THROW
    dice = gettext("In the tray: {dice}.", dice=lying(position))
    if isinstance(awaited, Throw):
        dice = gettext("{dice} to throw.", dice=capital(awaited.dice.words))
    number, held = capital(dice_words(len(position.dice))), position.held
    board = gettext("{dice} in the tray, none held.", dice=number)
    if held:
        board = gettext("{dice} in the tray, held: {held}.", dice=number, held=spoken(held))
    enter = gettext("Enter throws {dice}", dice=dice_words(len(position.free)))
    return Scene(
        says=() if position.throwing else (dice,),
        dice=dice,
        board=board,
        score=gettext("Total {total}.", total=position.total),
        legal=_legal(awaited, choices),
        pieces=tuple(
            die_piece(str(index), f"d{die.sides}", die.sides, die.face, held=die.held)
            for index, die in enumerate(position.dice)
        ),
        offers=offers,
        ask=gettext("What next?") if offers else "",
        default=offers[0].text if can_throw else None,
        enter=enter if can_throw else "",
    )


def lying(position: TrayPosition) -> str:
    """Return the dice in words, their total, and those held: `3 and 5, 8 in all, 5 held`."""
    held = position.held
    parts = [spoken(position.dice)]
    if len(position.dice) > 1 and position.total:
        parts.append(gettext("{total} in all", total=position.total))
    if len(held) == len(position.dice):
        parts.append(gettext("held") if len(held) == 1 else gettext("all held"))
    elif held:
        parts.append(gettext("{dice} held", dice=spoken(held)))
    return gettext(", ").join(parts)


def _offer(position: TrayPosition, change: Change) -> Offer:
    text, die = str(change), change.die
    if die is None:
        count, dice = len(position.free), dice_words(len(position.free))
        says = gettext("throw {dice}", dice=dice)
        done = gettext("Throwing {dice}.", dice=dice)
        return Offer(text, says, done, kind=change.verb.value, count=count)
    (says, done, held), name = _CHANGES[change.verb], named(die)
    # Of equal dice it does not matter which one is taken.
    fitting = [
        str(index)
        for index, other in enumerate(position.dice)
        if other.held in held and (other.sides, other.face) == (die.sides, die.face)
    ]
    says, done = gettext(says, die=name), gettext(done, die=name)
    if change.verb is Verb.REMOVE and not die.face:
        done = gettext("A {die} is removed.", die=name)
    return Offer(text, says, done, tuple(fitting[:1]), kind=change.verb.value)


def _legal(awaited: Awaited[Change], choices: tuple[Change, ...]) -> str:
    if isinstance(awaited, Throw):
        return gettext("Throw {dice}.", dice=awaited.dice.words)
    says = {
        Verb.THROW: gettext("throw the dice that are not held"),
        Verb.HOLD: gettext("hold a die by its face"),
        Verb.FREE: gettext("free a held die"),
        Verb.REMOVE: gettext("remove a die"),
        Verb.ADD: gettext("add a die of 2 to {most} sides", most=MOST_SIDES),
    }
    verbs = dict.fromkeys(change.verb for change in choices)
    return gettext("Legal: {offers}.", offers="; ".join(says[verb] for verb in verbs))


def refused(position: TrayPosition, choice: object) -> IllegalChoice:
    """Return the refusal of a change that is not open, with the reason."""
    if not isinstance(choice, Change):
        return not_a_choice(choice, position)
    return IllegalChoice(_why_not(position, choice), position)


def _why_not(position: TrayPosition, choice: Change) -> str:
    facts = {"choice": repr(str(choice)), "most": MOST_SIDES, "dice": lying(position)}
    facts["face"] = named(choice.die) if choice.die else "?"
    facts["free"] = spoken(position.free)
    match choice.verb:
        case Verb.ADD if len(position.dice) >= MOST_DICE:
            return gettext("the tray is full; it holds at most {most} dice", most=MOST_DICE)
        case Verb.ADD:
            return gettext("{choice} is refused: dice have 2 to {most} sides", **facts)
        case Verb.THROW:
            return gettext("every die is held; free one before you throw")
        case Verb.REMOVE if len(position.dice) == 1:
            return gettext("the last die stays in the tray")
        case Verb.FREE if len(position.free) == len(position.dice):
            return gettext("no die is held")
        case Verb.HOLD if choice.die is None or not position.free:
            return gettext("every die is held already")
        case Verb.HOLD:
            return gettext("no free die shows {face}; free are {free}", **facts)
        case Verb.FREE:
            return gettext("no held die shows {face}; the dice are {dice}", **facts)
    return gettext("no die shows {face}; the dice are {dice}", **facts)
