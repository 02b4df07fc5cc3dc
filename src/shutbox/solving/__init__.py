"""The values of positions: solvers, aims and solutions."""

from shutbox.solving.fold import ExactSolver, Unfolded
from shutbox.solving.objectives import MEAN, SHUT, WIN, WORST_SHUT, Aim, beat
from shutbox.solving.solution import GraphSolution, Solution

__all__ = [
    "MEAN", "SHUT", "WIN", "WORST_SHUT", "Aim", "ExactSolver", "GraphSolution", "Solution",
    "Unfolded", "beat",
]  # fmt: skip
