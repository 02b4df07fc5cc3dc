"""The values of positions: solvers, aims and solutions."""

from shutbox.solving.exact_solver import ExactSolver
from shutbox.solving.fold import GameGraph
from shutbox.solving.graph_solution import GraphSolution
from shutbox.solving.objectives import MEAN, SHUT, WIN, WORST_SHUT, Aim, beat
from shutbox.solving.solution import Solution

__all__ = [
    "MEAN", "SHUT", "WIN", "WORST_SHUT", "Aim", "ExactSolver", "GameGraph", "GraphSolution",
    "Solution", "beat",
]  # fmt: skip
