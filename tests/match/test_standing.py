"""Every sentence and figure about the standing of a match, compared with one computed by hand,
and its chips, which are never created or lost.

Random matches of every format and preset are played. After every event, all statements about the
lead, the score to beat, the totals and certain winners are compared with `standing_by_hand`, which
sees only the events. A player called safe must win in the end.
"""

import itertools
import random
import re
from dataclasses import dataclass, fields
from typing import Any

import pytest
from test_matches import NAMES, QUESTIONS, random_match

from nightly import one_in
from shutbox import Choose, Over, Throw, find
from shutbox.engine.cups import SeededCup
from shutbox.engine.scene import Scene
from shutbox.match import (
    CHIPS,
    EVERYBODY,
    GOALS,
    ROUND,
    TO_BEAT,
    WHOSE,
    Format,
    Match,
    Standing,
    Tally,
    Until,
    WithoutChips,
    presets,
)
from shutbox.match.scoreboard import Scoreboard, scoreboard
from shutbox.match.standing import Ended
from shutbox.table import Table
from shutbox.table.lookup import match_of
from shutbox.web.rooms.table_view import TableView, table_view
from standing_by_hand import ByHand

SMALL, NAMED = 1500, 60
"""How many matches of small games, and of presets and boxes as they are played."""
PER_TEST = 20
PLAYED = (
    *("classic:rounds=3", "markers:rounds=4", "cargo:rounds=3", "classic:limit=60,end=stop"),
    *("covered:target=80", "covered:target=60,end=stop", "two-dice:rounds=2,ties=throw-off"),
    *(
        "lucky-seven:until=shut,rounds=4",
        "classic:rounds=2,limit=50",
        "two-dice:wins=2,shut=wins",
        "ship-captain-crew:target=20",
    ),
)
"""Games as they are played, under formats that the presets do not have."""


def named_match(seed: int) -> Match[Any, Any]:
    """A preset, or a game as it is played under one more format."""
    chance = random.Random(seed)
    names = NAMES[: chance.choice([2, 2, 3, 4])]
    whole = [name for name, row in presets().items() if not row.format.has_rows]
    name = [*whole, *PLAYED][seed % (len(whole) + len(PLAYED))]
    if name in whole:
        return match_of(name, names)
    game, format = name.split(":")
    return Match(find(game), Format.parse(format), names)


@dataclass
class Told:
    """All that a match tells of how it stands, after one event."""

    scene: Scene
    view: TableView
    names: tuple[str, ...]
    shut: str

    def says(self, key: str) -> str:
        return next(answer.says for answer in self.scene.answers if answer.key == key)

    def seats(self, words: str) -> set[int]:
        """The seats of the names in a list such as `Ann, Bob and Cleo`."""
        return {self.names.index(name) for name in re.split(", | and ", words)}

    def pairs(self, words: str) -> dict[int, int]:
        """The numbers of the seats in `Ann has 97; Bob is out at 120`."""
        found = re.findall(r"(\w+) (?:has|had|is out at) (-?\d+)", words)
        found += [(name, "0") for name in re.findall(r"(\w+) has reached the limit", words)]
        return {self.names.index(name): int(number) for name, number in found}


def check(hand: ByHand, told: Told, due: int | None) -> None:
    """Hold everything that is told against what was added up by hand."""
    check_scores(hand, told)
    check_to_beat(hand, told, due)
    check_figures(hand, told, due)
    check_goals(hand, told, due)
    over = hand.winners
    assert [*told.view.winners] == over
    if over:
        words = " and ".join(told.names[seat] for seat in over)
        whose = re.fullmatch(r"The match is over: (.*) (has won|share the win)\.", told.says(WHOSE))
        if len(told.names) > 1:
            assert whose, words
            assert told.seats(whose[1]) == {*over}
        assert told.view.scores == tuple(map(str, hand.totals))
        check_card(hand, told)


