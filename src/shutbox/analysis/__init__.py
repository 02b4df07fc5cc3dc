"""The values of positions, and what is built on them: odds, advice, fair rules, strategies."""
