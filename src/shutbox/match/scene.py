"""The scene of a match, and its rules in sentences.

The table is the game's own. The match adds whose turn it is, what follows once a turn is over, and
the answers to the players' questions. With several players, sentences name them.
"""

from collections.abc import Iterator
from dataclasses import replace

from shutbox.engine.english import capital, counted, listed, number_word
from shutbox.engine.game import C, Over, P, Scoring, Throw, legal
from shutbox.engine.messages import gettext, gettext_noop, ngettext, pgettext
from shutbox.engine.scene import Offer, Piece, Scene, by, die_piece
from shutbox.match.answers import MatchAnswers
from shutbox.match.format import EachTurn, End, Format, Order, Stuck, Ties, Until, WhenShut
from shutbox.match.standing import About, Contest, Ended, Opening, Purpose, Turn, WithoutChips

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

_STUCK = {
    Stuck.OUT: (gettext_noop("Out with {score}."), gettext_noop("You are out with {score}.")),
    Stuck.PASSES: (gettext_noop("{name} passes."), gettext_noop("You pass and stay in.")),
}
_SHUTS = gettext_noop("{name} shuts the row."), gettext_noop("You shut your row.")
"""Templates for the end of a turn of one throw: for the others, and for the player."""


class MatchScene(MatchAnswers[P, C]):
    """The maker of the scene at the settled position to which the position `before` leads."""

    def __post_init__(self) -> None:
        super().__post_init__()
        turn = self.before.doing
        # The scene of the turn at `before`; None if no turn led here.
        self.left = self.rules.game.scene(turn.at) if isinstance(turn, Turn) else None
        self.says_by = self.left.says_by if self.left else ""
        rows, self.for_all = self.rules.rows, tuple[str, ...]()
        if rows and self.says_by and isinstance(turn, Turn) and turn.thrower is None:
            others = (row for seat, row in enumerate(self.before.rows) if seat != turn.seat)
            self.for_all = (gettext("It counts for all."),) * any(
                rows.rested(row) != row for row in others
            )

    def scene(self) -> Scene:
        """Return the scene with the answers to the players' questions."""
        match self.here.doing:
            case Turn() as turn:
                scene = self._turn(turn)
            case Contest():
                name, number = self.names(self._due()), len(self.rules.dice)
                throws = counted(
                    "{name} throws one die.", "{name} throws {number} dice.", number, name=name
                )
                scene = self._plain(throws, legal(Throw(self.rules.dice), ()))
            case Opening():
                scene = self._opening(*self._due())
            case Ended():
                nothing = gettext("The match is over. There is nothing left to choose.")
                scene = self._plain(gettext("There are no dice to throw."), nothing)
        return replace(scene, answers=tuple(self.all()))

    # The table

    def _turn(self, turn: Turn[P]) -> Scene:
        on = self.here is self.before
        inner = self.left if on and self.left else self.rules.game.scene(turn.at)
        if self.several:
            name, alone = self.players[turn.seat], inner.ask
            ask, score = by(name, alone, inner.ask_by), by(name, inner.score, inner.score_by)
            inner = replace(inner, ask=ask, ask_by="", ask_alone=alone, score=score, score_by="")
        if self.here.rows:
            inner = self._in_a_row(inner, turn)
        if on:
            return inner
        # A new turn shows its own board, but the sentences are about what came before.
        # The first turn of all, and one that a throw has decided, tell the board.
        board, again = ((), inner.again) if self.left else ((inner.board,), "")
        says, own = (*self._sentences(), *board), (*self._sentences(own=True), *board)
        inner = replace(inner, says=says, own=own, says_by=self.says_by)
        return replace(inner, left=self._pieces_before(), again=again)

    def _in_a_row(self, inner: Scene, turn: Turn[P]) -> Scene:
        """Return the scene of a turn of one throw; a throw for all stands in the question."""
        again = "" if self.here.rows[turn.seat] == self.rules.game.start() else inner.board
        inner = replace(inner, again=again, each_throw=True)
        if turn.thrower is not None:
            ask = gettext("{dice} {question}", dice=inner.dice, question=inner.ask)
            return replace(inner, ask=ask, ask_alone="")
        own = (*inner.own, *self.for_all) if inner.own else ()
        return replace(inner, says=(*inner.says, *self.for_all), own=own)

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
            own=tuple(self._sentences(own=True)),
            says_by=self.says_by,
            dice=dice,
            board=self.left.board if self.left else gettext("No turn has begun."),
            score=self.standing(),
            legal=legal,
            pieces=self._pieces_before(),
            each_throw=self.rules.rows is not None,
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

    def _sentences(self, *, own: bool = False) -> Iterator[str]:
        left, turn = self.left, self.before.doing
        ends = left.ends if left and self.several and not own else ""
        told = ((own and left.own) or left.says) if left else ()
        for sentence in self._thrown(own=own) if self.rules.rows else told:
            # With several players, the end of a turn names the player to the others.
            if left and sentence == ends and isinstance(turn, Turn):
                name, score = self.players[turn.seat], left.points
                yield gettext("{name} ends the turn with {score}.", name=name, score=score)
            else:
                yield sentence
        doubles = self.rules.format.shut is WhenShut.DOUBLES
        doubles = doubles and not any(tally.shut for tally in self.before.tallies)
        if doubles and any(result.shut for result in self.settled.turns):
            yield gettext("All other scores of this round count twice.")
        match self.before.doing:
            case Contest(among=among, rolls=(*others, roll)):
                says = gettext_noop("{name} threw {pips}.")
                if own:
                    says = gettext_noop("You threw {pips}.")
                name = self.players[among[len(others)]]
                yield gettext(says, name=name, pips=roll.words)
        yield from self._round()
        if self.here.doing != self.before.doing:
            yield from self._contested()
        if last := [move for move in self.settled.movements if move.purpose is Purpose.LEFT]:
            yield ngettext(
                "{names}: the last chip in the pot is yours.",
                "{names}: the last {number} chips in the pot are yours.",
                sum(move.chips for move in last),
                names=self.names([move.target for move in last if isinstance(move.target, int)]),
            )

    def _thrown(self, *, own: bool) -> Iterator[str]:
        """Yield what came of a throw in a row, and whom else a throw for all has put out."""
        left, turn, stuck = self.left, self.before.doing, self.rules.format.stuck
        if left is None or not isinstance(turn, Turn):
            return
        if left.says_by:
            yield from ((left.own if own else left.says)[0], *self.for_all)
        scores = {result.seat: result.score for result in self.settled.turns}
        if isinstance(over := self.rules.game.awaits(turn.at), Over):
            template = (_SHUTS if over.shut else _STUCK[stuck])[own or not self.several]
            score = scores.pop(turn.seat, None)
            yield gettext(template, name=self.players[turn.seat], score=score)
        if scores and stuck is Stuck.PASSES:
            yield gettext("All have passed, one after the other.")
            return
        for seat, score in scores.items():
            yield gettext("{name} is out with {score}.", name=self.players[seat], score=score)

    def _round(self) -> Iterator[str]:
        if (result := self.settled.result) is None:
            return
        if result.payers:
            yield ngettext(
                "With {shut}, {names} pays {chips} more into the pot.",
                "With {shut}, {names} each pay {chips} more into the pot.",
                len(result.payers),
                shut=self.shut,
                names=self.names(result.payers),
                chips=self.rules.format.extra,
            )
        for move in self.settled.movements:
            if move.purpose is Purpose.POINTS and isinstance(move.source, int):
                yield ngettext(
                    "{name} pays {number} chip.",
                    "{name} pays {number} chips.",
                    move.chips,
                    name=self.players[move.source],
                )
        score, number = result.tallies[result.winners[0]].score, result.round
        tied, paid = len(result.winners) > 1, result.paid > 0
        if tied or paid or (self.several and not self.only_round):
            says = (_DRAWN if tied else _WON)[self.only_round, score is None]
            names = self.names(result.winners)
            parts = [gettext(says, names=names, name=names, round=number, score=score)]
            chips = result.paid
            if tied and self.rules.format.counts_wins:
                parts.append(gettext("It counts for nobody."))
            if tied and paid:
                parts.append(
                    ngettext("Each takes {number} chip.", "Each takes {number} chips.", chips)
                )
            elif paid:
                says = ngettext(
                    "The pot pays {number} chip.", "The pot pays {number} chips.", chips
                )
                parts.append(says)
            yield " ".join(parts)
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


