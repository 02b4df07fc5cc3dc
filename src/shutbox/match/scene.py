"""A match as it is seen and heard: the scene of the turn, and how everybody stands.

What lies on the table is the game's own. Added are who is due, what follows once a turn is over,
and the answers to what players of a match ask. Names are said where several play.
"""

from collections.abc import Iterator
from dataclasses import replace
from typing import Generic

from shutbox.dice import Roll
from shutbox.english import capital, listed
from shutbox.game import C, P
from shutbox.match.answers import MatchAnswers, chips_words
from shutbox.match.chips import WithoutChips
from shutbox.match.outcome import RoundResult, Settled
from shutbox.match.standing import About, Contest, Ended, Opening, Standing, Turn
from shutbox.match.transitions import MatchRules
from shutbox.messages import gettext, gettext_noop, ngettext
from shutbox.scene import Kind, Offer, Piece, Scene, State, by

_TIED = {
    About.ROUND: gettext_noop("{names} are tied and throw for the round."),
    About.MATCH: gettext_noop("{names} are tied and throw for the match."),
}


class MatchScene(Generic[P, C]):
    """All that is said at one position, which leads to what is settled there."""

    def __init__(
        self,
        rules: MatchRules[P, C],
        players: tuple[str, ...],
        shut: str,
        before: Standing[P],
        settled: Settled[P],
    ) -> None:
        self.rules = rules
        self.players = players
        self.several = len(players) > 1
        self.shut = shut
        """How a voice calls what a turn is for."""
        self.before = before
        turn = before.doing
        self.left = rules.game.scene(turn.at) if isinstance(turn, Turn) else None
        """The scene of the turn that led here."""
        self.result = settled.result
        self.here = settled.position
        self.answers = MatchAnswers(rules, players, shut, settled.position)

    def scene(self) -> Scene:
        """The scene."""
        match self.here.doing:
            case Turn(seat=seat, at=at):
                scene = self._turn(seat, at)
            case Contest() as contest:
                scene = self._contest(contest)
            case Opening():
                scene = self._opening(self.rules.asked(self.here) or 0)
            case Ended():
                scene = self._ended()
        return replace(scene, answers=tuple(self.answers.all()))

    # What lies there

    def _turn(self, seat: int, at: P) -> Scene:
        on = self.here is self.before
        inner = self.left if on and self.left else self.rules.game.scene(at)
        if self.several:
            name = self.players[seat]
            inner = replace(
                inner,
                ask=by(name, inner.ask, inner.ask_by),
                ask_by="",
                ask_alone=inner.ask,
                score=by(name, inner.score, inner.score_by),
                score_by="",
            )
        if on:
            return inner
        # What came before lies there until the dice fall, and is what there is to tell.
        pieces = inner.pieces if inner.offers else self._pieces_before() or inner.pieces
        says_by = self.left.says_by if self.left else ""
        return replace(inner, says=tuple(self._says()), says_by=says_by, pieces=pieces)

    def _contest(self, contest: Contest) -> Scene:
        due, words = self.players[contest.among[len(contest.rolls)]], self.rules.dice.words
        return self._plain(
            gettext("{name} throws {dice}.", name=due, dice=words),
            gettext("Throw {dice}.", dice=words),
        )

    def _opening(self, seat: int) -> Scene:
        name, chips = self.players[seat], chips_words(self.rules.refill)
        buy = gettext("buy {chips}", chips=chips)
        bought = gettext("{name} buys {chips}.", name=name, chips=chips)
        out = gettext("{name} sits this round out.", name=name)
        left = gettext("{name} leaves the match.", name=name)
        offers = (
            Offer(str(WithoutChips.BUY.value), buy, bought, kind="buy"),
            Offer(str(WithoutChips.SIT_OUT.value), gettext("sit out"), out, kind="sit-out"),
            Offer(str(WithoutChips.LEAVE.value), gettext("leave"), left, kind="leave"),
        )
        ask = gettext("{offers}?", offers=listed((offer.says for offer in offers), last="or"))
        legal = gettext("Legal: {offers}.", offers="; ".join(offer.says for offer in offers))
        return replace(
            self._plain(gettext("No dice lie there."), legal),
            offers=offers,
            ask=by(name, ask, ask),
            ask_alone=capital(ask),
        )

    def _ended(self) -> Scene:
        return self._plain(
            gettext("No dice are to be thrown."), gettext("Nothing: the match is over.")
        )

    def _plain(self, dice: str, legal: str) -> Scene:
        """A scene without a turn that goes on."""
        return Scene(
            says=tuple(self._says()),
            says_by=self.left.says_by if self.left else "",
            dice=dice,
            board=self.left.board if self.left else gettext("No turn has begun."),
            score=self.answers.standing(),
            legal=legal,
            pieces=self._pieces_before(),
        )

    def _pieces_before(self) -> tuple[Piece, ...]:
        if self.left:
            return self.left.pieces
        match self.before.doing:
            case Contest(rolls=(*_, roll)):
                dice = zip(self.rules.dice.sides, roll.pips, strict=True)
                label = gettext("die")
                return tuple(
                    Piece(
                        f"die {index}",
                        Kind.DIE,
                        str(face),
                        State.LYING,
                        label,
                        sides=sides,
                        number=face,
                    )
                    for index, (sides, face) in enumerate(dice, start=1)
                )
        return ()

    # What has come about

    def _says(self) -> Iterator[str]:
        if self.left:
            yield from self.left.says
        match self.before.doing:
            case Contest(among=among, rolls=(*others, roll)):
                name = self.players[among[len(others)]]
                yield gettext("{name} threw {pips}.", name=name, pips=_pips(roll))
        if self.result is not None:
            yield from self._round(self.result)
        if self.here.doing != self.before.doing:
            yield from self._contested()

    def _round(self, result: RoundResult) -> Iterator[str]:
        names = self.answers.names(result.winners)
        if result.payers:
            yield ngettext(
                "{shut}: {names} pays {chips} more.",
                "{shut}: {names} each pay {chips} more.",
                len(result.payers),
                shut=capital(self.shut),
                names=self.answers.names(result.payers),
                chips=chips_words(self.rules.format.extra),
            )
        score = result.tallies[result.winners[0]].score
        one_round = self.rules.format.most_rounds == 1
        round, chips = _round(None if one_round else result.round, score), chips_words(result.paid)
        if len(result.winners) > 1 and result.paid:
            yield gettext(
                "{names} are tied in {round} and each take {chips}.",
                names=names,
                round=round,
                chips=chips,
            )
        elif len(result.winners) > 1:
            yield gettext("{names} are tied in {round}.", names=names, round=round)
        elif result.paid:
            yield gettext(
                "{name} wins {round} and takes {chips}.", name=names, round=round, chips=chips
            )
        elif self.several and not one_round:
            yield gettext("{name} wins {round}.", name=names, round=round)
        elif not one_round and score is None:
            yield gettext("Round {round} is over.", round=result.round)
        elif not one_round:
            yield gettext("Round {round} is over with {score}.", round=result.round, score=score)
        if not isinstance(self.here.doing, Ended) and result.left:
            yield ngettext(
                "{number} chip waits in the pot for the next round.",
                "{number} chips wait in the pot for the next round.",
                result.left,
            )

    def _contested(self) -> Iterator[str]:
        before, here = self.before.doing, self.here.doing
        if isinstance(here, Contest):
            names = self.answers.names(here.among)
            if isinstance(before, Contest) and before.about is here.about:
                yield gettext("{names} are tied and throw again.", names=names)
            elif here.about is not About.START:
                yield gettext(_TIED[here.about], names=names)
        elif isinstance(before, Contest) and before.about is About.START:
            yield gettext("{name} begins.", name=self.players[self.here.first])


def _round(round: int | None, score: int | None) -> str:
    """A round by its number, or the only one, and the score that won it."""
    if round is None and score is None:
        return gettext("the round")
    if round is None:
        return gettext("the round with {score}", score=score)
    if score is None:
        return gettext("round {round}", round=round)
    return gettext("round {round} with {score}", round=round, score=score)


def _pips(roll: Roll) -> str:
    if len(roll.pips) == 1:
        return str(roll.total)
    return gettext("{pips}, {total} in all", pips=listed(roll.pips), total=roll.total)
