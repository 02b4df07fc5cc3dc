"""The scene of a position of a box: its sentences, its offers, and the tiles and dice as pieces."""

from collections.abc import Iterator

from shutbox.engine.english import capital, counted, joined_clauses, listed, runs
from shutbox.engine.game import Awaited, Choose, Over, Throw
from shutbox.engine.game_text import legal_text, score_text
from shutbox.engine.messages import gettext, language, ngettext, pgettext
from shutbox.engine.scene import Kind, Offer, Piece, Scene, State, die_piece
from shutbox.games.box.position import choice_words, spoken_tiles, write_choice
from shutbox.games.box.rule_tables import SCORES, CoverRule
from shutbox.games.box.rules import BoxPosition, BoxRules, Choice, UseDice


def scene(rules: BoxRules, position: BoxPosition) -> Scene:
    """Return the tiles, dice and open choices at a position, and the sentences about them."""
    awaited, board = rules.awaits(position), _board(rules, position.up)
    choices = awaited.choices if isinstance(awaited, Choose) else ()
    offers = tuple(_offer(rules, choice) for choice in choices)
    only = offers[0] if len(offers) == 1 else None
    roll, dice, ask = position.roll, _dice(position, awaited), _ask(awaited, offers)
    thrown = gettext("threw {pips}.", pips=roll.words) if roll is not None else ""
    points = rules.score(position.up)
    score, ends = _score(rules, awaited, points), ""
    says = [capital(thrown)] if thrown else []
    if isinstance(awaited, Over):
        if roll is not None and not rules.stops(position.up, roll):
            ends = gettext("Your turn ends with {score}.", score=points)
        says += [_how_it_ended(rules, position), ends or capital(score)]
    elif roll is None and position.dice is None:
        says.append(board)
        if isinstance(awaited, Throw) and len(awaited.dice) < len(rules.dice):
            says.append(dice)
    reopened = ""
    if rules.is_first(position.up):
        tiles = runs(rules.numbers(position.up & rules.front_row))
        reopened = gettext("All open again: {tiles}.", tiles=tiles)
    return Scene(
        says=tuple(says),
        dice=dice,
        board=board,
        score=capital(score),
        legal=legal_text(awaited, offers),
        pieces=(*_tiles(rules, position.up), *_dice_pieces(rules, position, awaited)),
        offers=offers,
        ask=capital(ask),
        default=only.text if only else None,
        enter=ngettext("Press Enter to cover it", "Press Enter to cover them", only.count or 1)
        if only
        else "",
        says_by=thrown,
        own=(gettext("You threw {pips}.", pips=roll.words), *says[1:]) if roll is not None else (),
        again=reopened,
        ask_by=ask,
        score_by=score,
        points=points,
        ends=ends,
    )


def _offer(rules: BoxRules, choice: Choice) -> Offer:
    text, says = write_choice(rules, choice), choice_words(rules, choice)
    if isinstance(choice, UseDice):
        number = choice.number
        done = counted("Throwing one die.", "Throwing {number} dice.", number)
        # Translators: follows a name and a colon.
        clause = counted("throws one die.", "throws {number} dice.", number)
        return Offer(text, says, done, kind="dice", count=number, done_by=clause)
    count = choice.tiles.bit_count()
    done = ngettext("{tiles} goes down.", "{tiles} go down.", count, tiles=says)
    return Offer(text, says, capital(done), tuple(text.split()), "cover", count, done)


def _dice(position: BoxPosition, awaited: Awaited[Choice]) -> str:
    """Return a sentence on the dice that lie, or on those to throw."""
    if position.roll is not None:
        number, pips = len(position.roll.pips), position.roll.words
        return ngettext("The die shows {pips}.", "The dice show {pips}.", number, pips=pips)
    if isinstance(awaited, Throw):
        return capital(counted("one die to throw.", "{number} dice to throw.", len(awaited.dice)))
    return gettext("There are no dice on the table.")


def _score(rules: BoxRules, awaited: Awaited[Choice], points: int) -> str:
    """Return the score as a clause; if low is good, it is what is still up during the turn."""
    if isinstance(awaited, Over) or not SCORES[rules.variant.score].low_is_good:
        return score_text(awaited, points)
    # Translators: a number: what the open tiles count. Follows a name, or begins a sentence.
    return gettext("{score} still up.", score=points)


