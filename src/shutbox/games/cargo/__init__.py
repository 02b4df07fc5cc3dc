"""Cargo, also called ship, captain, crew: bank 6, 5 and 4 in that order; the rest is cargo."""

from shutbox.games.cargo.game import CARGOES, Cargo
from shutbox.games.cargo.position import Accept, CargoPosition, ThrowAgain
from shutbox.games.cargo.rules import CargoRules, Hold
