"""The narration of a play: the sentences at the start, and then after each event.

The sentences are the same in a terminal during play, on a page, and years later from a record.
Names are said only if more than one seat plays. A narration has one of three lengths.
"""

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Sequence
from itertools import chain
from typing import Generic, TypeAlias

from shutbox.engine.dice import Roll, throw_words
from shutbox.engine.english import Word, capital, listed
from shutbox.engine.game import C, Choose, Game, P, check_game, offer_of, open_choices
from shutbox.engine.messages import gettext, language
from shutbox.engine.play import Applied, Chosen, Corrected, Event, Rolled, TookBack, replay_log
from shutbox.engine.scene import THROWS, AskableFact, Kind, Offer, Scene, State, by


class Length(Word):
    """The length of the narration of an event."""

    BRIEF = "brief"  # what happened, and whose turn it is
    NORMAL = "normal"  # also every other answer of the scene that has changed and is not quiet
    FULL = "full"  # also the board and the score after every event


Ear: TypeAlias = tuple[Length, bool]  # a listener: the length, and whether it is the acting player


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

    Raises NotUnderstood for an object that is not a game.
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
        self._position: dict[str, P] = {}  # of the last scene, by the language it was told in
        self._answers: dict[str, dict[str, str]] = {}  # its answers by key, by that language

    def begin(self, position: P | None = None) -> tuple[str, ...]:
        """Return the first sentences of a play, which begins at `position`, by default the start.

        They are the title, the special rules to know before the first throw, what the first scene
        says, and its answers that are not `quiet` (if BRIEF: those that are `brief`).
        """
        start = self.game.start() if position is None else position
        scene = self.game.scene(start)
        self._remember(scene, start)
        card, facts = self.game.card(), _told_at(self.length, scene.answers)
        title = gettext("{title}.", title=card.title)
        return (title, *card.beware, *scene.says, *(fact.says for fact in facts))

    def resume(self, position: P) -> tuple[str, ...]:
        """Return the sentences that resume a play: whose turn it is, the board, the last event.

        Unless the length is BRIEF, the other answers of the scene that are not quiet come first.
        """
        scene = self.game.scene(position)
        board = () if scene.board in scene.says else (scene.board,)
        facts = _told_at(self.length, self._news(scene))
        self._remember(scene, position)
        first = (fact.says for fact in facts if fact.brief)
        rest = (fact.says for fact in facts if not fact.brief)
        due = self.game.awaits(position)
        # The player of a choice is the one who threw, to whom `scene.own` speaks.
        threw = isinstance(due, Choose) and due.seat in (self.own or ())
        return (*rest, *first, *board, *((threw and scene.own) or scene.says))

    def after(self, applied: Applied[P, C], scene: Scene | None = None) -> tuple[str, ...]:
        """Return the sentences after an event: first the event, then its result.

        `scene` is the scene of the position after the event, if the caller has it.
        """
        at = self.length, applied.seat in (self.own or ())
        [says] = self.after_at(applied, scene or self.game.scene(applied.after), [at])
        return says

    def after_at(
        self, applied: Applied[P, C], scene: Scene, ears: Collection[Ear]
    ) -> list[tuple[str, ...]]:
        """Return the sentences of `after` for each ear, in their order.

        The player who acted is "you", and is not named.
        """
        # An event can have been told in another language only. Without any, every fact is news.
        if self._position and self._position.get(language()) != applied.before:
            self._remember(self.game.scene(applied.before), applied.before)
        news = self._news(scene)
        self._remember(scene, applied.after)
        return [self._sentences(applied, scene, news, ear) for ear in ears]

    def _remember(self, scene: Scene, position: P) -> None:
        self._position[language()] = position
        self._answers[language()] = {fact.key: fact.says for fact in scene.answers}

    def _news(self, scene: Scene) -> list[AskableFact]:
        """Return the answers of a scene that have changed since the last one in this language.

        At the start of a turn the brief answers are included, so that narration says whose turn
        it is even if the turn before was the same player's.
        """
        known, begins = self._answers.get(language(), {}), bool(scene.left)
        return [f for f in scene.answers if known.get(f.key) != f.says or (begins and f.brief)]

    def _sentences(
        self, applied: Applied[P, C], scene: Scene, news: Sequence[AskableFact], ear: Ear
    ) -> tuple[str, ...]:
        length, own = ear
        says = (own and scene.own) or scene.says
        name = self.players[applied.seat] if self.players[1:] and not own else ""
        is_late = scene.each_throw and not own and applied.seat in self.late
        match applied.event:
            case Rolled() if is_late and scene.draws_dice and scene.offers and not says[1:]:
                return ()  # it is told with the choice
            case Rolled(roll=roll) if scene.says_by:
                says = by(name, *_thrown(roll, scene, says[0], length, own=own)), *says[1:]
            case Rolled(roll=roll) if not scene.draws_dice:  # nor does it say what fell
                says = by(name, *_thrown(roll, scene, "", length, own=own)), *says
            case Chosen(choice=choice):
                offer = applied.offer or offer_of(self.game, applied.before, choice)
                says = self._with_choice(offer, applied.before, scene, says, name, is_late)
            case TookBack():
                says = self._take_back(name, applied, scene), *says
            case Corrected():
                done = gettext("The dice are corrected.")
                says = gettext("{name}: corrects the dice.", name=name) if name else done, *says
        facts = _told_at(length, news)
        reopened = scene.again if scene.left and length is Length.NORMAL else ""
        due = chain.from_iterable(fact.seats for fact in scene.answers if fact.brief)
        if scene.each_throw and scene.left and {*due} <= {*self.unannounced}:
            facts, reopened = [fact for fact in facts if not fact.brief], ""
        if length is Length.BRIEF:
            says = tuple(sentence for sentence in says if sentence != scene.board)
        if length is Length.FULL:
            says = *says, *(text for text in (scene.board, scene.score) if text not in says)
        return tuple(filter(None, (*says, *(fact.says for fact in facts), reopened)))

    def _with_choice(
        self, offer: Offer, before: P, scene: Scene, says: Sequence[str], name: str, is_late: bool
    ) -> tuple[str, ...]:
        """Return the sentences on a choice, then those that the scene `says` without repeats."""
        throws = offer.kind in THROWS
        known = self.game.scene(before).says if throws and not scene.draws_dice else ()
        board = scene.board if _leaves_no_doubt(offer, scene) else ""
        # If the scene is about a throw, that was told before the choice.
        rest = [s for s in says[bool(scene.says_by) :] if s not in known and s != board]
        if is_late and (dice := self._dice_told_late(before)):
            return by(name, "", gettext("{pips}.", pips=dice)), offer.done, *rest
        if throws and scene.draws_dice and self.own is not None:
            return tuple(rest)  # the next throw tells it
        return by(name, offer.done, offer.done_by), *rest

    def _take_back(self, name: str, applied: Applied[P, C], scene: Scene) -> str:
        """Return the sentence on a choice that was taken back."""
        at = applied.after
        reached = [self.game.chosen(at, c) for c in open_choices(self.game.awaits(at), at)]
        undone = scene.offers[reached.index(applied.before)].says
        if not name:
            return gettext("Taken back: {choice}.", choice=undone)
        # Translators: {choice} is such as "3 and 5", which are tiles.
        return gettext("{name}: takes back {choice}.", name=name, choice=undone)

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


def _leaves_no_doubt(offer: Offer, scene: Scene) -> bool:
    """Whether nothing but the tiles of `offer` is down, so that it says which are up.

    With two rows it does not: a tile behind has come to light.
    """
    down = {piece.key for piece in scene.pieces if piece.state is State.DOWN}
    return bool(down) and down == {*offer.takes} and len({p.row for p in scene.pieces}) == 1


def _told_at(length: Length, facts: Iterable[AskableFact]) -> list[AskableFact]:
    """Return the facts told at a length: the brief ones if BRIEF, else those that are not quiet."""
    return [f for f in facts if (f.brief if length is Length.BRIEF else not f.quiet)]


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
