"""`shutbox review`: one record, many, in words, as JSON and as CSV."""

import csv
import re
from pathlib import Path
from typing import Any

import pytest

import shutbox
from commands import as_json, printed, ran, refused
from records import happen, header, random_play
from shutbox import Roll
from shutbox.engine.game import Game
from shutbox.engine.play import Chosen, Play, Rolled
from shutbox.engine.seats import Seat
from shutbox.record import Source, to_bytes
from shutbox.record.folder import Store
from shutbox.solving.review.report import THRESHOLDS, Unit
from shutbox.solving.review.review import Reviewer
from shutbox.solving.review.review_text import events, summary, try_again
from shutbox.solving.review.sums import mean_per_count, sum_reviews
from shutbox.table.lookup import find_any
from shutbox.table.setup import Sitting

DOCS = Path(__file__).parents[2] / "docs" / "review.md"
THREE = "six[seats=3,shut=wins]"


def kept(game: Game[Any, Any], log: Any, *seats: Seat, begun: str = "2026-11-21") -> None:
    """Keep a play as the newest game of one's own."""
    facts = {"program": "shutbox 0.1.0", "begun": f"{begun} 12:00:05 UTC"}
    journal = Store().begin(Sitting.begin(game, seats, Source(), **facts).header)
    with journal:
        play = Play(game)
        for event in log:
            happen(play, journal, event)


def mistaken(*, best: bool = False, over: bool = False) -> Play[Any, Any]:
    """A turn of classic with 4 and 4: the 8 is best, and 3 and 5 a blunder; `over`: then stuck."""
    classic = shutbox.find("classic")
    play = Play(classic, [Rolled(Roll((4, 4)))])
    play.happen(Chosen(classic.parse_choice(play.position, "8" if best else "3 5")))
    if over:
        play.happen(Rolled(Roll((1, 1))))
        play.happen(Chosen(classic.parse_choice(play.position, "2")))
        play.happen(Rolled(Roll((1, 1))))
    return play


def test_json_is_the_report_of_the_library() -> None:
    match = find_any(THREE)
    play = random_play(match, 1)
    kept(match, play.log, Seat("Ann"), Seat("Bob"), Seat("Cy"))
    assert as_json("review", "1") == {**shutbox.review(1).report(), "damage": None}


@pytest.mark.parametrize(
    "name", ["classic", "cargo", "covered", THREE, "six[seats=2,rounds=2,stake=1]"]
)
def test_every_review_can_be_told_and_its_moments_tried_again(name: str) -> None:
    review = Reviewer()
    found = [review.review(random_play(find_any(name), seed)) for seed in range(3)]
    for one in found:
        assert len(list(events(one))) == len(one.events) + 1
        assert [*summary(one)][1:]
    tried = next(one for one in found if one.costliest())
    moment = tried.costliest()[0]
    program, advise, position = try_again(tried, moment).split(" ")
    assert (program, advise) == ("shutbox", "advise")
    assert as_json(advise, position.strip("'"))["choices"][0]["choice"] == str(moment.best)


def test_luck_is_told_from_the_side_of_the_player() -> None:
    low, high = shutbox.find("classic"), shutbox.find("covered")
    for game in (low, high):
        play = Play(game, [Rolled(Roll((1, 1)))])
        found = shutbox.review(play)
        worth = found.events[0].delta[0]
        assert (worth > 0) == (game is low)  # a bad throw: the score goes up, and up is bad
        assert any("The dice took " in line for line in summary(found))


def test_many_records_are_summed_up_by_game() -> None:
    bad, good = mistaken(over=True), mistaken(best=True, over=True)
    robo = Seat("Robo", "most")
    for play, begun in ((bad, "2026-10-02"), (good, "2026-11-03"), (bad, "2026-11-04")):
        kept(play.game, play.log, Seat("Ann"), begun=begun)
    match = find_any("six[seats=2,rounds=2,stake=1]")
    kept(match, random_play(match, 1).log, Seat("Ann"), robo)
    kept(shutbox.find("tray"), random_play(shutbox.find("tray"), 1, 3).log, Seat("Ann"))
    kept(bad.game, mistaken().log, Seat("Ann"), begun="2026-11-05")  # given up, so not counted
    found = as_json("review")
    assert list(found) == ["groups", "records", "left_out"]
    assert [(g["player"], g["game"], g["unit"]) for g in found["groups"]] == [
        ("Ann", "classic", "points"),
        ("Ann", match.name, "points"),
    ]
    group, cost = found["groups"][0], float(shutbox.review(bad).seats[0].cost)
    assert (group["records"], group["turns"], group["counted"]) == (3, 3, 3)
    assert group["cost"] == pytest.approx(2 * cost)
    assert group["per_turn"]["mean"] == group["per_decision"]["mean"] == pytest.approx(cost * 2 / 3)
    assert group["grades"]["blunder"] == 2
    assert [out.partition(":")[0] for out in found["left_out"]] == ["game 5"]
    words = printed("review")
    assert "Ann at Classic: 4.05 points lost per turn and 4.05" in words
    why = "Dice Tray has no score, so there is nothing to review"
    assert f"Left out: game 5: {why}." in words
    assert "Robo at" in printed("review", "--player", "Robo")
    assert "Ann at Classic" in printed("review", "1", "2")


