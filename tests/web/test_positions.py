"""Positions at their addresses: set up by hand, analysed within limits, drawn for previews."""

import re
from html import unescape
from typing import Any
from unittest.mock import AsyncMock
from xml.etree import ElementTree

import pytest

import shutbox
from people import Person
from shutbox.engine.english import percent
from shutbox.engine.errors import NotInstalled
from shutbox.output.picture import can_draw
from shutbox.solving import SHUT
from shutbox.web.server.services import Server


def words(page: str) -> str:
    """What stands on a page, without its markup."""
    main = page[page.index("<main") : page.index("</main>")]
    return " ".join(unescape(re.sub(r"<[^>]+>", " ", main)).split())


def test_a_choice_is_worth_what_the_solver_says(ann: Person) -> None:
    page = ann.get("/p/classic:1.2.4.6.7.8.9/4+6")
    assert page.status_code == 200
    solution = shutbox.solve("classic")
    game = solution.game
    here = game.position_at("1.2.4.6.7.8.9/4+6")
    options = solution.options(here)
    said = words(page.text)
    for choice, value in zip(options.choices, options.values, strict=True):
        cover = game.choice_text(choice).replace(" ", "+")
        assert re.search(rf"{re.escape(cover)} {float(value):.1f} shut", said), cover
    assert f"Results after {solution.best(here).text.replace(' ', ' + ')}" in said
    assert f"{percent(solution.shut(here))} shut" in re.sub(r"(shut) (\S+ %)", r"\2 \1", said)
    assert said.index("2+8 14.6") < said.index("1+9 15.2") < said.index("1+2+7 20.5")


def test_every_throw_leads_to_its_own_position(ann: Person) -> None:
    page = ann.get("/p/classic").text
    links = re.findall(r'href="(/p/[^"]+)" data-swap[^>]*><small>throw (\d+)', page)
    assert [int(total) for _, total in links] == list(range(2, 13))
    for address, total in links[::5]:
        assert f"Cover {total}" in words(ann.get(unescape(address)).text)


def test_another_aim(ann: Person) -> None:
    best = shutbox.solve("classic", SHUT)
    here = best.game.position_at("1.2.4.6.7.8.9/4+6")
    said = words(ann.get("/p/classic:1.2.4.6.7.8.9/4+6?aim=shut").text)
    first = best.best(here).text.replace(" ", "+")
    assert f"{first} {percent(best.value(here))}" in said
    said = words(ann.get("/p/classic:1.2.4.6.7.8.9/4+6?aim=beat&score=13").text)
    assert "beats 13" in said
    refused = ann.get("/p/classic?aim=nothing")
    assert "is not an aim" in words(refused.text)


@pytest.mark.parametrize(
    "text",
    [
        pytest.param("double-shutter", marks=pytest.mark.nightly("cases")),
        "classic:1.5.9/2+2",
        "classic:-",
        "classic:1/1d",
        pytest.param("the-300", marks=pytest.mark.nightly("cases")),
        "cargo",
        "tray",
        pytest.param("pub", marks=pytest.mark.nightly("cases")),
        "six[seats=2,rounds=1]:1;0;0;0,0;t0;1.2.3.4.5.6/3",
    ],
)
def test_every_position_has_a_page_and_a_picture(ann: Person, text: str) -> None:
    page = ann.get(f"/p/{text}")
    assert page.status_code == 200, page.text
    image = re.search(r'property="og:image" content="http://testserver([^"]+)"', page.text)
    assert image is not None
    picture = ann.get(unescape(image[1]).removesuffix(".png").removesuffix(".svg") + ".svg")
    assert picture.headers["content-type"].startswith("image/svg+xml")
    assert "max-age" in picture.headers["cache-control"]
    assert ElementTree.fromstring(picture.text).tag.endswith("svg")


def test_what_is_no_position(ann: Person) -> None:
    for text, status, said in (
        ("nothing", 422, "There is no game"),
        ("classic:1.77", 422, "the box has no tile 77"),
        ("classic:1.5.9/7+7", 422, "a die of 6 sides"),
        ("classic:" + "1." * 300, 400, "at most 400 characters"),
        ("/etc/passwd", 422, "boxes from files"),
        ("classic:../x.toml", 422, "boxes from files"),
        ("classic(tiles=1-30,dice=12d20,cover=any)", 422, ""),
        ("%00:%ff", 422, ""),
    ):
        for suffix in ("", ".svg"):
            refused = ann.get(f"/p/{text}{suffix}")
            assert refused.status_code == status, refused.text
            assert said in words(refused.text)


