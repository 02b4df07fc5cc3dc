"""The pages and forms that the static site has, too: its engine and the server share this table."""

from collections.abc import Awaitable, Callable

from starlette.requests import Request
from starlette.responses import Response

from shutbox.web.http.records import record
from shutbox.web.pages import analysis, dice, games, home, new_table, practice, review

Page = Callable[[Request], Awaitable[Response]]
SHARED: tuple[tuple[str, str, Page, str], ...] = (
    ("GET", "/", home.home, "index.html"),
    ("POST", "/play", home.play, "play.html"),
    ("GET", "/new", new_table.new_table, "new.html"),
    ("GET", "/new/changed", new_table.changed, "changed.json"),
    ("GET", "/help", home.help, "help.html"),
    ("GET", "/settings", home.settings, "settings.html"),
    ("GET", "/r/{room}/record", record, "record.txt"),
    ("GET", "/r/{room}/dice", dice.of_table, "dice.html"),
    ("GET", "/dice", dice.fair, "fair.html"),
    ("GET", "/challenge", dice.challenge, "challenge.html"),
    ("POST", "/challenge", dice.take, "challenge.html"),
    ("GET", "/r/{room}/review", review.review, "review.html"),
    ("GET", "/review", review.form, "review.html"),
    ("POST", "/review", review.open_record, "review.html"),
    ("GET", "/replay", review.former, "replay.html"),
    ("POST", "/replay", review.open_record, "replay.html"),
    ("GET", "/games", games.games, "games.html"),
    ("GET", "/games/export", games.export, "games.json"),
    ("GET", "/analysis", analysis.analysis, "analysis.html"),
    ("GET", "/p/{text:path}", analysis.position, "position.html"),
    ("GET", "/practice", practice.practice, "practice.html"),
    ("POST", "/practice", practice.answer, "practice.html"),
)
"""Each with its method, its path, the function that answers, and the name of its file at the site.

Of two paths for one file, the one with more parts comes first: the query tells which is meant.
"""
