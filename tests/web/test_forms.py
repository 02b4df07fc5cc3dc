"""Play with forms alone, and requirements for every page and response.

A page is read as by a browser: its forms are filled in and sent, its addresses stay on this host,
and it has no inline scripts or styles.
"""

import json
import re
from collections.abc import Iterator
from html.parser import HTMLParser
from itertools import product
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

import httpx2
import pytest
from starlette.requests import Request
from starlette.testclient import TestClient

from in_process import beside, client_of, server_of, settings_in
from people import Person
from shutbox.engine.errors import NotKept
from shutbox.web.errors import Full, NoCookies, NotAllowed, TooOften, UnknownRoom
from shutbox.web.http.middleware import CONTENT_SECURITY, HEADERS
from shutbox.web.pages.static_files import STATIC
from shutbox.web.pages.templates import refusal_page
from shutbox.web.rooms.requests import Form
from shutbox.web.server import app as web_app
from shutbox.web.server.services import Server

FORM = "application/x-www-form-urlencoded"
ADDRESSES = ("href", "src", "action", "formaction", "poster", "data", "srcset", "content")


class Page(HTMLParser):
    """A page as a browser reads it: its forms are the fields with their values."""

    def __init__(self, response: httpx2.Response) -> None:
        super().__init__(convert_charrefs=True)
        self.forms: list[dict[str, str]] = []
        self.tags: list[tuple[str, dict[str, str]]] = []
        self.scripts: list[str] = []
        self.text = ""
        self._script = False
        self.feed(response.text)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        found = {name: value or "" for name, value in attrs}
        self.tags.append((tag, found))
        if tag == "form":
            self.forms.append({"": found.get("action", "")})
        elif tag == "input" and self.forms:
            self.forms[-1][found.get("name", "")] = found.get("value", "")
        elif tag == "script":
            self._script = True
            self.scripts.append("")

    def handle_endtag(self, tag: str) -> None:
        self._script = self._script and tag != "script"

    def handle_data(self, data: str) -> None:
        if self._script:
            self.scripts[-1] += data
        else:
            self.text += data


def test_a_table_that_cannot_be_opened_comes_back_with_the_reason(ann: Person) -> None:
    me = [("who", "me"), ("name", "")]
    for fields, says in (
        ([("game", "nonsense"), *me], "nonsense"),
        ([("game", "./x.toml"), *me], "files can be played only in the terminal"),
        ([("game", "classic"), ("overrides", "tiles=1-30,dice=12d6"), *me], "covers"),
        ([("game", "classic"), ("format", "rounds=x"), *me], "rounds"),
        ([("game", "classic"), ("name", "")], "choose at least one player"),
        ([("game", "classic"), ("who", "nobody"), ("name", "")], "the form cannot be read"),
        ([("game", "classic"), ("who", "me"), ("name", "a\u202eb")], "invisible"),
        ([("game", "classic"), ("who", "computer:nonsense"), ("name", "")], "nonsense"),
        # rows that do not match
        ([("game", "pub"), ("who", "me"), ("who", "here"), ("name", "A")], ""),
        ([("game", "pub"), ("who", "me"), ("name", "A"), ("name", "B")], ""),
        ([("game", "pub"), ("who", "me"), ("who", "here")], ""),
    ):
        headers = {"content-type": FORM}
        response = ann.client.post("/new", content=urlencode(fields), headers=headers)
        assert response.status_code in (400, 422)
        shown = Page(response)
        assert says.lower() in shown.text.lower()
        assert says or any(attributes.get("id") == "error" for _, attributes in shown.tags)
        [form] = [form for form in shown.forms if form[""] == "/new"]
        assert form.get("overrides", "") == dict(fields).get("overrides", "")


# What every page is like


NAMES = ("<b>x</b>", "</script><i>y", "z' onx('", "&lt;w&gt;")


@pytest.fixture(scope="module")
def pages(tmp_path_factory: pytest.TempPathFactory) -> dict[str, httpx2.Response]:
    """Every page, in many states, with names that look like markup."""
    with client_of(server_of(settings_in(tmp_path_factory.mktemp("pages")))) as first:
        return every_page(*(Person(beside(first)) for _ in range(3)))


