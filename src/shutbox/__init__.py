"""Shut the Box under all its house rules, on one engine.

>>> import shutbox
>>> game = shutbox.find("classic")
>>> position = game.rolled(game.start(), shutbox.Dice.parse("2d6").read("5 3"))
>>> [game.choice_text(choice) for choice in game.awaits(position).choices]
['8', '1 7', '2 6', '3 5', '1 2 5', '1 3 4']
"""

from shutbox.cups import HandCup, ScriptCup, SecretCup, SeededCup
from shutbox.dice import Cup, Dice, Roll
from shutbox.errors import ShutboxError
from shutbox.game import Choose, Game, Over, RuleCard, Scoring, Throw, position_text
from shutbox.games.catalogue import catalogue, find, find_position
from shutbox.games.family import Entry
from shutbox.play import Applied, Chosen, Corrected, Event, Play, Prepared, Rolled, Step, TookBack
from shutbox.player import FirstChoice, Player, play_out
from shutbox.scene import Answer, Offer, Piece, Scene
from shutbox.table import Table

__version__ = "0.1.0"

__all__ = [
    "Answer",
    "Applied",
    "Choose",
    "Chosen",
    "Corrected",
    "Cup",
    "Dice",
    "Entry",
    "Event",
    "FirstChoice",
    "Game",
    "HandCup",
    "Offer",
    "Over",
    "Piece",
    "Play",
    "Player",
    "Prepared",
    "Roll",
    "Rolled",
    "RuleCard",
    "Scene",
    "Scoring",
    "ScriptCup",
    "SecretCup",
    "SeededCup",
    "ShutboxError",
    "Step",
    "Table",
    "Throw",
    "TookBack",
    "catalogue",
    "find",
    "find_position",
    "play_out",
    "position_text",
]
