"""What all environments promise: how they are made, printed, refused, and what gymnasium finds."""

from collections.abc import Callable
from typing import Any

import pytest

from shutbox import catalogue, find, solve
from shutbox.engine import errors
from shutbox.engine.errors import NotUnderstood

gymnasium = pytest.importorskip("gymnasium", reason="gymnasium is not installed: make tools")
pytest.importorskip("pettingzoo", reason="pettingzoo is not installed: make tools")

import numpy as np  # noqa: E402
from gymnasium.error import ResetNeeded  # noqa: E402
from gymnasium.utils.env_checker import check_env  # noqa: E402
from pettingzoo.test import api_test  # noqa: E402

import shutbox.rl  # noqa: E402
from shutbox.rl import MatchEnv, TurnBatch, TurnEnv, spec  # noqa: E402

NAMES = [e.name for e in catalogue() if find(e.name).longest is not None]
ENDED_BY_A_THROW = "classic(stop_on=2.3.4.5.6.7.8.9.10.11.12)"


@pytest.mark.parametrize("name", NAMES)
def test_gymnasium_finds_nothing_to_say(name: str) -> None:
    env = gymnasium.make(f"shutbox/{name}-v0", render_mode="ansi")
    check_env(env.unwrapped)


@pytest.mark.parametrize(
    ("id", "options", "name", "aim", "sign"),
    [
        ("classic", {}, "classic", "mean", -1),
        ("classic", {"aim": "shut"}, "classic", "shut", 1),
        ("covered", {}, "covered", "mean", 1),
        ("turn", {"game": "six", "aim": "beat:8"}, "six", "beat:8", 1),
        ("turn", {"game": "classic(fewer=must-top)"}, "classic(fewer=must-top)", "mean", -1),
    ],
)
def test_the_threshold_is_the_exact_optimum_of_what_is_made(
    id: str, options: dict[str, Any], name: str, aim: str, sign: int
) -> None:
    env = gymnasium.make(f"shutbox.rl:shutbox/{id}-v0", **options)
    best = sign * float(solve(name, aim).value())
    assert (env.unwrapped.game.name, env.spec.reward_threshold) == (name, best)
    if not options:
        assert gymnasium.spec(f"shutbox/{id}-v0").reward_threshold == best
    env.reset(seed=3)
    assert env.unwrapped.render().startswith(f"{name}:1.2.3.4.5.6.7.8.9/"[: len(name) + 1])


def test_a_threshold_is_none_where_nothing_is_solved(monkeypatch: pytest.MonkeyPatch) -> None:
    def solve(*about: Any) -> None:
        raise errors.TooLarge("too large")

    assert gymnasium.make("shutbox/six-v0", reward="regret").spec.reward_threshold == 0.0
    assert gymnasium.spec("shutbox/the-300-v0").reward_threshold is None
    assert TurnEnv("six").spec is None
    monkeypatch.setattr(spec, "solve", solve)
    assert gymnasium.make("shutbox/covered-v0", aim="shut").spec.reward_threshold is None


def test_gymnasium_makes_a_batch() -> None:
    mode = "vector_entry_point"
    batch = gymnasium.make_vec("shutbox/six-v0", num_envs=4, vectorization_mode=mode, aim="shut")
    assert batch.reset(seed=1)[0] in batch.observation_space
    here, rewards, over, cut, _ = batch.step(np.zeros(4, np.int64))
    assert here in batch.observation_space
    assert (rewards.shape, over.shape, cut.any()) == ((4,), (4,), False)
    assert batch.spec.reward_threshold == float(solve("six", "shut").value())


@pytest.mark.parametrize(
    "text",
    [
        "TurnEnv('six', aim='beat:8', reward='regret', illegal='ends')",
        "TurnBatch('six', 3, aim='mean', reward='end', observe='state')",
        "MatchEnv('six[seats=3,rounds=1]', pays='score', illegal='ends')",
    ],
)
def test_an_environment_prints_as_what_makes_it(text: str) -> None:
    env = eval(text, {name: getattr(shutbox.rl, name) for name in shutbox.rl.__all__})
    assert repr(env) == text
    assert str(env) == text or isinstance(env, TurnBatch)  # gymnasium writes that of a batch


