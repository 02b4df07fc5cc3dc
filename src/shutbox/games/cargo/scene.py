"""The scene of a position of Cargo: its sentences, its offers, and the dice as pieces."""

from collections.abc import Iterator, Sequence

from shutbox.engine.dice import throw_words
from shutbox.engine.english import capital, counted, listed
from shutbox.engine.game import Awaited, Choose, Over, Throw
from shutbox.engine.game_text import legal_text, score_text
from shutbox.engine.messages import gettext, ngettext, pgettext
from shutbox.engine.scene import THROW_AGAIN, Offer, Piece, Scene, die_piece
from shutbox.games.cargo.position import Accept, CargoPosition, Choice
from shutbox.games.cargo.rules import CREW, SIDES


def scene(awaited: Awaited[Choice], position: CargoPosition) -> Scene:
    """Return the scene at a position of Cargo; `awaited` is what the position awaits."""
    before, (aboard, cargo) = position.aboard, position.now
    choices = awaited.choices if isinstance(awaited, Choose) else ()
    offers = tuple(_offer(choice, cargo) for choice in choices)
    points = sum(cargo) if aboard == len(CREW) else 0
    score = score_text(awaited, points)
    parts, ask = _board(aboard, position.left), _ask(offers)
    board = " ".join(parts)
    results = list(_results(position, awaited, aboard, cargo))
    if isinstance(awaited, Over):
        results.append(score)
    elif before < len(CREW):
        results.append(board)
    elif position.roll is not None:  # nothing has come aboard: the throws left are all the news
        results.append(parts[-1])
    says, own = results, results
    if position.roll is not None and before < len(CREW):  # else the cargo names all dice thrown
        pips = listed(position.roll.pips)
        says = [gettext("threw {pips}.", pips=pips), *results]
        own = [gettext("You threw {pips}.", pips=pips), *results]
    return Scene(
        says=tuple(map(capital, says)),
        own=tuple(map(capital, own)),
        dice=_dice(position, awaited),
        board=board,
        score=capital(score),
        legal=legal_text(awaited, offers),
        pieces=_pieces(position, awaited, aboard, cargo),
        offers=offers,
        ask=capital(ask),
        says_by=says[0] if position.roll is not None else "",
        ask_by=ask,
        score_by=score,
        points=points,
        sums=before == len(CREW),
        rolls_left=position.left,
    )


def _ask(offers: tuple[Offer, ...]) -> str:
    """Return the question that the offers answer; "" where no choice is due."""
    if len(offers) > 2:
        return gettext("accept the cargo, or throw which dice again?")
    return gettext("accept the cargo, or throw again?") if offers else ""


def _offer(choice: Choice, cargo: tuple[int, ...]) -> Offer:
    """Return the offer of a choice; it takes the pieces of the dice that are thrown again."""
    text = str(choice)
    if isinstance(choice, Accept):
        # Translators: a choice: to end the turn with a cargo of so many points.
        says = gettext("accept {number}", number=sum(cargo))
        done, clause = gettext("The cargo is accepted."), gettext("accepts the cargo.")
        return Offer(text, says, done, kind="accept", done_by=clause)
    dice = list(choice.pips or cargo)
    says = gettext("throw the cargo again")
    if choice.pips:
        says = gettext("throw {pips} again", pips=listed(dice))
    taken = []
    for index, face in enumerate(cargo):
        if face in dice:
            dice.remove(face)
            taken.append(f"cargo {index}")
    number = len(taken)
    done = counted("Throwing one die again.", "Throwing {number} dice again.", number)
    clause = counted("throws one die again.", "throws {number} dice again.", number)
    return Offer(text, says, done, tuple(taken), THROW_AGAIN, number, clause)


def _results(
    position: CargoPosition, awaited: Awaited[Choice], aboard: int, cargo: tuple[int, ...]
) -> Iterator[str]:
    """Yield clauses on the result of the roll: the crew banked, and the cargo or who is missing."""
    if position.roll is None:
        return
    if (came := CREW[position.aboard : aboard]) and isinstance(awaited, Over):
        named = _member_names(came)
        # Translators: {members} are dice, such as the ship; banked: set aside, and safe.
        yield ngettext("{members} is banked.", "{members} are banked.", len(came), members=named)
    over, missing = isinstance(awaited, Over), CREW[aboard:]
    if not missing:  # at the end the score says the total
        pips = listed(cargo) if over else throw_words(cargo, sum(cargo))
        yield gettext("the cargo is {pips}.", pips=pips)
    elif over:
        yield ngettext(
            "no throws are left, and {members} is missing.",
            "no throws are left, and {members} are missing.",
            len(missing),
            members=_member_names(missing),
        )


def _member_names(members: Sequence[tuple[int, str, str]]) -> str:
    """List some members of CREW in the language in use."""
    return listed(pgettext("member of the crew", named) for *_, named in members)


def _board(aboard: int, left: int) -> list[str]:
    """Return a sentence on who is aboard; and one on the throws left, unless all is over."""
    members, missing = CREW[:aboard], CREW[aboard:]
    if not members:
        says = [gettext("Nothing is aboard.")]
    elif not missing:
        says = [gettext("Ship, captain and crew are aboard.")]
    else:
        facts = {"there": _member_names(members), "missing": _member_names(missing)}
        says = [gettext("Aboard: {there}. Still missing: {missing}.", **facts)]
    if left or missing:
        says.append(counted("one throw left.", "{number} throws left.", left))
    return [*map(capital, says)]


def _dice(position: CargoPosition, awaited: Awaited[Choice]) -> str:
    """Return a sentence on the dice that lie, or on those to throw and those kept."""
    if position.roll is not None:
        return gettext("The dice show {pips}.", pips=listed(position.roll.pips))
    number = len(awaited.dice) if isinstance(awaited, Throw) else 0
    says = capital(counted("one die to throw.", "{number} dice to throw.", number))
    if not position.kept:
        return says
    return " ".join([says, gettext("Kept: {pips}.", pips=listed(position.kept))])


def _pieces(
    position: CargoPosition, awaited: Awaited[Choice], aboard: int, cargo: tuple[int, ...]
) -> tuple[Piece, ...]:
    """Return the dice of the crew, those of the cargo, and blank ones in the player's hand.

    Between throws the cargo dice that lie are kept, so they are held.
    """
    crew = (
        die_piece(name, pgettext("piece on the table", name), SIDES, face, held=True)
        for face, name, _ in CREW[:aboard]
    )
    held, label = position.roll is None, pgettext("piece on the table", "cargo die")
    lying = (die_piece(f"cargo {i}", label, SIDES, face, held=held) for i, face in enumerate(cargo))
    number = len(awaited.dice) if isinstance(awaited, Throw) and held else 0
    label = pgettext("piece on the table", "die")
    return (*crew, *lying, *(die_piece(f"hand {i}", label, SIDES) for i in range(number)))
