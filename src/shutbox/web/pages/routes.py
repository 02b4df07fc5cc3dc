"""The pages and forms that the static site has, too: its engine and the server share this table."""

from collections.abc import Awaitable, Callable

from starlette.requests import Request
from starlette.responses import Response

from shutbox.web.pages import analysis, dice, home, my_games, new_table, practice, review, today

Page = Callable[[Request], Awaitable[Response]]
SHARED: tuple[tuple[str, str, Page, str], ...] = (
    ("GET", "/", home.home, "index.html"),
    ("POST", "/play", home.play, "play.html"),
    ("GET", "/new", new_table.show, "new.html"),
    ("GET", "/new/changed", new_table.show_change, "changed.json"),
    ("GET", "/help", home.help, "help.html"),
    ("GET", "/learn", my_games.learn, "learn.html"),
    ("GET", "/settings", home.settings, "settings.html"),
    ("GET", "/today", today.today, "today.html"),
    ("POST", "/today", today.play, "today.html"),
    ("GET", "/r/{room}/record", review.download_record, "record.txt"),
    ("GET", "/r/{room}/dice", dice.of_table, "dice.html"),
    ("GET", "/dice", dice.fair, "fair.html"),
    ("GET", "/challenge", dice.challenge, "challenge.html"),
    ("POST", "/challenge", dice.take, "challenge.html"),
    ("GET", "/r/{room}/review", review.review, "review.html"),
    ("GET", "/review", review.open_record, "review.html"),
    ("POST", "/review", review.open_record, "review.html"),
    ("GET", "/games", my_games.games, "games.html"),
    ("GET", "/games/export", my_games.export, "games.json"),
    ("GET", "/analysis", analysis.analysis, "analysis.html"),
    ("GET", "/p/{text:path}", analysis.position, "position.html"),
    ("GET", "/practice", practice.practice, "practice.html"),
    ("POST", "/practice", practice.practice, "practice.html"),
)
"""Each with its method, its path, the function that answers, and the name of its file at the site.

At the site, a query has the parts in braces. If two paths have the same file, the one with parts
comes first, since a query with these parts would also fit the other.
"""
