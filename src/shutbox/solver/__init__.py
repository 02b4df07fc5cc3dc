"""The values of positions: solvers, aims and solutions."""

from shutbox.solver.fold import ExactSolver, Unfolded
from shutbox.solver.objectives import MEAN, SHUT, WIN, WORST_SHUT, Aim, beat
from shutbox.solver.solution import GraphSolution, Solution

__all__ = [
    "MEAN", "SHUT", "WIN", "WORST_SHUT", "Aim", "ExactSolver", "GraphSolution", "Solution",
    "Unfolded", "beat",
]  # fmt: skip
