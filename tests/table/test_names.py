"""Games and matches are found by their names and by their titles."""

import pytest

from shutbox import catalogue, find
from shutbox.engine.errors import ShutboxError
from shutbox.engine.typed_text import plain_title
from shutbox.match import presets
from shutbox.table.lookup import difference, find_any, is_match, match_of


def test_every_title_finds_its_game_or_match() -> None:
    for entry in catalogue():
        for text in (entry.title, entry.title.upper(), f"  {entry.name}  "):
            assert find(text).name == find(entry.name).name
    for preset in presets().values():
        assert is_match(preset.title)
        assert find_any(preset.title).name == find_any(preset.name).name
        named = match_of(f"{preset.title}[ties=carry]", ["Ann", "Bob"])
        assert named.name == match_of(f"{preset.name}[ties=carry]", ["Ann", "Bob"]).name


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("the normal game", "classic"),
        ("the300", "the-300"),
        ("twotogo", "two-to-go"),
        ("Classic (fewer=must-top)", "classic(fewer=must-top)"),
        ("Thai Style: 1.2", "thai-style"),
    ],
)
def test_what_people_type_is_a_name(text: str, name: str) -> None:
    assert find(text.partition(":")[0]).name == name


def test_no_two_games_are_found_by_the_same_title() -> None:
    titles = {entry.name: entry.title for entry in catalogue()}
    titles |= {preset.name: preset.title for preset in presets().values()}
    names = [{plain_title(name), plain_title(title)} for name, title in titles.items()]
    assert sum(map(len, names)) == len(set().union(*names))


@pytest.mark.parametrize(("text", "near"), [("klassic", "classic"), ("thai-stile", "thai-style")])
def test_a_near_miss_is_answered_by_a_name(text: str, near: str) -> None:
    with pytest.raises(ShutboxError, match=f"there is no game .*; try {near}"):
        find(text)


def test_no_two_games_are_told_by_the_same_difference() -> None:
    names = [*(entry.name for entry in catalogue()), *presets()]
    told = [difference(name) for name in names]
    assert len(set(told)) == len(told)
