"""The first page: four large links, and every game as a small box that shows its difference."""

import gzip
import re
import runpy
import tomllib
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


def test_every_game_looks_unlike_every_other_and_marks_only_pieces_that_are_there() -> None:
    shown = gallery.gallery()
    assert [one.id for one in shown] == IDS
    assert len({one.miniature for one in shown}) == len(shown)
    assert len({one.about for one in shown}) == len(shown)
    assert {one.length for one in shown} == {*LENGTHS, ""}
    assert {one.luck for one in shown} == {*LUCKS, ""}
    for entry in catalogue():
        drawn, keys = gallery.picture_of(entry.name), entry.marked
        marked = drawn.count(" mk") + drawn.count('"mk')
        assert bool(marked) >= bool(keys), entry.name
        assert marked == len(keys.split()) or not keys or "*" in keys, entry.name


def test_the_boxes_are_chosen_by_length_and_luck_without_script(ann: Person) -> None:
    shown = gallery.gallery()
    for length, luck in (("", ""), ("short", ""), ("", "skill"), ("long", "skill"), ("odd", "")):
        chosen = {"length": length.replace("odd", ""), "luck": luck}
        hidden = {o.id for o in shown if any(v and getattr(o, n) != v for n, v in chosen.items())}
        page = ann.get("/", params={"length": length, "luck": luck}).text
        assert set(HIDDEN.findall(page)) == hidden, (length, luck)
        assert len(hidden) < len(shown)
    none = ann.get("/?length=short&luck=skill").text
    assert '<p id="none" class="soft">' in none
    assert len(HIDDEN.findall(none)) == len(IDS)


def test_the_first_page_is_small_and_has_the_newest_tables_those_that_wait_for_me_first(
    ann: Person, bob: Person
) -> None:
    seats = [{"who": "me"}, {"who": "link"}]
    _, mine = (ann.open(game="classic", seats=seats[:1])["view"]["room"] for _ in range(2))
    waiting = [ann.open(game="six", seats=seats)["view"]["room"] for _ in range(3)]
    page = ann.get("/")
    assert len(gzip.compress(page.content)) <= MOST_BYTES
    rooms = re.findall(r'class="card" href="/r/(\w+)"', page.text)
    assert (rooms[0], {*rooms[1:]}) == (mine, {*waiting[1:]})
    assert 'href="/games">All games' in page.text
    over = bob.played(99, game="lucky-seven")
    assert not re.search("|".join((over, *rooms)), bob.get("/").text)


def test_links_have_previews_with_a_picture(ann: Person) -> None:
    """The first page, Today and a review; that of Today has no dice."""
    room = ann.played(99)
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
