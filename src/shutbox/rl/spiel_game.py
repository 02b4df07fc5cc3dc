"""A game or a match in open_spiel: sequential, with perfect information and explicit chance."""

from functools import lru_cache
from typing import Any

import numpy as np
import pyspiel

from shutbox.dice import Dice, Roll
from shutbox.errors import NotUnderstood
from shutbox.game import Game
from shutbox.games.traits import traits_of
from shutbox.lookup import find_any, game_meant
from shutbox.match import Match
from shutbox.rl.encoder import Encoder
from shutbox.rl.walk import Node, Payoff, Pays, Walk
from shutbox.seats import MOST_SEATS

SHORT_NAME = "shutbox"
PLAIN = str.maketrans("()=,", "<>:;")
"""The replacements in a name for open_spiel, which reads parentheses, commas and = as syntax."""
NAMED = str.maketrans("<>:;", "()=,")


def _game_type(utility: Any) -> Any:
    return pyspiel.GameType(
        short_name=SHORT_NAME,
        long_name="Shut the Box",
        dynamics=pyspiel.GameType.Dynamics.SEQUENTIAL,
        chance_mode=pyspiel.GameType.ChanceMode.EXPLICIT_STOCHASTIC,
        information=pyspiel.GameType.Information.PERFECT_INFORMATION,
        utility=utility,
        reward_model=pyspiel.GameType.RewardModel.TERMINAL,
        max_num_players=MOST_SEATS,
        min_num_players=1,
        provides_information_state_string=False,
        provides_information_state_tensor=False,
        provides_observation_string=True,
        provides_observation_tensor=True,
        parameter_specification={"game": "classic", "pays": "score"},
    )


GAME_TYPES = {
    Pays.SCORE: _game_type(pyspiel.GameType.Utility.GENERAL_SUM),
    Pays.SHARE: _game_type(pyspiel.GameType.Utility.CONSTANT_SUM),
}
"""The game type for each payoff. Shares of the win sum to 1, so exploitability is defined."""


def load_spiel(game: Game[Any, Any] | str = "classic", pays: str = "score") -> Any:
    """Return a game or a match, given as an object or by its name, as a game of `open_spiel`.

    `pays` is `score`, negated if low is good, or for a match `share`, a share of the win, which is
    constant-sum. `pyspiel.load_game("shutbox", {"game": ..., "pays": ...})` does the same, but its
    name needs `<>` for (), `:` for equal signs and `;` for commas. Raises what `SpielGame` raises.

    >>> state = load_spiel("six[seats=2,rounds=1]", "share").new_initial_state()
    >>> state.is_chance_node(), [round(chance, 3) for _, chance in state.chance_outcomes()][:2]
    (True, [0.167, 0.167])
    """
    meant = game_meant(game)
    name = game if isinstance(game, str) else meant.name
    return SpielGame({"game": written(name), "pays": pays}, meant)


def written(name: str) -> str:
    """Return a game's name spelt for open_spiel, as in `load_spiel`, and never as a bare number.

    >>> written("six[seats=2]"), written("2012")
    ('six[seats:2]', '2012<>')
    """
    return (f"{name}()" if name.isdecimal() else name).translate(PLAIN)


