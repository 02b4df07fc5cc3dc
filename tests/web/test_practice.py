"""The practice page: a question, an assessed answer, and repetition of mistakes."""

import html
import json
import re
from operator import itemgetter

from httpx2 import Response

from people import Person
from shutbox import find
from shutbox.solving.practice import practice
from shutbox.web.pages.practice import read_tally

ASKED = "1.3.4.9/1+3"


def field(page: Response, name: str) -> str:
    found = re.search(rf'name="{name}" value="([^"]*)"', page.text)
    assert found, page.text
    return html.unescape(found[1])


def answered(person: Person, page: Response | None, at: str, choice: str) -> Response:
    carried = {name: field(page, name) for name in ("tally", "lately")} if page else {}
    fields = {"game": "classic", **carried, "at": at, "choice": choice}
    return person.client.post("/practice", data=fields)


def following(person: Person, page: Response) -> Response:
    fields = {name: field(page, name) for name in ("game", "tally", "lately")}
    return person.client.post("/practice", data=fields)


def test_a_question_is_a_position_at_which_a_choice_costs(ann: Person) -> None:
    page = ann.get("/practice?game=classic")
    assert page.status_code == 200
    question = practice(find("classic")).question(field(page, "at"))
    assert question is not None
    [boot] = re.findall(r'id="boot">(.*?)</script>', page.text)
    offered = [offer["text"] for offer in json.loads(boot)["offers"]]
    assert offered == [text for text, _ in question.costs]


def test_without_script_tiles_are_ticked(ann: Person) -> None:
    fields = {"game": "classic", "at": ASKED}
    page = ann.client.post("/practice", data={**fields, "tile": ["3", "1"]})
    assert "Wrong. Better: 4" in page.text
    page = ann.client.post("/practice", data={**fields, "tile": ["9"]})
    assert page.status_code == 422
    assert field(page, "at") == ASKED, "a refused answer leaves its question"
    assert read_tally(field(page, "tally")).asked == 0


def test_a_right_answer_and_one_that_costs(ann: Person) -> None:
    right = answered(ann, None, ASKED, "4")
    wrong = answered(ann, right, ASKED, "1 3")
    assert "1 in a row" in right.text
    assert "0 in a row" in wrong.text
    best = "<b>4</b> shuts the box 6 times in 100."
    assert f"{best} Yours, <b>1 and 3</b>, shuts it 3 times." in wrong.text
    assert f"{best} Next best, <b>1 and 3</b>: 3 times." in right.text
    tally = read_tally(field(wrong, "tally"))
    assert (tally.asked, tally.right, tally.row) == (2, 1, 0)
    assert [missed.id for missed in tally.missed] == [ASKED]


def test_all_answers_are_listed_beside_the_best(ann: Person) -> None:
    at = "1.2.3.4.5.6.7.8.9/6+6"
    question = practice(find("classic")).question(at)
    assert question is not None
    worst = max(question.costs, key=itemgetter(1))[0]
    page = answered(ann, None, at, worst).text
    listed = re.findall(r'<span class="what">([^<]*)</span>', page)
    assert sorted(listed) == sorted(text.replace(" ", " + ") for text, _ in question.costs)
    assert f"{worst.replace(' ', ' + ')}<small>you</small>" in page


def test_what_was_missed_comes_again_after_three_others(ann: Person) -> None:
    page = answered(ann, None, ASKED, "1 3")
    for _ in range(3):
        page = following(ann, page)
        at = field(page, "at")
        assert at != ASKED
        question = practice(find("classic")).question(at)
        assert question is not None
        page = answered(ann, page, at, question.right[0])
    page = following(ann, page)
    assert field(page, "at") == ASKED
    again = "You have had this question before."
    assert f'id="facts" tabindex="-1">{again} ' in page.text
    # A question that was tampered with is dropped, and the next one that was missed comes.
    missed = f'{{"id":"<q>","due":1,"rights":0}},{{"id":"{ASKED}","due":2,"rights":0}}'
    tally = f'{{"asked":9,"right":7,"missed":[{missed}]}}'
    page = ann.client.post("/practice", data={"game": "classic", "tally": tally})
    assert (page.status_code, "<q>" in page.text) == (200, False)
    assert (field(page, "at"), again in page.text) == (ASKED, True)


def test_what_is_no_question_or_no_answer_is_refused(ann: Person) -> None:
    for fields, status, why in (
        ({"game": "nothing"}, 422, "There is no game"),
        ({"game": "pub"}, 422, "cannot be practised here"),
        ({"game": "classic(tiles=1-30,dice=12d18,cover=one)"}, 422, ""),
        ({"tally": "{"}, 400, "cannot be continued"),
        ({"tally": '{"asked":1,"right":2,"missed":[]}'}, 400, "cannot be continued"),
        ({"tally": '{"asked":1,"right":1,"missed":[],"row":2}'}, 400, "cannot be continued"),
        ({"tally": f'{{"asked":{"9" * 400},"right":0,"missed":[]}}'}, 400, "cannot be continued"),
        ({"tally": "[" * 5000}, 400, "cannot be continued"),
        ({"at": "1.2/1+1", "choice": "2"}, 422, "is no question"),
        ({"at": "nonsense", "choice": "2"}, 422, "is no question"),
        ({"at": ASKED, "choice": "9"}, 422, ""),
    ):
        page = ann.client.post("/practice", data={"game": "classic", **fields})
        assert page.status_code == status, fields
        assert why in page.text
        assert 'role="alert"' in page.text
