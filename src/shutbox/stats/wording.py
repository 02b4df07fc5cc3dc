"""What was found out, in sentences: one a line, and each can be heard alone."""

from collections.abc import Iterator

from shutbox.english import capital, is_or_are, listed, number_word, numbered, runs
from shutbox.stats.report import Faces, Games, Player, Stats

_FROM = {
    "system": "from the operating system",
    "seed": "from seeds",
    "hand": "from people's hands",
}


def sentences(stats: Stats) -> Iterator[str]:
    """The games, then each person, then the dice.

    >>> from shutbox.stats.collect import gather
    >>> list(sentences(gather([])))
    ['No game is kept yet; shutbox play begins one.']
    """
    if not stats.games.read and not stats.games.unreadable:
        yield "No game is kept yet; shutbox play begins one."
        return
    yield from _games(stats.games, stats.player)
    for player in stats.players:
        yield from _player(player)
    for faces in stats.dice:
        yield from _faces(faces)
    if stats.dice:
        yield "Chance alone keeps every count within what it gives here at least 99 times in 100."


def _games(games: Games, player: str | None) -> Iterator[str]:
    parts = [f"{games.finished} finished", f"{games.unfinished} unfinished"]
    if games.endless:
        parts.append(f"{games.endless} without an end")
    if player is not None:
        yield f"{player} has played {numbered(games.read, 'game')}: {listed(parts)}."
    elif games.read:
        yield f"{numbered(games.read, 'game')} {is_or_are(games.read)} kept: {listed(parts)}."
    if number := len(games.damaged):
        damaged = "is damaged and counts as far as it is sound"
        if number > 1:
            damaged = "are damaged and count as far as they are sound"
        yield f"{numbered(number, 'game')} {damaged}: {runs(games.damaged)}."
    if number := len(games.unreadable):
        yield f"{numbered(number, 'game')} cannot be read: {runs(games.unreadable)}."


def _player(player: Player) -> Iterator[str]:
    name = player.name
    for each in player.matches:
        matches = numbered(each.played, "match", "matches")
        shared = f", {each.shared} of them shared" if each.shared else ""
        yield f"{name} has won {each.won} of {matches} of {each.title}{shared}."
    if player.won_in_a_row:
        many = numbered(player.won_in_a_row, "match", "matches")
        yield f"{name} has won at most {many} in a row, shared ones counted."
    if not player.turns:
        yield f"{name} has finished no turn yet."
        return
    in_a_row = f", at most {player.shut_in_a_row} in a row" if player.shut else ""
    yield (
        f"{name} has shut the box, or completed the crew, in {player.shut} of "
        f"{numbered(player.turns, 'turn')}{in_a_row}."
    )
    for scores in player.scores:
        yield (
            f"{name} has a mean score of {scores.mean} in {numbered(scores.turns, 'turn')} of "
            f"{scores.game}, and a best of {scores.best}."
        )


def _faces(faces: Faces) -> Iterator[str]:
    have = "die of {} sides has" if faces.dice == 1 else "dice of {} sides have"
    yield f"{faces.dice} {have.format(faces.sides)} come {_FROM[faces.source]}."
    for face, count in enumerate(faces.counts, start=1):
        yield (
            f"{capital(_face(face))}: {count} of {faces.dice}; "
            f"chance gives {faces.low} to {faces.high}."
        )
    if faces.outside:
        yield f"{capital(listed(map(_face, faces.outside)))} lie outside what chance gives."
    else:
        yield "Nothing here is unusual."


def _face(face: int) -> str:
    """The dice that show a face.

    >>> [_face(face) for face in (1, 6, 20, 21)]
    ['ones', 'sixes', 'twenties', '21s']
    """
    word = number_word(face)
    if word.endswith("y"):
        return f"{word[:-1]}ies"
    return f"{word}{'es' if word.endswith('x') else 's'}"
