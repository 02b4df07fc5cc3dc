"""Requests as strangers write them: each number and text is bounded before it is read."""

from urllib.parse import quote

from listing import assert_none
from people import Person, path_of

HUGE = "7" * 4_301
PLAIN, FORM = "text/plain", "application/x-www-form-urlencoded"
NUMBERS = ("", " ", "+1", "-1", "1.0", "1e1", "0x1", "\u0661", "\uff11", "1\0", "9" * 10, HUGE)
BY_NUMBER = (  # the addresses that end with a number, below that of a room and in front of it
    *("{path}/record?game=", "{path}/review?game=", "{path}/events?since=", "/r/{room}/qr?seat="),
    *("/r/{room}/record?game=", "/r/{room}/review?game=", "/r/{room}/review?moment="),
    *("/games?came=",),
)
PATHS = ("../x", "x/y", "x\\y", "a/\0", "x" * 300 + "/y", "./mine.toml", "/etc/passwd")
BY_PATH = ("game", "shown", "before", "own_score", "overrides", "preset")
NAMES = ("classic\0", "cla\0ssic", "\0classic", "pub\x1b", "Thai Style\x07", "classic\x7f")


def test_a_number_in_an_address_is_a_number_or_refused(ann: Person) -> None:
    room = ann.open(game="classic")["view"]["room"]
    places = {each.format(path=path_of(room), room=room) for each in BY_NUMBER}
    sent = [(place, number) for place in places for number in NUMBERS]
    # HEAD, since the answer to GET can be a stream that does not end.
    replies = [(*one, ann.client.head(one[0] + quote(one[1])).status_code) for one in sent]
    assert not [one for one in replies if one[2] != 400]


def test_a_name_with_a_control_character_is_no_name(ann: Person) -> None:
    faults = []
    for name in NAMES:
        sent = {"action": "a" * 16, "game": name}
        replies = [
            ann.post("/api/rooms", game=name),
            ann.client.post("/play", data=sent),
            ann.get(f"/p/{quote(name)}"),
            ann.get(f"/practice?game={quote(name)}"),
        ]
        statuses = [reply.status_code for reply in replies]
        if not {404, 422}.issuperset(statuses):
            faults.append((name, statuses))
    assert_none(faults)


def test_no_field_of_a_form_is_the_name_of_a_file(ann: Person) -> None:
    sound = {"game": "classic", "shown": "classic;", "own_dice": "2", "own_sides": "6"}
    sound |= {"own_tile": "1", "length": "rounds", "number_rounds": "5", "who": "me"}
    faults: list[object] = []
    for field in BY_PATH:
        for text in PATHS:
            sent = {**sound, field: text, "take": "undo" if field == "before" else ""}
            for reply in (ann.get("/new", params=sent), ann.client.post("/new", data=sent)):
                said = reply.text
                if reply.status_code >= 500 or "cannot be read" in said or "file can" in said:
                    faults.append((field, text, reply.status_code))
                if 'id="new"' not in said and reply.status_code != 200:
                    faults.append((field, text, "the form is lost"))
    assert_none(faults)


def test_a_record_comes_as_a_file_and_every_other_form_is_small(ann: Person) -> None:
    lines = b"text=" + b"%0a" * 300_000
    for path in ("/review", "/new", "/play", "/practice", "/analysis", "/language"):
        for body in (lines, b"&" * 900_000):
            reply = ann.client.post(path, content=body, headers={"content-type": FORM})
            assert reply.status_code in (400, 405), path
    said = ann.client.post("/review", files={"record": ("x", b"\n" * 900_000, PLAIN)})
    assert said.status_code == 422
