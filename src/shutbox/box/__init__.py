"""Boxes: tiles, dice, and the rules between them, as data."""

from shutbox.box.family import Boxes, box_from_file
from shutbox.box.game import Box
from shutbox.box.position import Position, UseDice
from shutbox.box.sets import Cover
from shutbox.box.variant import Variant

__all__ = ["Box", "Boxes", "Cover", "Position", "UseDice", "Variant", "box_from_file"]