class SpielGame(pyspiel.Game):
    """A game or a match as a game of open_spiel: what `load_spiel` returns.

    The actions of a player are indices of choices in canonical order; those of chance are indices
    of rolls in `Dice.outcomes`. Raises TooLarge for a game that has no encoding, or can go on
    forever; NotUnderstood for a payoff that the game does not have, and the errors of `find_any`.
    """

    def __init__(
        self, params: dict[str, Any] | None = None, game: Game[Any, Any] | None = None
    ) -> None:
        params = params or {}
        game = game or find_any(params.get("game", "classic").translate(NAMED))
        pays = params.get("pays", "score")
        if pays not in ("share", "score") or (pays == "share" and not isinstance(game, Match)):
            raise NotUnderstood(
                "{pays} is not what {game} pays; that is the score, or the share of a match",
                pays=repr(pays),
                game=game.name,
            )
        self.encoder = Encoder(game)
        self.game = game
        self.walk = Walk(self.encoder)
        scoring, longest = game.scoring, game.longest
        assert scoring is not None  # a game with an encoding ends and has a score
        assert longest is not None
        self.payoff = Payoff(Pays(pays), scoring.low_is_good)
        low, high, total = 0.0, 1.0, {"utility_sum": 1.0}
        if self.payoff.pays is Pays.SCORE:
            total = {}
            low, high = sorted(float(self.payoff.sign * s) for s in (scoring.best, scoring.worst))
        rolls, seats = traits_of(game.game if isinstance(game, Match) else game).most_rolls or 1, 1
        if isinstance(game, Match):
            rolls, seats = max(rolls, game.rules.dice.different), len(game.players)
        info = pyspiel.GameInfo(
            num_distinct_actions=self.encoder.most_choices,
            max_chance_outcomes=rolls,
            min_utility=low,
            max_utility=high,
            num_players=seats,
            max_game_length=longest,
            **total,
        )
        super().__init__(GAME_TYPES[self.payoff.pays], info, params)

    def new_initial_state(self) -> "SpielState":
        """Return the state at the start of the game, before anything has happened."""
        return SpielState(self)

    def max_chance_nodes_in_history(self) -> int:
        """Return the most events that a play can have, as an upper bound of its throws."""
        return int(self.max_game_length())

    def make_py_observer(self, iig_obs_type: Any = None, params: Any = None) -> "SpielObserver":
        """Return an observer of the whole position, which all players see; no argument is used."""
        return SpielObserver(self.encoder)


class SpielState(pyspiel.State):
    """One play of a `SpielGame`, at its current position; open_spiel applies actions to it."""

    def __init__(self, game: SpielGame) -> None:
        super().__init__(game)
        # The game itself is not stored because open_spiel copies everything that a state holds.
        self._walk = game.walk
        self._payoff = game.payoff
        self._node: Node = game.walk.start()

    @property
    def position(self) -> Any:
        """The current position of the game."""
        return self._node.position

    def current_player(self) -> int:
        """Return the seat that is due, CHANCE for a throw, or TERMINAL after the end."""
        if self._node.over is not None:
            return int(pyspiel.PlayerId.TERMINAL)
        return int(pyspiel.PlayerId.CHANCE) if self._node.dice is not None else self._node.seat

    def _legal_actions(self, player: int) -> list[int]:
        return list(range(len(self._node.choices)))

    def chance_outcomes(self) -> list[tuple[int, float]]:
        """Return (action, probability) for each roll of the dice due; call it only at a throw."""
        dice = self._node.dice
        assert dice is not None  # open_spiel calls this only at a throw
        return list(_chances(dice))

    def _apply_action(self, action: int) -> None:
        if self._node.dice is None:
            self._node = self._walk.chosen(self._node, action)
        else:
            self._node = self._walk.fallen(self._node, self._roll(action))

    def _roll(self, action: int) -> Roll:
        dice = self._node.dice
        assert dice is not None
        return dice.outcomes()[action][0]

    def _action_to_string(self, player: int, action: int) -> str:
        if player == pyspiel.PlayerId.CHANCE:
            return str(self._roll(action))
        return self._walk.game.choice_text(self._node.choices[action])

    def is_terminal(self) -> bool:
        """Whether the play is over."""
        return self._node.over is not None

    def returns(self) -> list[float]:
        """Return the payoff of each player: 0 before the end."""
        over = self._node.over
        return [0.0] * self.num_players() if over is None else self._payoff.of(over)

    def __str__(self) -> str:
        return self._walk.game.position_id(self.position)


class SpielObserver:
    """An observer that gives the numbers of `shutbox.rl.Encoder` as float32, and a text."""

    def __init__(self, encoder: Encoder) -> None:
        self._encoder = encoder
        self.tensor = np.zeros(len(encoder.features), np.float32)
        self.dict = {"observation": self.tensor}

    def set_from(self, state: SpielState, player: int) -> None:
        """Write a state's position to `tensor` in numbers, the same for every player."""
        self.tensor[:] = self._encoder.position(state.position)

    def string_from(self, state: SpielState, player: int) -> str:
        """Return a state's position as text, without the game's name, the same for every player."""
        return str(state)


@lru_cache(maxsize=64)
def _chances(dice: Dice) -> tuple[tuple[int, float], ...]:
    return tuple((n, w / dice.total_weight) for n, (_, w) in enumerate(dice.outcomes()))


pyspiel.register_game(GAME_TYPES[Pays.SCORE], SpielGame)
