"""Forms: what a browser sends without script, read into the shapes that programs send."""

from collections.abc import Sequence
from urllib.parse import parse_qsl

from starlette.requests import Request

from shutbox.web.errors import BadRequest
from shutbox.web.http.requests import body_of
from shutbox.web.limits import MOST_FIELDS
from shutbox.web.rooms.link_keys import new_action


class Form:
    """The fields of a form, each of them once or several times.

    >>> form = Form([("seat", "0"), ("tile", "1"), ("tile", "7")])
    >>> form.one("seat"), form.all("tile"), form.one("name")
    ('0', ['1', '7'], '')
    """

    def __init__(self, fields: Sequence[tuple[str, str]]) -> None:
        self._fields = tuple(fields)

    def one(self, name: str) -> str:
        """The field, or nothing."""
        return next(iter(self.all(name)), "")

    def all(self, name: str) -> list[str]:
        """All fields of a name, in order."""
        return [value for other, value in self._fields if other == name]

    def number(self, name: str) -> int:
        """The field as a whole number. Raises BadRequest."""
        text = self.one(name)
        sign, digits = (-1, text[1:]) if text.startswith("-") else (1, text)
        if not (digits.isascii() and digits.isdigit()) or len(digits) > 10:
            raise BadRequest(
                "the field {name} is a whole number, not {text!r}", name=name, text=text[:20]
            )
        return sign * int(digits)

    @property
    def action(self) -> str:
        """The id of what is asked; a form that has lost it asks for something new."""
        return self.one("action") or new_action()


async def read_form(request: Request) -> Form:
    """The form that a request sends. Raises BadRequest."""
    kind = request.headers.get("content-type", "").partition(";")[0].strip().lower()
    if kind != "application/x-www-form-urlencoded":
        raise BadRequest("the body is a form, in the coding application/x-www-form-urlencoded")
    try:
        text = (await body_of(request)).decode("ascii")
        fields = parse_qsl(
            text, keep_blank_values=True, errors="strict", max_num_fields=MOST_FIELDS
        )
    except ValueError as error:
        raise BadRequest("the form cannot be read: {why}", why=error) from None
    return Form(fields)