_IF_STUCK = {
    Stuck.OUT: gettext_noop("A player who is stuck is out with what is up; the others go on."),
    Stuck.PASSES: gettext_noop(
        "A player who is stuck passes; if all pass one after the other, the round ends."
    ),
}
_ORDERS = {
    Order.SEATS: gettext_noop("{first} throws first; the others follow clockwise."),
    Order.WINNER: gettext_noop("{first} throws first; the winner of a round begins the next."),
    Order.ROTATE: gettext_noop("{first} throws first; the next player begins the next round."),
}
_HIGH_ROLL = {
    Order.SEATS: gettext_noop(
        "Before the first round everybody throws once; the highest begins every round. "
        "Ties throw again."
    ),
    Order.WINNER: gettext_noop(
        "Everybody throws once, and the highest begins; ties throw again. The "
        "winner of a round begins the next."
    ),
    Order.ROTATE: gettext_noop(
        "Everybody throws once, and the highest begins; ties throw again. The next "
        "player begins the next round."
    ),
}
_TIES = {
    Ties.SHARE: gettext_noop(
        "Players who tie share the pot; odd chips stay in it for the next round."
    ),
    Ties.CARRY: gettext_noop("If players tie, the pot stays for the next round."),
    Ties.THROW_OFF: gettext_noop("Players who tie throw once each, and the highest wins."),
}
_TARGET = {
    End.STOP: gettext_noop("The match ends as soon as the target is reached."),
    End.COMPLETE: gettext_noop(
        "The round is played to its end, so that everybody has had as many turns."
    ),
}
_LIMIT = {
    End.STOP: gettext_noop(
        "A player whose total reaches {limit} is out at once; the last one left wins."
    ),
    End.COMPLETE: gettext_noop(
        "A player whose total reaches {limit} is out at the end of the round; the last one left "
        "wins."
    ),
}
_LOWEST = {
    "one": gettext_noop("There is one round; the lowest score wins."),
    "all": gettext_noop("After round {rounds} the lowest total wins."),
    "shut": gettext_noop(
        "After round {rounds} the lowest total wins, but a player who {shuts} wins the match at "
        "once."
    ),
    "last": gettext_noop("If nobody has won after round {rounds}, the lowest total wins."),
}
_HIGHEST = {
    "one": gettext_noop("There is one round; the highest score wins."),
    "all": gettext_noop("After round {rounds} the highest total wins."),
    "shut": gettext_noop(
        "After round {rounds} the highest total wins, but a player who {shuts} wins the match at "
        "once."
    ),
    "last": gettext_noop("If nobody has won after round {rounds}, the highest total wins."),
}
"""Templates for games in which high is good, by how the rounds end the match."""
_WINS = {
    "last": gettext_noop(
        "If nobody has won after round {rounds}, the player who won most rounds wins."
    )
}


