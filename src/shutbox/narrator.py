"""A play as it is told: what is said at the start, and then after each event.

Who watches a play hears the same in a terminal as it is played, on a page, and years later from a
record. Names are said where more than one seat plays, and never alone. How much is said is one of
three lengths.
"""

from collections.abc import Iterator, Sequence
from typing import Generic

from shutbox.english import Word, listed
from shutbox.game import C, Game, P, offered
from shutbox.messages import gettext
from shutbox.play import Applied, Chosen, Corrected, Event, Play, Rolled, TookBack
from shutbox.scene import Answer, Scene, by


class Length(Word):
    """How much is told of each event."""

    BRIEF = "brief"  # what happened, and who is due next
    NORMAL = "normal"  # and how it stands then, as far as that has changed
    FULL = "full"  # and what lies there and the score, after every event


class Narrator(Generic[P, C]):
    """Tells one play of `game` by these players, event after event.

    >>> from shutbox import ScriptCup, Table, find
    >>> table = Table(find("classic"), ScriptCup(["1+2", "1+2"]))
    >>> narrator = Narrator(table.game, ["Ann"])
    >>> narrator.begin()
    ('Classic.', '1 to 9 are up.')
    >>> narrator.after(table.apply(table.prepare_throw()))
    ('Threw 1 and 2, 3 in all.',)
    >>> narrator.after(table.apply(table.prepare_choice("3")))
    ('3 goes down.', '1, 2 and 4 to 9 are up.')
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
        self._news = News()

    def begin(self) -> tuple[str, ...]:
        """What is said at the start."""
        scene = self.game.scene(self.game.start())
        title = gettext("{title}.", title=self.game.card().title)
        return (title, *scene.says, *self._changed(scene))

    def resume(self, position: P) -> tuple[str, ...]:
        """What is said where a play goes on that stands at this position."""
        scene = self.game.scene(position)
        board = () if scene.board in scene.says else (scene.board,)
        return (*board, *scene.says, *self._changed(scene))

    def after(self, applied: Applied[P, C], scene: Scene | None = None) -> tuple[str, ...]:
        """What is said once an event has happened: first what was done, then where it led.

        `scene` is that of the position after it, where it is at hand.
        """
        name = self.players[applied.seat] if len(self.players) > 1 else ""
        scene = scene or self.game.scene(applied.after)
        says, changed = list(scene.says), self._changed(scene)
        if isinstance(applied.event, Rolled) and scene.says_by:
            says[0] = self._thrown(applied.event, name, scene)
        if self.length is Length.BRIEF:
            says = [sentence for sentence in says if sentence != scene.board]
        if self.length is Length.FULL:
            says += [one for one in (scene.board, scene.score) if one not in says]
        return (*self._done(applied, name), *says, *changed)

    def _done(self, applied: Applied[P, C], name: str) -> Iterator[str]:
        """What somebody did; of a throw the scene says what fell."""
        match applied.event:
            case Chosen(choice=choice):
                offer = applied.offer or offered(self.game, applied.before, choice)
                yield by(name, offer.done, offer.done_by)
            case TookBack() if name:
                yield gettext("{name} takes the choice back.", name=name)
            case TookBack():
                yield gettext("Taken back.")
            case Corrected() if name:
                yield gettext("{name} corrects the dice.", name=name)
            case Corrected():
                yield gettext("The dice are corrected.")

    def _thrown(self, event: Rolled, name: str, scene: Scene) -> str:
        """What fell; the scene tells it first."""
        if self.length is not Length.BRIEF:
            return by(name, scene.says[0], scene.says_by)
        pips = listed(event.roll.pips)
        if len(event.roll.pips) > 1:
            pips = gettext("{pips}, {total}", pips=pips, total=event.roll.total)
        clause = gettext("{pips}.", pips=pips)
        return by(name, clause, clause)

    def _changed(self, scene: Scene) -> tuple[str, ...]:
        """The answers that are told, since they have changed."""
        brief = self.length is Length.BRIEF
        return tuple(answer.says for answer in self._news.of(scene) if answer.brief or not brief)


def told(
    game: Game[P, C], log: Sequence[Event[C]], names: Sequence[str], length: Length = Length.NORMAL
) -> Iterator[tuple[str, ...]]:
    """What is said at the start, and then after each event of a log."""
    play, narrator = Play(game), Narrator(game, names, length)
    yield narrator.begin()
    for event in log:
        yield narrator.after(play.apply(play.prepare(event)))


class News:
    """Finds the answers of a scene that have changed, each of them once.

    >>> def scene(*answers):
    ...     return Scene((), "", "", "", "", (), answers=answers)
    >>> news, turn = News(), Answer("w", "whose turn it is", "It is the turn of Ann.")
    >>> [answer.says for answer in news.of(scene(turn))], news.of(scene(turn))
    (['It is the turn of Ann.'], ())
    """

    def __init__(self) -> None:
        self._known: dict[str, str] = {}

    def of(self, scene: Scene) -> tuple[Answer, ...]:
        """What is new in a scene; those that are quiet are noted and not told."""
        known = self._known
        self._known = {answer.key: answer.says for answer in scene.answers}
        loud = (answer for answer in scene.answers if not answer.quiet)
        return tuple(answer for answer in loud if known.get(answer.key) != answer.says)