def test_no_game_is_solved_before_it_is_known_that_a_turn_counts(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(Reviewer, "review", lambda self, record: 1 / 0)
    play = mistaken(over=True)
    kept(play.game, play.log, Seat("Robo", "most"))
    kept(play.game, mistaken().log, Seat("Ann"))
    assert printed("review").startswith("No person has had a turn in these games; ")
    assert "those who have are Robo and Ann" in refused("review", "--player", "Zed")


def test_a_rematch_is_the_same_match() -> None:
    games = (find_any(f"six[seats=2,rounds=1,begins={begins}]") for begins in (1, 2))
    ann = header("six", Seat("Ann"))
    groups = sum_reviews((ann, shutbox.review(random_play(game, 1))) for game in games)
    assert [(group.game, group.loss.records) for group in groups] == [("six[seats=2,rounds=1]", 2)]


def test_the_intervals_hold_the_truth_as_often_as_they_say() -> None:
    import random

    chance, held = random.Random("intervals"), 0
    for _ in range(400):
        counts = [chance.randint(0, 3) for _ in range(60)]
        costs = [sum(chance.random() for _ in range(count)) for count in counts]
        found = mean_per_count(costs, counts, sum(counts))
        assert found is not None
        assert found.low is not None
        assert found.high is not None
        held += found.low <= 0.5 <= found.high
    assert 0.92 < held / 400 < 0.98


def test_no_record_at_all_and_bad_words(tmp_path: Path) -> None:
    assert printed("review") == "No games yet; shutbox play starts one.\n"
    assert "there is no game 7" in refused("review", "7")
    file = tmp_path / "bad.shutbox"
    file.write_bytes(b"what is this\n")
    assert "is not a shutbox record" in refused("review", str(file))
    file.write_bytes(to_bytes(header("tray"), shutbox.find("tray"), ()))
    assert "Dice Tray has no score" in refused("review", str(file))


def test_a_damaged_record_is_reviewed_as_far_as_it_is_sound(tmp_path: Path) -> None:
    play = mistaken()
    data = to_bytes(header("classic"), play.game, play.log)
    file = tmp_path / "damaged.shutbox"
    file.write_bytes(data[:-5] + b"0000\n")
    lines = printed("review", str(file)).splitlines()
    says = re.escape(str(file)) + " is damaged at line 9: .* What is before that counts."
    assert re.fullmatch(says, lines[1])
    assert lines[-1] == "1. Ann throws 4 and 4: lucky by 2.0 points."
    assert as_json("review", str(file))["damage"].startswith("line 9: ")
    kept(play.game, play.log, Seat("Ann"))
    assert re.search(says, printed("review", "1", str(file)))
    for records in ([str(file)], ["1", str(file)]):
        done = ran("review", *records, "-o", str(tmp_path / "luck.csv"))
        assert re.fullmatch(says + "\n", done.err)


def test_a_record_counts_once_however_often_it_is_named() -> None:
    play = mistaken(over=True)
    kept(play.game, play.log, Seat("Ann"))
    file = str(Store().path(1))
    for named in (["1", "1"], ["1", "1", file], [file, "1"], []):
        found = as_json("review", *named, "--player", "Ann")
        assert [group["records"] for group in found["groups"]] == [1]
        assert len(found["records"]) == 1
    assert "is the same as game 1." in printed("review", "1", file)


def test_a_file_has_the_rows_of_one_player(tmp_path: Path) -> None:
    match = find_any(THREE)
    play = random_play(match, 1)
    kept(match, play.log, *map(Seat, ("Ann", "Bob", "Cy")))
    kept(mistaken().game, mistaken().log, Seat("Ann"))
    printed("review", "--player", "Bob", "-o", str(tmp_path / "luck.csv"))
    with (tmp_path / "luck.csv").open(encoding="utf-8", newline="") as file:
        read = list(csv.DictReader(file))
    numbers = [event.number for event in shutbox.review(play).events if event.seat == 1]
    assert [(row["record"], int(row["number"])) for row in read] == [("1", n) for n in numbers]


def test_the_docs_have_the_table_of_grades() -> None:
    text = DOCS.read_text(encoding="utf-8")
    found = re.findall(r"`(\w+)` \| ([\d.]+) \| ([\d.]+) \|", text)
    table = {g.value: tuple(float(least[u]) for u in Unit) for g, least in THRESHOLDS.items()}
    assert {name: (float(p), float(s)) for name, p, s in found} == {"best": (0.0, 0.0), **table}