def brief(format: Format, scoring: Scoring, shuts: str) -> str:
    """Return a line for a list: how a match ends, and what a round costs in chips, if any."""
    ends = next(_ending(format, scoring, shuts))
    return f"{ends} {_stake(format)}" if format.stake else ends


def phrases(format: Format, seats: int, shuts: str) -> Iterator[str]:
    """Yield the terms for a heading: `two players`, `five rounds`, `the winner begins`."""
    yield counted("{number} player", "{number} players", seats)
    if format.wins is not None:
        yield counted("first to win {number} round", "first to win {number} rounds", format.wins)
    elif format.target is not None:
        yield gettext("first to {target}", target=format.target)
    elif format.limit is not None:
        yield gettext("out at {limit}", limit=format.limit)
    elif format.until is not None:
        yield gettext("until somebody {shuts}", shuts=shuts)
    if rounds := format.rounds:
        yield counted("{number} round", "{number} rounds", rounds)
    if format.turns is not EachTurn.WHOLE:
        common = format.turns is EachTurn.COMMON
        yield gettext("each throw for all") if common else gettext("one throw each")
    if format.shut is WhenShut.WINS:
        yield gettext("a player who {shuts} wins the round", shuts=shuts)
    if format.high_roll:
        yield gettext("the highest throw begins")
    if format.order is Order.WINNER:
        yield gettext("the winner of a round begins the next")
    elif format.order is Order.ROTATE:
        yield gettext("the next player begins the next round")
    if format.by_points:
        yield ngettext("{number} chip a point", "{number} chips a point", format.stake)
    elif format.stake:
        yield ngettext("{number} chip", "{number} chips", format.stake)


