"""A match as it is seen and heard: the scene of the turn, and how everybody stands.

What lies on the table is the game's own. Added are who is due, what follows once a turn is over,
and the answers to what players of a match ask: how does the round stand, what has everybody,
what is in the purses, what is to beat, whose turn is it?
"""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Generic

from shutbox.dice import Roll
from shutbox.english import capital, listed, numbered
from shutbox.game import C, P
from shutbox.match.outcome import RoundResult, Settled
from shutbox.match.standing import (
    About,
    Contest,
    Ended,
    Opening,
    Standing,
    Status,
    Turn,
    WithoutChips,
)
from shutbox.match.transitions import MatchRules
from shutbox.scene import Answer, Kind, Offer, Piece, Scene, State

_AIMS = {
    About.START: "to begin",
    About.ROUND: "for the round",
    About.MATCH: "for the match",
}

ROUND, EVERYBODY, CHIPS, TO_BEAT, WHOSE = "o", "e", "p", "n", "w"
"""The keys of the questions of a match; there are chips only where they are played for."""

_NOTHING = ("The match is over.", "There is nothing to beat yet.")


class Telling(Generic[P, C]):
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
        self.shut = shut
        """How a voice calls what a turn is for."""
        self.before = before
        self.result = settled.result
        self.here = settled.position

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
        return replace(scene, answers=tuple(self._answers()))

    # What lies there

    def _turn(self, seat: int, at: P) -> Scene:
        inner = self.rules.game.scene(at)
        ask = f"{self.players[seat]}: {_small(inner.ask)}" if inner.ask else ""
        inner = replace(inner, ask=ask, ask_alone=inner.ask)
        inner = replace(inner, score=f"{self.players[seat]}: {_small(inner.score)}")
        if self.here is self.before:
            return inner
        # What came before lies there until the dice fall, and is what there is to tell.
        pieces = inner.pieces if inner.offers else self._pieces_before() or inner.pieces
        return replace(inner, says=self._says(), pieces=pieces)

    def _contest(self, contest: Contest) -> Scene:
        due = self.players[contest.among[len(contest.rolls)]]
        dice = f"{due} throws {self.rules.dice.words}."
        return self._plain(dice, f"Throw {self.rules.dice.words}.")

    def _opening(self, seat: int) -> Scene:
        name, refill = self.players[seat], numbered(self.rules.refill, "chip")
        offers = (
            Offer(str(WithoutChips.BUY.value), f"buy {refill}", f"{name} buys {refill}."),
            Offer(str(WithoutChips.SIT_OUT.value), "sit out", f"{name} sits this round out."),
            Offer(str(WithoutChips.LEAVE.value), "leave", f"{name} leaves the match."),
        )
        named = listed((offer.says for offer in offers), last="or")
        scene = self._plain("No dice lie there.", f"Legal: {'; '.join(o.says for o in offers)}.")
        asked = f"{name}: {named}?"
        return replace(scene, offers=offers, ask=asked, ask_alone=f"{capital(named)}?")

    def _ended(self) -> Scene:
        return self._plain("No dice are to be thrown.", "Nothing: the match is over.")

    def _plain(self, dice: str, legal: str) -> Scene:
        """A scene without a turn that goes on."""
        return Scene(
            says=self._says(),
            dice=dice,
            board=self._board_before(),
            score=self._standing(),
            legal=legal,
            pieces=self._pieces_before(),
        )

    def _board_before(self) -> str:
        if isinstance(self.before.doing, Turn):
            return self.rules.game.scene(self.before.doing.at).board
        return "No turn has begun."

    def _pieces_before(self) -> tuple[Piece, ...]:
        match self.before.doing:
            case Turn(at=at):
                return self.rules.game.scene(at).pieces
            case Contest(rolls=(*_, roll)):
                dice = zip(self.rules.dice.sides, roll.pips, strict=True)
                return tuple(
                    Piece(f"die {index}", Kind.DIE, str(face), State.LYING, "die", 0, sides)
                    for index, (sides, face) in enumerate(dice, start=1)
                )
        return ()

    # What has come about

    def _says(self) -> tuple[str, ...]:
        return tuple(self._news())

    def _news(self) -> Iterator[str]:
        match self.before.doing:
            case Turn(at=at):
                yield from self.rules.game.scene(at).says
            case Contest(among=among, rolls=(*others, roll)):
                yield f"{self.players[among[len(others)]]} threw {_pips(roll)}."
        if self.result is not None:
            yield from self._round(self.result)
        if self.here.doing != self.before.doing:
            yield from self._contested()

    def _round(self, result: RoundResult) -> Iterator[str]:
        names = [self.players[seat] for seat in result.winners]
        if result.payers:
            pay = "each pay" if len(result.payers) > 1 else "pays"
            more = numbered(self.rules.format.extra, "chip")
            yield f"{capital(self.shut)}: {self._names(result.payers)} {pay} {more} more."
        score = result.tallies[result.winners[0]].score
        with_score = "" if score is None else f" with {score}"
        one_round = self.rules.format.most_rounds == 1
        where = " the round" if one_round else f" round {result.round}"
        if len(names) > 1:
            took = f" and each take {numbered(result.paid, 'chip')}" if result.paid else ""
            yield f"{listed(names)} are tied in{where}{with_score}{took}."
        elif len(self.players) > 1 and (result.paid or not one_round):
            took = f" and takes {numbered(result.paid, 'chip')}" if result.paid else ""
            yield f"{names[0]} wins{where}{with_score}{took}."
        elif not one_round:
            yield f"Round {result.round} is over{with_score}."
        if not isinstance(self.here.doing, Ended) and result.left:
            waits = "wait" if result.left > 1 else "waits"
            yield f"{numbered(result.left, 'chip')} {waits} in the pot for the next round."

    def _contested(self) -> Iterator[str]:
        before, here = self.before.doing, self.here.doing
        if isinstance(here, Contest):
            names = listed(self.players[seat] for seat in here.among)
            if isinstance(before, Contest) and before.about is here.about:
                yield f"{names} are tied and throw again."
            elif here.about is not About.START:
                yield f"{names} are tied and throw {_AIMS[here.about]}."
        elif isinstance(before, Contest) and before.about is About.START:
            yield f"{self.players[self.here.first]} begins."

    # The questions of a match

    def _answers(self) -> Iterator[Answer]:
        over = isinstance(self.here.doing, Ended)
        several = len(self.players) > 1
        one_round = self.rules.format.most_rounds == 1
        standing, to_beat = self._standing(), self._to_beat()
        # With one round its scores are all there is.
        everybody = standing if one_round else self._totals()
        alone = not several and not over
        no_points = one_round or not any(tally.total for tally in self.here.tallies)
        yield Answer(ROUND, "how the round stands", standing, quiet=over and not one_round)
        yield Answer(EVERYBODY, "what everybody has", everybody, quiet=alone or no_points)
        if self.rules.format.stake:
            yield Answer(CHIPS, "the chips in the purses and the pot", self._purses())
        yield Answer(TO_BEAT, "what is to beat", to_beat, quiet=to_beat in _NOTHING or not several)
        yield Answer(WHOSE, "whose turn it is", self._whose(), quiet=alone)

    def _totals(self) -> str:
        """What everybody has from the rounds that are over."""
        state = {Status.OUT: ", who is out", Status.LEFT: ", who has left"}
        each = (
            f"{tally.total} for {name}{state.get(tally.status, '')}"
            for name, tally in zip(self.players, self.here.tallies, strict=True)
        )
        return f"Totals: {'; '.join(each)}."

    def _purses(self) -> str:
        """The chips of everybody, and the pot."""
        here = self.here
        each = zip(self.players, here.tallies, strict=True)
        purses = "; ".join(f"{tally.chips} for {name}" for name, tally in each)
        pot = "" if isinstance(here.doing, Ended) else f"; {here.pot} in the pot"
        return f"Chips: {purses}{pot}."

    def _standing(self) -> str:
        rounds = self.rules.format.most_rounds
        of_all = f" of {rounds}" if self.rules.format.rounds is not None else ""
        round = "The round" if rounds == 1 else f"Round {self.here.round}{of_all}"
        thrown = self.rules.thrown(self.here)
        parts = [self._scored(seat) for seat in thrown]
        to_come = self.rules.waiting(self.here)
        if to_come:
            over = isinstance(self.here.doing, Ended)
            parts.append(f"{self._names(to_come)} {'without a turn' if over else 'to come'}")
        out = [s for s in range(len(self.players)) if self.here.tallies[s].sits_out]
        if out:
            parts.append(f"{self._names(out)} not playing")
        return f"{round}: {'; '.join(parts) or 'nobody plays'}."

    def _scored(self, seat: int) -> str:
        tally = self.here.tallies[seat]
        shut = f", {self.shut}" if tally.shut else ""
        return f"{tally.score} for {self.players[seat]}{shut}"

    def _names(self, seats: Sequence[int]) -> str:
        return listed(self.players[seat] for seat in seats)

    def _to_beat(self) -> str:
        if isinstance(self.here.doing, Ended):
            return _NOTHING[0]
        if isinstance(self.here.doing, Contest):
            rolls = [roll.total for roll in self.here.doing.rolls]
            return f"To beat: a throw of {max(rolls)}." if rolls else _NOTHING[1]
        leading = self.rules.leading(self.here)
        if not leading:
            return _NOTHING[1]
        return f"To beat: {self.here.tallies[leading[0]].score}, by {self._names(leading)}."

    def _whose(self) -> str:
        match self.here.doing:
            case Turn(seat=seat):
                return f"It is the turn of {self.players[seat]}."
            case Contest(about=about, among=among, rolls=rolls):
                return f"{self.players[among[len(rolls)]]} throws {_AIMS[about]}."
            case Opening():
                seat = self.rules.asked(self.here) or 0
                has = numbered(self.here.tallies[seat].chips, "chip")
                costs = numbered(self.rules.format.needed, "chip")
                return f"{self.players[seat]} has {has}, and a round can cost {costs}."
            case Ended(winners=winners):
                if len(self.players) == 1:
                    return "The match is over."
                won = "has won" if len(winners) == 1 else "share the win"
                return f"The match is over: {self._names(winners)} {won}."


def _small(sentence: str) -> str:
    return sentence[:1].lower() + sentence[1:]


def _pips(roll: Roll) -> str:
    return str(roll.total) if len(roll.pips) == 1 else f"{listed(roll.pips)}, {roll.total} in all"
