"""The exact value of strategies and players compared with best play, without simulation.

The loss of a strategy is the value of a turn under best play minus its own value. Divided by the
expected number of decisions (choices between at least two options), it is the loss per decision,
which measures the strength of a player independently of the dice.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from itertools import product
from math import lcm
from typing import Any, NamedTuple

from shutbox.engine.english import figure, joined_clauses, percent, safe_text
from shutbox.engine.errors import NotUnderstood, TooLarge
from shutbox.engine.game import Game, Over, RuleCard
from shutbox.engine.messages import gettext
from shutbox.engine.typed_text import check_type, find_named
from shutbox.output.results import Column, Result, Row
from shutbox.solving.graph_solution import GraphSolution, turn_ends_of
from shutbox.solving.objectives import MEAN, Aim, aim_named
from shutbox.solving.options import Number, apart
from shutbox.solving.progress import Progress, progress_meant
from shutbox.solving.solution import Chances, by_score, chance_to_shut, variance
from shutbox.solving.solvers import check_cost, solve_turn
from shutbox.solving.strategy.fixed import BEST, STRATEGIES
from shutbox.solving.strategy.following import Strategy, is_named, name_of, policy_graph_of
from shutbox.solving.value_text import aim_words, cost_only, value_phrase
from shutbox.table.bots import AnyPlayer, strategy_of
from shutbox.table.solver_input import turn_meant

QUERY_FACTOR = 50  # querying a player at every position takes this many times as long as solving
MOST_SUMS = 10**7  # additions of one `Comparison.beats`
NUMBERS = ("value", "loss", "shut", "throws", "decisions", "per_decision")  # of a Strength


@dataclass(frozen=True, slots=True, repr=False)
class Strength(Result):
    """The exact results of one strategy or player over one turn of a game."""

    COLUMNS = (Column("score", int), Column("chance", float))

    name: str  # the name of the strategy or player; `best` is best play
    value: Number  # an expected score, or a probability
    loss: Number  # compared with best play: 0 or more
    chances: Chances  # the probability of each end: its score, and whether the box is shut
    throws: Number  # the expected number of throws of a turn
    decisions: Number  # the expected number of choices between at least two options

    @property
    def shut(self) -> Number:
        """The chance to shut the box, or to complete the crew."""
        return chance_to_shut(self.chances)

    @property
    def distribution(self) -> dict[int, Number]:
        """The probability of each final score, the scores ascending."""
        return by_score(self.chances)

    @property
    def variance(self) -> Number:
        """The variance of the score, in squared points."""
        return variance(self.distribution)

    @property
    def per_decision(self) -> Number:
        """The expected loss per decision; 0 if there are no decisions."""
        return self.loss / self.decisions if self.decisions else Fraction(0)

    def _summary(self) -> str:
        return f"{self.name}, value = {figure(self.value)}, loss = {figure(self.loss)}"

    def _rows(self) -> Iterator[Row]:
        return ((score, float(chance)) for score, chance in self.distribution.items())

    def report(self) -> dict[str, Any]:
        """Return the name and numbers for `json.dumps`: as floats, and under `exact` as text."""
        return {
            "way": self.name,
            **{name: float(getattr(self, name)) for name in NUMBERS},
            "exact": {name: str(getattr(self, name)) for name in NUMBERS},
        }


def _totals(scores: Mapping[int, Number], rounds: int) -> dict[int, int]:
    """Return how often each total of so many turns comes up, as whole numbers in proportion."""
    unit = lcm(*(Fraction(chance).denominator for chance in scores.values()))
    whole = {score: int(chance * unit) for score, chance in scores.items()}
    totals = {0: 1}
    for _ in range(rounds):
        sums = Counter[int]()
        for (total, ways), (score, chance) in product(totals.items(), whole.items()):
            sums[total + score] += ways * chance
        totals = sums
    return totals


def _strength_of(name: str, player: Strategy, solution: GraphSolution[Any, Any]) -> Strength:
    """Return the results of a player, under this name, in the turn that `solution` solves."""
    policy = policy_graph_of(player, solution)
    scaled, payoff = policy.graph.scaled_chances(policy.root), solution.aim.payoff

    def expected(nodes: Iterable[int]) -> Fraction:
        return Fraction(sum(scaled[node] for node in nodes), policy.graph.scale)

    chances, throws = turn_ends_of(policy.graph, scaled)
    payoffs = (payoff(Over((score,), shut)) * chance for (score, shut), chance in chances.items())
    value = sum(payoffs, start=Fraction(0))
    return Strength(
        name=name,
        value=value,
        loss=apart(value, solution.value()),
        chances=chances,
        throws=throws - expected(policy.draws),  # choices drawn by weight count as throws there
        decisions=expected(policy.decisions),
    )


def evaluate(
    game: Game[Any, Any] | str,
    player: AnyPlayer,
    aim: Aim | str = MEAN,
    *,
    anyway: bool = False,
    progress: Progress | None = None,
) -> Strength:
    """Return the exact results of a player over one turn, with its loss against best play.

    `player` is a function of the `Position`, which returns the text of a choice, anything with a
    method `pick`, or a name as in `shutbox.bot`: `perfect`, `fewest`, `fixed:pub`, `hobbs`.

    >>> import shutbox
    >>> found = shutbox.evaluate("classic", lambda position: position.choices[-1])
    >>> round(float(found.value), 4), round(float(found.per_decision), 4)
    (24.2282, 8.632)
    >>> shutbox.evaluate("six", "perfect", "shut").value
    Fraction(145, 1944)

    The player is queried at each position that its choices lead to, twice if there is more than one
    choice, and must answer the same. A player that picks every choice with the same probability, as
    `random` does, declares that with an attribute `uniform = True`, and is not queried.

    For a match it is one turn of its game, alone and for the aim, whatever the other players have;
    `Comparison.beats` tells how two players fare over several turns.

    `anyway` ignores the limits. A large box such as The 300 then takes hours; `shutbox.simulate`
    estimates a player there, with a standard error. Raises NotDeterministic for a player that does
    not always choose the same, IllegalChoice for a choice that is not offered, TooLarge beyond the
    limits of exact fractions, and always for a game without scores or end, NotUnderstood for
    an unknown aim or an object that is no player, and what `find` and the player raise.
    """
    game = turn_meant(game, of_match=True)
    aim = aim_named(aim, game)
    strategy = strategy_of(player)
    solution = _solve_for(game, aim, [strategy], anyway, progress_meant(progress))
    return _strength_of(name_of(player), strategy, solution)


class Duel(NamedTuple):
    """The exact chances of one strategy against another."""

    wins: Fraction
    ties: Fraction
    losses: Fraction

    def __repr__(self) -> str:
        wins, ties, losses = map(figure, self)
        return f"Duel(wins = {wins}, ties = {ties}, losses = {losses})"


@dataclass(frozen=True, slots=True, repr=False)
class Comparison(Result):
    """The results of several strategies in one game for one aim."""

    COLUMNS = (Column("strategy"), *(Column(name, float) for name in NUMBERS))

    game: str
    aim: str
    best: Strength
    strategies: tuple[Strength, ...]  # the others, the best first
    low_is_good: bool

    def _summary(self) -> str:
        values = (f"{each.name} {figure(each.value)}" for each in (self.best, *self.strategies))
        return f"{self.game}, {self.aim}: {', '.join(values)}"

    def _rows(self) -> Iterator[Row]:
        for strength in (self.best, *self.strategies):
            yield strength.name, *(float(getattr(strength, name)) for name in NUMBERS)

    def beats(self, name: str = "best", rival: str = "", *, rounds: int = 1) -> Duel:
        """Return how often a strategy's total over `rounds` turns beats that of a rival, exactly.

        By default these are best play, which is also called `perfect`, and the best of the others.
        Each plays its own turns for the aim of the comparison, and does not look at the totals.

        >>> compare("classic", players=["fewest"]).beats(rounds=5)
        Duel(wins = 0.5937, ties = 0.0161, losses = 0.3901)

        Raises NotUnderstood for an unknown name or no round, TooLarge for too many totals.
        """
        check_type(rounds, int)
        number = safe_text(rounds, str)
        if rounds < 1:
            raise NotUnderstood("a duel takes one round or more, not {rounds}", rounds=number)
        others = (each.name for each in self.strategies if each.name != "perfect")
        duelists = self.strategy(name), self.strategy(rival or next(others, "best"))
        scores = [duelist.distribution for duelist in duelists]
        work = sum(rounds**2 * len(each) * (1 + max(each) - min(each)) for each in scores)
        if work > MOST_SUMS:
            raise TooLarge("{rounds} rounds have too many totals to compare", rounds=number)
        mine, theirs = (_totals(each, rounds) for each in scores)
        ties = higher = lower = mine_below = theirs_below = 0
        for total in sorted({*mine, *theirs}):
            count, of_rival = mine.get(total, 0), theirs.get(total, 0)
            ties += count * of_rival
            higher += count * theirs_below
            lower += of_rival * mine_below
            mine_below += count
            theirs_below += of_rival
        wins, losses = (lower, higher) if self.low_is_good else (higher, lower)
        return Duel(*(Fraction(ways, ties + higher + lower) for ways in (wins, ties, losses)))

    def strategy(self, name: str) -> Strength:
        """Return the results of a strategy, or of "best". Raises NotUnderstood for other names."""
        by_name = {strength.name: strength for strength in (self.best, *self.strategies)}
        by_name.setdefault("perfect", self.best)
        return find_named(name, by_name)

    def report(self) -> dict[str, Any]:
        """Return the comparison as a dict for `json.dumps`; see `docs/data.md`."""
        return {
            "game": self.game,
            "aim": self.aim,
            "best": self.best.report(),
            "ways": [strength.report() for strength in self.strategies],
        }


def compare(
    game: Game[Any, Any] | str,
    aim: Aim | str = MEAN,
    *,
    players: Mapping[str, AnyPlayer] | Iterable[AnyPlayer] | None = None,
    anyway: bool = False,
    progress: Progress | None = None,
) -> Comparison:
    """Compare best play with fixed strategies, or with `players`, from the start of a game.

    >>> found = compare("classic")
    >>> [(one.name, round(float(one.value), 3)) for one in (found.best, *found.strategies)][:3]
    [('best', 11.009), ('careful', 11.397), ('fewest', 12.217)]
    >>> def last(position):
    ...     return position.choices[-1]
    >>> [one.name for one in compare("six", players={"mine": last, "first": "first"}).strategies]
    ['first', 'mine']

    `players` are as in `shutbox.evaluate`, or a mapping from display names to them. Without them,
    the strategies are `fewest`, `most`, `highest`, `first`, `careful` and `random`. `anyway`
    ignores the limits. Raises what `evaluate` raises, and NotUnderstood for two players with the
    same name.
    """
    game = turn_meant(game, of_match=True)
    aim = aim_named(aim, game)
    named = _by_name(tuple(STRATEGIES) if players is None else players)
    strategies = {name: strategy_of(player) for name, player in named.items()}
    solution = _solve_for(game, aim, strategies.values(), anyway, progress_meant(progress))
    strengths = [_strength_of(*each, solution) for each in strategies.items()]
    ranked = sorted(strengths, key=lambda strength: strength.loss)
    best = _strength_of("best", BEST, solution)
    assert game.scoring is not None  # a game with an aim has scores
    return Comparison(game.name, aim.name, best, tuple(ranked), game.scoring.low_is_good)


def _by_name(players: Mapping[str, AnyPlayer] | Iterable[AnyPlayer]) -> Mapping[str, AnyPlayer]:
    """Return players by name; a single one can be given alone. Raises as `compare` does."""
    if isinstance(players, str) or not isinstance(players, Iterable):
        return {name_of(players): players}
    if isinstance(players, Mapping):
        return players
    named = [(name_of(player), player) for player in players]
    if len(dict(named)) < len(named):
        raise NotUnderstood("two players have one name; write players=dict(mine=player, ...)")
    return dict(named)


def _solve_for(
    game: Game[Any, Any], aim: Aim, players: Iterable[Strategy], anyway: bool, progress: Progress
) -> GraphSolution[Any, Any]:
    """Solve a game exactly. Raises TooLarge if asking `players` costs too much, unless `anyway`."""
    times = 1 + sum(1 if is_named(player) else QUERY_FACTOR for player in players)
    if not anyway:
        check_cost(game, game.start(), times=times)
    return solve_turn(game, aim, progress)


# In sentences


def comparison_lines(comparison: Comparison, card: RuleCard) -> Iterator[str]:
    """Yield a heading and a line on each strategy, best first; `card` is that of the game."""
    aim = comparison.aim
    yield gettext("{title}, played {aim}.", title=card.title, aim=aim_words(aim, card))
    for strength in (comparison.best, *comparison.strategies):
        value = value_phrase(aim, strength.value, card)
        if strength.loss:
            loss = cost_only(aim, strength.loss)
            # Translators: {loss} is a number, or has its unit: 2 percentage points.
            value = gettext("{worth}, {loss} worse than best play", worth=value, loss=loss)
        elif strength is not comparison.best:
            value = gettext("{worth}, as good as best play", worth=value)
        facts = [value]
        if aim not in ("shut", "worst-shut"):
            shut = percent(strength.shut)
            facts.append(gettext("{shuts} {chance}", shuts=card.shuts, chance=shut))
        if strength.loss:
            per_decision = cost_only(aim, strength.per_decision)
            facts.append(gettext("loses {loss} per decision", loss=per_decision))
        yield gettext("{way}: {worth}.", way=strength.name, worth=joined_clauses(facts))
