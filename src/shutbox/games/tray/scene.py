"""The scene of the tray, as it is seen and heard."""

from shutbox.dice import MOST_DICE, MOST_SIDES, Dice
from shutbox.english import capital, number_word
from shutbox.errors import IllegalChoice
from shutbox.game import Awaited, Choose, Throw, not_a_choice
from shutbox.games.tray.position import Change, TrayPosition, Verb, named, spoken
from shutbox.messages import gettext, gettext_noop, ngettext
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
    free, words = len(position.free), number_word(len(position.free))
    dice = lying(position)
    if isinstance(awaited, Throw):
        dice = capital(ngettext("one die to throw.", "{number} dice to throw.", free, number=words))
    enter = ngettext("Enter throws one die", "Enter throws {number} dice", free, number=words)
    return Scene(
        says=() if position.throwing else (dice,),
        dice=dice,
        board=_board(position),
        score=gettext("Total {total}.", total=position.total),
        legal=_legal(awaited, choices),
        pieces=tuple(
            die_piece(str(index), f"d{die.sides}", die.sides, die.face, held=die.held)
            for index, die in enumerate(position.dice)
        ),
        offers=offers,
        ask=gettext("What do you want to do?") if offers else "",
        default=offers[0].text if can_throw else None,
        enter=enter if can_throw else "",
    )


def _board(position: TrayPosition) -> str:
    """Return sentences with the number of dice, and those held."""
    number = len(position.dice)
    words = number_word(number)
    says = ngettext("one die in the tray.", "{number} dice in the tray.", number, number=words)
    return " ".join([capital(says), _held(position) or gettext("No die is held.")])


def lying(position: TrayPosition) -> str:
    """Return sentences with the faces, their total, those held, and the dice not thrown yet."""
    shown = [die for die in position.dice if die.face]
    waiting = tuple(die.sides for die in position.dice if not die.face)
    facts = {"dice": spoken(shown), "total": position.total}
    says = []
    if len(shown) > 1:
        says.append(gettext("In the tray: {dice}, {total} in all.", **facts))
    elif shown:
        says.append(gettext("In the tray: {dice}.", **facts))
    says += filter(None, [_held(position)])
    if waiting:
        says.append(gettext("Not thrown yet: {dice}.", dice=Dice(waiting)))
    return " ".join(says)


def _held(position: TrayPosition) -> str:
    """Return a sentence with the dice that are held, empty if there are none."""
    if position.held and not position.free:
        return gettext("Every die is held.")
    return gettext("Held: {dice}.", dice=spoken(position.held)) if position.held else ""


def _offer(position: TrayPosition, change: Change) -> Offer:
    text, die = str(change), change.die
    if die is None:
        count, words = len(position.free), number_word(len(position.free))
        says = ngettext("throw one die", "throw {number} dice", count, number=words)
        done = ngettext("Throwing one die.", "Throwing {number} dice.", count, number=words)
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
        number, words = len(awaited.dice), number_word(len(awaited.dice))
        return ngettext("Throw one die.", "Throw {number} dice.", number, number=words)
    says = {
        Verb.THROW: gettext("throw the dice that are not held"),
        Verb.HOLD: gettext("hold a die by its face"),
        Verb.FREE: gettext("free a held die"),
        Verb.REMOVE: gettext("remove a die"),
        Verb.ADD: gettext("add a die of 2 to {most} sides", most=MOST_SIDES),
    }
    verbs = dict.fromkeys(change.verb for change in choices)
    return gettext("Choices: {offers}.", offers="; ".join(says[verb] for verb in verbs))


def refused(position: TrayPosition, choice: object) -> IllegalChoice:
    """Return the refusal of a change that is not open, with the reason."""
    if not isinstance(choice, Change):
        return not_a_choice(choice, position)
    return IllegalChoice(_why_not(position, choice), position)


def _why_not(position: TrayPosition, choice: Change) -> str:
    facts = {"choice": repr(str(choice)), "most": MOST_SIDES, "dice": spoken(position.dice)}
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
