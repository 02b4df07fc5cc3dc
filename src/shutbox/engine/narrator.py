"""The narration of a play: the sentences at the start, and then after each event.

The sentences are the same in a terminal during play, on a page, and years later from a record.
Names are said only if more than one seat plays. A narration has one of three lengths.
"""

from collections.abc import Collection, Iterable, Iterator, Sequence
from typing import Generic

from shutbox.engine.english import Word, listed
from shutbox.engine.game import C, Game, P, check_game, offered
from shutbox.engine.messages import gettext, gettext_noop, language
from shutbox.engine.play import Applied, Chosen, Corrected, Event, Rolled, TookBack, replayed
from shutbox.engine.scene import Answer, Scene, by


class Length(Word):
    """The length of the narration of an event."""

    BRIEF = "brief"  # what happened, and whose turn it is
    NORMAL = "normal"  # also every other answer of the scene that has changed and is not quiet
    FULL = "full"  # also the board and the score after every event


class Narrator(Generic[P, C]):
    """The narrator of one play of `game`, event by event; `players` are the names of the seats.

    >>> from shutbox import Table, find
    >>> from shutbox.engine.cups import ScriptCup
    >>> table = Table(find("classic"), ScriptCup(["1+2", "1+2"]))
    >>> narrator = Narrator(table.game, ["Ann"])
    >>> narrator.begin()
    ('Classic.', '1 to 9 are up.')
    >>> narrator.after(table.apply(table.prepare_throw()))
    ('Threw 1 and 2, 3.',)
    >>> narrator.after(table.apply(table.prepare_choice("3")))
    ('3 goes down.', 'All but 3 are up.')
    >>> narrator.length = Length.BRIEF
    >>> narrator.after(table.apply(table.prepare_throw()))
    ('1 and 2, 3.',)
    """

    def __init__(
        self, game: Game[P, C], players: Sequence[str], length: Length = Length.NORMAL
    ) -> None:
        check_game(game)
        self.game = game
        self.players = tuple(players)
        self.length = length
        # By language: the position of the previous scene, and its answers.
        self._known: dict[str, tuple[P | None, dict[str, str]]] = {}

    def begin(self, position: P | None = None) -> tuple[str, ...]:
        """Return the first sentences of a play: the game's title, and what its first scene says.

        Answers that are not quiet follow (BRIEF: brief ones). It begins at `position` or the start.
        """
        start = self.game.start() if position is None else position
        scene = self.game.scene(start)
        self._known.pop(language(), None)
        title = gettext("{title}.", title=self.game.card().title)
        return (title, *scene.says, *_changed(self._news(scene, start, language()), self.length))

    def resume(self, position: P) -> tuple[str, ...]:
        """Return the sentences that resume a play: whose turn it is, the board, the last event.

        Unless the length is BRIEF, the other answers of the scene that are not quiet come first.
        """
        scene = self.game.scene(position)
        board = () if scene.board in scene.says else (scene.board,)
        news = self._news(scene, position, language())
        told = [answer for answer in news if self.length is Length.BRIEF or not answer.quiet]
        first = (answer.says for answer in told if answer.brief)
        rest = (a.says for a in told if not (a.brief or self.length is Length.BRIEF))
        return (*rest, *first, *board, *scene.says)

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
        at, _ = self._known.get(spoken := language(), (None, {}))
        if self._known and at != applied.before:  # the last event was not told in this language
            self._news(self.game.scene(applied.before), applied.before, spoken)
        news = self._news(scene, applied.after, spoken)
        done = self._done(applied)
        return [self._sentences(applied, done, scene, news, length) for length in lengths]

    def _news(self, scene: Scene, position: P, spoken: str) -> tuple[Answer, ...]:
        """Return the answers of a scene that have changed, unless only quiet; remember them all.

        At the start of a turn the brief answers are included, so that narration says whose turn
        it is even if the turn before was the same player's.
        """
        _, known = self._known.get(spoken, (None, {}))
        self._known[spoken] = position, {answer.key: answer.says for answer in scene.answers}
        begins = bool(scene.left)
        return tuple(
            answer
            for answer in scene.answers
            if (answer.brief or not answer.quiet)
            and (known.get(answer.key) != answer.says or (begins and answer.brief))
        )

    def _name(self, seat: int) -> str:
        """Return the name of a seat for a sentence; "" if nobody else plays."""
        return self.players[seat] if len(self.players) > 1 else ""

    def _sentences(
        self,
        applied: Applied[P, C],
        done: tuple[str, ...],
        scene: Scene,
        news: Iterable[Answer],
        length: Length,
    ) -> tuple[str, ...]:
        says, event = list(scene.says), applied.event
        if isinstance(event, Rolled) and scene.says_by:
            thrown, clause = says[0], scene.says_by
            if length is Length.BRIEF:  # the pips alone
                pips = listed(event.roll.pips)
                if len(event.roll.pips) > 1 and scene.sums:
                    pips = gettext("{pips}, {total}", pips=pips, total=event.roll.total)
                thrown = clause = gettext("{pips}.", pips=pips)
            says[0] = by(self._name(applied.seat), thrown, clause)
        elif isinstance(event, Chosen) and scene.says_by:
            del says[0]  # the throw has been told before the choice
        if length is Length.BRIEF:
            says = [sentence for sentence in says if sentence != scene.board]
        if length is Length.FULL:
            says += [one for one in (scene.board, scene.score) if one not in says]
        return (*done, *says, *_changed(news, length))

    def _done(self, applied: Applied[P, C]) -> tuple[str, ...]:
        """Return the sentence about an event, with the player's name if any; () for a throw."""
        name = self._name(applied.seat)
        match applied.event:
            case Chosen(choice=choice):
                offer = applied.offer or offered(self.game, applied.before, choice)
                return (by(name, offer.done, offer.done_by),)
            case TookBack():
                says = gettext_noop("{name} takes the choice back.")
                return (gettext(says, name=name) if name else gettext("The choice is taken back."),)
            case Corrected():
                says = gettext_noop("{name} corrects the dice.")
                return (gettext(says, name=name) if name else gettext("The dice are corrected."),)
        return ()


def _changed(news: Iterable[Answer], length: Length) -> Iterator[str]:
    """Yield the texts of changed answers: the brief ones if the length is BRIEF, else the loud."""
    brief = length is Length.BRIEF
    return (answer.says for answer in news if (answer.brief if brief else not answer.quiet))


def narrate(
    game: Game[P, C],
    log: Sequence[Event[C]],
    names: Sequence[str],
    length: Length = Length.NORMAL,
    *,
    start: P | None = None,
) -> Iterator[tuple[str, ...]]:
    """Yield the sentences at `start`, then after each event. Raises what `Play.prepare` raises."""
    narrator = Narrator(game, names, length)
    yield narrator.begin(start)
    yield from map(narrator.after, replayed(game, log, start))
