"""The tray as it is seen and heard."""

from dataclasses import replace

from shutbox.dice import MOST_SIDES
from shutbox.english import capital, counted, is_or_are
from shutbox.game import Awaited, Choose, Throw
from shutbox.games.tray.position import Change, Die, Position, Verb, named, spoken
from shutbox.scene import Kind, Offer, Piece, Scene, State

_DONE = {
    Verb.HOLD: "{} is held.",
    Verb.FREE: "{} is free again.",
    Verb.REMOVE: "{} is removed.",
    Verb.ADD: "A {} is added.",
}


def scene(awaited: Awaited[Change], position: Position) -> Scene:
    """The tray at a position that awaits this."""
    choices = awaited.choices if isinstance(awaited, Choose) else ()
    offers = tuple(_offer(position, choice) for choice in choices)
    can_throw = bool(choices) and choices[0].verb is Verb.THROW
    dice = f"In the tray: {lying(position)}."
    if isinstance(awaited, Throw):
        dice = f"{capital(awaited.dice.words)} to throw."
    return Scene(
        says=() if position.throwing else (dice,),
        dice=dice,
        board=_board(position),
        score=f"Total {_total(position)}.",
        legal=_legal(awaited, choices),
        pieces=tuple(
            Piece(
                str(index),
                Kind.DIE,
                str(die.face or ""),
                _state(die),
                f"d{die.sides}",
                sides=die.sides,
                number=die.face or None,
            )
            for index, die in enumerate(position.dice)
        ),
        offers=offers,
        ask="What next?" if offers else "",
        default=offers[0].text if can_throw else None,
        enter=f"Enter throws {counted(len(position.free), 'die', 'dice')}" if can_throw else "",
    )


def lying(position: Position) -> str:
    """The dice and their total: `3 and 5, 8 in all, 5 held`."""
    held = [die for die in position.dice if die.held]
    parts = [spoken(position.dice)]
    if len(position.dice) > 1 and _total(position):
        parts.append(f"{_total(position)} in all")
    if held:
        parts.append(f"{spoken(held)} held" if len(position.dice) > 1 else "held")
    return ", ".join(parts)


def _total(position: Position) -> int:
    return sum(die.face for die in position.dice)


def _board(position: Position) -> str:
    held = [die for die in position.dice if die.held]
    in_tray = f"{capital(counted(len(position.dice), 'die', 'dice'))} in the tray"
    return f"{in_tray}, held: {spoken(held)}." if held else f"{in_tray}, none held."


def _state(die: Die) -> State:
    if die.held:
        return State.HELD
    return State.LYING if die.face else State.IN_HAND


def _offer(position: Position, change: Change) -> Offer:
    text, die = str(change), change.die
    if die is None:
        number = counted(len(position.free), "die", "dice")
        done = f"{capital(number)} {is_or_are(len(position.free))} thrown."
        count = len(position.free)
        return Offer(text, f"throw {number}", done, kind=change.verb.value, count=count)
    done, takes = _DONE[change.verb].format(named(die)), _takes(position, change)
    return Offer(text, f"{change.verb.value} {named(die)}", done, takes, kind=change.verb.value)


def _takes(position: Position, change: Change) -> tuple[str, ...]:
    """The key of a die that a change is done to; of equal dice it does not matter which."""
    held = {Verb.HOLD: (False,), Verb.FREE: (True,), Verb.REMOVE: (False, True)}
    keys = (
        str(index)
        for index, die in enumerate(position.dice)
        if die.held in held.get(change.verb, ()) and replace(die, held=False) == change.die
    )
    return tuple(keys)[:1]


def _legal(awaited: Awaited[Change], choices: tuple[Change, ...]) -> str:
    if isinstance(awaited, Throw):
        return f"Throw {awaited.dice.words}."
    verbs = dict.fromkeys(change.verb for change in choices)
    says = {
        Verb.THROW: "throw the dice that are not held",
        Verb.HOLD: "hold a die by its face",
        Verb.FREE: "free a held die",
        Verb.REMOVE: "remove a die",
        Verb.ADD: f"add a die of 2 to {MOST_SIDES} sides",
    }
    return f"Legal: {'; '.join(says[verb] for verb in verbs)}."
