"""The end of a game: the last tile goes down before the lid falls, and all hear the result."""

import re

import pytest

from browser.conftest import Visit
from browser.visitors import ANN, BOB, LINK, Visitor

MOVING = {"reduced_motion": "no-preference"}


lucky = pytest.mark.rolls("4+5 1+1")


ORDER = """() => {
    table.order = [];
    document.addEventListener("animationstart", ({ animationName }) => {
        if (["fall", "slam", "caught"].includes(animationName)) table.order.push(animationName);
    });
}"""


CAPTION = """words => document.getElementById("caption").textContent
    .replace(/[\u2068\u2069]/g, "") === words"""


def until_ended(visitor: Visitor) -> None:
    visitor.page.wait_for_selector("#stage.over:not(.ending)")


# Notes when the tiles begin to fall and when the lid does. An observer hears each change of the
# page at once, however late a busy machine draws it.
FALLS = """() => {
    table.falls = {};
    const looks = new MutationObserver((changes) => {
        for (const { target } of changes) {
            if (target.dataset.state === "falling") table.falls.tiles ??= performance.now();
            if (target.matches(".lid.shut")) table.falls.lid ??= performance.now();
        }
    });
    const kinds = { attributeFilter: ["class", "data-state"], subtree: true };
    looks.observe(document.getElementById("stage"), kinds);
}"""


@lucky
def test_the_lid_waits_for_the_last_tile(visit: Visit) -> None:
    ann = visit(**MOVING)
    ann.open(game="two-dice(tiles=4.5)", seats=[ANN])
    ann.page.evaluate(ORDER)
    ann.page.evaluate(FALLS)
    ann.press("#go")
    ann.page.click("#board [data-key='4'] button")
    early = ann.page.wait_for_function(
        """() => document.querySelector("#stage.ending") &&
            [document.getElementById("review").checkVisibility({ visibilityProperty: true })]"""
    )
    assert early.json_value() == [False]
    ann.page.wait_for_selector(".lid.shut")
    until_ended(ann)
    assert ann.page.evaluate("() => table.order") == ["fall", "fall", "slam"]
    falls = ann.page.evaluate("() => table.falls")
    two_tiles_ms = 110 + 240  # --stagger and --tile in base.css
    assert falls["lid"] - falls["tiles"] > two_tiles_ms
    plate = ann.page.locator(".plaque > *").all_inner_texts()
    today = ann.page.evaluate(
        "() => new Date().toLocaleDateString('en-GB', { day: 'numeric', month: 'long' })"
    )
    assert plate == ["SHUT", "Ann · 1 throw", today]
    assert ann.page.is_visible("#review")
    assert "won" in str(ann.page.get_attribute("#plates li", "class")).split()


@lucky
def test_the_line_says_which_throw_ended_the_game(ann: Visitor) -> None:
    ann.open(game="classic(tiles=7.8)", seats=[ANN])
    ann.press("#go")
    assert ann.view()["phase"] == "over"
    ann.page.wait_for_selector("#caption > span:text-is('No way to make 9.')")


@lucky
def test_a_press_skips_to_the_end(visit: Visit) -> None:
    ann = visit(**MOVING)
    ann.open(game="classic(tiles=9)", seats=[ANN])
    ann.press("#go")
    ann.page.click("#board [data-key='9'] button")
    ann.page.wait_for_selector("#stage.ending")
    ann.page.keyboard.press("Enter")
    assert ann.page.locator("#stage.ending").count() == 0
    assert ann.view()["table"]["game"] == 1  # the next press plays again


@pytest.mark.parametrize("motion", ["no-preference", "reduce"])
def test_tiles_that_stand_catch_the_lid(visit: Visit, motion: str) -> None:
    ann = visit(reduced_motion=motion)
    ann.open(game="classic", seats=[ANN])
    ann.page.evaluate(ORDER)
    ann.play(undoes=False)
    until_ended(ann)
    points = ann.view()["table"]["plates"][0]["points"]
    assert points > 0
    assert ann.page.inner_text("#left").split() == [str(points), "left"]
    assert "caught" in ann.page.evaluate("() => table.order") or motion == "reduce"
    ann.page.reload()
    ann.ready()
    assert ann.page.is_visible("#left")
    ann.press("#go")
    assert ann.page.locator(".caught").count() == 0
    assert not ann.page.is_visible("#left")


CARD = """() => [...document.querySelectorAll(".standings li")].map((line) =>
    [...line.querySelectorAll("bdi, .n, .chips:not([hidden]) span")].map((one) => one.textContent)
)"""