def every_page(ann: Person, bob: Person, eve: Person) -> dict[str, httpx2.Response]:
    seats = [
        {"who": "me", "name": NAMES[0]},
        {"who": "link"},
        {"who": "computer:fixed:<u>1</u>", "name": NAMES[2]},
    ]
    opened = ann.open(game="pub", format="order=seats", seats=seats, coach=True)
    room, keys = opened["view"]["room"], opened["keys"]
    found = {path: ann.get(path) for path in ("/", "/new", "/new?preset=pub", "/review", "/help")}
    found["waiting"] = ann.get(f"/r/{room}")
    found["a stranger"] = eve.get(f"/r/{room}")
    form = {"key": '"><script>1</script>', "name": "<script>2</script>", "action": "x" * 8}
    found["a wrong key"] = eve.client.post(f"/r/{room}/enter", data=form)
    assert bob.enter(room, keys["1"], NAMES[1]).status_code == 200
    found["a turn"] = ann.get(f"/r/{room}")
    found["the turn of another"] = bob.get(f"/r/{room}")
    throw = {"game": 1, "version": 0, "seat": 1, "do": "throw"}
    found["a refused throw"] = bob.client.post(f"/r/{room}/act", data=throw)
    eve.enter(room, keys["watch"])
    found["a spectator"] = eve.get(f"/r/{room}")
    assert ann.act(room, ann.table(room), "throw").status_code == 200
    found["a choice"] = ann.get(f"/r/{room}")
    found["a hint"] = ann.get(f"/r/{room}/hint")
    act = {"game": 1, "version": 1, "seat": 0, "do": "choose", "choice": "<script>3</script>"}
    found["a refused choice"] = ann.client.post(f"/r/{room}/act", data=act)
    bob.post(f"/api/rooms/{room}/leave", seat=1)
    found["somebody has left"] = ann.get(f"/r/{room}")
    found["a replay"] = ann.get(f"/r/{room}/review")
    ann.post(f"/api/rooms/{room}/end")
    found["an end"] = ann.get(f"/r/{room}")
    found["nothing"] = ann.get("/<script>4</script>")
    found["no room"] = ann.get("/r/<script>5</script>")
    found["no method"] = ann.client.delete("/help")
    new = {"game": "<script>6</script>", "who": "me", "name": '"><i>', "overrides": "'\"<p>"}
    found["no table"] = ann.client.post("/new", data=new)
    found["no form"] = ann.client.post("/play", json={})
    found["no file"] = ann.client.post("/review", data={"record": "x"})
    bad = {"record": ("x", b"shutbox <script>7</script>\nplayer <b>", "text/plain")}
    found["no record"] = ann.client.post("/review", files=bad)
    found["asked of query"] = ann.get('/new?game=<script>8</script>&format=\'"<p>&overrides="<p>')
    return found


def test_the_field_holds_the_name_that_the_host_has_given(ann: Person, bob: Person) -> None:
    """By the script and without it; where the host gave none, it is empty."""
    for names in (["Bob <b>"], [""], ["Bob", ""]):
        seats = [{"who": "me"}, *({"who": "link", "name": name} for name in names)]
        opened = ann.open(game="pub", seats=seats)
        room, key = opened["view"]["room"], opened["you"]["links"]["join"].partition("#")[2]
        name = names[0] if len(names) == 1 else ""  # an invitation to several gives none
        assert bob.enter(room, key).json()["invites"]["name"] == name
        page = Page(bob.client.post(f"/r/{room}/enter", data={"key": key}))
        form = next(form for form in page.forms if form[""].endswith("/enter"))
        assert (form["name"], form["key"]) == (name, key)


def test_names_and_whatever_is_typed_are_text(pages: dict[str, httpx2.Response]) -> None:
    for name, response in pages.items():
        shown = Page(response)
        marked = {"u", "o"} & {tag for tag, _ in shown.tags}
        assert not marked, f"{name}: {marked}"
        assert not re.search("<b>x|<i>y", response.text), name
        for script in shown.scripts:
            assert not re.fullmatch(r"\d", script), name
        assert response.text.count("</script") == len(shown.scripts), name
    for state in ("a turn", "a choice", "a spectator", "an end"):
        shown = Page(pages[state])
        [boot] = [json.loads(script) for script in shown.scripts if script.strip()]
        assert all(said in shown.text for said in NAMES[:3]), state
        assert [seat["name"] for seat in boot["view"]["seats"]] == list(NAMES[:3])


