"""A match as an environment of pettingzoo, with an agent for each seat."""

from dataclasses import replace
from typing import Any, ClassVar

import numpy as np
from gymnasium import spaces
from gymnasium.error import ResetNeeded
from gymnasium.utils import seeding
from pettingzoo import AECEnv

from shutbox.engine.dice import Cup
from shutbox.engine.english import Word
from shutbox.engine.game import Over, position_text
from shutbox.engine.messages import gettext
from shutbox.engine.typed_text import one_of
from shutbox.match import Match
from shutbox.match.standing import Turn
from shutbox.rl.encoder import Encoder, Numbers
from shutbox.rl.walk import GeneratorCup, Node, Walk, cup_from_options
from shutbox.table.solver_input import match_meant

MOST_BETWEEN_TURNS = 1 << 10
"""The most nodes and choices between turns that are held: few of these positions come up again."""


class Payoff(Word):
    """The kind of reward of a seat at the end of a match."""

    SHARE = "share"  # its share of the win: 1, a half if two seats share it, 0 for a loss
    SCORE = "score"  # its total, negated if low is good


class MatchEnv(AECEnv[str, Numbers, np.int64]):
    """An environment of pettingzoo: a match of 1 to 12 seats, each of which is an agent.

    `match` is a match or its name, such as `classic[seats=3,rounds=5]`. The agents are `seat_0` and
    so on; `agent_selection` is the one that is due. An observation is int64[F], see
    `shutbox.rl.Encoder`, the same for all seats. `infos[agent]["action_mask"]`, int8[most_choices],
    marks the legal actions; it is all 0 for agents that are not due.

    Rewards come at the end; `pays` names their kind, see `Payoff`. `options={"cup": cup}` of
    `reset` takes the dice from a cup.

    >>> env = MatchEnv("six[seats=2]")
    >>> env.reset(seed=1)
    >>> env.agents, env.agent_selection, env.infos["seat_0"]["action_mask"].tolist()
    (['seat_0', 'seat_1'], 'seat_0', [1, 1, 0, 0])

    `step` raises IllegalChoice for an illegal action and changes nothing; the wrapper
    `TerminateIllegalWrapper` of pettingzoo ends the match instead. After the end each agent takes
    one `step(None)`. Then `step` raises gymnasium's ResetNeeded, as it does before the first
    `reset`.

    The constructor raises NotUnderstood for a game that is no match and for an unknown `pays`,
    TooLarge for a game without an encoding, and what `find` raises.
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
        pays: Payoff | str = Payoff.SHARE,
        render_mode: str | None = None,
    ) -> None:
        super().__init__()
        self.match = match_meant(match)
        self.pays = one_of(Payoff)(pays)
        self.render_mode = render_mode
        self.encoder = Encoder(self.match)
        self._idle = self.encoder.mask_of(0)  # of agents that are not due; nobody may change it
        self._idle.setflags(write=False)
        self._match_walk = Walk(self.encoder, MOST_BETWEEN_TURNS)
        self._turn_walk = Walk(Encoder(self.match.game))  # positions come up again in every turn
        # Between turns `_turn_start` is None, and `_node` is a node of the match. In a turn `_node`
        # is one of the turn's game, `_turn_start` the match as the turn began, and `_match_node`
        # its node.
        self._turn_start: Any = None
        self._node = self._match_node = self._match_walk.start()
        self._sign = -1 if self.match.scoring.low_is_good else 1  # makes more of a score better
        self.possible_agents = [f"seat_{seat}" for seat in range(len(self.match.players))]
        self.action_spaces = {
            agent: spaces.Discrete(self.encoder.most_choices) for agent in self.possible_agents
        }
        self.observation_spaces = {
            agent: spaces.Box(self.encoder.low, self.encoder.high, dtype=np.int64)
            for agent in self.possible_agents
        }
        self.agents: list[str] = []
        self.infos: dict[str, dict[str, Any]] = {}
        self._dice = GeneratorCup(None)
        self._cup: Cup = self._dice

    def __repr__(self) -> str:
        return f"MatchEnv({self.match.name!r}, pays={self.pays.value!r})"

    __str__ = __repr__  # in place of pettingzoo's

    @property
    def position(self) -> Any:
        """The current position of the match."""
        return self._match_position(self._node)

    def _match_position(self, node: Node) -> Any:
        """Return the position of the match at a node of the turn, or between turns."""
        if self._turn_start is None:
            return node.position
        return replace(self._turn_start, doing=replace(self._turn_start.doing, at=node.position))

    def observation_space(self, agent: str) -> spaces.Space[Any]:
        """Return the observation space of a seat."""
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> spaces.Space[Any]:
        """Return the action space of a seat."""
        return self.action_spaces[agent]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Begin the match, and throw until a choice is due or it ends.

        `options` are as in `MatchEnv`. A `seed` begins a new stream of dice; without one the last
        goes on, as gymnasium wants it, or a random one begins.
        """
        if seed is not None or self._dice.generator is None:
            self._dice = GeneratorCup(seeding.np_random(seed)[0])
        self._cup = cup_from_options(options, self._dice)
        self.agents = list(self.possible_agents)
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self._arrive(self._enter_turn(self._match_walk.start()))

    def observe(self, agent: str) -> Numbers:
        """Return the encoded position, which is the same for every seat."""
        numbers = self._match_node.numbers.copy()
        if self._turn_start is not None:
            of_turn = self._node.numbers  # in an encoded match they come first
            numbers[: len(of_turn)] = of_turn
        return numbers

    def step(self, action: np.int64 | int | None) -> None:
        """Make choice `action` for the due agent, and throw to the next choice or the end."""
        if not self.agents:
            raise ResetNeeded(gettext("the match is over; call reset"))
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)  # of AECEnv, as is `_accumulate_rewards`
            return
        node = self._node
        choice = -1 if action is None else action  # None is for agents whose match is over
        if (refusal := node.refusal(choice)) is not None:
            refusal.position = self.position  # that of the match, not of the turn
            raise refusal
        self._cumulative_rewards[agent] = 0.0
        if self._turn_start is None:
            self._arrive(self._enter_turn(self._match_walk.chosen(node, int(choice))))
        else:
            self._arrive(self._turn_walk.chosen(node, int(choice)))

    def render(self) -> str:
        """Return the position as full text, with the name of the match."""
        return position_text(self.match, self.position)

    def close(self) -> None:
        """Do nothing: the environment holds no resources, but pettingzoo demands the method."""

    def _arrive(self, node: Node) -> None:
        """Throw until a choice is due or the match is over, and show that; from `_enter_turn`."""
        while True:
            if self._turn_start is not None:
                node = self._turn_walk.throw_to_choice(node, self._cup)
                if node.over is None:
                    break
                # Not cached: hashing a position of a match takes longer than making its node.
                node = self._enter_turn(Node(self._match_walk, self._match_position(node)))
            elif node.dice is not None:
                node = self._enter_turn(self._match_walk.throw(node, node.dice, self._cup))
            else:
                break
        self._show(node)

    def _show(self, node: Node) -> None:
        """Make a node the current one: select its agent; at the end of the match, pay."""
        self._node = node
        seat = node.seat if self._turn_start is None else self._turn_start.doing.seat
        self.agent_selection = self.possible_agents[seat]
        self.infos = {agent: {"action_mask": self._idle} for agent in self.agents}
        self.infos[self.agent_selection] = {"action_mask": self.encoder.mask_of(len(node.choices))}
        if node.over is not None:
            payoffs = self._payoffs(node.over)
            self.rewards = dict(zip(self.possible_agents, payoffs, strict=True))
            self.terminations = dict.fromkeys(self.agents, True)
            self._accumulate_rewards()

    def _enter_turn(self, node: Node) -> Node:
        """Note the turn under way at a node of the match, if any; return the node to go on from."""
        self._turn_start, self._match_node = None, node
        if node.over is not None:
            return node
        standing = self.match.settled(node.position).position
        # With one throw each, any event can end a turn: the match itself goes on.
        if not isinstance(standing.doing, Turn) or standing.rows:
            return node
        self._turn_start = standing
        return self._turn_walk.node(standing.doing.at)

    def _payoffs(self, over: Over) -> list[float]:
        """Return each seat's payoff at the end of the match, see `Payoff`."""
        if self.pays is Payoff.SHARE:
            seats = range(len(over.scores))
            return [(seat in over.winners) / len(over.winners) for seat in seats]
        return [float(self._sign * score) for score in over.scores]
