"""A box as it is seen and heard: its tiles, the dice that lie there, and the open covers."""

from shutbox.dice import Dice, Roll
from shutbox.english import capital, is_or_are, listed, runs
from shutbox.game import Awaited, Choose, Over, Throw
from shutbox.games.box.notation import said, spoken, tile_names, write_choice
from shutbox.games.box.position import Choice, Position, UseDice
from shutbox.games.box.rules import Rules
from shutbox.games.box.tile_sets import places
from shutbox.scene import Kind, Offer, Piece, Scene, State
from shutbox.telling import legal


def scene(rules: Rules, position: Position) -> Scene:
    """The table at a position of a box."""
    awaited = rules.awaits(position)
    offers = (
        tuple(_offer(rules, choice) for choice in awaited.choices)
        if isinstance(awaited, Choose)
        else ()
    )
    return Scene(
        says=_says(rules, position, awaited),
        dice=_dice(position, awaited),
        board=board(rules, position.up),
        score=_score(rules, position, awaited),
        legal=legal(awaited, offers),
        pieces=_tiles(rules, position.up) + _dice_pieces(rules, position, awaited),
        offers=offers,
        ask=_ask(awaited, offers),
        default=offers[0].text if len(offers) == 1 else None,
        enter="Enter takes it" if len(offers) == 1 else "",
    )


def _offer(rules: Rules, choice: Choice) -> Offer:
    text, says = write_choice(rules, choice), said(rules, choice)
    if isinstance(choice, UseDice):
        done = f"{capital(says)} {is_or_are(choice.number)} thrown."
        return Offer(text, says, done, kind="dice", count=choice.number)
    count = choice.tiles.bit_count()
    done = f"{says} {'goes' if count == 1 else 'go'} down."
    return Offer(text, says, done, tuple(text.split()), kind="cover", count=count)


def _says(rules: Rules, position: Position, awaited: Awaited[Choice]) -> tuple[str, ...]:
    if isinstance(awaited, Over):
        return (
            *_thrown(position.roll),
            _how_it_ended(rules, position),
            _score(rules, position, awaited),
        )
    if position.roll is not None:
        return _thrown(position.roll)
    if position.dice is not None:
        return ()
    if isinstance(awaited, Throw) and len(awaited.dice) < len(rules.variant.dice):
        return board(rules, position.up), _due(awaited.dice)
    return (board(rules, position.up),)


def _thrown(roll: Roll | None) -> tuple[str, ...]:
    return () if roll is None else (f"Threw {_pips(roll)}.",)


def _pips(roll: Roll) -> str:
    if len(roll.pips) == 1:
        return str(roll.total)
    return f"{listed(roll.pips)}, {roll.total} in all"


def _due(dice: Dice) -> str:
    return f"{capital(dice.words)} {is_or_are(len(dice))} to be thrown."


def _how_it_ended(rules: Rules, position: Position) -> str:
    if position.roll is None:
        return "All tiles are down: the box is shut."
    total = position.roll.total
    if rules.stops(position):
        first = " on the first throw" if total not in rules.variant.stop_on else ""
        return f"A total of {total}{first} ends the turn."
    return "No cover is possible: stuck."


def board(rules: Rules, up: int) -> str:
    """Which tiles are up, in a sentence."""
    if not up:
        return "No tile is up."
    front = [rules.tiles[place].number for place in places(up) if place < rules.front]
    if not rules.variant.behind:
        return f"{runs(front)} {is_or_are(len(front))} up."
    behind = [
        rules.tiles[place].number
        for place in places(up & ~rules.hidden(up))
        if place >= rules.front
    ]
    hidden = rules.hidden(up).bit_count()
    parts = [f"{runs(front)} in front" if front else "", f"{runs(behind)} behind" if behind else ""]
    sentence = f"Up: {listed(part for part in parts if part)}"
    return f"{sentence}; {hidden} more hidden." if hidden else f"{sentence}."


def _dice(position: Position, awaited: Awaited[Choice]) -> str:
    if position.roll is not None:
        return f"The dice show {_pips(position.roll)}."
    if isinstance(awaited, Throw):
        return _due(awaited.dice)
    return "No dice lie there."


def _score(rules: Rules, position: Position, awaited: Awaited[Choice]) -> str:
    score = rules.score(position.up)
    return f"Score {score}." if isinstance(awaited, Over) else f"Score so far {score}."


def _ask(awaited: Awaited[Choice], offers: tuple[Offer, ...]) -> str:
    if not isinstance(awaited, Choose):
        return ""
    if isinstance(awaited.choices[0], UseDice):
        return f"{capital(listed((offer.says for offer in offers), last='or'))}?"
    if len(offers) == 1:
        return f"Only {offers[0].says} can go down."
    return "Which tiles go down?"


def _tiles(rules: Rules, up: int) -> tuple[Piece, ...]:
    hidden = rules.hidden(up)
    pieces = []
    for place, tile in enumerate(rules.tiles):
        bit = 1 << place
        state = State.HIDDEN if hidden & bit else State.UP if up & bit else State.DOWN
        [key] = tile_names(rules, bit)
        row, number = int(place >= rules.front), tile.number
        label = f"tile {spoken(rules, bit)}"
        pieces.append(Piece(key, Kind.TILE, str(number), state, label, row, number=number))
    return tuple(pieces)


def _dice_pieces(rules: Rules, position: Position, awaited: Awaited[Choice]) -> tuple[Piece, ...]:
    sides = rules.variant.dice.sides[0]
    if position.roll is not None:
        return tuple(
            Piece(f"die {index}", Kind.DIE, str(face), State.LYING, "die", sides=sides, number=face)
            for index, face in enumerate(position.roll.pips, start=1)
        )
    number = len(awaited.dice) if isinstance(awaited, Throw) else 0
    return tuple(
        Piece(f"die {index}", Kind.DIE, "", State.IN_HAND, "die", sides=sides)
        for index in range(1, number + 1)
    )
