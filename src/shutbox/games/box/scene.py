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
from shutbox.scene import NAME, Kind, Offer, Piece, Scene, State


def scene(rules: BoxRules, position: BoxPosition) -> Scene:
    """The table at a position of a box."""
    awaited = rules.awaits(position)
    offers = (
        tuple(_offer(rules, choice) for choice in awaited.choices)
        if isinstance(awaited, Choose)
        else ()
    )
    ask, ask_by = _ask(awaited, offers)
    score, score_by = _score(rules, position, awaited)
    return Scene(
        says=_says(rules, position, awaited),
        dice=_dice(position, awaited),
        board=board(rules, position.up),
        score=score,
        legal=legal(awaited, offers),
        pieces=_tiles(rules, position.up) + _dice_pieces(rules, position, awaited),
        offers=offers,
        ask=ask,
        default=offers[0].text if len(offers) == 1 else None,
        enter=gettext("Enter takes it") if len(offers) == 1 else "",
        says_by=_thrown_by(position.roll),
        ask_by=ask_by,
        score_by=score_by,
    )


def _offer(rules: BoxRules, choice: Choice) -> Offer:
    text, says = write_choice(rules, choice), said(rules, choice)
    if isinstance(choice, UseDice):
        number = choice.number
        done = ngettext("{dice} is thrown.", "{dice} are thrown.", number, dice=capital(says))
        done_by = ngettext(
            "{name}: {dice} is thrown.", "{name}: {dice} are thrown.", number, name=NAME, dice=says
        )
        return Offer(text, says, done, kind="dice", count=number, done_by=done_by)
    count = choice.tiles.bit_count()
    done = ngettext("{tiles} goes down.", "{tiles} go down.", count, tiles=says)
    done_by = ngettext(
        "{name}: {tiles} goes down.", "{name}: {tiles} go down.", count, name=NAME, tiles=says
    )
    return Offer(text, says, done, tuple(text.split()), "cover", count, done_by)


def _says(rules: BoxRules, position: BoxPosition, awaited: Awaited[Choice]) -> tuple[str, ...]:
    if isinstance(awaited, Over):
        return (
            *_thrown(position.roll),
            _how_it_ended(rules, position),
            _score(rules, position, awaited)[0],
        )
    if position.roll is not None:
        return _thrown(position.roll)
    if position.dice is not None:
        return ()
    if isinstance(awaited, Throw) and len(awaited.dice) < len(rules.variant.dice):
        return board(rules, position.up), _due(awaited.dice)
    return (board(rules, position.up),)


def _thrown(roll: Roll | None) -> tuple[str, ...]:
    return () if roll is None else (gettext("Threw {pips}.", pips=_pips(roll)),)


def _thrown_by(roll: Roll | None) -> str:
    return "" if roll is None else gettext("{name}: threw {pips}.", name=NAME, pips=_pips(roll))


def _pips(roll: Roll) -> str:
    if len(roll.pips) == 1:
        return str(roll.total)
    return gettext("{pips}, {total} in all", pips=listed(roll.pips), total=roll.total)


def _due(dice: Dice) -> str:
    return ngettext(
        "{dice} is to be thrown.",
        "{dice} are to be thrown.",
        len(dice),
        dice=capital(dice.words),
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


def _score(rules: BoxRules, position: BoxPosition, awaited: Awaited[Choice]) -> tuple[str, str]:
    score = rules.score(position.up)
    if isinstance(awaited, Over):
        plain = gettext("Score {score}.", score=score)
        return plain, gettext("{name}: score {score}.", name=NAME, score=score)
    plain = gettext("Score so far {score}.", score=score)
    return plain, gettext("{name}: score so far {score}.", name=NAME, score=score)


def _ask(awaited: Awaited[Choice], offers: tuple[Offer, ...]) -> tuple[str, str]:
    if not isinstance(awaited, Choose):
        return "", ""
    if isinstance(awaited.choices[0], UseDice):
        dice = listed((offer.says for offer in offers), last="or")
        plain = gettext("{dice}?", dice=capital(dice))
        return plain, gettext("{name}: {dice}?", name=NAME, dice=dice)
    if len(offers) == 1:
        tiles = offers[0].says
        plain = gettext("Only {tiles} can go down.", tiles=tiles)
        return plain, gettext("{name}: only {tiles} can go down.", name=NAME, tiles=tiles)
    plain = gettext("Which tiles go down?")
    return plain, gettext("{name}: which tiles go down?", name=NAME)


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
