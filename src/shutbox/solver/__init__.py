"""What positions are worth."""

from shutbox.solver.exact import ExactSolver
from shutbox.solver.expand import Unfolded
from shutbox.solver.graph import Builder, Graph
from shutbox.solver.objectives import AIMS, MEAN, SHUT, WIN, WORST_SHUT, Aim, beat, find_aim
from shutbox.solver.solution import GraphSolution, Solution

__all__ = [
    "AIMS",
    "MEAN",
    "SHUT",
    "WIN",
    "WORST_SHUT",
    "Aim",
    "Builder",
    "ExactSolver",
    "Graph",
    "GraphSolution",
    "Solution",
    "Unfolded",
    "beat",
    "find_aim",
]
