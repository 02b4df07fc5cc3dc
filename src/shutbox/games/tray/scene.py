"""The scene of a position of the tray: its sentences, its offers, and the dice as pieces."""

from shutbox.engine.dice import MOST_SIDES, Dice, throw_words
from shutbox.engine.english import capital, counted
from shutbox.engine.game import Awaited, Choose, Throw
from shutbox.engine.game_text import legal_text
from shutbox.engine.messages import gettext, gettext_noop
from shutbox.engine.scene import Offer, Scene, die_piece
from shutbox.games.tray.position import Change, TrayPosition, Verb, spoken_dice, spoken_die

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
    free, dice = len(position.free), tray_text(position)
    fell = [spoken_die(die) for die in position.free if die.face]
    pips = throw_words(fell, position.total, [*map(spoken_die, position.held)])
    thrown = gettext("threw {pips}.", pips=pips) if fell else ""
    if isinstance(awaited, Throw):
        dice = capital(counted("one die to throw.", "{number} dice to throw.", free))
    enter = counted("Enter throws one die", "Enter throws {number} dice", free)
    return Scene(
        says=() if position.throwing else (capital(thrown) or dice,),
        own=(gettext("You threw {pips}.", pips=pips),) if fell else (),
        says_by=thrown,
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
    says = counted("one die in the tray.", "{number} dice in the tray.", len(position.dice))
    return " ".join([capital(says), _held(position) or gettext("No die is held.")])


def tray_text(position: TrayPosition) -> str:
    """Return sentences with the faces, their total, those held, and the dice not thrown yet."""
    shown = [die for die in position.dice if die.face]
    waiting = tuple(die.sides for die in position.dice if not die.face)
    dice = throw_words([*map(spoken_die, shown)], position.total)
    says = [gettext("In the tray: {dice}.", dice=dice)] if shown else []
    says += filter(None, [_held(position)])
    if waiting:
        says.append(gettext("Not thrown yet: {dice}.", dice=Dice(waiting)))
    return " ".join(says)


def _held(position: TrayPosition) -> str:
    """Return a sentence that names the held dice, or says that all are; empty if none are."""
    if position.held and not position.free:
        return gettext("Every die is held.")
    return gettext("Held: {dice}.", dice=spoken_dice(position.held)) if position.held else ""


def _offer(position: TrayPosition, change: Change) -> Offer:
    text, die = str(change), change.die
    if die is None:
        count = len(position.free)
        says = counted("throw one die", "throw {number} dice", count)
        done = counted("Throwing one die.", "Throwing {number} dice.", count)
        return Offer(text, says, done, kind=change.verb.value, count=count)
    (says, done, held), name = _CHANGES[change.verb], spoken_die(die)
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
        return legal_text(awaited, ())
    says = {
        Verb.THROW: gettext("throw the dice that are not held"),
        Verb.HOLD: gettext("hold a die by its face"),
        Verb.FREE: gettext("free a held die"),
        Verb.REMOVE: gettext("remove a die"),
        Verb.ADD: gettext("add a die of 2 to {most} sides", most=MOST_SIDES),
    }
    verbs = dict.fromkeys(change.verb for change in choices)
    return gettext("Choices: {offers}.", offers="; ".join(says[verb] for verb in verbs))
