"""The table as a static site: every game by clicks, without a server and without a network."""

import functools
import os
import shutil
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import parse_qs, urlsplit

import pytest

from browser.cases import GAMES, cases
from browser.conftest import visiting
from browser.firefox import Firefox, firefox, missing
from browser.visitors import HERE, Visitor
from built_once import built_once
from serving import ROOT

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
ACTIVE = "navigator.serviceWorker.controller?.state === 'activated'"
READY = "html[data-ready]"


class Seeded(SimpleHTTPRequestHandler):
    """Serves files, the engine with dice that are known; and says nothing."""

    started = 0
    """Engines in this test: each has dice of its own."""
    lacks = "nothing"
    """The end of the address of a file that this site has lost."""

    def do_GET(self) -> None:
        if self.path.endswith(Seeded.lacks):
            self.send_error(404)
        elif self.path.startswith("/engine/worker.js"):
            Seeded.started += 1
            dice = SEEDED.replace("{started}", str(Seeded.started)).encode()
            content = dice + Path(self.directory, "engine", "worker.js").read_bytes()
            self.send_response(200)
            self.send_header("Content-Type", "text/javascript")
            self.send_header("Content-Length", str(len(content)))
            self.end_headers()
            self.wfile.write(content)
        else:
            super().do_GET()

    def log_message(self, format: str, *values: Any) -> None:
        pass


class Player(Visitor):
    """Somebody at the static site."""

    def quick_start(self, game: str, home: str = "/index.html") -> None:
        self.page.goto(home)
        self.page.locator(f".gallery button[value='{game}']").evaluate("one => one.click()")
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


def site_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the folder of the site, which is built as `make site` does."""
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


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return site_folder(tmp_path_factory)


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


Visits = Callable[..., Player]


@pytest.fixture
def visits(browser: "Browser", site: str) -> Iterator[Visits]:
    """Yield a function that makes visitors. At the end, their pages must have no faults."""
    Seeded.started, Seeded.lacks = 0, "nothing"
    yield from visiting(Player, browser, site)


@pytest.fixture
def ann(visits: Visits) -> Player:
    return visits()


@pytest.fixture
def cat(visits: Visits) -> Player:
    """Somebody whose browser keeps the site."""
    return visits(service_workers="allow")


@pytest.mark.parametrize("game", cases(("double-shutter", "tray"), GAMES))
def test_a_game_is_played_by_clicks(ann: Player, game: str) -> None:
    ann.quick_start(game)
    is_endless = game == "tray"
    seen = ann.play(most=8 if is_endless else 10_000, hears=True)
    assert seen["over"] is not is_endless
    assert is_endless or ann.view()["phase"] == "over"


def test_a_language_is_loaded_once_it_is_used(visits: Visits) -> None:
    ann = visits(locale="de-AT", service_workers="allow")
    page = ann.page
    page.goto("/index.html")
    page.wait_for_url("**/de/index.html")
    ann.until(ACTIVE)
    assert ann.run("languages") == ["de"]
    ann.context.set_offline(True)
    ann.quick_start("classic", "/de/index.html")
    ann.play(most=2, undoes=False)
    assert "1 bis 9 sind offen." in page.inner_text("#log")
    ann.context.set_offline(False)
    page.goto("/settings.html")
    page.wait_for_url("**/de/settings.html")
    ann.ready()
    page.locator("main .language select").select_option("fr")
    page.locator("main .language button").click()
    page.wait_for_url("**/fr/settings.html")
    page.wait_for_function("async () => (await stubs.languages()).includes('fr')")


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


def test_no_move_is_lost_over_a_reload(ann: Player) -> None:
    ann.quick_start("classic")
    assert ann.view()["table"]["version"] == 0  # the first throw is hers
    ann.play(most=2, undoes=False)
    before, page = ann.view(), ann.page
    ann.reload()
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


def test_the_engine_begins_without_what_its_memory_held(ann: Player) -> None:
    """And the page without copies of tables, if the browser lets a site keep nothing."""
    ann.quick_start("classic")
    ann.page.wait_for_selector(READY)
    assert ann.run("spoilMemory") == 1
    ann.allows.append("memory")
    ann.stub("noStorage")
    ann.page.reload()
    ann.page.wait_for_selector(READY)
    assert ann.play()["over"]


def test_all_of_it_is_there_without_a_network(cat: Player) -> None:
    page = cat.page
    page.goto("/index.html")
    cat.until(ACTIVE)
    session = cat.context.new_cdp_session(page)
    assert session.send("Page.getAppManifest")["errors"] == []
    assert session.send("Page.getInstallabilityErrors")["installabilityErrors"] == []
    cat.context.set_offline(True)
    cat.quick_start("classic")
    assert cat.play()["over"]
    shows = {"new": "html.live", "help": "html.live", "analysis": "#results", "review": "#open"}
    for name, part in {**shows, "practice": "#chain", "games": ".done li"}.items():
        page.goto(f"/{name}.html")
        page.wait_for_selector(part)
    cat.context.set_offline(False)


def test_a_newer_release_takes_over_once_the_older_is_closed(
    visits: Visits, folder: Path, tmp_path: Path
) -> None:
    copy = shutil.copytree(folder, tmp_path / "copy")
    names = "async () => (await caches.keys()).join()"
    worker, help = copy / "sw.js", copy / "help.html"
    with served_files(copy) as url:
        ann = visits(url, service_workers="allow")
        ann.page.goto("/help.html")
        ann.until(ACTIVE)
        older = ann.page.evaluate(names)
        worker.write_text(worker.read_text().replace('"release": "', '"release": "newer'))
        help.write_text(help.read_text().replace("<h1>How it is played</h1>", "<h1>Newer</h1>"))
        for path in (worker, help):  # a host tells what is newer by whole seconds
            os.utime(path, times=(later := time.time() + 60, later))
        ann.page.reload()
        assert ann.page.inner_text("h1") == "How it is played"
        ann.run("newerRelease")
        for _ in range(50):  # it takes over a moment after the last page has gone
            ann.page.close()
            ann.tab().goto("/help.html")
            if ann.page.inner_text("h1") == "Newer":
                break
        assert older not in ann.page.evaluate(names)


def test_an_example_of_the_documentation_is_tried(ann: Player) -> None:
    page = ann.page
    page.goto("/docs.html")
    page.locator("button.try").nth(1).click()
    page.wait_for_selector(".prompt input")
    assert page.inner_text(".said").splitlines() == ['>>> value("classic")', "11.01"]
    for typed, said in (("6 * 7", "42"), ("1 / 0", "ZeroDivisionError: division by zero")):
        page.keyboard.type(typed)
        page.keyboard.press("Enter")
        page.wait_for_selector(f".said:has-text('{said}')")
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