def test_a_page_has_no_script_style_or_address_but_ours_and_all_headers(
    pages: dict[str, httpx2.Response],
) -> None:
    for name, response in pages.items():
        check_headers(response)
        assert "etag" not in response.headers, name
        if "room" in str(response.url):
            assert response.headers["cache-control"] == "no-store"
        for tag, attributes in Page(response).tags:
            told = f"{name}: <{tag} {attributes}>"
            assert tag not in ("style", "base", "object", "embed", "iframe"), told
            assert not [key for key in attributes if key.startswith("on") or key == "style"], told
            if tag == "script":
                assert "src" in attributes or attributes.get("type") == "application/json", told
            for value in (attributes.get(key, "") for key in ADDRESSES):
                if tag == "meta":  # what chats show of a page has the whole address of its picture
                    value = value.removeprefix("http://testserver")
                assert not re.match(r"\s*([a-z][a-z0-9+.-]*:|//|\\)", value, re.IGNORECASE), told


def test_who_waits_for_another_is_shown_the_table_again(pages: dict[str, httpx2.Response]) -> None:
    again = re.compile(r'<noscript><meta http-equiv="refresh" content="4;url=/r/\w+">')
    assert again.search(pages["the turn of another"].text)
    assert "it is the turn of seat 0" in pages["a refused throw"].text
    assert not again.search(pages["a refused throw"].text), "the reason would vanish"


def test_no_file_of_ours_asks_another_host_or_makes_markup_of_text() -> None:
    # A font is none of our writing, and neither is its licence.
    ours = {".css", ".html", ".js", ".svg"}
    for path in sorted(path for path in STATIC.rglob("*") if path.suffix in ours):
        text = path.read_text(encoding="utf-8")
        hosts = set(re.findall(r"https?://[^\s\"'`)]+", text)) - {"http://www.w3.org/2000/svg"}
        assert not hosts, f"{path.name}: {hosts}"
        if path.suffix == ".js":
            risky = r"innerHTML|outerHTML|insertAdjacentHTML|document\.write|\beval\(|new Function"
            assert not re.search(risky, text), path.name


def test_everything_a_page_is_made_of_is_there(
    pages: dict[str, httpx2.Response], ann: Person
) -> None:
    files = {
        attributes[key]
        for response in pages.values()
        for _, attributes in Page(response).tags
        for key in ("href", "src")
        if attributes.get(key, "").startswith("/static/")
    }
    assert files
    for file in files:
        response = ann.get(file)
        assert response.status_code == 200
        assert "immutable" in response.headers["cache-control"]
        for other in ("?v=0123456789", "?v=", "?", ""):
            response = ann.get(file.partition("?")[0] + other)
            assert (response.status_code, response.headers["cache-control"]) == (200, "no-cache")


def test_a_page_beside_a_table_leads_back_to_it(ann: Person) -> None:
    room = ann.open(game="classic")["view"]["room"]
    for page, table in (("/settings", ""), ("/help", ""), ("/dice", "/dice")):
        assert f'href="{page}?table={room}"' in ann.get(f"/r/{room}{table}").text
        back = f'<a class="button" id="back" href="/r/{room}">'
        assert back in ann.get(f"{page}?table={room}").text
        for other in ("", "?table=", "?table=../new", "?table=" + "a" * 17):
            assert 'id="back"' not in ann.get(page + other).text


# What every answer is like


def check_headers(response: httpx2.Response) -> None:
    for name, value in HEADERS.items():
        assert response.headers.get_list(name) == [value], (response.url, name)
    assert "cache-control" in response.headers


