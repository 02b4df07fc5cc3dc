"""The answer to a person whose request is refused."""

from starlette.responses import Response

from shutbox.errors import ShutboxError
from shutbox.messages import gettext, gettext_noop
from shutbox.web.http.errors import saying_when, sentence, status_of
from shutbox.web.pages.templates import rendered

_HEADINGS = {
    403: gettext_noop("Not for you"),
    404: gettext_noop("Not here"),
    429: gettext_noop("Too often"),
    503: gettext_noop("Not now"),
}
_OTHERS = gettext_noop("That did not work")


def refused_page(error: ShutboxError) -> Response:
    """The answer to a person: a page that says why."""
    status = status_of(error)
    heading, sentences = _HEADINGS.get(status, _OTHERS), sentence(error).splitlines()
    page = rendered("message.html", status, heading=gettext(heading), sentences=sentences)
    return saying_when(page, error)
