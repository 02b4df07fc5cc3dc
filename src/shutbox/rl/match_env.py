"""A match as an environment of pettingzoo, with an agent for each seat."""

from dataclasses import replace
from typing import Any, ClassVar

import numpy as np
from gymnasium import spaces
from gymnasium.error import ResetNeeded
from gymnasium.utils import seeding
from pettingzoo import AECEnv

from shutbox.engine.english import Word
from shutbox.engine.game import Over, position_text
from shutbox.engine.messages import gettext
from shutbox.engine.typed_text import one_of
from shutbox.match import Match
from shutbox.match.standing import Turn
from shutbox.rl.encoder import Encoder, Numbers
from shutbox.rl.turn_env import Illegal
from shutbox.rl.walk import GeneratorCup, Node, Walk, cup_of
from shutbox.solving.solvers import match_named

FEW_HELD = 1 << 10  # nodes and choices between turns, where few positions come up again


class Pays(Word):
    """The kind of payoff of a seat at the end of a match: its share of the win, or its score."""

    SHARE = "share"  # its share of the win: 1, a half if two seats share it, 0 for a loss
    SCORE = "score"  # its total, negated if low is good


class MatchEnv(AECEnv[str, Numbers, np.int64]):
    """An environment of pettingzoo: a match of 1 to 12 seats, each of which is an agent.

    `match` is a match or its name, such as `classic[seats=3,rounds=5]`. The agents are `seat_0` and
    so on; `agent_selection` is the one that is due. An observation is int64[F], see
    `shutbox.rl.Encoder`, the same for all seats. `infos[agent]["action_mask"]`, int8[most_choices],
    marks the legal actions; it is all 0 for agents that are not due. `options={"cup": cup}` of
    `reset` takes the dice from a cup. Rewards come at the end; `pays` names their kind, see `Pays`.

    >>> env = MatchEnv("six[seats=2]")
    >>> env.reset(seed=1)
    >>> env.agents, env.agent_selection, env.infos["seat_0"]["action_mask"].tolist()
    (['seat_0', 'seat_1'], 'seat_0', [1, 1, 0, 0])

    `step` raises IllegalChoice for an illegal action and changes nothing; with `illegal="ends"` the
    match ends instead, see `Illegal`. After the end each agent takes one `step(None)`. Then `step`
    raises gymnasium's ResetNeeded, as it does before the first `reset`. The constructor raises
    NotUnderstood for a game that is no match and for an unknown `pays` or `illegal`, TooLarge for a
    game without an encoding, and what `find` raises.
    """

    metadata: ClassVar[dict[str, Any]] = {
        "name": "shutbox_v0",
        "render_modes": ["ansi"],
        "is_parallelizable": False,
    }

    def __init__(
        self,
        match: Match[Any, Any] | str = "classic[seats=2]",
        *,
        pays: Pays | str = Pays.SHARE,
        illegal: Illegal | str = Illegal.REFUSED,
        render_mode: str | None = None,
    ) -> None:
        super().__init__()
        self.match = match_named(match)
        self.pays, self.illegal = one_of(Pays)(pays), one_of(Illegal)(illegal)
        self.render_mode = render_mode
        self.encoder = Encoder(self.match)
        self._walk = Walk(self.encoder, FEW_HELD)
        self._turns = Walk(Encoder(self.match.game))  # its positions come up again in every turn
        self._standing: Any = None  # the match at the start of the turn; None between turns
        self._here = self._walk.start()
        self._numbers = self._here.numbers
        self._sign = -1 if self.match.scoring.low_is_good else 1  # the factor of a score
        self.possible_agents = [f"seat_{seat}" for seat in range(len(self.match.players))]
        actions, bounds = self.encoder.most_choices, (self.encoder.low, self.encoder.high)
        self.action_spaces = {a: spaces.Discrete(actions) for a in self.possible_agents}
        self.observation_spaces = {
            agent: spaces.Box(*bounds, dtype=np.int64) for agent in self.possible_agents
        }
        self.agents: list[str] = []
        self._dice = GeneratorCup(None)

    def __repr__(self) -> str:
        words = f"pays={self.pays.value!r}, illegal={self.illegal.value!r}"
        return f"MatchEnv({self.match.name!r}, {words})"

    __str__ = __repr__  # in place of pettingzoo's

    @property
    def position(self) -> Any:
        """The current position of the match."""
        return self._at(self._here)

    def _at(self, node: Node) -> Any:
        """Return the position of the match at a node of the turn, or between turns."""
        if (here := self._standing) is None:
            return node.position
        return replace(here, doing=replace(here.doing, at=node.position))

    def observation_space(self, agent: str) -> spaces.Space[Any]:
        """Return the observation space of a seat."""
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> spaces.Space[Any]:
        """Return the action space of a seat."""
        return self.action_spaces[agent]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Begin the match, and throw until a choice is due or it ends; `options`: see `MatchEnv`.

        A `seed` begins a new stream of dice; without one the last goes on, or a random one begins.
        """
        if seed is not None or self._dice.generator is None:
            self._dice = GeneratorCup(seeding.np_random(seed)[0])
        self._cup = cup_of(options, self._dice)
        self.agents = list(self.possible_agents)
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self._arrive(self._entered(self._walk.start()))

    def observe(self, agent: str) -> Numbers:
        """Return the encoded position, which is the same for every seat."""
        seen = self._numbers.copy()
        if self._standing is not None:
            turn = self._here.numbers
            seen[: len(turn)] = turn
        return seen

    def step(self, action: np.int64 | int | None) -> None:
        """Make choice `action` for the due agent; throw to the next or the end; see `MatchEnv`."""
        if not self.agents:
            raise ResetNeeded(gettext("the match is over; call reset"))
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        here = self._here
        place = -1 if action is None else action
        if (refusal := here.refusal(place)) is not None:
            if self.illegal is Illegal.REFUSED:
                refusal.position = self.position
                raise refusal
            self._end(agent)
            return
        self._cumulative_rewards[agent] = 0.0
        if self._standing is None:
            self._arrive(self._entered(self._walk.chosen(here, int(place))))
        else:
            self._arrive(self._turns.chosen(here, int(place)))

    def render(self) -> str:
        """Return the position as full text, with the name of the match."""
        return position_text(self.match, self.position)

    def close(self) -> None:
        """Do nothing: the environment holds no resources, but pettingzoo demands the method."""

    def _end(self, agent: str) -> None:
        """End the match for an illegal action of `agent`, which gets the worst payoff, others 0."""
        worst = float(self._sign * self.match.scoring.worst)
        self.rewards[agent] = worst if self.pays is Pays.SCORE else 0.0
        self.infos: dict[str, dict[str, Any]] = {
            one: {"action_mask": self.encoder.mask_of(0)} for one in self.agents
        }
        self.infos[agent]["illegal"] = True
        self.terminations = dict.fromkeys(self.agents, True)
        self._accumulate_rewards()

    def _arrive(self, node: Node) -> None:
        """Throw until a choice is due or the match is over, and set the agent and the rewards."""
        while self._standing is not None or node.dice is not None:
            if self._standing is None:
                node = self._entered(self._walk.fallen(node, self._cup))
            elif (node := self._turns.thrown(node, self._cup)).over is None:
                break
            else:
                # Not cached: hashing a position of a match takes longer than making its node.
                node = self._entered(Node(self._walk, self._at(node)))
        self._here = node
        seat = node.seat if self._standing is None else self._standing.doing.seat
        self.agent_selection = self.possible_agents[seat]
        counts = dict.fromkeys(self.agents, 0) | {self.agent_selection: len(node.choices)}
        mask_of = self.encoder.mask_of
        self.infos = {agent: {"action_mask": mask_of(n)} for agent, n in counts.items()}
        if node.over is not None:
            paid = self._paid(node.over)
            self.rewards = dict(zip(self.possible_agents, paid, strict=True))
            self.terminations = dict.fromkeys(self.agents, True)
            self._accumulate_rewards()

    def _entered(self, node: Node) -> Node:
        """Return the node of the turn that is under way at a node of the match, or that node."""
        here = self.match.settled(node.position).position
        self._standing, self._numbers = None, node.numbers
        if node.over is not None or not isinstance(here.doing, Turn) or here.rows:
            return node  # with one throw each, any event can end a turn
        self._standing = here
        return self._turns.node(here.doing.at)

    def _paid(self, over: Over) -> list[float]:
        """Return each seat's payoff at the end of the match, see `Pays`."""
        if self.pays is Pays.SHARE:
            seats = range(len(over.scores))
            return [(seat in over.winners) / len(over.winners) for seat in seats]
        return [float(self._sign * score) for score in over.scores]
