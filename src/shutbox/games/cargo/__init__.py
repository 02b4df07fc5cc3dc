"""Cargo, also called ship, captain, crew: bank 6, 5 and 4 in that order; the rest is cargo."""

from shutbox.games.cargo.family import Cargoes
from shutbox.games.cargo.game import Cargo
from shutbox.games.cargo.position import Accept, Position, ThrowAgain
from shutbox.games.cargo.rules import Hold, Rules

__all__ = ["Accept", "Cargo", "Cargoes", "Hold", "Position", "Rules", "ThrowAgain"]