def check_scores(hand: ByHand, told: Told) -> None:
    """What everybody scored in this round, and has in all."""
    standing, to_come = told.says(ROUND), hand.to_come
    assert told.pairs(standing) == hand.scores
    waits = re.search(r"(?:: |; |^)([\w, ]+) to come", standing)
    begins = re.search(r"(?:: |^)(\w+) first, then ([\w, ]+)", standing)
    waiting = told.seats(waits[1]) if waits else set()
    if begins:
        waiting |= told.seats(begins[1]) | told.seats(begins[2])
    is_over = bool(hand.winners) or (hand.decides == "match") or hand.seats == 1
    assert waiting == (set() if is_over else to_come)
    rests = re.search(r"(?:: |; |^)([\w, ]+) not playing", standing)
    assert (told.seats(rests[1]) if rests else set()) == hand.resting
    if hand.format.most_rounds > 1:
        done = hand.wins or hand.winners or hand.decides == "match"
        now = hand.totals if done else map(hand.now, range(hand.seats))
        assert told.pairs(told.says(EVERYBODY)) == dict(enumerate(now))


def check_to_beat(hand: ByHand, told: Told, due: int | None) -> None:
    says, safe = told.says(TO_BEAT), hand.certain()
    leaders = hand.leaders()
    if hand.winners:
        assert says == "The match is over."
    elif hand.contest:
        if hand.rolls:
            assert says == f"The throw to beat is {max(hand.rolls.values())}."
        else:
            assert re.fullmatch(r"\w+ throws first: there is no throw to beat yet\.", says)
    elif found := re.fullmatch(r"(\w+) cannot lose any more\.", says):
        assert hand.wins
        assert told.seats(found[1]) == {safe}
    elif found := re.fullmatch(
        r"(\w+) has (-?\d+) in all; (\w+) has (-?\d+) and cannot lose any more\.", says
    ):
        [other], [one] = told.seats(found[1]), told.seats(found[3])
        assert (hand.now(other), hand.now(one)) == (int(found[2]), int(found[4]))
        assert safe == one or (safe is None and hand.format.limit is not None)
        assert hand.pick(hand.inside - {one}, hand.now)[0] <= other
    else:
        assert safe is None or due_without_chips(told), says
        check_race(hand, told, due, says, leaders)


def due_without_chips(told: Told) -> bool:
    """Whether somebody is asked what to do without chips: who can leave can lose."""
    return any(offer.kind == "leave" for offer in told.scene.offers)


def check_race(hand: ByHand, told: Told, due: int | None, says: str, leaders: set[int]) -> None:
    """What is told while it is open who wins."""
    end = hand.format.target or hand.format.limit
    assert due is not None
    scores = (hand.best, hand.worst)
    if re.fullmatch(r".* (?:to go|\d+ left|reached the limit)\.", says):
        assert end is not None
        now = {seat: hand.now(seat) for seat in hand.inside}
        assert told.pairs(says) == {seat: max(0, end - now[seat]) for seat in now}
        assert hand.format.target is None or max(now.values()) < end
    elif found := re.fullmatch(
        r"(.*) leads?(?: with|,) ([^;]*?)\.(?: (\w+) needs (.*) to lead\.)?", says
    ):
        assert told.seats(found[1]) == leaders
        [first, *_] = leaders
        assert found[2] == (told.shut if hand.would_win_by_shut() else str(hand.now(first)))
        if found[3]:
            assert told.seats(found[3]) == {due}
            check_needed(hand, found[4], due, hand.now(first))
        elif found[2].isdecimal() and first in hand.scores and due not in hand.scores:
            assert not any(hand.better(hand.now(due) + score, hand.now(first)) for score in scores)
    elif found := re.fullmatch(
        r"(.*) ha(?:s|ve) (-?\d+)(?: each)?, the total to beat\. (\w+) (.*)\.", says
    ):
        assert not leaders
        best = hand.pick(hand.inside - hand.to_come, hand.sure)
        assert told.seats(found[1]) == {*best}
        assert int(found[2]) == hand.sure(best[0])
        assert told.seats(found[3]) == {due}
        check_needed(hand, found[4], due, int(found[2]))
    elif found := re.fullmatch(r"(.*) are level with (-?\d+)\.", says):
        assert told.seats(found[1]) == hand.inside
        assert {hand.now(seat) for seat in hand.inside} == {int(found[2])}
        assert not hand.scores
    elif says.startswith("Totals: "):
        assert hand.resting
        assert not leaders
        assert says == told.says(EVERYBODY)
    else:
        opening = re.fullmatch(r"(?:(\w+) plays first: t|T)here is no score to beat yet\.", says)
        assert opening
        assert bool(opening[1]) == (not hand.scores and not due_without_chips(told))
        assert not opening[1] or told.seats(opening[1]) == {due}
        assert not leaders
        by_shut = hand.format.until is Until.SHUT and hand.format.rounds is None
        assert by_shut or hand.wins or (hand.round == 1 and not hand.scores) or hand.seats == 1