def test_the_policy_allows_nothing_unsafe() -> None:
    rules = dict(rule.strip().partition(" ")[::2] for rule in CONTENT_SECURITY.split(";"))
    assert rules["default-src"] == rules["base-uri"] == rules["frame-ancestors"] == "'none'"
    allowed = {word for rule in rules.values() for word in rule.split()}
    assert allowed == {"'none'", "'self'", "data:"}
    assert "data:" not in rules["script-src"] + rules["style-src"]
    assert HEADERS["X-Content-Type-Options"] == "nosniff"
    assert HEADERS["Referrer-Policy"] == "same-origin"


def test_every_other_answer_has_the_headers(ann: Person) -> None:
    room = ann.open(game="classic")["view"]["room"]
    own = {"content-type": FORM, "origin": "https://evil.example"}
    for response in (
        *(ann.get(path) for path in ("/api/games", "/api/nothing", "/health", "/ready")),
        *(ann.get(f"/api/rooms/{id}") for id in (room, "nowhere")),
        *(ann.get(f"/static/{file}") for file in ("icon.svg", "base.css", "nothing.js", "../x")),
        ann.get(f"/api/rooms/{room}/record"),
        ann.client.head("/"),
        ann.client.post("/play", data={"game": "classic"}, follow_redirects=False),
        ann.client.post("/play", content="", headers=own),
        ann.client.post("/api/rooms", content="{"),
        ann.client.request("TRACE", "/"),
    ):
        check_headers(response)


def broken(request: Any) -> Any:
    raise RuntimeError("a planted fault")


