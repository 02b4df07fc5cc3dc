"""The choice of a solver for a game, and estimates of its cost."""
