"""The results of the statistics: plain values, and the sentences, rows or JSON made from them.

Each sentence is one line, and can be understood alone.
"""

from collections.abc import Iterator
from dataclasses import asdict, dataclass
from typing import Any

from shutbox.english import listed, runs
from shutbox.messages import gettext, gettext_noop, ngettext, pgettext
from shutbox.results import Column, Result


@dataclass(frozen=True, slots=True)
class Games:
    """The numbers of stored games by how they ended, and the ids of bad records; no challenges."""

    finished: int
    unfinished: int  # games that can be resumed, and damaged ones whose end is lost
    endless: int  # games that have no end, such as the dice tray
    damaged: tuple[int, ...]  # the ids of damaged records, which are counted above
    unreadable: tuple[int, ...]  # the ids of unreadable records, which are not counted above

    @property
    def read(self) -> int:
        """The number of all counted games: finished, unfinished and endless."""
        return self.finished + self.unfinished + self.endless


@dataclass(frozen=True, slots=True)
class Matches:
    """The numbers of finished matches, all of one format, that a person played with others."""

    match: str  # the title of a preset, or the game and its format, such as `classic[rounds=2]`
    played: int
    won: int  # including shared wins
    shared: int  # the wins shared with others


@dataclass(frozen=True, slots=True)
class Scores:
    """The scores of one person in the finished turns of one game, added up."""

    game: str
    turns: int  # at least 1
    total: int  # the scores of all turns together
    best: int  # the lowest score where low is good, or else the highest

    @property
    def mean(self) -> str:
        """The mean score to one decimal, a half rounded away from zero.

        >>> Scores("classic", turns=4, total=41, best=0).mean
        '10.3'
        """
        tenths = (20 * abs(self.total) + self.turns) // (2 * self.turns)
        sign = "-" if self.total < 0 and tenths else ""
        return f"{sign}{tenths // 10}.{tenths % 10}"


@dataclass(frozen=True, slots=True)
class PlayerStats:
    """The results of one person, identified by the name as it is written."""

    name: str
    matches: tuple[Matches, ...]  # in the order in which the first of each was played
    won_in_a_row: int  # the longest run of matches won or shared, in the order of the records
    turns: int  # the finished turns
    shut: int  # the turns that shut the box, or completed the crew
    shut_in_a_row: int  # the longest run of these
    scores: tuple[Scores, ...]  # in the order in which the first turn of each was finished


@dataclass(frozen=True, slots=True)
class Faces:
    """The counts of the faces that dice from one source, with equal sides, have shown."""

    source: str  # `system`, `sealed`, `seed`, `day` or `hand`, see `record.Source`
    counts: tuple[int, ...]  # how many dice have shown each face, from 1
    low: int
    high: int
    """In at least 99 of 100 reports like this, fair dice keep the counts of all faces in all groups
    within their `low` and `high`."""

    @property
    def sides(self) -> int:
        """The number of sides of each die."""
        return len(self.counts)

    @property
    def dice(self) -> int:
        """The number of dice that have fallen."""
        return sum(self.counts)

    @property
    def outside(self) -> tuple[int, ...]:
        """The faces with unusual counts: below `low` or above `high`.

        >>> Faces("system", counts=(5, 21), low=6, high=20).outside
        (1, 2)
        """
        faces = enumerate(self.counts, start=1)
        return tuple(face for face, count in faces if not self.low <= count <= self.high)


@dataclass(frozen=True, slots=True, repr=False)
class Stats(Result):
    """The statistics of all records, or of those of one person."""

    COLUMNS = (*map(Column, ("about", "player", "name", "figure")), Column("value", float))

    games: Games
    player: str | None  # the only person it is about; None: everybody
    players: tuple[PlayerStats, ...]  # by their first games, then by seat
    dice: tuple[Faces, ...]  # in the order of `stats.SOURCES`, and within a source by sides

    def rows(self) -> Iterator[tuple[object, ...]]:
        """Yield a row for each figure under COLUMNS, in the order of the sentences.

        >>> games = Games(finished=2, unfinished=0, endless=0, damaged=(), unreadable=(3,))
        >>> list(Stats(games, None, (), (Faces("seed", (4, 1), low=0, high=5),)).rows())[3:6]
        [('games', None, None, 'damaged', 0), ('games', None, None, 'unreadable', 1), \
('dice', None, 'seed d2', 'face 1', 4)]
        """
        found = as_json(self)
        for figure, value in found["games"].items():
            yield "games", None, None, figure, len(value) if isinstance(value, list) else value
        for figures in found["players"]:
            player, matches, scores = (figures.pop(key) for key in ("name", "matches", "scores"))
            groups = [("player", None, figures)]
            groups += [("match", each.pop("match"), each) for each in matches]
            groups += [("scores", each.pop("game"), each) for each in scores]
            for about, name, each in groups:
                for figure, value in each.items():
                    yield about, player, name, figure, value
        for faces in self.dice:
            name = f"{faces.source} d{faces.sides}"
            shown = {f"face {face}": count for face, count in enumerate(faces.counts, start=1)}
            for figure, value in {**shown, "low": faces.low, "high": faces.high}.items():
                yield "dice", None, name, figure, value

    def _summary(self) -> str:
        dice, names = sum(faces.dice for faces in self.dice), (one.name for one in self.players)
        return f"{self.games.read} games, {dice:,} dice: {listed(names) or 'nobody'}"


