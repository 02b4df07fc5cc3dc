"""The table as a static site: every game by clicks, without a server and without a network."""

import functools
import json
import os
import shutil
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import parse_qs, urlsplit

import pytest

from browser.cases import GAMES, cases
from browser.conftest import Check
from browser.firefox import Firefox, firefox, missing
from browser.visitors import HERE, Visitor
from built_once import built_once
from serving import ROOT
from shutbox.match import presets

if TYPE_CHECKING:
    from playwright.sync_api import Browser

SEEDED = """
let state = {started};
crypto.getRandomValues = (bytes) => {
  for (let i = 0; i < bytes.length; i += 1) {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
    bytes[i] = state >>> 16;
  }
  return bytes;
};
"""
"""Before the engine: its dice are the same in every run."""
EXAMPLES = """<!DOCTYPE html><html lang="en"><title>Docs</title>
<div class="highlight-pycon"><div class="highlight"><pre>&gt;&gt;&gt; import shutbox
&gt;&gt;&gt; def value(game):
...     return round(float(shutbox.solve(game).value()), 2)
</pre></div></div>
<div class="highlight-pycon"><div class="highlight"><pre>&gt;&gt;&gt; value("classic")
11.01
</pre></div></div>
<script src="prompt.js"></script>"""
"""Two examples, as a page of the documentation has them."""
ACTIVE = "() => navigator.serviceWorker.controller?.state === 'activated'"
LANGUAGES = """async () => {
    const [name] = await caches.keys().then((all) => all.filter((each) => each !== "memory"));
    const paths = (await (await caches.open(name)).keys()).map(({ url }) => new URL(url).pathname);
    const known = document.documentElement.dataset.languages.split(" ");
    const whole = (each) =>
        paths.includes(`/${each}/today.html`) && paths.includes(`/engine/${each}.po.packed`);
    return known.filter(whole);
}"""
"""The languages besides English that the service worker has stored."""
WAITING = """async () => {
    const registration = await navigator.serviceWorker.getRegistration();
    for (let tries = 0; !registration.waiting; tries += 1) {
        if (tries === 1000) throw new Error("no newer release comes");
        await new Promise((done) => setTimeout(done, 50));
    }
}"""
"""Until a newer release has come."""
DENIED_COPIES = """Object.defineProperty(window, "localStorage", {
    get() { throw new DOMException("access is denied", "SecurityError"); }
});"""
"""Run in pages of a browser that lets a site keep nothing."""
LENDS_MEMORY = """async () => {
    const cache = await caches.open("memory");
    const response = await fetch("/memory");
    if (response.status !== 200) return;
    await cache.put(response.headers.get("Content-Location"), response);
}"""
KEEPS_MEMORY = """async () => {
    const cache = await caches.open("memory");
    for (const request of await cache.keys()) {
        const body = await (await cache.match(request)).blob();
        const headers = { "Content-Location": request.url };
        await fetch("/memory", { method: "PUT", body, headers });
    }
}"""
"""An engine starts in a third of the time with the memory of an earlier one."""
READY = "html[data-ready]"


class Seeded(SimpleHTTPRequestHandler):
    """Serves files, the engine with dice that are known; and says nothing."""

    started = 0
    """Engines in this test: each has dice of its own."""
    lacks = "nothing"
    """The end of the address of a file that this site has lost."""
    memory: tuple[str, bytes] | None = None
    """The memory of the first engine on this site, and its address in the browser's cache."""

    def do_GET(self) -> None:
        if self.path == "/memory" and Seeded.memory is not None:
            location, content = Seeded.memory
            self.send(content, {"Content-Location": location})
        elif self.path.endswith(Seeded.lacks):
            self.send(b"", {}, status=404)
        elif self.path == "/memory":
            self.send(b"", {}, status=204)
        elif self.path.startswith("/engine/worker.js"):
            Seeded.started += 1
            content = (
                SEEDED.replace("{started}", str(Seeded.started)).encode()
                + Path(self.directory, "engine", "worker.js").read_bytes()
            )
            self.send(content, {"Content-Type": "text/javascript"})
        else:
            super().do_GET()

    def do_PUT(self) -> None:
        content = self.rfile.read(int(self.headers["Content-Length"]))
        Seeded.memory = self.headers["Content-Location"], content
        self.send(b"", {})

    def send(self, content: bytes, headers: dict[str, str], status: int = 200) -> None:
        self.send_response(status)
        for name, value in {**headers, "Content-Length": str(len(content))}.items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(content)

    def log_message(self, format: str, *values: Any) -> None:
        pass


