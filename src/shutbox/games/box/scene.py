"""The scene of a box: its tiles, the dice on the table, and the open covers."""

from collections.abc import Iterator

from shutbox.english import capital, listed, number_word, runs
from shutbox.game import Awaited, Choose, Over, Throw, legal, score_text
from shutbox.games.box.atoms import CoverRule
from shutbox.games.box.notation import choice_words, spoken, write_choice
from shutbox.games.box.rules import BoxPosition, BoxRules, Choice, UseDice
from shutbox.messages import gettext, ngettext, pgettext
from shutbox.scene import Kind, Offer, Piece, Scene, State, die_piece


def scene(rules: BoxRules, position: BoxPosition) -> Scene:
    """Return the scene at a position of a box."""
    awaited, board = rules.awaits(position), _board(rules, position.up)
    choices = awaited.choices if isinstance(awaited, Choose) else ()
    offers = tuple(_offer(rules, choice) for choice in choices)
    if position.roll is not None:
        pips, faces = position.roll.words, position.roll.pips
        thrown = gettext("threw {pips}.", pips=pips)
        dice = ngettext("The die shows {pips}.", "The dice show {pips}.", len(faces), pips=pips)
    elif isinstance(awaited, Throw):
        thrown, faces = "", (0,) * len(awaited.dice)
        words = number_word(len(faces))
        dice = ngettext("one die to throw.", "{number} dice to throw.", len(faces), number=words)
        dice = capital(dice)
    else:
        thrown, faces, dice = "", (), gettext("There are no dice on the table.")
    sides, each = rules.variant.dice.sides[0], enumerate(faces, start=1)
    lying = (
        die_piece(f"die {index}", pgettext("piece on the table", "die"), sides, face)
        for index, face in each
    )
    ask, points = _ask(awaited, offers), rules.score(position.up)
    by_score = score_text(awaited, points)
    score = capital(by_score)
    says = [capital(thrown)] if thrown else []
    ends = ""
    if isinstance(awaited, Over):
        if position.roll is not None and not rules.stops(position.up, position.roll):
            ends = gettext("Your turn ends with {score}.", score=points)
        says += [_how_it_ended(rules, position), ends or score]
    elif position.roll is None and position.dice is None:
        says = [board, dice] if 0 < len(faces) < len(rules.variant.dice) else [board]
    return Scene(
        says=tuple(says),
        dice=dice,
        board=board,
        score=score,
        legal=legal(awaited, offers),
        pieces=(*_tiles(rules, position.up), *lying),
        offers=offers,
        ask=capital(ask),
        default=offers[0].text if len(offers) == 1 else None,
        enter=gettext("Enter takes it") if len(offers) == 1 else "",
        says_by=thrown,
        ask_by=ask,
        score_by=by_score,
        points=points,
        ends=ends,
    )


def _offer(rules: BoxRules, choice: Choice) -> Offer:
    text, says = write_choice(rules, choice), choice_words(rules, choice)
    if isinstance(choice, UseDice):
        number, words = choice.number, number_word(choice.number)
        done = ngettext("Throwing one die.", "Throwing {number} dice.", number, number=words)
        clause = ngettext("throws one die.", "throws {number} dice.", number, number=words)
        return Offer(text, says, done, kind="dice", count=number, done_by=clause)
    count = choice.tiles.bit_count()
    done = ngettext("{tiles} goes down.", "{tiles} go down.", count, tiles=says)
    return Offer(text, says, capital(done), tuple(text.split()), "cover", count, done)


def _how_it_ended(rules: BoxRules, position: BoxPosition) -> str:
    if position.roll is None and not position.up:
        return gettext("The lid slams: the box is shut!")
    if position.roll is None:
        total = rules.total(position.up)
        return gettext("The tiles up total {total}: the box is shut.", total=total)
    total = position.roll.total
    variant = rules.variant
    if not rules.stops(position.up, position.roll):
        # Under other rules the tiles up can add up to the total and still not fit.
        if variant.cover is CoverRule.SUM and not variant.behind and not variant.first:
            return gettext("Nothing adds up to {total}.", total=total)
        return gettext("Nothing can go down with {pips}.", pips=listed(position.roll.pips))
    if total in variant.stop_on:
        return gettext("A total of {total} ends the turn.", total=total)
    return gettext("A total of {total} on the first throw ends the turn.", total=total)


def _board(rules: BoxRules, up: int) -> str:
    """Return a sentence with the tiles that are up."""
    if not up:
        return gettext("No tile is up.")
    front = rules.numbers(up & rules.front_row)
    if not rules.variant.behind:
        return _up(front, rules.numbers(rules.front_row & ~up))
    hidden = rules.hidden(up)
    behind = rules.numbers(up & ~hidden & ~rules.front_row)
    rows = [gettext("{tiles} in front", tiles=runs(front))] if front else []
    rows += [gettext("{tiles} behind", tiles=runs(behind))] if behind else []
    tiles = pgettext("list separator", "; ").join(rows)
    if not hidden:
        return gettext("Up: {tiles}.", tiles=tiles)
    return ngettext(
        "Up: {tiles}; one is hidden.",
        "Up: {tiles}; {number} are hidden.",
        hidden.bit_count(),
        tiles=tiles,
        number=number_word(hidden.bit_count()),  # a digit would name a tile
    )


def _up(up: list[int], down: list[int]) -> str:
    """Return a sentence with the tiles of one row that are up, or with the others if shorter."""
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
        return gettext("only {tiles} can go down.", tiles=offers[0].says)
    if all(offer.count == 1 for offer in offers):
        return gettext("which tile goes down?")
    return gettext("which tiles go down?")


def _tiles(rules: BoxRules, up: int) -> Iterator[Piece]:
    hidden = rules.hidden(up)
    for place, number in enumerate(rules.sets.numbers):
        bit = 1 << place
        state = State.HIDDEN if hidden & bit else State.UP if up & bit else State.DOWN
        key, face, row = rules.names[bit], str(number), int(place >= rules.front)
        label = gettext("tile {tile}", tile=spoken(rules, bit) if rules.variant.behind else face)
        yield Piece(key, Kind.TILE, face, state, label, row, number=number)
