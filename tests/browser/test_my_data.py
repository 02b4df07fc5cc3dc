"""A player's own data: the name, giving up alone, and deletion."""

from browser.conftest import Check
from browser.visitors import ANN, Visitor


def test_a_name_changes_and_a_game_alone_is_given_up(check: Check, ann: Visitor) -> None:
    page = ann.page
    ann.open(game="classic", seats=[ANN])
    ann.ready()
    ann.drawer("seating")
    page.get_by_text("Ann: another name").click()
    ann.allows.append("status of 422")
    page.evaluate("localStorage.setItem('shutbox.name', '!!!')")  # typed in the settings
    page.get_by_label("Name", exact=True).fill("!!!")
    page.get_by_role("button", name="Change").click()
    page.wait_for_function("() => localStorage.getItem('shutbox.name') === ''")
    page.get_by_label("Name", exact=True).fill("Zoe")
    page.get_by_role("button", name="Change").click()
    page.get_by_text("Zoe: another name").wait_for()
    page.wait_for_function("() => localStorage.getItem('shutbox.name') === 'Zoe'")
    check(ann)
    ann.agrees()
    page.click("#menu > summary")
    page.get_by_role("button", name="Give up this game").click()
    page.get_by_role("button", name="Play again").first.wait_for()
    assert page.evaluate("table.view.phase") == "ended"


def test_after_deletion_the_browser_has_the_settings_only(check: Check, ann: Visitor) -> None:
    page = ann.page
    ann.open(game="classic", seats=[ANN])
    page.goto("/games")
    page.evaluate("localStorage.setItem('shutbox.name', 'Ann')")
    page.evaluate("localStorage.setItem('shutbox', JSON.stringify({ look: 'dark' }))")
    page.get_by_text("Keep them").click()
    page.get_by_role("link", name="Delete my data").click()
    check(ann)
    page.get_by_role("button", name="Delete my data").click()
    page.get_by_role("heading", name="Your data is deleted").wait_for()
    page.wait_for_function("() => Object.keys(localStorage).join() === 'shutbox'")
    assert page.evaluate("JSON.parse(localStorage.shutbox).look") == "dark"
    assert not [cookie for cookie in ann.context.cookies() if cookie["name"] == "device"]
    check(ann)
    page.goto("/games")
    page.get_by_text("No games yet on this device.").wait_for()
