"""The narration of a play: the sentences at the start, and then after each event.

The sentences are the same in a terminal during play, on a page, and years later from a record.
Names are said only if more than one seat plays. A narration has one of three lengths.
"""

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Sequence
from itertools import chain
from typing import Generic

from shutbox.engine.dice import Roll, throw_words
from shutbox.engine.english import Word, capital, listed
from shutbox.engine.game import C, Choose, Game, P, check_game, offer_of, open_choices
from shutbox.engine.messages import gettext, language
from shutbox.engine.play import Applied, Chosen, Corrected, Event, Rolled, TookBack, replay_log
from shutbox.engine.scene import THROWS, AskableFact, Kind, Scene, State, by


class Length(Word):
    """The length of the narration of an event."""

    BRIEF = "brief"  # what happened, and whose turn it is
    NORMAL = "normal"  # also every other answer of the scene that has changed and is not quiet
    FULL = "full"  # also the board and the score after every event


class Narrator(Generic[P, C]):
    """The narrator of one play of `game`, event by event; `players` are the names of the seats.

    `own` are the seats that it speaks to as "you"; None for a record, which tells every choice.
    With one throw each, it tells others of a throw of the seats in `late` only with its choice, and
    does not tell that the seats in `unannounced` are due.

    >>> from shutbox import Table, find
    >>> from shutbox.engine.cups import ScriptCup
    >>> table = Table(find("classic"), ScriptCup(["1+2"]))
    >>> narrator = Narrator(table.game, ["Ann"])
    >>> narrator.begin()
    ('Classic.', '1 to 9 are up.')
    >>> narrator.after(table.apply(table.prepare_throw()))
    ('Threw 1 and 2, 3.',)
    >>> narrator.after(table.apply(table.prepare_choice("3")))
    ('3 goes down.',)
    """

    def __init__(
        self,
        game: Game[P, C],
        players: Sequence[str],
        length: Length = Length.NORMAL,
        own: Collection[int] | None = None,
        late: Collection[int] = (),
        unannounced: Collection[int] = (),
    ) -> None:
        check_game(game)
        self.game = game
        self.players = tuple(players)
        self.length, self.own, self.late, self.unannounced = length, own, late, unannounced
        # By language: the position of the previous scene, and its answers.
        self._known: dict[str, tuple[P | None, dict[str, str]]] = {}

    def begin(self, position: P | None = None) -> tuple[str, ...]:
        """Return the first sentences of a play, which begins at `position`, by default the start.

        They are the title, the special rules to know before the first throw, what the first scene
        says, and its answers that are not `quiet` (if BRIEF: those that are `brief`).
        """
        start = self.game.start() if position is None else position
        scene = self.game.scene(start)
        self._known.pop(language(), None)
        card = self.game.card()
        title, news = gettext("{title}.", title=card.title), self._news(scene, start, language())
        return (title, *card.beware, *scene.says, *_sentences_of(news, self.length))

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
        due = self.game.awaits(position)
        mine = isinstance(due, Choose) and due.seat in (self.own or ())
        return (*rest, *first, *board, *((mine and scene.own) or scene.says))

    def after(self, applied: Applied[P, C], scene: Scene | None = None) -> tuple[str, ...]:
        """Return the sentences after an event: first the event, then its result.

        `scene` is the scene of the position after the event, if the caller has it.
        """
        at = self.length, applied.seat in (self.own or ())
        [says] = self.after_at(applied, scene or self.game.scene(applied.after), [at])
        return says

    def after_at(
        self, applied: Applied[P, C], scene: Scene, ears: Collection[tuple[Length, bool]]
    ) -> list[tuple[str, ...]]:
        """Return the sentences of `after` for each ear: the length, and whether it is the player's.

        The player who acted is "you", and is not named.
        """
        at, _ = self._known.get(spoken := language(), (None, {}))
        if self._known and at != applied.before:  # the last event was not told in this language
            self._news(self.game.scene(applied.before), applied.before, spoken)
        news = self._news(scene, applied.after, spoken)
        return [self._sentences(applied, scene, news, *ear) for ear in ears]

    def _news(self, scene: Scene, position: P, spoken: str) -> tuple[AskableFact, ...]:
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

    def _sentences(
        self,
        applied: Applied[P, C],
        scene: Scene,
        news: Iterable[AskableFact],
        length: Length,
        own: bool,
    ) -> tuple[str, ...]:
        says, done = list((own and scene.own) or scene.says), ""
        name = self.players[applied.seat] if self.players[1:] and not own else ""
        is_late = scene.each_throw and not own and applied.seat in self.late
        match applied.event:
            case Rolled() if is_late and scene.draws_dice and scene.offers and not says[1:]:
                return ()  # it is told with the choice
            case Rolled(roll=roll) if scene.says_by:
                says[0] = by(name, *_thrown(roll, scene, says[0], length, own=own))
            case Rolled(roll=roll) if not scene.draws_dice:  # nor does it say what fell
                done = by(name, *_thrown(roll, scene, "", length, own=own))
            case Chosen(choice=choice):
                offer = applied.offer or offer_of(self.game, applied.before, choice)
                if scene.says_by:
                    del says[0]  # the throw has been told before the choice
                down = {piece.key for piece in scene.pieces if piece.state is State.DOWN}
                rows = {piece.row for piece in scene.pieces}  # a row behind has come to light
                if down and down == {*offer.takes} and len(rows) == 1:  # it says which are up
                    says = [sentence for sentence in says if sentence != scene.board]
                if is_late and (dice := self._dice_told_late(applied.before)):
                    done, says = by(name, "", gettext("{pips}.", pips=dice)), [offer.done, *says]
                elif offer.kind not in THROWS or self.own is None or not scene.draws_dice:
                    done = by(name, offer.done, offer.done_by)
                if offer.kind in THROWS and not scene.draws_dice:  # it repeats how things stood
                    known = self.game.scene(applied.before).says
                    says = [sentence for sentence in says if sentence not in known]
            case TookBack():
                undone = self._taken_back(applied, scene)
                done = gettext("Taken back: {choice}.", choice=undone)
                if name:
                    # Translators: {choice} is such as "3 and 5", which are tiles.
                    done = gettext("{name}: takes back {choice}.", name=name, choice=undone)
            case Corrected():
                done = gettext("The dice are corrected.")
                if name:
                    done = gettext("{name}: corrects the dice.", name=name)
        if length is Length.BRIEF:
            says = [sentence for sentence in says if sentence != scene.board]
        if length is Length.FULL:
            says += [text for text in (scene.board, scene.score) if text not in says]
        reopened = scene.again if scene.left and length is Length.NORMAL else ""
        whose = (answer.seats for answer in scene.answers if answer.brief)
        if scene.each_throw and scene.left and {*chain(*whose)} <= {*self.unannounced}:
            news, reopened = [answer for answer in news if not answer.brief], ""
        return (
            *filter(None, [done]),
            *says,
            *_sentences_of(news, length),
            *filter(None, [reopened]),
        )

    def _taken_back(self, applied: Applied[P, C], scene: Scene) -> str:
        """Return the choice that was taken back, as spoken."""
        at = applied.after
        choices = open_choices(self.game.awaits(at), at)
        undone = (self.game.chosen(at, choice) == applied.before for choice in choices)
        return next(offer.says for offer, is_it in zip(scene.offers, undone, strict=True) if is_it)

    def _dice_told_late(self, before: P) -> str:
        """Return the dice on the table before a choice; empty if their throw was told at once."""
        scene = self.game.scene(before)
        if scene.left or scene.says[1:]:
            return ""
        return listed(piece.face for piece in scene.lying if piece.kind is Kind.DIE)


def _thrown(roll: Roll, scene: Scene, says: str, length: Length, *, own: bool) -> tuple[str, str]:
    """Return a sentence on a throw, which the scene `says`, and a clause on it to follow a name."""
    pips, held = listed(roll.pips), list[int]()
    if scene.sums:  # then dice that have stayed count too
        lying = [piece.number or 0 for piece in scene.lying if piece.state is State.LYING]
        held = [*(Counter(lying) - Counter(roll.pips)).elements()]
        pips = throw_words(roll.pips, roll.total + sum(held), held)
    if length is Length.BRIEF:
        return (gettext("{pips}.", pips=pips),) * 2
    if not held and scene.says_by:
        return says, scene.says_by
    # Translators: follows a name and a colon, or begins a sentence.
    clause = gettext("threw {pips}.", pips=pips)
    return gettext("You threw {pips}.", pips=pips) if own else capital(clause), clause


def _sentences_of(news: Iterable[AskableFact], length: Length) -> Iterator[str]:
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
    yield from map(narrator.after, replay_log(game, log, start))
