"""Cargo as it is seen and heard."""

from collections.abc import Sequence

from shutbox.english import capital, counted, dice_words, is_or_are, listed
from shutbox.game import Awaited, Choose, Over, Throw
from shutbox.games.cargo.position import Accept, Choice, Position, banked, write_choice
from shutbox.games.cargo.rules import CREW, SIDES
from shutbox.scene import Kind, Offer, Piece, Scene, State
from shutbox.telling import legal


def scene(awaited: Awaited[Choice], position: Position) -> Scene:
    """The table at a position of Cargo that awaits this."""
    aboard, cargo = position.aboard, position.kept
    if position.roll is not None:
        aboard, cargo = banked(aboard, position.roll)
    offers = (
        tuple(_offer(choice, cargo) for choice in awaited.choices)
        if isinstance(awaited, Choose)
        else ()
    )
    return Scene(
        says=tuple(_says(position, awaited, aboard, cargo)),
        dice=_dice(position, awaited),
        board=_board(aboard, position.left),
        score=_score(awaited, aboard, cargo),
        legal=legal(awaited, offers),
        pieces=_pieces(position, awaited, aboard, cargo),
        offers=offers,
        ask=_ask(offers),
    )


def _ask(offers: tuple[Offer, ...]) -> str:
    if len(offers) > 2:
        return "Accept the cargo, or throw which dice again?"
    return "Accept the cargo, or throw again?" if offers else ""


def _offer(choice: Choice, cargo: tuple[int, ...]) -> Offer:
    text = write_choice(choice)
    if isinstance(choice, Accept):
        return Offer(text, f"accept {sum(cargo)}", "The cargo is accepted.", kind="accept")
    dice = list(choice.pips or cargo)
    says = f"throw {listed(dice)} again" if choice.pips else "throw the cargo again"
    taken = []
    for index, face in enumerate(cargo):
        if face in dice:
            dice.remove(face)
            taken.append(f"cargo {index}")
    done = f"{_dice_are(len(taken))} thrown again."
    return Offer(text, says, done, tuple(taken), kind="throw-again", count=len(taken))


def _says(
    position: Position, awaited: Awaited[Choice], aboard: int, cargo: tuple[int, ...]
) -> list[str]:
    if position.roll is None:
        return [_board(aboard, position.left)] if aboard < len(CREW) else []
    lines = []
    if position.aboard < len(CREW):
        lines.append(f"Threw {listed(position.roll.pips)}.")
        lines += _banking(position.aboard, aboard)
    if aboard == len(CREW):
        # At the end the score says what it is in all.
        total = "" if isinstance(awaited, Over) else f", {sum(cargo)} in all"
        lines.append(f"The cargo is {listed(cargo)}{total}.")
    if not isinstance(awaited, Over):
        return [*lines, _board(aboard, position.left)]
    if aboard < len(CREW):
        lines.append(f"No rolls are left, and {_are(CREW[aboard:], 'missing')}.")
    return [*lines, _score(awaited, aboard, cargo)]


def _banking(before: int, after: int) -> list[str]:
    named = [f"the {name}" for _, name in CREW[before:after]]
    return [f"{capital(listed(named))} {is_or_are(len(named))} banked."] if named else []


def _dice_are(number: int) -> str:
    return f"{capital(dice_words(number))} {is_or_are(number)}"


def _board(aboard: int, left: int) -> str:
    parts = [_are(CREW[:aboard], "aboard"), _are(CREW[aboard:], "missing")]
    if aboard in (0, len(CREW)):
        parts = ["nothing is aboard" if aboard == 0 else "the crew is complete"]
    return f"{capital('; '.join(parts))}; {counted(left, 'roll')} left."


def _are(members: Sequence[tuple[int, str]], where: str) -> str:
    names = listed(f"the {name}" for _, name in members)
    return f"{names} {is_or_are(len(members))} {where}"


def _dice(position: Position, awaited: Awaited[Choice]) -> str:
    if position.roll is not None:
        return f"The dice show {listed(position.roll.pips)}."
    due = f"{_dice_are(len(awaited.dice))} to be thrown" if isinstance(awaited, Throw) else ""
    if position.kept:
        return f"{due}; kept: {listed(position.kept)}."
    return f"{due}."


def _score(awaited: Awaited[Choice], aboard: int, cargo: tuple[int, ...]) -> str:
    score = sum(cargo) if aboard == len(CREW) else 0
    return f"Score {score}." if isinstance(awaited, Over) else f"Score so far {score}."


def _pieces(
    position: Position,
    awaited: Awaited[Choice],
    aboard: int,
    cargo: tuple[int, ...],
) -> tuple[Piece, ...]:
    crew = (
        Piece(name, Kind.DIE, str(face), State.HELD, name, sides=SIDES, number=face)
        for face, name in CREW[:aboard]
    )
    state = State.LYING if position.roll is not None else State.HELD
    lying = (
        Piece(f"cargo {index}", Kind.DIE, str(face), state, "cargo die", sides=SIDES, number=face)
        for index, face in enumerate(cargo)
    )
    number = len(awaited.dice) if isinstance(awaited, Throw) and position.roll is None else 0
    in_hand = (
        Piece(f"hand {index}", Kind.DIE, "", State.IN_HAND, "die", sides=SIDES)
        for index in range(number)
    )
    return (*crew, *lying, *in_hand)
