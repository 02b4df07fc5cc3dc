"""Pages left in other tabs while the server is away do not keep the page that is seen waiting.

Firefox connects one socket to an address at a time, and lets one that has failed often wait for up
to a minute, and all others behind it.
"""

from browser.visitors import ANN, Visitor

# No connection succeeds, and time goes by as the test says.
AWAY = """
    window.tries = 0;
    Object.defineProperty(document, "hidden", { get: () => window.isLeft ?? false });
    window.WebSocket = class extends EventTarget {
        static OPEN = 1;
        static CLOSING = 2;
        readyState = 0;
        constructor() {
            super();
            window.tries += 1;
            setTimeout(() => {
                this.readyState = 3;
                this.dispatchEvent(new CloseEvent("close", { code: 1006 }));
            });
        }
        close() {}
    };
"""
AN_HOUR = 3_600_000
MOST = 70
"""Attempts of a page in an hour that nobody sees: fewer than one a minute, after the first ones."""


def test_a_page_that_nobody_sees_seldom_tries_to_connect(ann: Visitor) -> None:
    ann.page.clock.install()
    ann.context.add_init_script(AWAY)
    ann.open(game="classic", seats=[ANN])

    def tries_in(milliseconds: int) -> int:
        before: int = ann.page.evaluate("() => tries")
        ann.page.clock.run_for(milliseconds)
        after: int = ann.page.evaluate("() => tries")
        return after - before

    assert tries_in(60_000) > 20, "who looks at it is connected soon"
    ann.page.evaluate("() => { window.isLeft = true; }")
    tries_in(300_000)
    assert tries_in(AN_HOUR) < MOST
    tries: int = ann.page.evaluate(
        """() => {
            window.isLeft = false;
            document.dispatchEvent(new Event("visibilitychange", { bubbles: true }));
            return window.tries;
        }"""
    )
    ann.page.clock.run_for(100)
    assert ann.page.evaluate("() => tries") == tries + 1, "and at once when it is looked at again"
