"""The standing of a match in advice: facts of the position, and their sentences."""

from shutbox.match import TO_BEAT
from shutbox.match.race import Race
from shutbox.match.scoreboard import scoreboard, scoreboard_of_totals
from shutbox.solving.advice.adviser import Adviser
from shutbox.solving.advice.coach import Coach
from shutbox.table import Table
from shutbox.table.lookup import find_any, match_of
from shutbox.table.setup import answers_with_wins
from shutbox.web.compute import tasks
from shutbox.web.rooms.table_view import table_view

LAST = "3;0;0;20=9,18;t1;1-6/3"
"""The second turn of the last round: seat 1 has 18 and needs 10 or less to beat 29."""


STANDINGS = [
    ("race-200", "6;0;0;103,132;t0;1-9", "Ann 103, Bob 132: to win at 200"),
    ("race-200", "6;0;0;103=45,132;t1;1-9", "Ann 148, Bob 132: to win at 200"),
    ("knockout", "2;1;0;9,30;t1;1-9", "Ann 9, Bob 30, out at 45: to win"),
    ("markers-five", "5;1;0;100,90;t1;1-9", "Ann 100, Bob 90, round 5 of 5: to win"),
    (
        "classic[rounds=9,limit=80]",
        "2;1;0;9,30;t1;1-9",
        "Ann 9, Bob 30, out at 80, round 2 of 9: to win",
    ),
    (
        "covered[rounds=9,target=80]",
        "2;1;0;9,30;t1;1-9",
        "Ann 9, Bob 30, round 2 of 9: to win at 80",
    ),
    ("classic[wins=2]", "3;0;0;1=9,0;t1;1-9", "Ann 1, Bob 0, first to win 2 rounds: to win"),
]
WITHOUT = [
    ("classic", "1-9/3+4"),
    ("pub", ""),
    ("lucky-seven-night", "1;0;0;0,0;t0;7"),
    ("classic[seats=1,rounds=3]", "1;0;0;0;t0;1-9"),
    ("race-200", ""),
]
"""Where no totals decide."""


def test_the_standing_in_words() -> None:
    for name, at, words in STANDINGS:
        match = match_of(name, ["Ann", "Bob"])
        found = scoreboard_of_totals(match, match.position_at(at))
        assert found is not None, name
        assert found.words() == words
        assert found.words(["Cy", "Di"]) == words.replace("Ann", "Cy").replace("Bob", "Di")
    for name, at in WITHOUT:
        game = find_any(name)
        position = game.position_at(at) if at else game.start()
        assert scoreboard_of_totals(game, position) is None, name


def test_a_row_that_a_shut_row_cut_off_ranks_by_what_is_up_and_nobody_leads_before() -> None:
    match = match_of("family[seats=3]", ["Ann", "Bob", "Cleo"])
    rows = "19=19[9.10],0=0*[-],10[4.6]"
    end = match.position_at(f"1;0;0;{rows};won;1")
    assert Race(match.rules, end).ranking() == (1, 2, 0)
    assert scoreboard(match, match.position_at("1;0;0;0=19[9.10],0[4.6],0[5];t1;4.6")).leaders == ()


def test_advice_and_hints_begin_with_the_standing_and_cost_parts_of_the_win() -> None:
    match = match_of("six[rounds=3]", ["Ann", "Bob"])
    here, coach = match.position_at(LAST), Coach(match)
    advice = Adviser(match).advise(here)
    assert (advice.aim, advice.standing) == ("win", scoreboard_of_totals(match, here))
    assert advice.standing is not None
    assert (advice.standing.scores, advice.standing.needs) == ((9, None), (None, 10))
    assert advice.report()["standing"] == advice.standing.report()
    said = coach.hint(here, "ranked")
    assert said[0] == "Ann 29, Bob 18, round 3 of 3: to win, the best choice first."
    best, other = advice.ranked
    cost = f"{100 * float(other.cost):.1f} %"
    assert f", costs {cost};" in said[2]
    assert coach.judge(here, other.text)[:1] == (
        f"That costs {cost} of the win; best was {best.says}.",
    )


def test_a_worker_that_knows_no_names_says_those_of_the_table() -> None:
    for names in (["Ann", "Bob"], ["Cleo", "Dora"]):
        match = match_of("six[rounds=3]", names)
        said = tasks.hint(match, match.position_at(LAST), "ranked").says
        assert said[0].startswith(f"{names[0]} 29, {names[1]} 18, round 3")


def test_the_goals_end_with_the_games_of_the_evening() -> None:
    table = Table(match_of("six", ["Ann", "Bob"]))
    for wins, says in [((0, 0), ""), ((2, 1), " Games won this evening: Ann 2; Bob 1.")]:
        [goals] = [one for one in answers_with_wins(table, wins) if one.key == TO_BEAT]
        assert goals.says == f"Ann plays first: there is no score to beat yet.{says}"
        [shown] = [one for one in table_view(table, 1, (), wins).answers if one.key == TO_BEAT]
        assert shown.says == goals.says
