"""The scene of a match.

The table is the game's own. The match adds whose turn it is, what follows once a turn is over, and
the answers to the players' questions. With several players, sentences name them.
"""

from collections.abc import Iterator
from dataclasses import replace

from shutbox.engine.english import capital, counted, listed
from shutbox.engine.game import C, P, Throw
from shutbox.engine.game_text import legal_text
from shutbox.engine.messages import gettext, gettext_noop, ngettext, pgettext
from shutbox.engine.scene import Offer, Piece, Scene, by, die_piece
from shutbox.match.answers import MatchAnswers
from shutbox.match.standing import (
    About,
    Contest,
    Ended,
    Opening,
    RoundResult,
    Turn,
    WithoutChips,
)

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
    # Translators: several players tie; {score} is the score of each of them.
    (True, False): gettext_noop("{names} share the round with {score}."),
    (False, True): gettext_noop("{names} share round {round}."),
    (False, False): gettext_noop("{names} share round {round} with {score}."),
}
"""Templates for the end of a round, by whether it is the only one and whether it has no score."""


class MatchScene(MatchAnswers[P, C]):
    """The maker of the scene at the settled position to which the position `before` leads."""

    each_throw = False

    def __post_init__(self) -> None:
        super().__post_init__()
        turn = self.before.doing
        # The scene of the turn at `before`; None if no turn led here.
        self.scene_before = self.rules.game.scene(turn.at) if isinstance(turn, Turn) else None
        self.says_by = self.scene_before.says_by if self.scene_before else ""

    def scene(self) -> Scene:
        """Return the scene with the answers to the players' questions."""
        match self.position.doing:
            case Turn() as turn:
                scene = self._turn(turn)
            case Contest():
                name, number = self.names(self._due()), len(self.rules.dice)
                throws = counted(
                    "{name} throws one die.", "{name} throws {number} dice.", number, name=name
                )
                scene = self._plain(throws, legal_text(Throw(self.rules.dice), ()))
            case Opening():
                scene = self._opening(*self._due())
            case Ended():
                nothing = gettext("The match is over. There is nothing left to choose.")
                scene = self._plain(gettext("There are no dice to throw."), nothing)
        return replace(scene, answers=tuple(self.all()))

    # The table

    def _turn(self, turn: Turn[P]) -> Scene:
        """Return the scene of a turn; a new one is told with what led to it."""
        goes_on = self.position is self.before
        inner = (goes_on and self.scene_before) or self.rules.game.scene(turn.at)
        if self.several:
            name, alone = self.players[turn.seat], inner.ask
            ask, score = by(name, alone, inner.ask_by), by(name, inner.score, inner.score_by)
            inner = replace(inner, ask=ask, ask_by="", ask_alone=alone, score=score, score_by="")
        inner = self._of_turn(inner, turn)
        return inner if goes_on else self._of_new_turn(inner)

    def _of_turn(self, inner: Scene, turn: Turn[P]) -> Scene:  # rows
        """Return the scene of a turn."""
        return inner

    def _of_new_turn(self, inner: Scene) -> Scene:
        """Return the scene of a turn that shows its own board, and tells what came before it."""
        # The first turn of all, and one that a throw has decided, tell the board.
        board, reopened = ((), inner.again) if self.scene_before else ((inner.board,), "")
        says, own = (*self._sentences(), *board), (*self._sentences(own=True), *board)
        inner = replace(inner, says=says, own=own, says_by=self.says_by)
        return replace(inner, left=self._pieces_before(), again=reopened)

    def _opening(self, seat: int) -> Scene:
        name, chips = self.players[seat], self.rules.refill
        buy = ngettext("buy {number} chip", "buy {number} chips", chips)
        bought = ngettext(
            "{name} buys {number} chip.", "{name} buys {number} chips.", chips, name=name
        )
        out = gettext("{name} sits this round out.", name=name)
        left = gettext("{name} leaves the match.", name=name)
        sit_out, leave = pgettext("choice", "sit out"), pgettext("choice", "leave")
        offers = (
            Offer(WithoutChips.BUY.value, buy, bought, kind="buy"),
            Offer(WithoutChips.SIT_OUT.value, sit_out, out, kind="sit-out"),
            Offer(WithoutChips.LEAVE.value, leave, left, kind="leave"),
        )
        ask = gettext("{offers}?", offers=listed((offer.says for offer in offers), last="or"))
        legal = gettext("Choices: {offers}.", offers="; ".join(offer.says for offer in offers))
        scene = self._plain(gettext("There are no dice on the table."), legal)
        return replace(scene, offers=offers, ask=by(name, ask, ask), ask_alone=capital(ask))

    def _plain(self, dice: str, legal: str) -> Scene:
        """Return a scene without a turn in progress, with these sentences in `dice` and `legal`."""
        return Scene(
            says=tuple(self._sentences()),
            own=tuple(self._sentences(own=True)),
            says_by=self.says_by,
            dice=dice,
            board=self.scene_before.board if self.scene_before else gettext("No turn has begun."),
            score=self.standing(),
            legal=legal,
            pieces=self._pieces_before(),
            each_throw=self.each_throw,
        )

    def _pieces_before(self) -> tuple[Piece, ...]:
        if self.scene_before:
            return self.scene_before.pieces
        doing = self.before.doing
        if not isinstance(doing, Contest) or not doing.rolls:
            return ()
        dice = zip(self.rules.dice.sides, doing.rolls[-1].pips, strict=True)
        return tuple(
            die_piece(f"die {i}", pgettext("piece on the table", "die"), *die)
            for i, die in enumerate(dice, start=1)
        )

    # What has happened

    def _sentences(self, *, own: bool = False) -> Iterator[str]:
        turn = self.before.doing
        if self.scene_before and isinstance(turn, Turn):
            yield from self._told(self.scene_before, turn, own=own)
        doubled = self.before.has_shut
        if self.rules.doubles and not doubled and any(ends.shut for ends in self.settled.turns):
            yield gettext("All other scores of this round count twice.")
        match self.before.doing:
            case Contest(among=among, rolls=(*others, roll)):
                says = gettext_noop("{name} threw {pips}.")
                if own:
                    says = gettext_noop("You threw {pips}.")
                name = self.players[among[len(others)]]
                yield gettext(says, name=name, pips=roll.words)
        yield from self._round()
        if self.position.doing != self.before.doing:
            yield from self._contest_sentences()
        if last := dict(self.settled.last_chips):
            yield ngettext(
                "{names}: the last chip in the pot is yours.",
                "{names}: the last {number} chips in the pot are yours.",
                sum(last.values()),
                names=self.names([*last]),
            )

    def _told(self, scene: Scene, turn: Turn[P], *, own: bool) -> Iterator[str]:  # rows
        """Yield what happened in the turn at `before`, whose scene this is."""
        for sentence in (own and scene.own) or scene.says:
            # With several players, the end of a turn names the player to the others.
            if sentence == scene.ends and self.several and not own:
                name, score = self.players[turn.seat], scene.points
                yield gettext("{name} ends the turn with {score}.", name=name, score=score)
            else:
                yield sentence

    def _round(self) -> Iterator[str]:
        """Yield what is said of a round that has just ended: payments, winners, and the pot."""
        result = self.settled.result
        if result is None:
            return
        yield from self._payments(result)
        score, number = result.tallies[result.winners[0]].score, result.round
        competed = self.several and not self.only_round
        if competed or result.paid or len(result.winners) > 1:
            yield " ".join(self._winners(result, score))
        elif not self.only_round and score is None:
            yield gettext("Round {round} is over.", round=number)
        elif not self.only_round:
            yield gettext("Round {round} is over with {score}.", round=number, score=score)
        if not isinstance(self.position.doing, Ended) and result.left:
            yield ngettext(
                "{number} chip waits in the pot for the next round.",
                "{number} chips wait in the pot for the next round.",
                result.left,
            )

    def _payments(self, result: RoundResult) -> Iterator[str]:
        if result.payers:
            yield ngettext(
                "With {shut}, {names} pays {chips} more into the pot.",
                "With {shut}, {names} each pay {chips} more into the pot.",
                len(result.payers),
                shut=self.shut,
                names=self.names(result.payers),
                chips=self.rules.format.extra,
            )
        for seat, chips in result.points:
            name = self.players[seat]
            yield ngettext(
                "{name} pays {number} chip.", "{name} pays {number} chips.", chips, name=name
            )

    def _winners(self, result: RoundResult, score: int | None) -> Iterator[str]:
        """Yield who won a round, with the winners' score, and what the pot pays them."""
        tied, names, chips = len(result.winners) > 1, self.names(result.winners), result.paid
        says = (_DRAWN if tied else _WON)[self.only_round, score is None]
        yield gettext(says, names=names, name=names, round=result.round, score=score)
        if tied and self.rules.format.counts_wins:
            yield gettext("It counts for nobody.")
        if tied and chips:
            yield ngettext("Each takes {number} chip.", "Each takes {number} chips.", chips)
        elif chips:
            yield ngettext("The pot pays {number} chip.", "The pot pays {number} chips.", chips)

    def _contest_sentences(self) -> Iterator[str]:
        match self.before.doing, self.position.doing:
            case Contest() as before, Contest() as contest if before.about is contest.about:
                yield gettext("{names} are tied and throw again.", names=self.names(contest.among))
            case _, Contest(about=About.ROUND | About.MATCH) as contest:
                yield gettext(_TIED[contest.about], names=self.names(contest.among))
            case Contest(about=About.START), _:
                yield gettext("{name} begins.", name=self.players[self.position.first])
