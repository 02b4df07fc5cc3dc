"""What is handed on: shared by what the device has for it, else copied, else left to the hand."""

import pytest

from browser.visitors import Visitor

_STUBBED = """([shares, copies]) => import("/static/view/share.js").then(async ({ handOn }) => {
    const done = [];
    const refusing = (name) => async () => { throw new DOMException("no", name); };
    const put = (name, value) => Object.defineProperty(navigator, name,
        { value, configurable: true });
    put("share", { yes: async ({ url }) => done.push(`shared ${url}`), no: undefined,
        left: refusing("AbortError"), broken: refusing("NotAllowedError") }[shares]);
    put("canShare", undefined);
    put("clipboard", { yes: { writeText: async (text) => done.push(`copied ${text}`) },
        broken: { writeText: refusing("NotAllowedError") }, no: undefined }[copies]);
    return [await handOn({ text: "Shut.", url: "https://box.example" }), ...done];
})"""


@pytest.mark.parametrize(
    ("shares", "copies", "came"),
    [
        ("yes", "yes", ["shared", "shared https://box.example"]),
        ("left", "yes", ["left"]),
        ("broken", "yes", ["copied", "copied Shut.\nhttps://box.example"]),
        ("no", "yes", ["copied", "copied Shut.\nhttps://box.example"]),
        ("no", "broken", ["failed"]),
        ("no", "no", ["failed"]),
    ],
)
def test_it_is_shared_or_copied_or_said_to_have_failed(
    ann: Visitor, shares: str, copies: str, came: list[str]
) -> None:
    ann.page.goto("/help")
    assert ann.page.evaluate(_STUBBED, [shares, copies]) == came