def test_what_breaks_tells_nothing_of_itself(
    server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(web_app, "PAGES", (*web_app.PAGES, ("GET", "/broken", broken)))
    with client_of(server, raise_server_exceptions=False) as client:
        response = client.get("/broken")
    assert response.status_code == 500
    assert "planted" not in response.text
    check_headers(response)


def test_the_page_of_a_refusal_has_the_heading_of_its_kind() -> None:
    for error, heading in (
        (Full("the table is full"), "That did not work"),
        (Full("all workers are busy", 3), "Busy now"),
        (TooOften("wait a little", 3), "Too often"),
        (NotAllowed("it is not yours"), "Not allowed"),
        (NoCookies("it keeps none"), "Cookies are off"),
        (UnknownRoom("it is gone"), "Nothing stands here"),
    ):
        assert f">{heading}</h1>" in bytes(refusal_page(error).body).decode()


@pytest.mark.parametrize("method", ["GET", "POST"])
def test_a_page_that_can_succeed_later_sends_its_request_again(method: str) -> None:
    scope = {"type": "http", "method": method, "path": "/new", "query_string": b"game=ten&who=me"}
    request = Request({**scope, "headers": [(b"host", b"box.local")], "server": ("box.local", 80)})
    if method == "POST":
        request.state.form = Form([("game", "ten"), ("who", "me")])
    later, never = (
        bytes(refusal_page(error, request).body).decode()
        for error in (NotKept("locked"), NotAllowed("no"))
    )
    [(sent, fields)] = re.findall('<form id="again"(.*?)>(.*)<button', later)
    assert f'method="{method.lower()}" action="/new"' in sent
    assert [*re.findall('name="(.+?)" value="(.+?)"', fields)] == [("game", "ten"), ("who", "me")]
    assert 'id="again"' not in never


# Cookies, and hosts


@pytest.fixture
def secure(tmp_path: Path) -> Iterator[TestClient]:
    """A server behind a proxy that speaks https."""
    url = "https://box.example"
    with client_of(server_of(settings_in(tmp_path, url=url)), base_url=url) as client:
        yield client


def test_the_cookie_is_bound_to_this_host_and_to_https(secure: TestClient) -> None:
    response = secure.post(
        "/play",
        data={"game": "classic"},
        headers={"accept-encoding": "identity"},  # so that its length is the handler's own
        follow_redirects=False,
    )
    name, parts = cookie_of(response)
    assert name == "__Host-device"
    assert "secure" in parts
    assert not [part for part in parts if part.startswith("domain")]
    assert response.headers["strict-transport-security"]
    assert response.headers["location"] == "/play?cookies="  # no table for who keeps no cookies
    assert int(response.headers["content-length"]) == len(response.content)
    assert "https://box.example/r/" in secure.post("/play", data={"game": "classic"}).text
    for origin, status in (
        ("https://box.example", 303),
        ("http://box.example", 403),
        ("https://box.example:8443", 403),
    ):
        headers, data = {"origin": origin}, {"game": "classic"}
        response = secure.post("/play", data=data, headers=headers, follow_redirects=False)
        assert response.status_code == status


def cookie_of(response: httpx2.Response) -> tuple[str, set[str]]:
    """The name and the attributes of the cookie of a device."""
    name, _, rest = response.headers["set-cookie"].partition("=")
    value, *parts = (part.strip().lower() for part in rest.split(";"))
    assert len(value) >= 43
    assert {"httponly", "samesite=lax", "path=/"} <= {*parts}
    # Whoever closes the browser comes back: the cookie lives as long as browsers allow.
    [age] = [part.removeprefix("max-age=") for part in parts if part.startswith("max-age=")]
    assert 180 <= int(age) / (24 * 3600) <= 400
    return name, {*parts}


def test_the_cookie_of_plain_http(ann: Person) -> None:
    for headers, status in (({"cookie": "device="}, 307), ({}, 307), ({}, 303)):
        response = ann.client.post(
            "/play", data={"game": "classic"}, headers=headers, follow_redirects=False
        )
        assert response.status_code == status
        if status == 307:
            name, parts = cookie_of(response)
            assert (name, "secure" in parts) == ("device", False)
        if headers:  # an empty cookie is none
            ann.client.cookies.clear()
    assert "set-cookie" not in response.headers


HOSTS = ("evil.example", "box.example.evil.example", "box.example:444", "", "box.example@evil")


def test_another_host_is_not_served(secure: TestClient) -> None:
    asked = (("GET", "/"), ("GET", "/api/games"), ("POST", "/play"), ("GET", "/x"))
    for host, (method, path) in product(HOSTS, asked):
        response = secure.request(method, path, headers={"host": host})
        assert response.status_code == 421
        assert not host or host not in response.text
        check_headers(response)
        assert secure.get("/health", headers={"host": host}).status_code == 200


def test_without_an_address_only_names_of_ones_own_network_are_served(ann: Person) -> None:
    own = ("localhost:8000", "192.0.2.7", "[2001:db8::1]:80", "box")
    others = ("evil.example", "127.0.0.1.evil.example", "[::1", "a.b:x")
    for host, path in product((*own, *others), ("/", "/api/games")):
        response = ann.client.get(path, headers={"host": host})
        assert response.status_code == (200 if host in own else 421), host


def test_a_browser_that_keeps_no_cookies_is_told_and_opens_no_table(
    ann: Person, server: Server
) -> None:
    host = Person(ann.client)
    opened = host.open(game="pub", seats=[{"who": "me", "name": "Ann"}, {"who": "link"}])
    room, key = opened["view"]["room"], opened["keys"]["1"]
    sent = {
        "/play": {"game": "classic"},
        "/new": {"game": "classic", "who": "me", "name": ""},
        "/today": {"action": ""},
        f"/r/{room}/enter": {"key": key, "name": "Bob"},
    }
    before = [*server.rooms.loaded_rooms]
    for path, fields in sent.items():
        for _ in range(2):
            ann.client.cookies.clear()
            asked = ann.client.post(path, data=fields, follow_redirects=False)
            ann.client.cookies.clear()
            page = ann.client.post(asked.headers["location"], data=fields)
            assert (page.status_code, "This browser keeps no cookies." in page.text) == (403, True)
    assert [*server.rooms.loaded_rooms] == before
    assert before[-1].room.free == (1,)


def test_a_hint_has_its_rows_without_script(ann: Person) -> None:
    room = ann.open(game="classic", dice="hand")["view"]["room"]
    assert ann.act(room, ann.table(room), "throw", roll="3+5").status_code == 200
    rows = ann.get(f"/api/rooms/{room}/hint").json()["rows"]
    page = ann.get(f"/r/{room}/hint").text
    drawn = re.findall(r'class="hint[^"]*"><strong>([^<]*)</strong>.*?class="val">([^<]*)<', page)
    assert [(name, value) for name, value in drawn] == [(row["name"], row["value"]) for row in rows]
    assert len(rows) > 1