def check_needed(hand: ByHand, words: str, due: int, total: int) -> None:
    """The scores that are said to be enough are those that are."""
    low, high = sorted((hand.best, hand.worst))
    enough = {s for s in range(low, high + 1) if hand.better(hand.now(due) + s, total)}
    words = words.removeprefix("needs ").removesuffix(" to lead")
    if words == "cannot get ahead in this round":
        assert not enough
        return
    said = re.fullmatch(r"(-?\d+)( or less| or more)?", words)
    assert said, words
    number = int(said[1])
    ends = {" or less": (low, number), " or more": (number, high)}.get(said[2], (number, number))
    assert enough == {*range(ends[0], ends[1] + 1)}


def check_goals(hand: ByHand, told: Told, due: int | None) -> None:
    """What every later player of the round needs, after what the player who is due needs."""
    says = told.says(GOALS).removeprefix(told.says(TO_BEAT)) if len(told.names) > 2 else ""
    goals = re.findall(r" (\w+) (needs|gets ahead with|cannot get ahead)(?: ([^.]*))?\.", says)
    assert says == "".join(f" {' '.join(filter(None, goal))}." for goal in goals)
    for name, verb, words in goals:
        [seat] = told.seats(name)
        assert seat in hand.to_come
        best = hand.sure(hand.pick(hand.inside - hand.to_come, hand.sure)[0])
        words = f"{verb} {words}" if verb == "cannot get ahead" else words
        check_needed(hand, words, seat, best)
    if goals or " to lead." in told.says(TO_BEAT):
        assert {told.names.index(goal[0]) for goal in goals} == hand.to_come - {due}


def check_board(hand: ByHand, told: Told, board: Scoreboard) -> None:
    """The figures that terminal and page show of every player."""
    done = hand.winners or (hand.contest and hand.decides == "match")
    assert board.totals == tuple(
        hand.totals[seat] if done or hand.wins else hand.now(seat) for seat in range(hand.seats)
    )
    assert {*board.leaders} == hand.leaders() | {*hand.winners}
    for seat, needed in enumerate(board.needs):
        if needed is not None:
            assert seat in hand.to_come
            best = hand.sure(hand.pick(hand.inside - hand.to_come, hand.sure)[0])
            assert hand.better(hand.now(seat) + needed, best)
            assert not hand.better(hand.now(seat) + needed + (1 if hand.low else -1), best)
    is_safe = board.decided is not None and not hand.contest
    assert is_safe == ("cannot lose any more" in told.says(TO_BEAT))


def check_figures(hand: ByHand, told: Told, due: int | None) -> None:
    """The plates and the brass tag."""
    view, leaders = told.view, hand.leaders() | {*hand.winners}
    assert {seat for seat, plate in enumerate(view.plates) if plate.leads} == leaders
    assert {seat for seat, plate in enumerate(view.plates) if plate.won} == {*hand.winners}
    for seat, plate in enumerate(view.plates):
        assert plate.total == (hand.totals[seat] if hand.format.most_rounds > 1 else None)
        if plate.state in ("threw", "first"):
            assert plate.points == sum(plate.dice)  # until the first throw of the first turn
        elif seat != due or hand.contest:
            assert plate.points == hand.scores.get(seat)
    won = {hand.scores.get(seat) for seat in hand.winners}
    assert view.remaining is None or view.remaining in won
    end = hand.format.target or hand.format.limit or 0
    match view.beat_says:
        case "":
            assert view.beat is None
        case "to beat" if hand.contest:
            assert view.beat == max(hand.rolls.values())
        case "to beat":
            holders = [seat for seat in hand.inside if hand.now(seat) == view.beat]
            assert set(holders) - {due}
            assert due is not None
            assert due not in leaders
            worst = hand.now(due) + hand.worst
            assert hand.round == 1 or not hand.better(worst, view.beat or 0) or leaders
        case _:
            assert due is not None
            assert view.beat == max(0, end - hand.now(due))


def check_card(hand: ByHand, told: Told) -> None:
    """The order of the card at the end: the winners, then by totals, and who has left last."""
    ranking = [*told.view.ranking]
    assert sorted(ranking) == [*range(hand.seats)]
    assert {*ranking[: len(hand.winners)]} == {*hand.winners}
    others = [seat for seat in ranking[len(hand.winners) :] if seat not in hand.gone]
    assert ranking[len(hand.winners) + len(others) :] == sorted(hand.gone, key=ranking.index)
    for one, two in itertools.pairwise(others):
        assert one in hand.ahead((one, two))