@pytest.mark.parametrize(
    ("make", "says"),
    [
        (lambda: TurnEnv(reward="money"), "'money' is not known; write end, shaped or regret"),
        (lambda: TurnEnv(illegal="never"), "'never' is not known; write ends or refused"),
        (lambda: TurnEnv(aim="none"), "'none' is not an aim"),
        (lambda: TurnEnv("classic[seats=2]"), "this is about one turn"),
        (lambda: TurnBatch("six", observe="all"), "'all' is not known; write numbers or state"),
        (lambda: MatchEnv("six"), "is one turn, and this is about a match"),
        (lambda: MatchEnv(pays="money"), "'money' is not known; write share or score"),
        (lambda: MatchEnv(illegal="never"), "'never' is not known; write ends or refused"),
    ],
)
def test_what_means_nothing_is_refused(make: Callable[[], object], says: str) -> None:
    with pytest.raises(NotUnderstood, match=says):
        make()


def test_a_step_before_the_beginning_or_after_the_end_is_refused() -> None:
    turn, batch, match = TurnEnv("six"), TurnBatch("six", 2), MatchEnv("six[seats=2]")
    before: list[Callable[[], Any]] = [lambda: turn.step(0), lambda: match.step(0)]
    before += [lambda: match.step(None), lambda: batch.step(np.zeros(2))]
    for step in before:
        with pytest.raises(ResetNeeded, match="call reset"):
            step()
    for env in (turn, match):
        env.reset(seed=1)
    while not turn.step(0)[2]:
        pass
    while match.agents:
        match.step(None if match.terminations[match.agent_selection] else 0)
    for step in before[:2]:
        with pytest.raises(ResetNeeded, match="call reset"):
            step()


def test_a_first_throw_that_ends_the_turn_is_a_step() -> None:
    env, batch = TurnEnv(ENDED_BY_A_THROW), TurnBatch(ENDED_BY_A_THROW, 3)
    assert not env.reset(seed=1)[1]["action_mask"].any()
    assert env.step(0)[1:4] == (-45.0, True, False)
    assert not batch.reset(seed=1)[1]["action_mask"].any()
    assert batch.step(np.array([0, 1, 2]))[1].tolist() == [-45] * 3


def test_an_action_that_is_not_open_is_refused_and_nothing_changes() -> None:
    turn, match = TurnEnv("classic", illegal="refused"), MatchEnv("six[seats=2]")
    for env, action, says in (
        (turn, 99, "action 99 is not open; there are"),
        (match, 3, "action 3 is not open; there are 2 choices"),
    ):
        env.reset(seed=1)
        before = env.position
        with pytest.raises(errors.IllegalChoice, match=says):
            env.step(action)
        assert env.position == before
    assert match.render() == f"six[seats=2,rounds=1]:{match.match.position_id(match.position)}"
    batch = TurnBatch("six", 3)
    batch.reset(seed=1)
    states = batch.states
    with pytest.raises(errors.IllegalChoice, match="action 9 of turn 1 is not open"):
        batch.step(np.array([0, 9, 0]))
    assert batch.states.tolist() == states.tolist()


@pytest.mark.parametrize(("pays", "worst"), [("share", 0.0), ("score", -21.0)])
def test_an_action_that_is_not_open_ends_it_at_its_worst(pays: str, worst: float) -> None:
    turn = TurnEnv("classic")
    turn.reset(seed=1)
    _, reward, over, cut, info = turn.step(turn.encoder.most_choices - 1)
    assert (reward, over, cut, info["illegal"]) == (-45, True, False, True)
    assert not info["action_mask"].any()
    match = MatchEnv("six[seats=3]", pays=pays, illegal="ends")
    api_test(match, num_cycles=30)
    match.reset(seed=1)
    match.step(0)
    wrong = match.agent_selection
    match.step(99)
    assert all(match.terminations.values())
    assert match.rewards == {agent: worst if agent == wrong else 0.0 for agent in match.agents}
    infos = match.infos
    assert [agent for agent in match.agents if infos[agent].get("illegal")] == [wrong]
    assert not any(info["action_mask"].any() for info in infos.values())
