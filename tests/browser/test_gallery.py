"""The filters for boxes on the first page."""

import pytest

from browser.visitors import Visitor

expect = pytest.importorskip("playwright.sync_api", reason="playwright is not installed").expect


def test_boxes_are_chosen_at_once_and_the_address_keeps_it(ann: Visitor) -> None:
    page = ann.page
    page.goto("/")
    ann.ready()
    page.evaluate("() => { window.neverLeft = true; }")
    shown = page.locator("#gallery [data-length]:not([hidden])")
    assert page.locator("#gallery li:visible").count() == 6
    page.get_by_text("All 29 boxes").click()
    assert page.locator("#gallery h3:visible").count() == 3
    number = shown.count()
    page.get_by_text("Filter", exact=True).click()
    page.get_by_label("Length").select_option("long")
    assert 0 < shown.count() < number
    page.get_by_label("Luck or skill").select_option("skill")
    titles = shown.locator("strong").all_inner_texts()
    assert "Full House" in titles
    assert "Lucky Seven" not in titles
    assert page.evaluate("() => window.neverLeft")
    page.reload()
    ann.ready()
    assert shown.locator("strong").all_inner_texts() == titles
    page.get_by_label("Length").select_option("short")
    expect(page.get_by_text("No box is like that")).to_be_visible()


def test_each_door_is_one_press(ann: Visitor) -> None:
    page = ann.page
    for door, seats in (("Play alone", 1), ("Play the computer", 2), ("Invite a friend", 2)):
        page.goto("/")
        ann.ready()
        page.get_by_role("button", name=door).click()
        page.wait_for_url("**/r/*")
        ann.ready()
        assert len(ann.view()["seats"]) == seats
    page.goto("/")
    page.get_by_role("button", name="Play today's box").click()
    page.wait_for_url("**/r/*")
    page.goto("/")
    expect(page.get_by_role("button", name="Continue today's box")).to_be_visible()


def test_todays_box_is_on_the_first_screen_of_a_phone(ann: Visitor) -> None:
    page = ann.page
    for width, height in ((320, 640), (390, 844), (844, 390)):
        page.set_viewport_size({"width": width, "height": height})
        page.goto("/")
        for part in (".show .well", ".show .main"):
            box = ann.box(part)
            assert box["y"] + box["height"] <= height, (part, width)
    assert page.get_by_role("heading", name="Shut the Box").count() == 1  # for the ear