class Books:
    """The chips of a match: those that lie there are those that the bank has given."""

    def __init__(self, match: Match[Any, Any]) -> None:
        self.match, self.filled = match, match.format.purses(len(match.players))
        self.bought = 0
        self.check(None, match.start())

    def check(self, choice: Any, after: Any) -> None:
        """Hold the chips after an event, and after all that follows by itself, against those."""
        self.bought += choice is WithoutChips.BUY
        settled = self.match.settled(after)
        assert self.match.settled(settled.position).position == settled.position
        for here in (after, settled.position):
            purses = [tally.chips for tally in here.tallies]
            assert min(*purses, here.pot) >= 0
            assert sum(purses) + here.pot == sum(self.filled) + self.bought * max(self.filled)


def questions_of(match: Match[Any, Any]) -> list[str]:
    """The questions that are answered all through a match, in order."""
    wanted = QUESTIONS | ({CHIPS} if match.format.stake else set())
    wanted |= {EVERYBODY} if match.format.most_rounds > 1 else set()
    wanted |= {GOALS} if len(match.players) > 2 else set()
    found = [answer.key for answer in match.scene(match.start()).answers]
    assert {*found} == wanted
    return found


def check_answers(told: Told, questions: list[str]) -> None:
    """The questions are the same everywhere, and answered in whole sentences."""
    assert [answer.key for answer in told.scene.answers] == questions
    for answer in told.scene.answers:
        assert re.fullmatch(r"[A-Z0-9][^\n]*[^. ]\.", answer.says), answer
        assert answer.says.isprintable()
        assert "  " not in answer.says
        assert re.fullmatch(r"[a-z][a-z ]+[a-z]", answer.about)


def play(match: Match[Any, Any], seed: int) -> None:
    """Play a match by chance and check it after every event."""
    chance, table = random.Random(seed), Table(match, SeededCup(str(seed)))
    hand, safe = ByHand(match.game, match.format, len(match.players)), set()
    books, questions = Books(match), questions_of(match)
    while True:
        told = Told(table.scene, table_view(table, 1, ()), match.players, match.shut)
        check(hand, told, table.due)
        check_answers(told, questions)
        board = scoreboard(match, table.position)
        check_board(hand, told, board)
        if board.decided is not None:
            safe.add((board.decided,))
        choice = None
        match table.awaits:
            case Throw(seat=seat):
                hand.roll(seat, table.throw(seat=seat))
            case Choose(choices=choices, seat=seat):
                choice = chance.choice(choices)
                table.choose(match.choice_text(choice), seat=seat)
                hand.choose(seat, choice)
            case Over(winners=winners, scores=scores):
                assert safe <= {winners}
                end = match.settled(table.position).position
                assert (end.doing, end.pot) == (Ended(winners), 0)
                assert scores == tuple(tally.total for tally in end.tallies)
                check_rematch(match, match.rematch(table.position), end)
                return
        books.check(choice, table.position)


def check_rematch(match: Match[Any, Any], again: Match[Any, Any], end: Standing[Any]) -> None:
    """It goes on with the chips that are there, and the next seat begins, if no throw decides."""
    seats = len(match.players)
    chips = [tally.chips for tally in end.tallies]
    if max(chips) < match.format.needed:
        chips = list(match.format.purses(seats))
    assert again.players == match.players
    assert again.start().tallies == tuple(Tally(chips=count) for count in chips)
    first = 0 if match.format.high_roll else (match.start().first + 1) % seats
    assert again.start().first == first
    for key in {atom.name for atom in fields(Format)} - {"begins", "purse"}:
        assert getattr(again.format, key) == getattr(match.format, key), key
    assert Format.parse(str(again.format)) == again.format


@pytest.mark.parametrize("first", one_in(5, range(0, SMALL, PER_TEST), drawn=True))
def test_what_is_told_of_small_matches_is_so(first: int) -> None:
    for seed in range(first, first + PER_TEST):
        play(random_match(seed), seed)


@pytest.mark.parametrize("first", one_in(2, range(0, NAMED, PER_TEST)))
def test_what_is_told_of_matches_as_they_are_played_is_so(first: int) -> None:
    for seed in range(first, first + PER_TEST):
        play(named_match(seed), seed)