def test_a_box_is_set_up_by_its_form(ann: Person) -> None:
    box: dict[str, Any] = {"game": "classic", "of": "classic", "tile": ["1", "5"]}
    for fields, to in (
        ({**box, "die0": 2, "die1": 4}, "classic:1.5/2+4"),
        ({**box, "die0": 0, "die1": 0, "aim": "shut"}, "classic:1.5?aim=shut"),
        ({**box, "game": "six"}, "six:1.2.3.4.5.6"),
        ({"position": "six:1.2/1"}, "six:1.2/1"),
        ({**box, "throw": 1}, r"classic:1.5/[1-6]\+[1-6]"),
        ({"game": "double-shutter", "of": "double-shutter", "tile": "b3"}, "double-shutter:b3"),
    ):
        answer = ann.get("/analysis", params=fields, follow_redirects=False)
        assert answer.status_code == 303, answer.text
        led = answer.headers["location"]
        assert led == f"/p/{to}" or re.fullmatch(f"/p/{to}", led)
    answer = ann.get("/analysis", params={**box, "die0": "7", "die1": "1"})
    assert answer.status_code == 422
    assert "not 7" in words(answer.text)  # what was set up wrong is said beside it
    assert re.findall(r'name="tile" value="(\d)"[^>]*checked', answer.text) == ["1", "5"]
    for fields in ({**box, "die0": "x"}, {"game": "no such", "of": "x"}):
        assert ann.get("/analysis", params=fields).status_code == 422


def test_what_takes_long_is_told_and_drawn(ann: Person) -> None:
    large = "classic(tiles=1-24,dice=3d8)"
    for rest in ("", ":1-24/4+5+6"):
        page = ann.get(f"/p/{large}{rest}")
        assert page.status_code == 200
        assert "is too large to work out here" in words(page.text)
    assert "A match is not worked out here" in words(ann.get("/p/pub").text)
    # What is left of such a box may be little.
    assert "Cover 12" in words(ann.get(f"/p/{large}:1.2.3.4.5.6/4+4+4").text)
    assert ann.get(f"/p/{large}.svg").status_code == 200


def test_a_page_tells_its_preview(
    ann: Person, server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    page = ann.get("/p/classic:1.5.9/2+2").text
    assert '<meta property="og:title" content="Classic, 2 and 2 thrown, 1 5 9 up">' in page
    assert "1, 5 and 9 are up." in page
    ending = "png" if can_draw() else "svg"
    assert f'content="http://testserver/p/classic:1.5.9/2+2.{ending}"' in page
    if can_draw():
        picture = ann.get("/p/classic:1.5.9/2+2.png")
        assert picture.headers["content-type"] == "image/png"
        assert "max-age" in picture.headers["cache-control"]
        assert picture.content.startswith(b"\x89PNG")
        assert ann.get("/p/classic:1.77.png").status_code == 422
    missing = AsyncMock(side_effect=NotInstalled("resvg_py is not installed"))
    monkeypatch.setattr(server.pool, "do", missing)  # without the extra there are no dots
    assert ann.get("/p/classic:1.5.8/2+2.png").status_code == 422


def test_it_is_played_on_alone_from_any_position(ann: Person) -> None:
    page = ann.get("/p/classic:2.5.9/3+4").text
    form = page[page.index('action="/play"') :]
    fields = dict(re.findall(r'type="hidden" name="(\w+)" value="([^"]*)"', form))
    assert fields == {"game": "classic", "position": "2.5.9/3+4"}
    room = ann.send_form("/play", fields).headers["location"].removeprefix("/r/")
    table = ann.table(room)
    assert (table["board"], table["dice"]) == ("2, 5 and 9 are up.", "The dice show 3 and 4, 7.")
    # The start of the game does not lead there: it is advised and reviewed all the same.
    assert ann.get(f"/api/rooms/{room}/hint").json()["figures"]["choices"]
    ann.play_out(room)
    assert ann.get(f"/api/rooms/{room}/verdict").json()["verdict"]
    for address in ("/p/classic:9", "/p/pub"):
        assert ('action="/play"' in ann.get(address).text) is (address == "/p/classic:9")
