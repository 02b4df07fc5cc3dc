"""The positions and choices of Cargo, their texts, and how they are seen and heard.

-/5              nothing aboard, five rolls left, a throw is due
6/4/1+2+2+4+5    the ship was aboard before this roll; captain and crew come aboard with it
6.5.4/2/1+3+6    the crew is complete, with this cargo on the table
6.5.4/2/6/2d     the 6 is kept and the other two are about to be thrown
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from shutbox.dice import Roll
from shutbox.english import capital, listed, number_word, shown
from shutbox.errors import IllegalChoice, ImpossiblePosition, NotUnderstood
from shutbox.game import Awaited, Choose, Over, Throw, legal, not_a_choice, score_text
from shutbox.games.cargo.rules import CREW, SIDES, CargoRules, Hold
from shutbox.messages import gettext, ngettext, pgettext
from shutbox.scene import THROW_AGAIN, Offer, Piece, Scene, die_piece
from shutbox.typed_text import bounded, notation, typed_words, was_typed

ACCEPT_KEY = "f4"
"""The key that accepts on the talking console of the source. Front ends send its name."""
LONGEST_TEXT = 200  # the most characters of a position or a choice

_FORM = re.compile(r"(-|[0-9.]{1,9})/([0-9]{1,4})(?:/([0-9+]{1,40}))?(/[0-9]{1,3}d)?")
ABOARD = ("-", *(".".join(str(face) for face, *_ in CREW[:n]) for n in range(1, len(CREW) + 1)))


@dataclass(frozen=True, slots=True)
class CargoPosition:
    """A position in a turn of Cargo."""

    aboard: int  # how many of ship, captain and crew were aboard before the roll on the table
    left: int  # how many rolls are left
    roll: Roll | None = None  # the dice on the table that were not aboard before
    kept: tuple[int, ...] = ()
    """Cargo dice that stay while the others are thrown, ascending; only if each can be held."""

    @property
    def now(self) -> tuple[int, tuple[int, ...]]:
        """The number aboard after the roll on the table, and the faces left over or kept."""
        return (self.aboard, self.kept) if self.roll is None else banked(self.aboard, self.roll)


@dataclass(frozen=True, slots=True)
class Accept:
    """The choice to take the cargo as it is."""

    def __str__(self) -> str:
        return "accept"


@dataclass(frozen=True, slots=True)
class ThrowAgain:
    """The choice to throw these cargo dice again."""

    pips: tuple[int, ...]
    """The faces they show, ascending; empty for all dice, if they are thrown together."""

    def __str__(self) -> str:
        return " ".join(["throw", *map(str, self.pips)])


Choice = Accept | ThrowAgain


def banked(aboard: int, roll: Roll) -> tuple[int, tuple[int, ...]]:
    """Return how many of the crew are aboard after a roll, and the faces that are left over.

    >>> banked(0, Roll((1, 1, 2, 4, 5, 6)))
    (3, (1, 1, 2))
    >>> banked(1, Roll((1, 2, 3, 4, 4)))
    (1, (1, 2, 3, 4, 4))

    The crew comes aboard in order, as many as the roll allows: a 4 without a 5 goes back.
    """
    faces = list(roll.pips)
    for face, *_ in CREW[aboard:]:
        if face not in faces:
            break
        faces.remove(face)
        aboard += 1
    return aboard, tuple(faces)


def read_position(rules: CargoRules, id: str) -> CargoPosition:
    """Parse a position. Raises NotUnderstood, or ImpossiblePosition with every reason at once."""
    match = _FORM.fullmatch(notation(id, LONGEST_TEXT))
    if match is None:
        raise NotUnderstood(
            "{id} is not a position of Cargo; write what is aboard, the rolls left "
            "and the dice, such as 6.5/3/1+2+4+4",
            id=shown(id),
        )
    words = match[3].split("+") if match[3] else []
    if not all(word.isdigit() and len(word) <= 3 for word in words):
        raise NotUnderstood("{text} are not dice; write pips such as 1+3+6", text=shown(match[3]))
    faces, left = tuple(sorted(map(int, words))), int(match[2])
    thrown = int(match[4][1:-1]) if match[4] else None
    aboard = ABOARD.index(match[1]) if match[1] in ABOARD else None
    reasons = []
    if aboard is None:
        facts = {"aboard": match[1], "known": ", ".join(ABOARD)}
        reasons.append(gettext("{aboard} cannot be aboard; it is one of {known}", **facts))
    if left > rules.rolls:
        reasons.append(gettext("throws left: {left} of {rolls}", left=left, rolls=rules.rolls))
    for face in sorted(set(faces) - set(range(1, SIDES + 1))):
        reasons.append(gettext("a die of 6 sides shows 1 to 6, not {face}", face=face))
    # How many dice can be on the table depends on the crew aboard.
    if aboard is not None and thrown is not None:
        reasons += _kept_mistakes(rules, aboard, left, faces, thrown)
    elif aboard is not None:
        reasons += _roll_mistakes(rules, aboard, left, faces)
    if reasons or aboard is None:
        raise ImpossiblePosition(shown(id), tuple(reasons))
    if thrown is not None:
        return CargoPosition(aboard, left, kept=faces)
    return CargoPosition(aboard, left, Roll(faces) if faces else None)


def _kept_mistakes(
    rules: CargoRules, aboard: int, left: int, kept: tuple[int, ...], thrown: int
) -> Iterator[str]:
    if aboard < len(CREW):
        yield gettext("dice are kept only once the crew is complete")
    if rules.hold is not Hold.EACH:
        yield gettext("cargo dice are thrown together and none is kept")
    if not kept or thrown < 1 or len(kept) + thrown != rules.cargo:
        facts = {"number": len(kept) + thrown, "cargo": rules.cargo}
        yield gettext("kept and thrown dice make {number}, not {cargo}", **facts)
    if left < 1:
        yield gettext("no throw is left")


def _roll_mistakes(
    rules: CargoRules, aboard: int, left: int, faces: tuple[int, ...]
) -> Iterator[str]:
    free, unused = len(rules.dice) - aboard, left >= rules.rolls
    if faces and len(faces) != free:
        yield ngettext(
            "one die lies there, not {free}",
            "{number} dice lie there, not {free}",
            len(faces),
            number=number_word(len(faces)),
            free=number_word(free),
        )
    if faces and unused:
        yield gettext("dice lie there, and no throw is used")
    elif aboard and unused:
        yield gettext("something is aboard, and no throw is used")
    if not faces and left < 1:
        yield gettext("no throw is left and no dice lie there")


def read_choice(text: str) -> Choice:
    """Parse a choice, open or not. Words can be shortened; bare pips are dice to throw again.

    >>> read_choice("th"), read_choice("throw 3 and 1 again"), read_choice("accept the cargo")
    (ThrowAgain(pips=()), ThrowAgain(pips=(1, 3)), Accept())
    >>> read_choice("F4")
    Accept()

    Raises NotUnderstood.
    """
    if not bounded(text, LONGEST_TEXT).strip():
        raise NotUnderstood("type accept or throw")
    words = [word for word in typed_words(text) if word not in ("the", "cargo")]
    if words[1:] and words[-1] == "again":
        words.pop()
    faces = [word for word in words if re.fullmatch("[1-6]+", word) and was_typed(word, text)]
    pips = tuple(sorted(int(face) for word in faces for face in word))
    match [word for word in words if word not in faces]:
        case [verb] if not pips and (verb == ACCEPT_KEY or "accept".startswith(verb)):
            return Accept()
        case [] | ["again"] if words:
            return ThrowAgain(pips)
        case [verb] if "throw".startswith(verb):
            return ThrowAgain(pips)
    raise NotUnderstood("{text} is not understood; type accept or throw", text=shown(text))


def refused(position: CargoPosition, choices: Sequence[Choice], choice: object) -> IllegalChoice:
    """Return the refusal of a choice that is not one of `choices`, the open ones."""
    if not isinstance(choice, Accept | ThrowAgain):
        return not_a_choice(choice, position)
    # The choice to throw all dice again is the last in canonical order.
    facts = {"choice": repr(str(choice)), "most": choices[-1]}
    if len(choices) > 2:
        return IllegalChoice(
            "{choice} is not a choice here; type accept, or {most} or fewer of them",
            position,
            **facts,
        )
    return IllegalChoice("{choice} is not a choice here; type accept or {most}", position, **facts)


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