def as_json(stats: Stats) -> dict[str, Any]:
    """Return everything that the sentences say, in their order, as values for JSON.

    >>> from shutbox.stats import gather
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
    scores = [
        {"game": s.game, "turns": s.turns, "total": s.total, "mean": float(s.mean), "best": s.best}
        for s in player.scores
    ]
    return asdict(player) | {"matches": [*map(asdict, player.matches)], "scores": scores}


def _faces(faces: Faces) -> dict[str, Any]:
    found = {"from": faces.source, "sides": faces.sides, "dice": faces.dice}
    bounds = {"low": faces.low, "high": faces.high, "outside": list(faces.outside)}
    return {**found, "faces": list(faces.counts), **bounds}


def sentences(stats: Stats) -> Iterator[str]:
    """Yield sentences on the games, on each person, and on the dice, with any unusual counts.

    >>> from shutbox.stats import gather
    >>> list(sentences(gather([])))
    ['No games yet; shutbox play starts one.']
    """
    if not stats.games.read and not stats.games.unreadable:
        yield gettext("No games yet; shutbox play starts one.")
        return
    yield from _games_say(stats.games, stats.player)
    for player in stats.players:
        yield from _player_says(player)
    if new := [player.name for player in stats.players if not player.turns]:
        yield ngettext(
            "{names} has not finished a turn yet.",
            "{names} have not finished a turn yet.",
            len(new),
            names=listed(new),
        )
    for faces in stats.dice:
        yield from _faces_say(faces)
    if any(faces.outside for faces in stats.dice):
        yield gettext(
            "With fair dice, all counts stay within these bounds at least 99 times in 100."
        )
    elif stats.dice:
        yield gettext("Every face has come up about as often as it should.")


def _games_say(games: Games, player: str | None) -> Iterator[str]:
    parts = [gettext("{number} finished", number=games.finished)]
    if games.finished == games.read > 1:
        parts = [pgettext("games", "all finished")]
    if games.unfinished:
        parts.append(gettext("{number} unfinished", number=games.unfinished))
    if games.endless:
        parts.append(gettext("{number} without an end", number=games.endless))
    if player is not None:
        yield ngettext(
            "{player} has played {number} game: {parts}.",
            "{player} has played {number} games: {parts}.",
            games.read,
            player=player,
            parts=listed(parts),
        )
    elif games.read:
        yield ngettext(
            "{number} game is saved: {parts}.",
            "{number} games are saved: {parts}.",
            games.read,
            parts=listed(parts),
        )
    if games.damaged:
        yield ngettext(
            "{number} game is damaged and counts as far as it is sound: {ids}.",
            "{number} games are damaged and count as far as they are sound: {ids}.",
            len(games.damaged),
            ids=runs(games.damaged),
        )
    if games.unreadable:
        yield ngettext(
            "{number} game cannot be read: {ids}.",
            "{number} games cannot be read: {ids}.",
            len(games.unreadable),
            ids=runs(games.unreadable),
        )


def _player_says(player: PlayerStats) -> Iterator[str]:
    name = player.name
    for each in player.matches:
        facts = {"name": name, "title": each.match, "won": each.won, "shared": each.shared}
        if each.shared:
            yield ngettext(
                "{name} has won {won} of {number} match of {title}, {shared} of them shared.",
                "{name} has won {won} of {number} matches of {title}, {shared} of them shared.",
                each.played,
                **facts,
            )
        else:
            yield ngettext(
                "{name} has won {won} of {number} match of {title}.",
                "{name} has won {won} of {number} matches of {title}.",
                each.played,
                **facts,
            )
    if player.won_in_a_row:
        yield ngettext(
            "{name} has won up to {number} match in a row, with those shared.",
            "{name} has won up to {number} matches in a row, with those shared.",
            player.won_in_a_row,
            name=name,
        )
    if not player.turns:
        return
    shut = {"name": name, "shut": player.shut, "row": player.shut_in_a_row}
    if player.shut:
        yield ngettext(
            "{name} has shut the box, or completed the crew, in {shut} of {number} turn, up to "
            "{row} in a row.",
            "{name} has shut the box, or completed the crew, in {shut} of {number} turns, up to "
            "{row} in a row.",
            player.turns,
            **shut,
        )
    else:
        yield ngettext(
            "{name} has shut the box, or completed the crew, in {shut} of {number} turn.",
            "{name} has shut the box, or completed the crew, in {shut} of {number} turns.",
            player.turns,
            **shut,
        )
    for scores in player.scores:
        facts = {"name": name, "mean": scores.mean, **asdict(scores)}
        yield ngettext(
            "{name} averages {mean} over {number} turn of {game}; the best is {best}.",
            "{name} averages {mean} over {number} turns of {game}; the best is {best}.",
            scores.turns,
            **facts,
        )


def _faces_say(faces: Faces) -> Iterator[str]:
    dice, sides = faces.dice, faces.sides
    says = {
        "system": gettext_noop("Dice of the operating system, d{sides}: {number} thrown."),
        "sealed": gettext_noop("Sealed dice, d{sides}: {number} thrown."),
        "seed": gettext_noop("Dice from seeds, d{sides}: {number} thrown."),
        "day": gettext_noop("Dice of the boxes of the day, d{sides}: {number} thrown."),
    }.get(faces.source, gettext_noop("Real dice, d{sides}: {number} thrown."))
    yield gettext(says, sides=sides, number=dice)
    facts = {"dice": dice, "low": faces.low, "high": faces.high}
    for face in faces.outside:
        yield ngettext(
            "Face {face} came up {number} time in {dice}; with fair dice, {low} to {high} times.",
            "Face {face} came up {number} times in {dice}; with fair dice, {low} to {high} times.",
            faces.counts[face - 1],
            face=face,
            **facts,
        )
