"""The scene of a match: the scene of the turn, and the standing of all players.

The table is the game's own. The match adds whose turn it is, what follows once a turn is over, and
the answers to the players' questions. With several players, sentences name them.
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace

from shutbox.english import capital, listed, number_word
from shutbox.game import C, P, Throw, legal
from shutbox.match.answers import MatchAnswers
from shutbox.match.standing import (
    About,
    Contest,
    Ended,
    Movement,
    Opening,
    Purpose,
    RoundResult,
    Standing,
    Turn,
    WithoutChips,
)
from shutbox.messages import gettext, gettext_noop, ngettext, pgettext
from shutbox.scene import Offer, Piece, Scene, by, die_piece

_TIED = {
    About.ROUND: gettext_noop("{names} are tied and throw for the round."),
    About.MATCH: gettext_noop("{names} are tied and throw for the match."),
}
_WON = {
    (True, True): gettext_noop("{name} wins the round."),
    (True, False): gettext_noop("{name} wins the round with {score}."),
    (False, True): gettext_noop("{name} wins round {round}."),
    (False, False): gettext_noop("{name} wins round {round} with {score}."),
}
_DRAWN = {
    (True, True): gettext_noop("{names} share the round."),
    (True, False): gettext_noop("{names} share the round with {score}."),
    (False, True): gettext_noop("{names} share round {round}."),
    (False, False): gettext_noop("{names} share round {round} with {score}."),
}
"""Templates for the end of a round, by whether it is the only one and whether it has no score."""


@dataclass
class MatchScene(MatchAnswers[P, C]):
    """The scene at `here`, the settled position to which the position `before` leads."""

    before: Standing[P]  # the position that leads here
    result: RoundResult | None  # the round that ended on the way
    movements: tuple[Movement, ...]  # the chips that moved on the way

    def __post_init__(self) -> None:
        turn = self.before.doing
        self.left = self.rules.game.scene(turn.at) if isinstance(turn, Turn) else None
        """The scene of the turn at `before`; None if no turn led here."""
        self.says_by = self.left.says_by if self.left else ""

    def scene(self) -> Scene:
        """Return the scene with the answers to the players' questions."""
        match self.here.doing:
            case Turn(seat=seat, at=at):
                scene = self._turn(seat, at)
            case Contest(among=among, rolls=rolls):
                name, number = self.players[among[len(rolls)]], len(self.rules.dice)
                throws = ngettext(
                    "{name} throws one die.",
                    "{name} throws {number} dice.",
                    number,
                    name=name,
                    number=number_word(number),
                )
                scene = self._plain(throws, legal(Throw(self.rules.dice), ()))
            case Opening():
                scene = self._opening(self.rules.asked(self.here) or 0)
            case Ended():
                nothing = gettext("Nothing: the match is over.")
                scene = self._plain(gettext("There are no dice to throw."), nothing)
        return replace(scene, answers=tuple(self.all()))

    # The table

    def _turn(self, seat: int, at: P) -> Scene:
        on = self.here is self.before
        inner = self.left if on and self.left else self.rules.game.scene(at)
        if self.several:
            name, alone = self.players[seat], inner.ask
            ask, score = by(name, alone, inner.ask_by), by(name, inner.score, inner.score_by)
            inner = replace(inner, ask=ask, ask_by="", ask_alone=alone, score=score, score_by="")
        if on:
            return inner
        # A new turn shows its own board, but the sentences are about what came before.
        says, left = tuple(self._sentences()), self._pieces_before()
        return replace(inner, says=says, says_by=self.says_by, left=left)

    def _opening(self, seat: int) -> Scene:
        name, chips = self.players[seat], self.rules.refill
        buy = ngettext("buy {number} chip", "buy {number} chips", chips)
        bought = ngettext(
            "{name} buys {number} chip.", "{name} buys {number} chips.", chips, name=name
        )
        out = gettext("{name} sits this round out.", name=name)
        left = gettext("{name} leaves the match.", name=name)
        offers = (
            Offer(str(WithoutChips.BUY.value), buy, bought, kind="buy"),
            Offer(
                str(WithoutChips.SIT_OUT.value), pgettext("choice", "sit out"), out, kind="sit-out"
            ),
            Offer(str(WithoutChips.LEAVE.value), pgettext("choice", "leave"), left, kind="leave"),
        )
        ask = gettext("{offers}?", offers=listed((offer.says for offer in offers), last="or"))
        legal = gettext("Choices: {offers}.", offers="; ".join(offer.says for offer in offers))
        scene = self._plain(gettext("There are no dice on the table."), legal)
        return replace(scene, offers=offers, ask=by(name, ask, ask), ask_alone=capital(ask))

    def _plain(self, dice: str, legal: str) -> Scene:
        """Return a scene without a turn in progress, with these sentences in `dice` and `legal`."""
        return Scene(
            says=tuple(self._sentences()),
            says_by=self.says_by,
            dice=dice,
            board=self.left.board if self.left else gettext("No turn has begun."),
            score=self.standing(),
            legal=legal,
            pieces=self._pieces_before(),
        )

    def _pieces_before(self) -> tuple[Piece, ...]:
        if self.left:
            return self.left.pieces
        doing = self.before.doing
        if not isinstance(doing, Contest) or not doing.rolls:
            return ()
        dice = zip(self.rules.dice.sides, doing.rolls[-1].pips, strict=True)
        return tuple(
            die_piece(f"die {i}", pgettext("piece on the table", "die"), *die)
            for i, die in enumerate(dice, start=1)
        )

    # What has happened

    def _sentences(self) -> Iterator[str]:
        if self.left:
            yield from self._turn_ended(self.left)
        match self.before.doing:
            case Contest(among=among, rolls=(*others, roll)):
                name = self.players[among[len(others)]]
                yield gettext("{name} threw {pips}.", name=name, pips=roll.words)
        if self.result is not None:
            yield from self._round(self.result)
        if self.here.doing != self.before.doing:
            yield from self._contested()
        if left := [move for move in self.movements if move.purpose is Purpose.LEFT]:
            yield ngettext(
                "{names}: the last chip in the pot is yours.",
                "{names}: the last {number} chips in the pot are yours.",
                sum(move.chips for move in left),
                names=self.names([move.target for move in left if isinstance(move.target, int)]),
            )

    def _turn_ended(self, left: Scene) -> Iterator[str]:
        """Yield the sentences of a turn's scene. With several players, its end names the player."""
        doing = self.before.doing
        for sentence in left.says:
            if self.several and sentence == left.ends and isinstance(doing, Turn):
                name, score = self.players[doing.seat], left.points
                yield gettext("{name} ends the turn with {score}.", name=name, score=score)
            else:
                yield sentence

    def _round(self, result: RoundResult) -> Iterator[str]:
        if result.payers:
            yield ngettext(
                "With {shut}, {names} pays {chips} more into the pot.",
                "With {shut}, {names} each pay {chips} more into the pot.",
                len(result.payers),
                shut=self.shut,
                names=self.names(result.payers),
                chips=self.rules.format.extra,
            )
        score, number = result.tallies[result.winners[0]].score, result.round
        tied, paid = len(result.winners) > 1, result.paid > 0
        if tied or paid or (self.several and not self.only_round):
            says = (_DRAWN if tied else _WON)[self.only_round, score is None]
            names = self.names(result.winners)
            told = [gettext(says, names=names, name=names, round=number, score=score)]
            chips = result.paid
            if tied and paid:
                told.append(
                    ngettext("Each takes {number} chip.", "Each takes {number} chips.", chips)
                )
            elif paid:
                says = ngettext(
                    "The pot pays {number} chip.", "The pot pays {number} chips.", chips
                )
                told.append(says)
            yield " ".join(told)
        elif not self.only_round and score is None:
            yield gettext("Round {round} is over.", round=number)
        elif not self.only_round:
            yield gettext("Round {round} is over with {score}.", round=number, score=score)
        if not isinstance(self.here.doing, Ended) and result.left:
            yield ngettext(
                "{number} chip waits in the pot for the next round.",
                "{number} chips wait in the pot for the next round.",
                result.left,
            )

    def _contested(self) -> Iterator[str]:
        match self.before.doing, self.here.doing:
            case Contest(about=before), Contest(about=about, among=among) if before is about:
                yield gettext("{names} are tied and throw again.", names=self.names(among))
            case _, Contest(about=About.ROUND | About.MATCH as about, among=among):
                yield gettext(_TIED[about], names=self.names(among))
            case Contest(about=About.START), _:
                yield gettext("{name} begins.", name=self.players[self.here.first])
