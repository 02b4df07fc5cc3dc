"""The scene of Cargo, as it is seen and heard."""

from collections.abc import Iterator, Sequence

from shutbox.english import capital, listed, number_word
from shutbox.game import Awaited, Choose, Over, Throw, legal, score_text
from shutbox.games.cargo.position import Accept, CargoPosition, Choice
from shutbox.games.cargo.rules import CREW, SIDES
from shutbox.messages import gettext, ngettext, pgettext
from shutbox.scene import THROW_AGAIN, Offer, Piece, Scene, die_piece


def scene(awaited: Awaited[Choice], position: CargoPosition) -> Scene:
    """Return the scene at a position of Cargo; `awaited` is what the position awaits."""
    aboard, cargo = position.now
    choices = awaited.choices if isinstance(awaited, Choose) else ()
    offers = tuple(_offer(choice, cargo) for choice in choices)
    points = sum(cargo) if aboard == len(CREW) else 0
    score = score_text(awaited, points)
    board, ask = _board(aboard, position.left), _ask(offers)
    says = list(_sentences(position, awaited, aboard, cargo))
    if isinstance(awaited, Over):
        says.append(score)
    elif position.roll is not None or aboard < len(CREW):
        says.append(board)
    return Scene(
        says=tuple(map(capital, says)),
        dice=_dice(position, awaited),
        board=board,
        score=capital(score),
        legal=legal(awaited, offers),
        pieces=_pieces(position, awaited, aboard, cargo),
        offers=offers,
        ask=capital(ask),
        says_by=says[0] if position.roll is not None else "",
        ask_by=ask,
        score_by=score,
        points=points,
        sums=position.aboard == len(CREW),
        rolls_left=position.left,
    )


def _ask(offers: tuple[Offer, ...]) -> str:
    if len(offers) > 2:
        return gettext("accept the cargo, or throw which dice again?")
    return gettext("accept the cargo, or throw again?") if offers else ""


def _offer(choice: Choice, cargo: tuple[int, ...]) -> Offer:
    text = str(choice)
    if isinstance(choice, Accept):
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
    number, words = len(taken), number_word(len(taken))
    done = ngettext(
        "Throwing one die again.", "Throwing {number} dice again.", number, number=words
    )
    clause = ngettext("throws one die again.", "throws {number} dice again.", number, number=words)
    return Offer(text, says, done, tuple(taken), THROW_AGAIN, number, clause)


def _sentences(
    position: CargoPosition, awaited: Awaited[Choice], aboard: int, cargo: tuple[int, ...]
) -> Iterator[str]:
    """Yield clauses about the roll on the table: its pips, the crew banked, and what is left."""
    if position.roll is None:
        return
    if position.aboard < len(CREW):
        yield gettext("threw {pips}.", pips=listed(position.roll.pips))
    if came := CREW[position.aboard : aboard]:
        named = _named(came)
        yield ngettext("{members} is banked.", "{members} are banked.", len(came), members=named)
    over, missing, pips = isinstance(awaited, Over), CREW[aboard:], listed(cargo)
    if not missing and over:  # the score says the total
        yield gettext("the cargo is {pips}.", pips=pips)
    elif not missing:
        yield gettext("the cargo is {pips}, {total} in all.", pips=pips, total=sum(cargo))
    elif over:
        yield ngettext(
            "no throws are left, and {members} is missing.",
            "no throws are left, and {members} are missing.",
            len(missing),
            members=_named(missing),
        )


def _named(members: Sequence[tuple[int, str, str]]) -> str:
    return listed(pgettext("member of the crew", named) for *_, named in members)


def _board(aboard: int, left: int) -> str:
    there, missing = CREW[:aboard], CREW[aboard:]
    if not there:
        says = [gettext("Nothing is aboard.")]
    elif not missing:
        says = [gettext("The crew is complete.")]
    else:
        are, named = len(there), _named(there)
        lack, lacks = len(missing), _named(missing)
        says = [
            ngettext("{members} is aboard.", "{members} are aboard.", are, members=named),
            ngettext("{members} is missing.", "{members} are missing.", lack, members=lacks),
        ]
    throws = number_word(left)
    says.append(ngettext("one throw left.", "{number} throws left.", left, number=throws))
    return " ".join(map(capital, says))


def _dice(position: CargoPosition, awaited: Awaited[Choice]) -> str:
    if position.roll is not None:
        return gettext("The dice show {pips}.", pips=listed(position.roll.pips))
    number = len(awaited.dice) if isinstance(awaited, Throw) else 0
    words = number_word(number)
    says = capital(ngettext("one die to throw.", "{number} dice to throw.", number, number=words))
    if not position.kept:
        return says
    return " ".join([says, gettext("Kept: {pips}.", pips=listed(position.kept))])


def _pieces(
    position: CargoPosition, awaited: Awaited[Choice], aboard: int, cargo: tuple[int, ...]
) -> tuple[Piece, ...]:
    crew = (
        die_piece(name, pgettext("piece on the table", name), SIDES, face, held=True)
        for face, name, _ in CREW[:aboard]
    )
    held, label = position.roll is None, pgettext("piece on the table", "cargo die")
    lying = (die_piece(f"cargo {i}", label, SIDES, face, held=held) for i, face in enumerate(cargo))
    number = len(awaited.dice) if isinstance(awaited, Throw) and held else 0
    label = pgettext("piece on the table", "die")
    return (*crew, *lying, *(die_piece(f"hand {i}", label, SIDES) for i in range(number)))