@lucky
def test_the_rail_says_how_many_chips_were_won(ann: Visitor) -> None:
    seats = [ANN, {"who": "computer:random"}]
    format = "rounds=1,shut=wins,order=seats,bonus=0,stake=3"
    room = ann.open(game="classic(tiles=9)", format=format, seats=seats)
    assert not ann.page.is_visible("#tag")
    ann.play(undoes=False)
    until_ended(ann)
    ann.page.wait_for_function("() => document.getElementById('tag').innerText === '+3 chips'")
    assert ann.page.is_visible("#tag")
    page = ann.get(f"/r/{room}").text()
    tag = page[page.index('id="tag"') :]
    shown = re.sub("<[^>]*>", "", tag[tag.index(">") + 1 : tag.index("</p>")])
    assert shown == "+3 chips"


@lucky
def test_the_first_shut_box_of_a_device_and_the_best_result_tonight_are_named(ann: Visitor) -> None:
    """Below the box, and when its page is opened again; the best if it beats all others."""
    store = """([title, scores]) => {
        const tonight = { at: Date.now() - 3_600_000, scores: { ...scores } };
        localStorage.setItem(`tonight ${title}`, JSON.stringify(tonight));
    }"""
    for others, line in (
        ([], "Your first shut box on this device."),
        ([5, 7], "Your best result tonight, Ann."),
        ([5, 0], "You shut the box."),
    ):
        ann.open(game="classic(tiles=9)", seats=[ANN])
        ann.page.evaluate(store, [ann.view()["title"], others])
        ann.play(undoes=False)
        if not others:
            ann.says(line)
        for _ in range(2):
            ann.page.wait_for_selector("#verdict:not(:empty)")
            ann.page.wait_for_function(CAPTION, arg=line)
            ann.page.reload()


@lucky
def test_where_the_box_is_shut_the_card_lies_on_the_lid(ann: Visitor) -> None:
    """And on the baize, once the lid is open again."""
    ann.open(game="classic(tiles=9)", format="rounds=1,shut=wins", seats=[ANN, BOB])
    ann.play(undoes=False)
    ann.page.wait_for_selector(".lid.shut > .standings")
    assert dict(ann.page.evaluate(CARD)) in (
        {"Ann": "0", "Bob": "–"},
        {"Bob": "0", "Ann": "–"},
    )
    ann.page.keyboard.press("Shift")
    ann.page.wait_for_selector(".baize > .standings")


@lucky
def test_nobody_is_told_that_he_has_shut_what_another_has(visit: Visit) -> None:
    ann, carol = visit(), visit()
    ann.open(game="classic(tiles=9)", format="rounds=1,shut=wins", seats=[ANN, LINK])
    carol.enter(ann.page.url, "Carol")
    people = (ann, carol)
    first = people[ann.view()["table"]["seat"]]
    other = people[1 - people.index(first)]
    first.play(undoes=False, most=2)
    for person in people:
        person.page.wait_for_selector("#result:not([hidden])")
    assert first.page.text_content("#result-title") == "The box is shut"
    assert other.page.text_content("#result-title") == "The game is over"


CAPTIONS = """() => {
    table.captions = new Set();
    const line = document.getElementById("caption");
    new MutationObserver(() => table.captions.add(line.textContent)).observe(line, {
        childList: true, characterData: true, subtree: true,
    });
}"""


def test_the_caption_tells_what_computer_players_do(visit: Visit) -> None:
    """Of two as of one, though little of it is said."""
    ann = visit(**MOVING)
    machine = {"who": "computer:fewest"}
    ann.open(game="two-dice", format="order=seats", seats=[machine, machine, ANN])
    ann.page.evaluate(CAPTIONS)
    ann.page.evaluate("() => table.until(() => table.isMine(), 'her turn')")
    ann.shown()
    captions = ann.page.evaluate("() => [...table.captions]")
    assert len([line for line in captions if " threw " in line or " stuck " in line]) >= 2
    assert len([line for line in captions if " covered " in line]) >= 1


@pytest.mark.parametrize("game", [{"format": "begins=high-roll"}, {"game": "cargo"}])
def test_nobody_is_stuck_by_a_throw_of_dice_alone(ann: Visitor, game: dict[str, str]) -> None:
    """Neither of those for who begins nor of those of a game without tiles."""
    ann.open(seats=[ANN, BOB], **game)
    first = ann.view()["table"]["seat"]
    ann.page.evaluate(CAPTIONS)
    while ann.view()["table"]["seat"] == first:
        ann.play(most=1, undoes=False)
    captions = ann.page.evaluate("() => [...table.captions]")
    assert any(" threw " in line for line in captions)
    assert not [line for line in captions if "stuck" in line]


