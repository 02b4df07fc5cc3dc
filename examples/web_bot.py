"""A bot for the browser table: `python examples/web_bot.py 'http://HOST/r/ID#KEY' Robo`."""

import json
import sys
from http.client import HTTPException
from secrets import token_urlsafe
from time import sleep
from typing import Any
from urllib.request import Request, urlopen


def ask(address: str, bearer: str, **body: object) -> Any:
    """Yield every view of the table. A retry uses the same id, so its action is done only once."""
    data = json.dumps({"action": token_urlsafe(12), **body}).encode() if body else None
    headers = {"Authorization": f"Bearer {bearer}", "Content-Type": "application/json"}
    code = 0
    while code != 409:  # on 409 the view is out of date, and the stream brings a newer one
        try:
            with urlopen(Request(address, data, headers), timeout=60) as answer:
                for line in (line for line in answer if b'"view":' in line):
                    yield (said := json.loads(line.removeprefix(b"data:")))
                    address = f"{address.partition('?')[0]}?since={said['number']}"
        except (OSError, HTTPException) as error:
            wait = getattr(error, "headers", {}).get("Retry-After")
            if (code := getattr(error, "code", 503)) not in (409, 502, 503) and not wait:
                raise
            sleep(int(wait or code != 409))


if __name__ == "__main__":
    address, _, key = sys.argv[1].replace("/r/", "/api/rooms/").partition("#")
    me = next(ask(f"{address}/enter", key, key=key, name=sys.argv[2]))
    events = ask(f"{address}/events", me["key"])
    while (said := next(events))["view"]["phase"] not in ("over", "ended"):
        table = said["view"]["table"]
        if table and table["seat"] == me["seat"]:  # this bot covers as few tiles as it can
            choice = min(((len(o["takes"]), o["text"]) for o in table["offers"]), default=(0, ""))
            about = {name: table[name] for name in ("game", "version", "seat")}
            next(ask(f"{address}/act", me["key"], do=table["does"], choice=choice[1], **about), 0)
    print(said["view"]["table"]["score"])
