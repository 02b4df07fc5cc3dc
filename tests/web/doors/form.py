"""The door of browsers without script: pages, and the forms on them."""

import json
import re
from collections.abc import Iterator, Mapping
from html.parser import HTMLParser
from typing import Any
from urllib.parse import urlencode

from shutbox.web.actions.registry import BY_FORM, FORM_ACTION
from web.doors.api import STATUS, Reply, adopt
from web.doors.worlds import NO_DAY, World, ask, facts_of, new_action

PAGES = {
    "room": ("GET", "/r/{room}"),
    "hint": ("GET", "/r/{room}/hint"),
    "verdict": ("GET", "/r/{room}/verdict"),
    "review": ("GET", "/r/{room}/review"),
    "record": ("GET", "/r/{room}/record"),
    "dice-page": ("GET", "/r/{room}/dice"),
    "watch-code": ("GET", "/r/{room}/qr"),
    "seat-code": ("GET", "/r/{room}/qr?seat={seat}"),
    "invitation-code": ("GET", "/r/{room}/qr?seat=free"),
    "enter": ("POST", "/r/{room}/enter"),
    "open-room": ("POST", "/new"),
    "play-at-once": ("POST", "/play"),
    "take-challenge": ("POST", "/challenge"),
    "replay": ("POST", "/review"),
    "today": ("GET", "/today"),
    "play-today": ("POST", "/today"),
    "past-day": ("GET", "/today/{day}"),
    "delete-data": ("POST", "/games/delete"),
    "device-link": ("POST", "/games/link"),
    "take-along": ("POST", "/games/take"),
    "language": ("POST", "/language"),
    "practise": ("POST", "/practice"),
}
"""The pages and forms with an address of their own; the rest of the registry has `Action.form`."""
_TURN = {"action", "game", "version", "seat"}
_NEEDS = {
    **dict.fromkeys(("throw", "choose", "take-back"), _TURN),
    "correct": {*_TURN, "roll"},
    **{
        key: {"action", "seat"} for key in ("leave", "come-back", "stand-in", "clear-name", "renew")
    },
    "name": {"action", "seat", "name"},
    "rematch": {"action", "game"},
    "decline": {"action", "seat", "game"},
}
"""The fields that a form for an action has, besides its buttons."""
_VOID = {"br", "hr", "img", "input", "link", "meta", "path", "use", "circle", "rect", "line"}
_SHOWN = {"link-watch": "watch", "link-join": "join", "link-0": "ann", "link-1": "bob"} | {
    "link-2": "cleo",
    "link-3": "dan",
}


_DRAWING = re.compile("<svg.*?</svg>", re.DOTALL)
_OF_TABLE, _ALERT = 'type="application/json"', 'role="alert"'


class TablePage(HTMLParser):
    """A table's page as somebody without script sees it."""

    def __init__(self, text: str) -> None:
        super().__init__(convert_charrefs=True)
        self.forms: list[dict[str, str]] = []
        self.links: set[str] = set()
        self.boot: Any = None
        self._open: list[tuple[str, bool]] = []
        self._in_boot = False
        self.feed(_DRAWING.sub("", text))
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        found = {name: value or "" for name, value in attrs}
        hidden = "hidden" in found or "scripted" in found.get("class", "").split()
        hidden = hidden or bool(self._open and self._open[-1][1])
        if tag not in _VOID:
            self._open.append((tag, hidden))
        self._in_boot = tag == "script" and found.get("type") == "application/json"
        if tag == "form" and not hidden:
            self.forms.append({"": found.get("action", "")})
        elif tag == "input" and not hidden:
            if self.forms and "name" in found:
                self.forms[-1].setdefault(found["name"], found.get("value", ""))
            if found.get("id") in _SHOWN:
                self.links.add(f"link:{_SHOWN[found['id']]}")

    def handle_endtag(self, tag: str) -> None:
        while self._open and self._open[-1][0] != tag and any(tag == one for one, _ in self._open):
            self._open.pop()
        if self._open and self._open[-1][0] == tag:
            self._open.pop()
        self._in_boot = False

    def handle_data(self, data: str) -> None:
        if self._in_boot:
            self.boot = json.loads(data)

    @property
    def offers(self) -> frozenset[str]:
        """The actions that the forms on the page do: those with an id, and with all they need."""
        typed = self.boot["view"]["settings"]["dice"] == "hand"
        needs = {**_NEEDS, "throw": _NEEDS["throw"] | ({"roll"} if typed else set())}
        named = ((form.get("do") or form.get("what", ""), form) for form in self.forms)
        return frozenset(
            name for name, form in named if name and needs.get(name, {"action"}) <= form.keys()
        )


def _fields(sends: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    for name, value in sends.items():
        if name == "seats":
            for seat in value:
                yield from (("who", seat["who"]), ("name", seat.get("name", "")))
        elif value is not None:
            yield name, str(value)


class Forms:
    """Pages and forms; the cookie tells who asks. A refusal has a status and words, but no code."""

    name = "form"

    def has(self, action: str) -> bool:
        return action in PAGES or action in BY_FORM

    def expects(self, code: str, action: str) -> str:
        return f"status {STATUS.get(code, 422)}"

    async def do(
        self, world: World, who: str, action: str, sends: Mapping[str, Any], beside: str
    ) -> Reply:
        person, fields = world.people[who], [*_fields(sends)]
        method, path = PAGES.get(action) or ("POST", BY_FORM[action].form)
        if action in BY_FORM and BY_FORM[action].form == FORM_ACTION:
            fields.append(("what", action))
        if method == "POST":
            fields.append(("action", new_action()))
        path = path.format(**{"seat": 0, "day": NO_DAY, **sends, "room": world.room})
        for _ in range(2):  # once more with the cookie that a newcomer is given first
            headers = {**person.cookie(), "content-type": "application/x-www-form-urlencoded"}
            answer = await ask(world.site.app, method, path, headers, urlencode(fields).encode())
            adopt(person, answer)
            if answer.status != 307:
                break
            path = answer.headers["location"]
        told, is_table = f"{answer.headers} {answer.text}", _OF_TABLE in answer.text
        if answer.status >= 400:
            words = " without words" if is_table and _ALERT not in answer.text else ""
            if action == "enter" and answer.status != 404 and "/enter" not in answer.text:
                words = " without its form"
            return Reply(f"status {answer.status}{words}", told)
        if action == "room" and not is_table:  # it asks for the key of a link
            return Reply("status 403", told)
        to = answer.headers.get("location", "")
        return Reply("ok", told, to.removeprefix("/r/") if to.startswith("/r/") else "")

    async def shown(self, world: World, who: str, beside: str = "") -> frozenset[str] | None:
        cookie = world.people[who].cookie()
        page = TablePage((await ask(world.site.app, "GET", f"/r/{world.room}", cookie)).text)
        if page.boot is None:
            return None
        return facts_of(page.boot["view"], page.boot["you"]) | page.offers | page.links