@lucky
def test_only_one_cover_glows_and_one_press_plays_it(ann: Visitor) -> None:
    ann.open(game="classic(tiles=9)", seats=[ANN])
    ann.press("#go")
    assert ann.page.locator("#board [data-only]").count() == 1
    ann.press("#go")
    assert ann.view()["table"]["shut"]
    # So does a press on any of its tiles.
    ann.open(game="two-dice(tiles=4.5)", seats=[ANN])
    ann.press("#go")
    ann.press("#board [data-key='5'] button")
    assert ann.view()["table"]["shut"]


@lucky
def test_the_tile_of_the_total_is_covered_by_one_press_where_that_is_wanted(ann: Visitor) -> None:
    ann.open(game="classic", seats=[ANN])
    ann.press("#go")
    ann.page.click("#board [data-key='9'] button")  # picks, as any other
    assert ann.page.inner_text("#go") == "Cover 9"
    ann.page.click("#menu > summary")
    ann.page.check("#set-total")
    ann.page.keyboard.press("Escape")
    ann.page.press("#board [data-key='9'] button", " ")  # put back, not a double press
    ann.page.click("#board [data-key='5'] button")  # no total
    assert ann.page.get_attribute("#board [data-key='5'] button", "aria-pressed") == "true"
    ann.page.click("#board [data-key='5'] button")
    ann.press("#board [data-key='9'] button")
    assert ann.view()["table"]["does"] == "throw"
    ann.page.reload()
    assert ann.page.is_checked("#set-total")  # this device keeps it


@lucky
def test_a_double_press_makes_the_cover_that_its_first_press_completes(ann: Visitor) -> None:
    for before, last in (("4", "5"), (None, "9")):
        ann.open(game="classic", seats=[ANN])
        ann.press("#go")
        if before:
            ann.page.dblclick(f"#board [data-key='{before}'] button")  # picked and put back
            ann.page.click(f"#board [data-key='{before}'] button")
        ann.page.dblclick(f"#board [data-key='{last}'] button")
        ann.page.wait_for_function("() => table.view.table.does === 'throw'")


def test_what_gives_a_seat_or_a_link_away_is_asked_back(ann: Visitor) -> None:
    """Whoever says no keeps it."""
    ann.open(game="pub", seats=[ANN, BOB])
    ann.drawer("seating")
    questions: list[str] = []

    def refuse(dialog: object) -> None:
        questions.append(dialog.message)  # type: ignore[attr-defined]
        dialog.dismiss()  # type: ignore[attr-defined]

    ann.page.on("dialog", refuse)
    ann.page.get_by_role("button", name="Bob: leave this seat").click()
    ann.page.get_by_role("button", name="New watch link").click()
    assert len(questions) == 2
    assert ann.page.evaluate("() => table.requests.length") == 0


def test_the_podium_has_the_account_of_the_review(ann: Visitor) -> None:
    room = ann.open(game="six", seats=[ANN, BOB])
    ann.play(undoes=False)
    until_ended(ann)
    ann.page.wait_for_selector(".should")
    said = ann.page.locator("#verdict .duel > li").all_text_contents()
    ann.page.goto(f"/r/{room}/review")
    drawn = ann.page.locator(".duel > li").all_text_contents()
    assert ["".join(row.split()) for row in said] == ["".join(row.split()) for row in drawn]


@pytest.mark.parametrize("size", [(390, 844), (320, 640)])
def test_the_last_dice_keep_their_size_beside_the_result(
    visit: Visit, size: tuple[int, int]
) -> None:
    """44 pixels, away from the walls and from the card."""
    ann = visit(viewport={"width": size[0], "height": size[1]})
    ann.open(game="classic", seats=[ANN])
    ann.play(undoes=False)
    ann.page.wait_for_selector(".score-card")
    places = ".dice > li > .die, .score-card"
    ann.page.wait_for_function("() => !document.getAnimations().length")
    felt = ann.box("#board .baize")
    *dice, card = [part.bounding_box() or felt for part in ann.page.locator(places).all()]
    for die in dice:
        assert round(die["width"]) >= 44
        assert die["x"] - felt["x"] >= 0.25 * die["width"]  # 0.78 from its centre
        assert die["x"] + die["width"] <= card["x"]


def test_an_ended_game_tells_its_last_throw_before_its_verdict(ann: Visitor) -> None:
    ann.open(game="classic", seats=[ANN], format="rounds=1")
    ann.play(undoes=False)
    ann.page.wait_for_selector("#verdict .sums")  # and is there at once the next time
    ann.page.reload()
    ann.ready()
    places = """() => ["You threw ", "Perfect play"].map((words) =>
        table.told.findIndex((text) => text.includes(words)))"""
    ann.page.wait_for_function(f"() => ({places})().every((place) => place >= 0)")
    throw, verdict = ann.page.evaluate(places)
    assert throw < verdict
