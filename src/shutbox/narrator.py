"""The narration of a play: the sentences at the start, and then after each event.

The sentences are the same in a terminal during play, on a page, and years later from a record.
Names are said only if more than one seat plays. A narration has one of three lengths.
"""

from collections.abc import Collection, Iterable, Iterator, Sequence
from typing import Generic

from shutbox.english import Word, listed
from shutbox.game import C, Game, P, offered
from shutbox.messages import gettext, gettext_noop
from shutbox.play import Applied, Chosen, Corrected, Event, Play, Rolled, TookBack
from shutbox.scene import Answer, Scene, by


class Length(Word):
    """The length of the narration of an event."""

    BRIEF = "brief"  # what happened, and whose turn it is
    NORMAL = "normal"  # also every other answer of the scene that has changed
    FULL = "full"  # also the board and the score after every event


class Narrator(Generic[P, C]):
    """The narrator of one play of `game`, event by event; `players` are the names of the seats.

    >>> from shutbox import ScriptCup, Table, find
    >>> table = Table(find("classic"), ScriptCup(["1+2", "1+2"]))
    >>> narrator = Narrator(table.game, ["Ann"])
    >>> narrator.begin()
    ('Classic.', '1 to 9 are up.')
    >>> narrator.after(table.apply(table.prepare_throw()))
    ('Threw 1 and 2, 3 in all.',)
    >>> narrator.after(table.apply(table.prepare_choice("3")))
    ('3 goes down.', 'All but 3 are up.')
    >>> narrator.length = Length.BRIEF
    >>> narrator.after(table.apply(table.prepare_throw()))
    ('1 and 2, 3.',)
    """

    def __init__(
        self, game: Game[P, C], players: Sequence[str], length: Length = Length.NORMAL
    ) -> None:
        self.game = game
        self.players = tuple(players)
        self.length = length
        self._known: dict[str, str] = {}  # the answers of the previous scene

    def begin(self, position: P | None = None) -> tuple[str, ...]:
        """Return the first sentences of a play that begins at `position`, or the game's start."""
        scene = self.game.scene(self.game.start() if position is None else position)
        title = gettext("{title}.", title=self.game.card().title)
        return (title, *scene.says, *_changed(self._news(scene), self.length))

    def resume(self, position: P) -> tuple[str, ...]:
        """Return the sentences for a play that is resumed at this position."""
        scene = self.game.scene(position)
        board = () if scene.board in scene.says else (scene.board,)
        news = self._news(scene)
        first = tuple(answer.says for answer in news if answer.brief)
        rest = () if self.length is Length.BRIEF else (a.says for a in news if not a.brief)
        return (*first, *board, *scene.says, *rest)

    def after(self, applied: Applied[P, C], scene: Scene | None = None) -> tuple[str, ...]:
        """Return the sentences after an event: first the event, then its result.

        `scene` is the scene of the position after the event, if the caller has it.
        """
        [says] = self.after_at(applied, scene or self.game.scene(applied.after), [self.length])
        return says

    def after_at(
        self, applied: Applied[P, C], scene: Scene, lengths: Collection[Length]
    ) -> list[tuple[str, ...]]:
        """Return the sentences of `after` at each of these lengths, for different listeners."""
        news = self._news(scene)
        return [self._told(applied, scene, news, length) for length in lengths]

    def _news(self, scene: Scene) -> tuple[Answer, ...]:
        """Return the answers of a scene that have changed, except quiet ones; remember them all.

        At the start of a turn the brief answers are included, so that narration says whose turn
        it is even if the turn before was the same player's.
        """
        known, self._known = self._known, {answer.key: answer.says for answer in scene.answers}
        begins = bool(scene.left)
        return tuple(
            answer
            for answer in scene.answers
            if not answer.quiet
            and (known.get(answer.key) != answer.says or (begins and answer.brief))
        )

    def _told(
        self, applied: Applied[P, C], scene: Scene, news: Iterable[Answer], length: Length
    ) -> tuple[str, ...]:
        name = self.players[applied.seat] if len(self.players) > 1 else ""
        says = list(scene.says)
        if isinstance(applied.event, Rolled) and scene.says_by:
            says[0] = _thrown(applied.event, name, scene, length)
        if length is Length.BRIEF:
            says = [sentence for sentence in says if sentence != scene.board]
        if length is Length.FULL:
            says += [one for one in (scene.board, scene.score) if one not in says]
        return (*self._done(applied, name), *says, *_changed(news, length))

    def _done(self, applied: Applied[P, C], name: str) -> Iterator[str]:
        """Yield the sentence about an event; for a throw there is none, as the scene has it."""
        match applied.event:
            case Chosen(choice=choice):
                offer = applied.offer or offered(self.game, applied.before, choice)
                yield by(name, offer.done, offer.done_by)
            case TookBack():
                says = gettext_noop("{name} takes the choice back.")
                yield gettext(says, name=name) if name else gettext("Taken back.")
            case Corrected():
                says = gettext_noop("{name} corrects the dice.")
                yield gettext(says, name=name) if name else gettext("The dice are corrected.")


def _thrown(event: Rolled, name: str, scene: Scene, length: Length) -> str:
    """Return the sentence about a throw, which is the first sentence of the scene."""
    if length is not Length.BRIEF:
        return by(name, scene.says[0], scene.says_by)
    pips = listed(event.roll.pips)
    if len(event.roll.pips) > 1 and scene.sums:
        pips = gettext("{pips}, {total}", pips=pips, total=event.roll.total)
    clause = gettext("{pips}.", pips=pips)
    return by(name, clause, clause)


def _changed(news: Iterable[Answer], length: Length) -> Iterator[str]:
    """Return the sentences of the changed answers that this length includes."""
    brief = length is Length.BRIEF
    return (answer.says for answer in news if answer.brief or not brief)


def told(
    game: Game[P, C],
    log: Sequence[Event[C]],
    names: Sequence[str],
    length: Length = Length.NORMAL,
    *,
    start: P | None = None,
) -> Iterator[tuple[str, ...]]:
    """Yield the sentences at `start` (None: the game's own), then after each event of a log."""
    play, narrator = Play(game, start=start), Narrator(game, names, length)
    yield narrator.begin(start)
    for event in log:
        yield narrator.after(play.apply(play.prepare(event)))
