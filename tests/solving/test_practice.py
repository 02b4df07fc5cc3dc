"""Practice: the questions, how they are drawn, and which are repeated."""

import random
from collections import Counter
from typing import Any

import pytest

import shutbox
from shutbox import Choose
from shutbox.engine.cups import SeededCup
from shutbox.engine.errors import ImpossiblePosition, NotUnderstood
from shutbox.solving.advice.ranking import advice
from shutbox.solving.practice import Deck, Question, practice
from shutbox.solving.practice_tally import GAPS, MOST_MISSED, PracticeTally
from shutbox.solving.strategy.fixed import rank_by_highest
from shutbox.table.lookup import find_any
from truth import places

# Which questions there are.


def test_the_questions_of_classic_are_those_that_were_counted() -> None:
    # Counted by boards and totals: with how many dice a total fell is no matter.
    game = shutbox.find("classic")
    deck = practice(game)
    boards, covers, asked, highest_is_wrong, of_dice = (set[Any]() for _ in range(5))
    for position in places(game):
        if position.up:
            boards.add(position.up)
        awaited = game.awaits(position)
        if not isinstance(awaited, Choose) or len(awaited.choices) < 2:
            continue
        question = deck.question(position)
        if position.roll is None:
            assert question is not None
            of_dice.add(question.key)
            continue
        place = position.up, position.roll.total
        covers.add(place)
        if question is None:
            continue
        asked.add(question.key)
        offers = game.scene(position).numbers_taken()
        highest = max(range(len(offers)), key=lambda number: rank_by_highest(offers[number]))
        if question.costs[highest][1]:
            highest_is_wrong.add(place)
    assert (len(boards), len(covers), len(highest_is_wrong)) == (510, 1766, 206)
    assert (len(asked), len(of_dice)) == (1762, 63), "four of the covers are equally good"


@pytest.mark.parametrize("name", ["classic", "cargo(hold=each)"])
def test_costs_are_those_of_advice(name: str) -> None:
    deck = practice(find_any(name))
    chance = random.Random("costs")
    positions = [p for p in places(deck.game) if isinstance(deck.game.awaits(p), Choose)]
    for position in chance.sample(positions, 40):
        question = deck.question(position)
        ranked = advice(deck.solution, position).ranked
        costs = {one.text: one.cost for one in ranked}
        if question is None:
            assert not any(costs.values())
        else:
            assert dict(question.costs) == costs
            assert min(costs.values()) == 0 < max(costs.values())
            awaited: Any = deck.game.awaits(position)
            texts = list(map(deck.game.choice_text, awaited.choices))
            assert [text for text, _ in question.costs] == texts
            assert ranked[0].text in question.right
            assert deck.question(question.id) == question
            assert deck.question(f"{deck.game.name}:{question.id}") == question


def test_a_text_of_no_position_is_refused() -> None:
    deck = practice(shutbox.find("classic"))
    for text in ("x", "1.2/6+7", "six:1.2/1+2"):
        with pytest.raises((NotUnderstood, ImpossiblePosition)):
            deck.question(text)


# How they are drawn.


def drawn(deck: Deck, seed: str, number: int) -> list[Question]:
    cup = SeededCup(seed)
    return [deck.draw(cup) for _ in range(number)]


def test_a_seed_draws_the_same_questions() -> None:
    deck = practice(shutbox.find("classic"))
    assert drawn(deck, "attic", 10) == drawn(deck, "attic", 10) != drawn(deck, "cellar", 10)


def test_what_comes_up_often_is_asked_often() -> None:
    # A first throw of 7 is asked about as often as it falls against one of 3, three times; both
    # with turns that hold about as many other questions.
    deck = practice(shutbox.find("classic"))
    first = [
        q.position for q in drawn(deck, "often", 1500) if q.position.up == deck.game.start().up
    ]
    totals = Counter(position.roll.total for position in first)
    assert 1.5 < totals[7] / totals[3] < 6
    assert 100 < len(first) < 1000


def test_a_question_of_late_is_not_drawn_again() -> None:
    deck = practice(shutbox.find("six"))
    cup, lately = SeededCup("late"), set[Any]()
    every = {q.key for position in places(deck.game) if (q := deck.question(position))}
    for _ in range(15):
        question = deck.draw(cup, lately)
        assert question.key not in lately
        lately.add(question.key)
    assert deck.draw(cup, every).key in every, "where all came of late one comes again"


# What is asked again.


def test_what_was_missed_comes_again_later_and_later() -> None:
    tally = PracticeTally().answered("a", cost=0.5)
    came = []
    while tally.missed:
        if tally.due_id == "a":
            came.append(tally.asked)
            tally = tally.answered("a", cost=0)
        else:
            tally = tally.answered(f"other {tally.asked}", cost=0)
    first, second, third = GAPS
    expected = [1 + first, 2 + first + second, 3 + first + second + third]
    assert came == expected
    assert tally.right == tally.asked - 1


def test_missed_once_more_it_begins_again_and_right_after_a_hint_is_not_right() -> None:
    tally = PracticeTally().answered("a", cost=1).answered("a", cost=0).answered("a", cost=0)
    assert [missed.rights for missed in tally.missed] == [2]
    [missed] = tally.answered("a", cost=1).missed
    assert (missed.rights, missed.due) == (0, 4 + GAPS[0])
    tally = PracticeTally().answered("a", cost=0, hinted=True)
    assert (tally.asked, tally.right, tally.row) == (1, 0, 0)
    assert [missed.id for missed in tally.missed] == ["a"]


def test_no_more_are_asked_again_than_anybody_can_learn() -> None:
    tally = PracticeTally()
    for number in range(MOST_MISSED + 5):
        tally = tally.answered(str(number), cost=1)
    assert [missed.id for missed in tally.missed[:2]] == ["5", "6"]
    assert len(tally.missed) == MOST_MISSED
