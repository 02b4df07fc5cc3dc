"""What positions are worth."""

from shutbox.solve.aims import AIMS, MEAN, SHUT, WIN, WORST_SHUT, Aim, beat, find_aim
from shutbox.solve.exact import ExactSolver
from shutbox.solve.graph import Builder, Graph
from shutbox.solve.solution import GraphSolution, Solution
from shutbox.solve.unfold import Unfolded

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
