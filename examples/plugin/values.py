"""The chance to win Pig for the player who begins, computed without the solver of shutbox.

Lost turns lead back to the same scores, so the positions of Pig form cycles. Scores only grow, so
each cycle has two positions: either player throws, and the scores are the same. The script solves
the pairs from the highest scores down, and improves the choices in each until nothing changes.
shutbox finds the same for best play: `shutbox.equity("acme.pig[seats=2,target=100,end=stop]")`.
Run `python values.py`.
"""

HARDLY = 1e-15  # a change that is only rounding


def share_of_first(target: int = 100, hold: int | None = None) -> float:
    """Return the chance of the player who begins; both hold at `hold`, or None for best play."""
    shares = [[0.0] * target for _ in range(target)]  # of the player to throw: mine, the other's

    def turn(mine: int, other: int, lost: float) -> tuple[float, float]:
        """Return the share as `sure + chance * lost`; `lost` is the share after a lost turn."""
        need = target - mine
        sure, chance = [1.0] * (need + 6), [0.0] * (need + 6)  # by the points of this turn
        for points in reversed(range(need)):
            s, c = sum(sure[points + 2 : points + 7]) / 6, (1 + sum(chance[points + 2 :][:5])) / 6
            if points >= 2:
                keep = 1 - shares[other][mine + points]
                if points >= hold if hold else keep > s + c * lost:
                    s, c = keep, 0.0
            sure[points], chance[points] = s, c
        return sure[0], chance[0]

    pairs = [(a, b) for a in range(target) for b in range(a + 1)]
    for a, b in sorted(pairs, key=sum, reverse=True):
        x = y = 0.5
        change = 1.0
        while change > HARDLY:
            (s, c), (t, d) = turn(a, b, 1 - y), turn(b, a, 1 - x)
            # x = s + c * (1 - y), and y = t + d * (1 - x).
            before, x = x, (s + c * (1 - t - d)) / (1 - c * d)
            change, y = abs(x - before) + abs(y - (t + d * (1 - x))), t + d * (1 - x)
        shares[a][b], shares[b][a] = x, y
    return shares[0][0]


if __name__ == "__main__":
    print(f"Both play the best: {share_of_first():.10f}")
    print(f"Both hold at 20:    {share_of_first(hold=20):.10f}")
