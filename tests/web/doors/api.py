"""The doors of programs: the API by the cookie of a browser, and by a key."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from shutbox.web.actions.registry import ACTIONS
from web.doors.worlds import Answer, Person, World, facts_of, links_of, offers_of

ACTION = {action.name: action for action in ACTIONS}

STATUS = {
    "bad-request": 400,
    **dict.fromkeys(("not-allowed", "no-cookies", "no-free-seat", "closed", "not-your-turn"), 403),
    **dict.fromkeys(("unknown-room", "unknown-record"), 404),
    "out-of-date": 409,
}
"""The status of each refusal; all others get 422."""


@dataclass(frozen=True)
class Reply:
    """What came of an action at a door."""

    code: str  # `ok`, or that of a refusal, as this door can tell it
    told: str = ""  # all that the caller could read
    room: str = ""  # the table that was opened, if any


def adopt(person: Person, answer: Answer) -> None:
    """Keep the cookie that a browser is given."""
    given = answer.headers.get("set-cookie", "").partition(";")[0]
    if given.startswith("device="):
        person.device = given.removeprefix("device=")


class Api:
    """The API as scripts of pages use it: the cookie tells who asks."""

    name = "api"

    def has(self, action: str) -> bool:
        return action == "live" or action in ACTION

    def headers(self, world: World, who: str, beside: str) -> Mapping[str, str]:
        return {**world.people[who].cookie(), "origin": "http://testserver"}

    def expects(self, code: str, action: str) -> str:
        """Return what this door can tell of an answer's code."""
        return code

    async def do(
        self, world: World, who: str, action: str, sends: Mapping[str, Any], beside: str
    ) -> Reply:
        """Do an action as a caller; `beside` is another who may do it."""
        answer = await world.site.api(world, self.headers(world, who, beside), action, sends)
        told = f"{answer.headers} {answer.text}"
        if action == "live":
            return Reply("ok" if answer.status == 200 else answer.text, told)
        if answer.status >= 400:
            code = answer.json["error"]["code"]
            if code == "out-of-date" and answer.json.get("view") != await world.view():
                code += " without the table as it is"
            right = answer.status == STATUS.get(code, 422)
            return Reply(code if right else f"{code} by status {answer.status}", told)
        self.keep(world.people[who], answer)
        opens = answer.status == 201
        return Reply("ok", told, answer.json["view"]["room"] if opens else "")

    def keep(self, person: Person, answer: Answer) -> None:
        """Keep what an answer gives a caller."""
        adopt(person, answer)

    async def shown(self, world: World, who: str, beside: str = "") -> frozenset[str] | None:
        """Return what a caller is shown of the table, None if nothing."""
        answer = await world.site.api(world, self.headers(world, who, beside), "room", {})
        if answer.status >= 400:
            return None
        view, you = answer.json["view"], answer.json["you"]
        return facts_of(view, you) | offers_of(view, you) | links_of(you)


class Keys(Api):
    """The API as programs use it: by a key, and never by the cookie that lies beside it."""

    name = "key"

    def headers(self, world: World, who: str, beside: str) -> Mapping[str, str]:
        cookie = world.people.get(beside, Person()).cookie()
        return {**cookie, "authorization": f"Bearer {world.people[who].key}"}

    def keep(self, person: Person, answer: Answer) -> None:
        assert "set-cookie" not in answer.headers, "a program is given a cookie"
        if "keys" in answer.text and answer.status == 201:
            person.key = ",".join(answer.json["keys"].values())
