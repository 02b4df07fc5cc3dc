"""A learner runs the usual loop of reinforcement learning on a small box. Needs: gymnasium."""

from collections import defaultdict
from random import Random

import gymnasium

import shutbox.rl

env = gymnasium.make("shutbox/six-v0", reward="regret")
chance = Random(7)
worth: defaultdict[tuple[tuple[int, ...], int], float] = defaultdict(float)
for episode in range(40):
    seen, info = env.reset(seed=episode)
    over = False
    while not over:
        state = tuple(int(number) for number in seen)
        legal = [action for action, open_ in enumerate(info["action_mask"]) if open_] or [0]
        explores = chance.random() < 0.2
        action = chance.choice(legal) if explores else max(legal, key=lambda a: worth[state, a])
        seen, reward, over, _, info = env.step(action)
        worth[state, action] += 0.1 * (float(reward) - worth[state, action])

turns = shutbox.rl.TurnArrays.of("six")
baselines = shutbox.rl.baselines(turns)
assert baselines["perfect"].total < baselines["random"].total
print(len(worth), turns, baselines["random"])
