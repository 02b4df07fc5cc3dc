"""Games in open_spiel: its simulations with serialisation, and exact values by its algorithms."""

from importlib import import_module
from typing import Any

import pytest

from shutbox import catalogue, errors, find, solve
from shutbox.lookup import find_any

pyspiel = pytest.importorskip("pyspiel", reason="open_spiel is not installed: make rl")
np = pytest.importorskip("numpy", reason="NumPy is not installed: make rl")

from shutbox.rl.spiel_game import load_spiel  # noqa: E402

NAMES = [
    *(e.name for e in catalogue() if find(e.name).longest is not None),
    "classic(fewer=may-top,score=count)",
    "six[seats=2,rounds=2]",
    "six[seats=12]",
    "cargo[seats=3,target=20]",
    "six[seats=3,rounds=2,stake=1,purse=2,ties=throw-off,begins=high-roll]",
]


@pytest.mark.parametrize("name", NAMES)
def test_open_spiel_finds_nothing_to_say(name: str) -> None:
    pyspiel.random_sim_test(load_spiel(name), num_sims=3, serialize=True, verbose=False)


@pytest.mark.usefixtures("pig")
def test_a_game_that_no_name_finds_is_given_as_it_is(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SHUTBOX_PLUGINS", "0")
    turn: Any = import_module("acme_pig").Pig(20)
    game = load_spiel(turn)
    assert game.game is turn
    assert len(game.new_initial_state().chance_outcomes()) == 6
    pyspiel.random_sim_test(load_spiel(find_any("six[seats=2]")), 3, serialize=True, verbose=False)
    with pytest.raises(errors.NotUnderstood):
        load_spiel(5)  # type: ignore[arg-type]


def test_a_match_pays_its_shares() -> None:
    game = load_spiel("six[seats=3]", "share")
    pyspiel.random_sim_test(game, num_sims=3, serialize=True, verbose=False)
    state, chance = game.new_initial_state(), np.random.default_rng(5)
    while not state.is_terminal():
        state.apply_action(int(chance.choice(state.legal_actions())))
    assert sum(state.returns()) == pytest.approx(1)
    over: Any = find_any("six[seats=3]").awaits(state.position)
    assert [share > 0 for share in state.returns()] == [n in over.winners for n in range(3)]


def test_shares_are_of_constant_sum_and_scores_are_not() -> None:
    exploitability = pytest.importorskip("open_spiel.python.algorithms.exploitability")
    policies = pytest.importorskip("open_spiel.python.policy")
    match = "classic(tiles=1-3,dice=1d3)[seats=2]"
    shares, scores = load_spiel(match, "share"), load_spiel(match)
    utility = pyspiel.GameType.Utility
    assert shares.get_type().utility == utility.CONSTANT_SUM
    assert scores.get_type().utility == utility.GENERAL_SUM
    assert (shares.utility_sum(), scores.utility_sum()) == (1.0, None)
    chance = policies.UniformRandomPolicy(shares)
    loses = exploitability.exploitability(shares, chance)
    assert loses == pytest.approx(exploitability.nash_conv(shares, chance) / 2)
    assert loses > 0


def best(state: Any, known: dict[str, float]) -> float:
    """The value of a state, asked of open_spiel alone."""
    if (value := known.get(str(state))) is None:
        if state.is_terminal():
            value = state.returns()[0]
        elif state.is_chance_node():
            value = sum(p * best(state.child(a), known) for a, p in state.chance_outcomes())
        else:
            value = max(best(state.child(a), known) for a in state.legal_actions())
        known[str(state)] = value
    return value


@pytest.mark.parametrize("name", ["six", "classic(tiles=1-5)"])
def test_the_value_of_the_game_in_open_spiel_is_the_exact_one(name: str) -> None:
    found = best(load_spiel(name).new_initial_state(), {})
    assert -found == pytest.approx(float(solve(name).value()))


def test_a_position_is_a_vector_and_a_text() -> None:
    state = load_spiel("six").new_initial_state()
    state.apply_action(4)
    assert state.observation_tensor() == [1, 1, 1, 1, 1, 1, 0, 5]
    assert state.observation_string() == "1.2.3.4.5.6/5" == str(state)
    assert [state.action_to_string(a) for a in state.legal_actions()] == ["5", "1 4", "2 3"]
    copy = state.clone()
    copy.apply_action(1)
    assert (str(state), str(copy)) == ("1.2.3.4.5.6/5", "2.3.5.6")


def test_what_is_not_paid_is_refused() -> None:
    with pytest.raises((errors.NotUnderstood, RuntimeError), match="is not what six pays"):
        load_spiel("six", "share")


def test_learners_of_open_spiel_play_it() -> None:
    rl_environment = pytest.importorskip("open_spiel.python.rl_environment")
    game = load_spiel("six[seats=2]", "share")
    environment = rl_environment.Environment(game, chance_event_sampler=None)
    environment.seed(3)
    step = environment.reset()
    assert environment.observation_spec()["info_state"] == (len(game.encoder.features),)
    while not step.last():
        due = step.observations["current_player"]
        step = environment.step([step.observations["legal_actions"][due][0]])
    assert sum(step.rewards) == pytest.approx(1)
