"""Boxes: tiles, dice, and the rules between them, as data."""

from shutbox.games.box.game import BOXES, Box, box_from_file
from shutbox.games.box.rules import BoxPosition, UseDice, Variant
from shutbox.games.box.tile_sets import Cover