def card_lines(
    format: Format, players: tuple[str, ...], scoring: Scoring, shuts: str
) -> Iterator[str]:
    """Yield the rules, one or two sentences a line; `shuts` is the goal, as in `RuleCard`."""
    yield ngettext(
        "One player: {names}.",
        "{number} players: {names}.",
        len(players),
        names=listed(players),
        number=capital(number_word(len(players))),
    )
    yield from _ending(format, scoring, shuts)
    rows, common = format.turns is not EachTurn.WHOLE, format.turns is EachTurn.COMMON
    if rows:
        yield gettext("The players throw in turn, one throw each, in rows of their own.")
        if common:
            yield gettext("After everybody's first throw, each throw counts for all still in.")
        yield gettext(_IF_STUCK[format.stuck])
    if format.shut is WhenShut.DOUBLES:
        yield gettext(
            "If somebody {shuts}, all other scores of the round count twice.", shuts=shuts
        )
    elif format.shut is WhenShut.SCORES:
        if format.until is not Until.SHUT:
            yield gettext("If somebody {shuts}, the round goes on.", shuts=shuts)
    elif rows:
        yield gettext("A player who {shuts} wins the round at once.", shuts=shuts)
    elif format.until is not Until.SHUT or format.most_rounds == 1:
        yield gettext(
            "A player who {shuts} wins the round at once; anyone who has had no turn gets the "
            "worst score there is.",
            shuts=shuts,
        )
    if len(players) > 1:
        orders = _HIGH_ROLL if format.high_roll else _ORDERS
        first, second = (players[(format.first + place) % len(players)] for place in range(2))
        if len(players) == 2 and orders[format.order] == _ORDERS[Order.SEATS]:
            yield gettext("{first} throws first, then {second}.", first=first, second=second)
        else:
            yield gettext(orders[format.order], first=first)
    if format.stake:
        yield from _chips(format, len(players), shuts)
    elif len(players) > 1 and format.ties is Ties.THROW_OFF:
        yield gettext(_TIES[Ties.THROW_OFF])


def _ending(format: Format, scoring: Scoring, shuts: str) -> Iterator[str]:
    rounds, wins = format.most_rounds, _LOWEST if scoring.low_is_good else _HIGHEST
    if rounds == 1:
        yield gettext(wins["one"])
        return
    if format.wins is not None:
        yield ngettext(
            "The first player to win a round wins the match.",
            "The first player to win {number} rounds wins the match.",
            format.wins,
        )
        if format.ties is not Ties.THROW_OFF:
            yield gettext("A tied round counts for nobody.")
        wins = _WINS
    elif format.target is not None:
        yield gettext("The first to reach a total of {target} wins.", target=format.target)
        yield gettext(_TARGET[format.end])
    elif format.limit is not None:
        yield gettext(_LIMIT[format.end], limit=format.limit)
    elif format.until is None:
        yield gettext(wins["all"], rounds=rounds)
        return
    elif format.shut is WhenShut.SCORES:
        yield gettext("The match goes on until somebody {shuts}; that player wins it.", shuts=shuts)
    elif format.rounds is None:
        yield gettext("A player who {shuts} wins the match at once.", shuts=shuts)
    else:
        yield gettext(wins["shut"], rounds=rounds, shuts=shuts)
        return
    yield gettext(wins["last"], rounds=rounds)


def _chips(format: Format, seats: int, shuts: str) -> Iterator[str]:
    purses = format.purses(seats)
    if len(set(purses)) == 1:
        yield ngettext(
            "Each player begins with {number} chip.",
            "Each player begins with {number} chips.",
            purses[0],
        )
    else:
        yield gettext("The players begin with these chips: {purses}.", purses=listed(purses))
    yield _stake(format)
    if format.by_points:
        yield gettext("A loser who has fewer chips pays all of them.")
    if format.extra:
        yield ngettext(
            "If the winner of a round {shuts}, everybody who has not done so pays {number} more "
            "chip into the pot.",
            "If the winner of a round {shuts}, everybody who has not done so pays {number} more "
            "chips into the pot.",
            format.extra,
            shuts=shuts,
        )
    yield gettext(_TIES[format.ties])
    yield ngettext(
        "A player without a chip before a round is asked whether to buy more, sit out, or leave.",
        "A player with fewer than {number} chips before a round is asked whether to buy more, sit "
        "out, or leave.",
        format.needed,
    )
    yield gettext("What is left in the pot at the end goes to the winner of the match.")


def _stake(format: Format) -> str:
    if format.by_points:
        return ngettext(
            "The winner of a round gets {number} chip from each loser for every point between "
            "them.",
            "The winner of a round gets {number} chips from each loser for every point between "
            "them.",
            format.stake,
        )
    if format.most_rounds == 1:
        return ngettext(
            "Everybody puts {number} chip into the pot; the winner takes it all.",
            "Everybody puts {number} chips into the pot; the winner takes it all.",
            format.stake,
        )
    return ngettext(
        "For each round everybody puts {number} chip into the pot; the winner takes it all.",
        "For each round everybody puts {number} chips into the pot; the winner takes it all.",
        format.stake,
    )