class Player(Visitor):
    """Somebody at the static site."""

    def quick_start(self, game: str, home: str = "/index.html") -> None:
        self.page.goto(home)
        card = self.page.locator(f".gallery button[value='{game}']")
        card.evaluate("button => button.click()")
        self.there()

    def there(self) -> None:
        """Until the page of a table is there."""
        self.page.wait_for_url("**/table.html?room=*")
        self.ready()

    @property
    def room(self) -> str:
        return parse_qs(urlsplit(self.page.url).query)["room"][0]

    def view(self) -> dict[str, Any]:
        view: dict[str, Any] = self.page.evaluate("() => table.view")
        return view


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The site, which is built as `make site` does."""
    for program in ("node", "npm"):
        if shutil.which(program) is None:
            pytest.skip(f"{program} is not installed: the static site needs Node.js")
    return built_once(tmp_path_factory, "static", build)


def build(folder: Path) -> None:
    """Add to the site the prompt of the documentation, and a page with examples."""
    command = [sys.executable, str(ROOT / "docs" / "static_site.py"), str(folder)]
    built = subprocess.run(command, capture_output=True, text=True, check=False)
    assert built.returncode == 0, built.stderr[-3000:]
    for path in (ROOT / "docs" / "prompt").iterdir():
        shutil.copy(path, folder)
    (folder / "docs.html").write_text(EXAMPLES)


@contextmanager
def served_files(folder: Path) -> Iterator[str]:
    """The address at which a folder is served."""
    serves = functools.partial(Seeded, directory=str(folder))
    with ThreadingHTTPServer(("127.0.0.1", 0), serves) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}"
        server.shutdown()


@pytest.fixture(scope="module")
def site(folder: Path) -> Iterator[str]:
    with served_files(folder) as url:
        yield url


@pytest.fixture
def ann(browser: "Browser", site: str) -> Iterator[Player]:
    player = Player(browser, site)
    player.page.goto("/sw.js")
    player.page.evaluate(LENDS_MEMORY)
    yield from visits(player)


@pytest.fixture
def cat(browser: "Browser", site: str) -> Iterator[Player]:
    """Somebody whose browser keeps the site."""
    yield from visits(Player(browser, site, service_workers="allow"))


def visits(player: Player) -> Iterator[Player]:
    Seeded.started, Seeded.lacks = 0, "nothing"
    yield player
    if Seeded.memory is None and player.page.url.startswith("http"):
        player.page.evaluate(KEEPS_MEMORY)
    player.close()
    assert not player.faults, "\n".join(player.faults)


@pytest.mark.parametrize("game", cases(("double-shutter", "tray"), GAMES))
def test_a_game_is_played_by_clicks(ann: Player, game: str) -> None:
    ann.quick_start(game)
    is_endless = game == "tray"
    seen = ann.play(most=8 if is_endless else 10_000, hears=True)
    assert seen["over"] is not is_endless
    assert is_endless or ann.view()["phase"] == "over"


@pytest.mark.parametrize("preset", cases(("cargo-night",), presets()))
def test_a_preset_is_played_against_a_computer(ann: Player, preset: str) -> None:
    ann.page.goto(f"/new.html?preset={preset}")
    ann.ready()
    ann.page.click("#opens")
    ann.there()
    is_race = preset.startswith("race")
    assert ann.play(most=30 if is_race else 10_000)["over"] is not is_race


def test_help_and_settings_lead_back_to_the_table(ann: Player) -> None:
    ann.quick_start("classic")
    room = ann.room
    for beside in ("help.html", "settings.html"):
        links = ann.page.locator(f"header a[href*='{beside}']")
        ann.page.goto(links.first.get_attribute("href") or "")
        ann.page.click("#back")
        ann.there()
        assert ann.room == room


def test_a_language_is_loaded_once_it_is_used(browser: "Browser", site: str) -> None:
    for player in visits(Player(browser, site, locale="de-AT", service_workers="allow")):
        page = player.page
        page.goto("/index.html")
        page.wait_for_url("**/de/index.html")
        page.wait_for_function(ACTIVE)
        assert page.evaluate(LANGUAGES) == ["de"]
        player.context.set_offline(True)
        player.quick_start("classic", "/de/index.html")
        player.play(most=2, undoes=False)
        assert "1 bis 9 sind offen." in page.inner_text("#log")
        player.context.set_offline(False)
        page.goto("/settings.html")
        page.wait_for_url("**/de/settings.html")
        player.ready()
        page.locator("main .language select").select_option("fr")
        page.locator("main .language button").click()
        page.wait_for_url("**/fr/settings.html")
        page.wait_for_function(f"async () => (await ({LANGUAGES})()).includes('fr')")
        page.goto("/fr/index.html")
        page.locator("#go-on-list a", has_text="à fermer").click()
        player.there()
        assert "1 à 9" in page.inner_text("#log")


def test_an_engine_that_does_not_come_is_told(ann: Player) -> None:
    Seeded.lacks = "shutbox.zip.packed"
    ann.allows.append("404")
    ann.page.goto("/index.html")
    ann.page.click(".begin")
    ann.page.wait_for_selector("#error")
    assert "could not be loaded" in ann.page.inner_text("#error")
    assert ann.page.locator("[aria-busy]").count() == 0


def test_from_a_disk_or_without_script_pages_say_so_and_show_no_form(
    browser: "Browser", folder: Path
) -> None:
    for scripted, says in (
        (True, "Opened from a disk, the game does not run"),
        (False, "Turn script on"),
    ):
        context = browser.new_context(java_script_enabled=scripted)
        page = context.new_page()
        for path in {*folder.glob("*.html")} - {folder / "docs.html"}:
            page.goto(path.as_uri())
            assert page.locator(":is(form, [form]):visible").count() == 0, path.name
            assert says in page.inner_text(".alert:visible"), path.name
        context.close()


def test_without_copies_of_tables_a_table_is_told_anew(ann: Player) -> None:
    ann.context.add_init_script(DENIED_COPIES)
    ann.quick_start("classic")
    assert ann.play()["over"]


def test_no_move_is_lost_over_a_reload(ann: Player) -> None:
    ann.quick_start("classic")
    assert ann.view()["table"]["version"] == 0  # the first throw is hers
    ann.play(most=2, undoes=False)
    before, page = ann.view(), ann.page
    page.reload()
    ann.ready()
    assert page.evaluate("() => table.view.number") == before["number"]
    assert page.evaluate("JSON.parse(localStorage['shutbox.cards']).length") == 1
    page.evaluate("localStorage.clear()")  # the copy goes, the events stay
    page.reload()
    page.wait_for_function("() => window.table?.view?.table")
    assert ann.view()["table"] == before["table"]
    page.goto("/index.html")
    page.click("#go-on-list a")
    ann.there()
    assert ann.play()["over"]


def test_a_table_that_is_cleared_while_it_is_played_is_told(ann: Player) -> None:
    ann.quick_start("classic")
    page = ann.page
    page.wait_for_selector(READY)
    ann.play(most=1, undoes=False)
    cleared = {"origin": ann.url, "storageTypes": "indexeddb"}
    ann.context.new_cdp_session(page).send("Storage.clearDataForOrigin", cleared)
    page.evaluate("() => void table.play({ most: 1, undoes: false }).catch(() => {})")
    page.wait_for_selector("#main > [role=alert]")
    assert page.inner_text("#main") == "There is no such table."
    page.goto("/index.html")
    ann.ready()
    assert page.locator("#go-on-list li").count() == 0
    ann.quick_start("classic")


def test_an_address_with_what_there_is_not_is_told(ann: Player) -> None:
    ann.page.goto("/table.html?room=elsewhere")
    assert ann.page.inner_text("#main > [role=alert]") == "There is no such table."
    ann.page.goto("/table.html")
    ann.page.wait_for_url("**/index.html")
    ann.quick_start("classic")
    room = ann.room
    for address in (f"review.html?room={room}&game=x", "review.html?room=elsewhere", "dice.html"):
        ann.page.goto(f"/{address}")
        ann.page.wait_for_selector("#main.notice .say")
    ann.page.goto("/new.html?preset=elsewhere")
    ann.ready()
    ann.page.click("#opens")
    ann.there()


def test_the_engine_begins_with_what_its_memory_held(ann: Player) -> None:
    ann.quick_start("classic")
    ann.page.wait_for_selector(READY)
    kept = "async () => (await (await caches.open('memory')).keys()).map(({ url }) => url)"
    (snapshot,) = ann.page.evaluate(kept)
    spoilt = "async (url) => (await caches.open('memory')).put(url, new Response('spoilt'))"
    ann.page.evaluate(spoilt, snapshot)
    ann.allows.append("memory")
    ann.page.reload()
    ann.page.wait_for_selector(READY)
    assert ann.play()["over"]


def test_another_page_goes_on_with_the_same_table(ann: Player) -> None:
    ann.quick_start("classic")
    address, first = ann.page.url, ann.page
    first.wait_for_selector(READY)
    second = ann.tab()
    second.goto(address)
    second.wait_for_selector(READY)
    ann.play(most=1, undoes=False)
    number = ann.view()["number"]
    first.evaluate("number => table.until(() => table.view.number === number)", number)
    first.evaluate("() => table.shown()")


def test_the_pages_of_the_server_are_here(ann: Player, check: Check) -> None:
    page = ann.page
    page.goto("/position.html?text=classic:1.3.4.9/1%2B3")
    page.wait_for_selector("#results .rank")
    assert "11.5" in page.inner_text("#results")
    check(ann)
    page.get_by_label("Tile 9 up").or_(page.get_by_label("9 up")).first.uncheck(force=True)
    page.wait_for_url("**/position.html?text=classic:1.3.4/1%2B3")
    page.get_by_role("button", name="Play on from here").click()
    ann.there()
    assert ann.play()["over"]
    page.click("#review")
    page.wait_for_selector("main .account")
    check(ann)
    page.goto("/practice.html")
    page.wait_for_selector("#facts", state="attached")
    offers = json.loads(page.inner_text("#boot"))["offers"]
    for key in offers[0]["takes"]:
        page.locator(f"#board [data-key='{key}'] > button").click()
    page.click("#go" if offers[0]["takes"] else "#offers button >> nth=0")
    page.wait_for_selector("#verd")
    page.click("#go")
    page.wait_for_selector("#verd", state="detached")
    page.goto("/games.html")
    page.wait_for_selector(".done li")
    check(ann)


def test_dice_are_sealed_and_checked_here(ann: Player, check: Check) -> None:
    ann.quick_start("six")
    assert ann.play(undoes=False)["over"]
    page = ann.page
    page.wait_for_function("() => table.view.seal.state === 'open'")
    page.click("#seal-link")
    page.wait_for_selector("#seal li >> nth=11")
    check(ann)
    page.click("#open")
    page.wait_for_selector("#found :text('Every throw follows')")
    assert "Your word is in these dice." in page.inner_text("#found")
    assert page.locator("#found .wrong").count() == 0
    link = page.locator("input.link").input_value()
    page.goto("/fair.html")
    page.wait_for_selector("caption", state="attached")
    page.goto(link)
    page.get_by_role("button", name="Play", exact=True).click()
    ann.there()
    assert page.inner_text("#seal-link") == "These dice are known."
    assert ann.play(undoes=False)["over"]
    page.wait_for_selector("#verdict .duel > li >> nth=2")


def test_all_of_it_is_there_without_a_network(cat: Player) -> None:
    page = cat.page
    page.goto("/index.html")
    page.wait_for_function(ACTIVE)
    session = cat.context.new_cdp_session(page)
    assert session.send("Page.getAppManifest")["errors"] == []
    assert session.send("Page.getInstallabilityErrors")["installabilityErrors"] == []
    cat.context.set_offline(True)
    cat.quick_start("classic")
    assert cat.play()["over"]
    for name in ("index", "new", "help", "settings"):
        page.goto(f"/{name}.html")
        cat.ready()
    for name, shows in (
        ("analysis", "#results"),
        ("practice", "#chain"),
        ("review", "#open"),
        ("games", ".done li"),
    ):
        page.goto(f"/{name}.html")
        page.wait_for_selector(shows)
    cat.context.set_offline(False)


def test_a_newer_release_takes_over_once_the_older_is_closed(
    browser: "Browser", folder: Path, tmp_path: Path
) -> None:
    copy = shutil.copytree(folder, tmp_path / "copy")
    with served_files(copy) as url:
        for player in visits(Player(browser, url, service_workers="allow")):
            sees_releases(player, copy)


def sees_releases(player: Player, folder: Path) -> None:
    player.page.goto("/help.html")
    names = "async () => (await caches.keys()).join()"
    player.page.wait_for_function(ACTIVE)
    older = player.page.evaluate(names)
    worker = folder / "sw.js"
    worker.write_text(worker.read_text().replace('"release": "', '"release": "newer'))
    page = folder / "help.html"
    page.write_text(page.read_text().replace("<h1>How it is played</h1>", "<h1>Newer</h1>"))
    for path in (worker, page):  # a host tells what is newer by whole seconds
        os.utime(path, times=(later := time.time() + 60, later))
    player.page.reload()
    assert player.page.inner_text("h1") == "How it is played"
    player.page.evaluate(WAITING)
    for _ in range(50):  # it takes over a moment after the last page has gone
        player.page.close()
        player.tab().goto("/help.html")
        if player.page.inner_text("h1") == "Newer":
            break
    assert older not in player.page.evaluate(names)


def test_an_example_of_the_documentation_is_tried(ann: Player) -> None:
    page = ann.page
    page.goto("/docs.html")
    page.locator("button.try").nth(1).click()
    page.wait_for_selector(".prompt input")
    assert page.inner_text(".said").splitlines() == ['>>> value("classic")', "11.01"]
    for typed, said in (("6 * 7", "42"), ("1 / 0", "ZeroDivisionError: division by zero")):
        page.keyboard.type(typed)
        page.keyboard.press("Enter")
        page.wait_for_function(
            "said => document.querySelector('.said').textContent.includes(said)", arg=said
        )
    assert page.locator("button.try").count() == 1


@pytest.fixture
def fox(site: str) -> Iterator[Firefox]:
    if lacks := missing():
        pytest.skip(f"this system has no {lacks}")
    Seeded.started = 0
    with firefox() as browser:
        browser.before_pages((HERE / "watch.js").read_text(encoding="utf-8"))
        browser.goto(f"{site}/index.html")
        yield browser
        assert not browser.logged


def test_firefox_plays_it_and_goes_on_after_a_reload(fox: Firefox, site: str) -> None:
    fox.until("'ready' in document.documentElement.dataset")
    fox.evaluate("document.querySelector('button[value=\"computer:hobbs\"]').click()")
    live = "document.documentElement.classList.contains('live')"
    fox.until(f"location.pathname === '/table.html' && {live} && table.view !== null")
    fox.evaluate("table.play({ most: 4, undoes: false })")
    number, address = fox.evaluate("table.view.number"), fox.evaluate("location.href")
    fox.goto(address)
    assert fox.until(f"{live} && table.view.number >= {number}")
    assert fox.evaluate("table.play({ undoes: false })")["over"]
    assert fox.evaluate("table.view.phase") == "over"
