"""The first page: four large links, and every game as a small box that shows its difference."""

import gzip
import re
import runpy
import tomllib
from collections.abc import Callable
from html import unescape
from pathlib import Path

import pytest

from nightly import one_in
from people import Person
from shutbox import catalogue, find
from shutbox.output.picture import MINIATURE_SYMBOLS, miniature
from shutbox.web.pages import gallery
from shutbox.web.pages.gallery import LENGTHS, LUCKS, figures
from shutbox.web.pages.new_table_form import setup_of
from shutbox.web.rooms.requests import Form

SCRIPT = Path(__file__).parents[2] / "docs/gallery.py"
MOST_BYTES = 30_000  # of the page itself, packed; a browser test counts its files, too
HIDDEN = re.compile(
    r'<li data-length="\w*" data-luck="\w*" hidden>.*?name="game" value="([\w-]+)">', re.DOTALL
)
IDS = [entry.name for entry in catalogue()]


@pytest.mark.parametrize("name", one_in(9, IDS))
def test_figures_are_those_of_the_solver(name: str) -> None:
    found = tomllib.loads(runpy.run_path(str(SCRIPT))["stanza"](name)).get(name)
    known = figures().get(name)
    assert (found is None) == (known is None) == (name in ("the-300", "tray"))
    if found is not None:
        assert known is not None
        assert known == pytest.approx(found)


def test_every_game_looks_unlike_every_other() -> None:
    shown = gallery.gallery()
    assert [one.id for one in shown] == IDS
    assert len({one.miniature for one in shown}) == len(shown)
    assert len({one.about for one in shown}) == len(shown)
    assert {one.length for one in shown} == {*LENGTHS, ""}
    assert {one.luck for one in shown} == {*LUCKS, ""}


def test_a_miniature_marks_only_pieces_that_are_there() -> None:
    for entry in catalogue():
        keys = entry.marked
        drawn = gallery.picture_of(entry.name)
        marked = drawn.count(" mk") + drawn.count('"mk')
        assert marked or not keys, entry.name
        if "*" not in keys and keys:
            assert marked == len(keys.split()), entry.name


def test_no_die_of_a_miniature_is_blank() -> None:
    faces = set(re.findall('id="(mini-[1-6])"(?:(?!/symbol>).)*<circle', MINIATURE_SYMBOLS))
    assert len(faces) == 6
    for name in (*IDS, "classic(dice=4d6)", "classic(dice=2d8)", "classic(dice=2d10)"):
        start = find(name).scene(find(name).start()).pieces
        thrown, plays = setup_of(Form([("game", name)])).page["miniature"], miniature(start)
        for drawn in (thrown, plays, gallery.picture_of(name)):
            assert set(re.findall('href="#([^"]*)"', drawn)) <= faces, name
        number = re.match("[0-9]+(?=d)", find(name).card().options.get("dice", ""))
        dice = int(number[0]) if number else 1
        assert len(re.findall("<use|<polygon", thrown)) == dice, name
        assert not re.findall("<use|<polygon", plays), name  # they are in the hand


def test_the_boxes_are_chosen_by_length_and_luck_without_script(ann: Person) -> None:
    for query in (
        "",
        "?length=short",
        "?luck=skill",
        "?length=long&luck=skill",
        "?length=nonsense",
    ):
        asked = dict(pair.split("=") for pair in query.removeprefix("?").split("&") if pair)
        known = [(name, value) for name, value in asked.items() if value != "nonsense"]
        shown = gallery.gallery()
        hidden = {one.id for one in shown if any(getattr(one, n) != v for n, v in known)}
        assert set(HIDDEN.findall(ann.get("/" + query).text)) == hidden, query
        assert len(hidden) < len(shown)
    none = ann.get("/?length=short&luck=skill").text
    assert '<p id="none" class="soft">' in none
    assert len(HIDDEN.findall(none)) == len(IDS)


def test_the_newest_three_tables_go_on_the_first_page_and_mine_come_first(
    person: Callable[[], Person],
) -> None:
    ann, seats = person(), [{"who": "me"}, {"who": "link"}]
    _, mine = (ann.open(game="classic", seats=seats[:1])["view"]["room"] for _ in range(2))
    waiting = [ann.open(game="six", seats=seats)["view"]["room"] for _ in range(3)]
    page = ann.get("/").text
    rooms = re.findall(r'class="card" href="/r/(\w+)"', page)
    assert (rooms[0], {*rooms[1:]}) == (mine, {*waiting[1:]})
    assert 'href="/games">All games' in page
    bob = person()
    over = bob.open(game="lucky-seven")["view"]["room"]
    bob.play_out(over)
    assert not re.search("|".join((over, *rooms)), bob.get("/").text)


def test_the_first_page_is_small(ann: Person) -> None:
    ann.open(game="classic", seats=[{"who": "me"}])
    assert len(gzip.compress(ann.get("/").content)) <= MOST_BYTES


def test_links_have_previews_with_a_picture(ann: Person) -> None:
    """The first page, Today and a review; that of Today has no dice."""
    room = ann.open(game="classic")["view"]["room"]
    ann.play_out(room)
    for path, title in (
        ("/", "Shut the Box"),
        ("/today", "Shut the Box: Today #"),
        (f"/r/{room}/review", "Review of Classic"),
    ):
        page = ann.get(path).text
        found = dict(re.findall('property="og:([a-z_]+)" content="([^"]*)"', page))
        assert found["title"].startswith(title)
        assert found["url"] == f"http://testserver{path}"
        assert found["description"]
        picture = unescape(found["image"]).removeprefix("http://testserver")
        drawn = ann.get(picture.removesuffix(".png").removesuffix(".svg") + ".svg")
        assert drawn.headers["content-type"].startswith("image/svg+xml")
        assert ("/" in picture.removeprefix("/p/")) == (path != "/today")
