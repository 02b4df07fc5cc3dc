"""A box as it is seen and heard: its tiles, the dice that lie there, and the open covers."""

from shutbox.dice import Dice, Roll
from shutbox.english import capital, listed, runs
from shutbox.game import Awaited, Choose, Over, Throw
from shutbox.games.box.notation import said, spoken, tile_names, write_choice
from shutbox.games.box.position import BoxPosition, Choice, UseDice
from shutbox.games.box.rules import BoxRules
from shutbox.games.box.tile_sets import places
from shutbox.games.legal_text import legal
from shutbox.messages import gettext, ngettext
from shutbox.scene import Kind, Offer, Piece, Scene, State


def scene(rules: BoxRules, position: BoxPosition) -> Scene:
    """The table at a position of a box."""
    awaited = rules.awaits(position)
    offers = (
        tuple(_offer(rules, choice) for choice in awaited.choices)
        if isinstance(awaited, Choose)
        else ()
    )
    thrown, ask, score = _thrown(position), _ask(awaited, offers), _score(rules, position, awaited)
    return Scene(
        says=_says(rules, position, awaited, capital(thrown), capital(score)),
        dice=_dice(position, awaited),
        board=board(rules, position.up),
        score=capital(score),
        legal=legal(awaited, offers),
        pieces=_tiles(rules, position.up) + _dice_pieces(rules, position, awaited),
        offers=offers,
        ask=capital(ask),
        default=offers[0].text if len(offers) == 1 else None,
        enter=gettext("Enter takes it") if len(offers) == 1 else "",
        says_by=thrown,
        ask_by=ask,
        score_by=score,
    )


def _offer(rules: BoxRules, choice: Choice) -> Offer:
    text, says = write_choice(rules, choice), said(rules, choice)
    if isinstance(choice, UseDice):
        number = choice.number
        done = ngettext("{dice} is thrown.", "{dice} are thrown.", number, dice=says)
        return Offer(text, says, capital(done), kind="dice", count=number, done_by=done)
    count = choice.tiles.bit_count()
    done = ngettext("{tiles} goes down.", "{tiles} go down.", count, tiles=says)
    return Offer(text, says, capital(done), tuple(text.split()), "cover", count, done)


def _says(
    rules: BoxRules, position: BoxPosition, awaited: Awaited[Choice], thrown: str, score: str
) -> tuple[str, ...]:
    lines = (thrown,) if thrown else ()
    if isinstance(awaited, Over):
        return (*lines, _how_it_ended(rules, position), score)
    if thrown:
        return lines
    if position.dice is not None:
        return ()
    if isinstance(awaited, Throw) and len(awaited.dice) < len(rules.variant.dice):
        return board(rules, position.up), _due(awaited.dice)
    return (board(rules, position.up),)


def _thrown(position: BoxPosition) -> str:
    return "" if position.roll is None else gettext("threw {pips}.", pips=_pips(position.roll))


def _pips(roll: Roll) -> str:
    if len(roll.pips) == 1:
        return str(roll.total)
    return gettext("{pips}, {total} in all", pips=listed(roll.pips), total=roll.total)


def _due(dice: Dice) -> str:
    return ngettext(
        "{dice} is to be thrown.", "{dice} are to be thrown.", len(dice), dice=capital(dice.words)
    )


def _how_it_ended(rules: BoxRules, position: BoxPosition) -> str:
    if position.roll is None:
        if position.up:
            total = rules.total(position.up)
            return gettext("The tiles up total {total}: the box is shut.", total=total)
        return gettext("All tiles are down: the box is shut.")
    total = position.roll.total
    if not rules.stops(position):
        return gettext("No cover is possible: stuck.")
    if total in rules.variant.stop_on:
        return gettext("A total of {total} ends the turn.", total=total)
    return gettext("A total of {total} on the first throw ends the turn.", total=total)


def board(rules: BoxRules, up: int) -> str:
    """Which tiles are up, in a sentence."""
    if not up:
        return gettext("No tile is up.")
    front = [rules.tiles[place].number for place in places(up) if place < rules.front]
    if not rules.variant.behind:
        return ngettext("{tiles} is up.", "{tiles} are up.", len(front), tiles=runs(front))
    behind = [
        rules.tiles[place].number
        for place in places(up & ~rules.hidden(up))
        if place >= rules.front
    ]
    hidden = rules.hidden(up).bit_count()
    rows = [gettext("{tiles} in front", tiles=runs(front))] if front else []
    rows += [gettext("{tiles} behind", tiles=runs(behind))] if behind else []
    if not hidden:
        return gettext("Up: {tiles}.", tiles=listed(rows))
    return ngettext(
        "Up: {tiles}; {number} more hidden.",
        "Up: {tiles}; {number} more hidden.",
        hidden,
        tiles=listed(rows),
    )


def _dice(position: BoxPosition, awaited: Awaited[Choice]) -> str:
    if position.roll is not None:
        return gettext("The dice show {pips}.", pips=_pips(position.roll))
    if isinstance(awaited, Throw):
        return _due(awaited.dice)
    return gettext("No dice lie there.")


def _score(rules: BoxRules, position: BoxPosition, awaited: Awaited[Choice]) -> str:
    score = rules.score(position.up)
    if isinstance(awaited, Over):
        return gettext("score {score}.", score=score)
    return gettext("score so far {score}.", score=score)


def _ask(awaited: Awaited[Choice], offers: tuple[Offer, ...]) -> str:
    if not isinstance(awaited, Choose):
        return ""
    if isinstance(awaited.choices[0], UseDice):
        return gettext("{dice}?", dice=listed((offer.says for offer in offers), last="or"))
    if len(offers) == 1:
        return gettext("only {tiles} can go down.", tiles=offers[0].says)
    return gettext("which tiles go down?")


def _tiles(rules: BoxRules, up: int) -> tuple[Piece, ...]:
    hidden = rules.hidden(up)
    pieces = []
    for place, tile in enumerate(rules.tiles):
        bit = 1 << place
        state = State.HIDDEN if hidden & bit else State.UP if up & bit else State.DOWN
        [key] = tile_names(rules, bit)
        row, number = int(place >= rules.front), tile.number
        label = gettext("tile {tile}", tile=spoken(rules, bit))
        pieces.append(Piece(key, Kind.TILE, str(number), state, label, row, number=number))
    return tuple(pieces)


def _dice_pieces(
    rules: BoxRules, position: BoxPosition, awaited: Awaited[Choice]
) -> tuple[Piece, ...]:
    sides, label = rules.variant.dice.sides[0], gettext("die")
    if position.roll is not None:
        return tuple(
            Piece(f"die {index}", Kind.DIE, str(face), State.LYING, label, sides=sides, number=face)
            for index, face in enumerate(position.roll.pips, start=1)
        )
    number = len(awaited.dice) if isinstance(awaited, Throw) else 0
    return tuple(
        Piece(f"die {index}", Kind.DIE, "", State.IN_HAND, label, sides=sides)
        for index in range(1, number + 1)
    )
