"""What positions are worth."""

from shutbox.solve.aims import MEAN, SHUT, WIN, WORST_SHUT, Aim
from shutbox.solve.exact import ExactSolver

__all__ = ["MEAN", "SHUT", "WIN", "WORST_SHUT", "Aim", "ExactSolver"]
