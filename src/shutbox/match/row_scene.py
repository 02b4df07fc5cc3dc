"""What is told of a match with one throw each, in which everybody has a row."""

from collections.abc import Iterator
from dataclasses import replace

from shutbox.engine.game import C, Over, P
from shutbox.engine.messages import gettext, gettext_noop
from shutbox.engine.scene import AskableFact, Scene
from shutbox.match.answers import ROUND, ROWS, WHOSE
from shutbox.match.format import Stuck
from shutbox.match.rows import RowRules
from shutbox.match.scene import MatchScene
from shutbox.match.standing import Ended, Turn

_STUCK = {
    Stuck.OUT: (gettext_noop("Out with {score}."), gettext_noop("You are out with {score}.")),
    # Translators: does nothing this time, and stays in the round.
    Stuck.PASSES: (gettext_noop("{name} passes."), gettext_noop("You pass and stay in.")),
}
_SHUTS = gettext_noop("{name} shuts the row."), gettext_noop("You shut your row.")
"""Templates for the end of a turn of one throw: for the others, and for the player."""


class RowScene(MatchScene[P, C]):
    """The maker of the scene if everybody has a row. Each throw is told at once, and briefly."""

    rules: RowRules[P, C]
    each_throw = True

    def __post_init__(self) -> None:
        super().__post_init__()
        rows, turn = self.rules.rows, self.before.doing
        counts = False
        if self.says_by and isinstance(turn, Turn) and turn.thrower is None:
            others = (row for seat, row in enumerate(self.before.rows) if seat != turn.seat)
            counts = any(rows.rested(row) != row for row in others)
        self.for_all = (gettext("It counts for all."),) * counts
        start = self.rules.game.start()
        self.is_begun = self.is_begun or any(row != start for row in self.position.rows)

    # The answers

    def all(self) -> Iterator[AskableFact]:
        """Yield the answer to each question, also what is up in every row."""
        for answer in super().all():
            if answer.key == ROUND and isinstance(self.position.doing, Turn):
                answer = replace(answer, quiet=self.scene_before is not None)
            elif answer.key == WHOSE:
                yield AskableFact(
                    ROWS, gettext("what is up in every row"), self._rows(), quiet=True
                )
            yield answer

    def _rows(self) -> str:
        """Return what is up in each row, or how it has ended, in the order of seats."""
        if not self.position.rows:
            return self.standing()
        each = []
        for name, row, tally in zip(
            self.players, self.position.rows, self.position.tallies, strict=True
        ):
            says = gettext_noop("{name}: {tiles}.")
            if tally.shut:
                says = gettext_noop("{name}: shut.")
            elif tally.score is not None:
                says = gettext_noop("{name}: out with {score}.")
            up = self.rules.rows.up(row)
            each.append(gettext(says, name=name, tiles=up, score=tally.score))
        return " ".join(each)

    def _to_come(self, *, is_first: bool) -> list[str]:
        if not self.is_begun:
            return super()._to_come(is_first=is_first)
        score, rows = self.rules.rows.score, self.position.rows
        return [self._has(seat, score(rows[seat])) for seat in self.position.waiting]

    def _score_clause(self, seat: int) -> str:
        tally = self.position.tallies[seat]
        if tally.shut or isinstance(self.position.doing, Ended):
            return super()._score_clause(seat)
        return gettext("{name} is out with {score}", name=self.players[seat], score=tally.score)

    def _is_known(self) -> bool:
        return True  # the player has just gone out with it

    def _has_leader(self) -> bool:
        return False  # a player who is out is behind some who are still in

    def _is_open(self) -> bool:
        return bool(self.position.finished)

    # The scene

    def _of_turn(self, inner: Scene, turn: Turn[P]) -> Scene:
        """Return the scene of a turn of one throw; a throw for all stands in the question."""
        reopened = "" if self.position.rows[turn.seat] == self.rules.game.start() else inner.board
        inner = replace(inner, again=reopened, each_throw=True)
        if turn.thrower is not None:
            says, dice = gettext_noop("{dice} {question}"), inner.dice
            alone = inner.ask_alone and gettext(says, dice=dice, question=inner.ask_alone)
            return replace(inner, ask=gettext(says, dice=dice, question=inner.ask), ask_alone=alone)
        own = (*inner.own, *self.for_all) if inner.own else ()
        return replace(inner, says=(*inner.says, *self.for_all), own=own)

    def _told(self, scene: Scene, turn: Turn[P], *, own: bool) -> Iterator[str]:
        """Yield what came of a throw in a row, and whom else a throw for all has put out.

        Only the player hears why nothing could be covered.
        """
        stuck, says = self.rules.format.stuck, scene.own if own else scene.says
        alone = own or not self.several
        if scene.says_by:
            yield from (says[0], *self.for_all)
        scores = {result.seat: result.score for result in self.settled.turns}
        if isinstance(over := self.rules.game.awaits(turn.at), Over):
            if alone and scene.says_by:
                yield from says[1:-1]  # what stands between the throw and the end: why
            template = (_SHUTS if over.shut else _STUCK[stuck])[alone]
            score = scores.pop(turn.seat, None)
            yield gettext(template, name=self.players[turn.seat], score=score)
        if scores and stuck is Stuck.PASSES:
            yield gettext("All have passed, one after the other.")
            return
        for seat, score in scores.items():
            yield gettext("{name} is out with {score}.", name=self.players[seat], score=score)
