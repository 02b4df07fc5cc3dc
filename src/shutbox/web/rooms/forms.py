"""The fields of a form, as a page sends them: to a server, or to the engine in the browser."""

from collections.abc import Sequence

from shutbox.web.errors import BadRequest
from shutbox.web.rooms.link_keys import new_action


class Form:
    """The fields of a form; a name may occur several times.

    >>> form = Form([("seat", "0"), ("tile", "1"), ("tile", "7")])
    >>> form.one("seat"), form.all("tile"), form.one("name")
    ('0', ['1', '7'], '')
    """

    def __init__(self, fields: Sequence[tuple[str, str]]) -> None:
        self._fields = tuple(fields)

    def one(self, name: str) -> str:
        """Return the first field of a name, or "" if it was not sent."""
        return next(iter(self.all(name)), "")

    def all(self, name: str) -> list[str]:
        """Return all fields of a name, in order."""
        return [value for other, value in self._fields if other == name]

    def changed(self, name: str, value: str) -> "Form":
        """Return a copy of the form in which a field has this value alone."""
        return Form([*((n, v) for n, v in self._fields if n != name), (name, value)])

    def number(self, name: str) -> int:
        """Return a field as a whole number. Raises BadRequest."""
        text = self.one(name)
        sign, digits = (-1, text[1:]) if text.startswith("-") else (1, text)
        if not (digits.isascii() and digits.isdigit()) or len(digits) > 10:
            raise BadRequest(
                "the field {field} must be a whole number, not {text!r}", field=name, text=text[:20]
            )
        return sign * int(digits)

    @property
    def action(self) -> str:
        """The idempotency id of the form; if it was not sent, a new one at each access."""
        return self.one("action") or new_action()
