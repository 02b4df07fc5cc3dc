"""The statistics in sentences, one a line, each of which can be understood alone."""

from collections.abc import Iterable, Iterator
from dataclasses import asdict
from statistics import fmean
from typing import Any

from shutbox.english import decimal, listed, runs, tenths
from shutbox.game import Game
from shutbox.messages import gettext, gettext_noop, ngettext
from shutbox.record import Reading
from shutbox.stats.collect import ended
from shutbox.stats.report import Faces, Games, PlayerStats, Stats

FEWEST = 3  # earlier scores needed for a comparison


def sentences(stats: Stats) -> Iterator[str]:
    """Yield sentences on the games, on each person, and on the dice with unusual counts.

    >>> from shutbox.stats.collect import gather
    >>> list(sentences(gather([])))
    ['No games yet; shutbox play starts one.']
    """
    if not stats.games.read and not stats.games.unreadable:
        yield gettext("No games yet; shutbox play starts one.")
        return
    yield from _games(stats.games, stats.player)
    for player in stats.players:
        yield from _player(player)
    if new := [player.name for player in stats.players if not player.turns]:
        yield ngettext(
            "{names} has not finished a turn yet.",
            "{names} have not finished a turn yet.",
            len(new),
            names=listed(new),
        )
    for faces in stats.dice:
        yield from _faces(faces)
    if any(faces.outside for faces in stats.dice):
        yield gettext(
            "Chance alone keeps every count within what it gives here at least 99 times in 100."
        )
    elif stats.dice:
        yield gettext("Every face has come up about as often as it should.")


def _games(games: Games, player: str | None) -> Iterator[str]:
    parts = [
        gettext("{number} finished", number=games.finished),
        gettext("{number} unfinished", number=games.unfinished),
    ]
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
            "{number} game is kept: {parts}.",
            "{number} games are kept: {parts}.",
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


def _player(player: PlayerStats) -> Iterator[str]:
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
            "{name} has won at most {number} match in a row, shared ones counted.",
            "{name} has won at most {number} matches in a row, shared ones counted.",
            player.won_in_a_row,
            name=name,
        )
    if not player.turns:
        return
    shut = {"name": name, "shut": player.shut, "row": player.shut_in_a_row}
    if player.shut:
        yield ngettext(
            "{name} has shut the box, or completed the crew, in {shut} of {number} turn, at most "
            "{row} in a row.",
            "{name} has shut the box, or completed the crew, in {shut} of {number} turns, at most "
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


def _faces(faces: Faces) -> Iterator[str]:
    dice, sides = faces.dice, faces.sides
    says = {
        "system": gettext_noop("Thrown by the operating system, d{sides}: {number}."),
        "sealed": gettext_noop("Thrown by sealed envelopes, d{sides}: {number}."),
        "seed": gettext_noop("Thrown by seeds, d{sides}: {number}."),
        "day": gettext_noop("Thrown in boxes of the day, d{sides}: {number}."),
    }.get(faces.source, gettext_noop("Thrown by hand, d{sides}: {number}."))
    yield gettext(says, sides=sides, number=dice)
    says = gettext_noop("Face {face}: {count} of {dice}; chance gives {low} to {high}.")
    for face in faces.outside:
        count = faces.counts[face - 1]
        yield gettext(says, face=face, count=count, dice=dice, low=faces.low, high=faces.high)


def compare_with_earlier(
    game: Game[Any, Any], score: int, name: str, earlier: Iterable[Reading[Any, Any]]
) -> Iterator[str]:
    """Yield a sentence that compares a score with earlier solo scores of the player `name`.

    Yield nothing if there are fewer than FEWEST of these, or in a game without scores.

    >>> from shutbox import find
    >>> list(compare_with_earlier(find("classic"), 7, "Ann", []))
    []
    """
    scores = [
        each
        for reading in earlier
        if reading.game == game and reading.header.names == (name,) and reading.over is not None
        if reading.play.start == game.start()
        for _, each, _ in ended(game, reading.play.position)
    ]
    scoring = game.scoring
    if len(scores) < FEWEST or scoring is None:
        return
    best, mean = scoring.best_of(scores), fmean(scores)
    apart = abs(score - mean)
    facts = {"best": best, "mean": decimal(mean), "apart": decimal(apart)}
    if scoring.better(score, best):
        yield gettext("Your best so far! Before it was {best}.", **facts)
    elif not tenths(apart):
        yield gettext("That is just your average.")
    elif scoring.better(score, mean):
        yield gettext("That is {apart} better than your average of {mean}.", **facts)
    else:
        yield gettext("Your average is {mean}.", **facts)