def _how_it_ended(rules: BoxRules, position: BoxPosition) -> str:
    """Return a sentence on why the turn is over: shut, stopped by a total, or stuck."""
    roll, variant = position.roll, rules.variant
    if roll is None and not position.up:
        return gettext("The lid slams: the box is shut!")
    if roll is None:
        total = rules.total(position.up)
        return gettext("The tiles up total {total}: the box is shut.", total=total)
    if rules.stops(position.up, roll):
        return gettext("A total of {total} ends the turn.", total=roll.total)
    # Under other rules the tiles up can add up to the total and still not fit.
    if variant.cover is CoverRule.SUM and not variant.behind and not variant.first:
        return gettext("Nothing adds up to {total}.", total=roll.total)
    return gettext("Nothing can go down with {pips}.", pips=listed(roll.pips))


def _board(rules: BoxRules, up: int) -> str:
    """Return a sentence with the tiles that are up and seen, and the number of hidden ones."""
    if not up:
        return gettext("No tile is up.")
    front = rules.numbers(up & rules.front_row)
    if not rules.variant.behind:
        return _up(front, rules.numbers(rules.front_row & ~up))
    hidden = rules.hidden(up)
    behind = rules.numbers(up & ~hidden & ~rules.front_row)
    rows = [gettext("{tiles} in front", tiles=runs(front))] if front else []
    rows += [gettext("{tiles} behind", tiles=runs(behind))] if behind else []
    tiles = joined_clauses(rows)
    if not hidden:
        return gettext("Up: {tiles}.", tiles=tiles)
    number = hidden.bit_count()  # in words: a digit would name a tile
    return counted(
        "Up: {tiles}; one is hidden.", "Up: {tiles}; {number} are hidden.", number, tiles=tiles
    )


def _up(up: list[int], down: list[int]) -> str:
    """Return a sentence on a row: the tiles up, or "all but" the tiles down if that is shorter."""
    says = ngettext("{tiles} is up.", "{tiles} are up.", len(up), tiles=runs(up))
    if not down:
        return says
    return min(says, gettext("All but {tiles} are up.", tiles=runs(down)), key=len)


def _ask(awaited: Awaited[Choice], offers: tuple[Offer, ...]) -> str:
    if not isinstance(awaited, Choose):
        return ""
    if isinstance(awaited.choices[0], UseDice):
        return gettext("{dice}?", dice=listed((offer.says for offer in offers), last="or"))
    if len(offers) == 1:
        tiles, count = offers[0].says, offers[0].count or 1
        return ngettext("only {tiles} fits.", "only {tiles} fit.", count, tiles=tiles)
    if all(offer.count == 1 for offer in offers):
        return pgettext("question", "which tile?")
    return pgettext("question", "which tiles?")


def _tiles(rules: BoxRules, up: int) -> Iterator[Piece]:
    """Yield every tile in place order, with the tiles `up` (bits)."""
    hidden, numbers, spoken_in = rules.hidden(up), rules.sets.numbers, language()
    if (labels := rules.labels.get(spoken_in)) is None:
        tiles = (spoken_tiles(rules, 1 << place) for place in range(len(numbers)))
        labels = tuple(gettext("tile {tile}", tile=tile) for tile in tiles)
        rules.labels[spoken_in] = labels
    for place, (number, label) in enumerate(zip(numbers, labels, strict=True)):
        bit = 1 << place
        state = State.HIDDEN if hidden & bit else State.UP if up & bit else State.DOWN
        key, row = rules.names[bit], int(place >= rules.front)
        yield Piece(key, Kind.TILE, str(number), state, label, row, number=number)


def _dice_pieces(
    rules: BoxRules, position: BoxPosition, awaited: Awaited[Choice]
) -> Iterator[Piece]:
    """Yield the dice that lie, or blank ones in the player's hand if a throw is due."""
    faces = (0,) * len(awaited.dice) if isinstance(awaited, Throw) else ()
    if position.roll is not None:
        faces = position.roll.pips
    sides, label = rules.variant.dice.sides[0], pgettext("piece on the table", "die")
    for number, face in enumerate(faces, start=1):
        yield die_piece(f"die {number}", label, sides, face)
