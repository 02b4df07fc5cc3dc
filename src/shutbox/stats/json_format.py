"""What was found out, as a value for `json.dumps`, under the names that the sentences use."""

from dataclasses import asdict
from typing import Any

from shutbox.stats.report import Faces, PlayerStats, Stats


def as_json(stats: Stats) -> dict[str, Any]:
    """Everything that the sentences say, and in their order.

    >>> from shutbox.stats.collect import gather
    >>> as_json(gather([(1, None)]))["games"]
    {'finished': 0, 'unfinished': 0, 'endless': 0, 'damaged': [], 'unreadable': [1]}
    """
    games = stats.games
    ids = {"damaged": list(games.damaged), "unreadable": list(games.unreadable)}
    return {
        "games": asdict(games) | ids,
        "player": stats.player,
        "players": [_player(player) for player in stats.players],
        "dice": [_faces(faces) for faces in stats.dice],
    }


def _player(player: PlayerStats) -> dict[str, Any]:
    return {
        "name": player.name,
        "matches": [
            {"match": m.title, "played": m.played, "won": m.won, "shared": m.shared}
            for m in player.matches
        ],
        "won_in_a_row": player.won_in_a_row,
        "turns": player.turns,
        "shut": player.shut,
        "shut_in_a_row": player.shut_in_a_row,
        "scores": [
            {
                "game": s.game,
                "turns": s.turns,
                "total": s.total,
                "mean": float(s.mean),
                "best": s.best,
            }
            for s in player.scores
        ],
    }


def _faces(faces: Faces) -> dict[str, Any]:
    return {
        "from": faces.source,
        "sides": faces.sides,
        "dice": faces.dice,
        "faces": list(faces.counts),
        "low": faces.low,
        "high": faces.high,
        "outside": list(faces.outside),
    }
