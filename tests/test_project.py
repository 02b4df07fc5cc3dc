"""The project around the code: locks, commands and documents say what is so."""

import re
import tomllib
from pathlib import Path

import shutbox

ROOT = Path(__file__).parents[1]


def text(name: str) -> str:
    return (ROOT / name).read_text(encoding="utf-8")


def test_locks_hold_no_address_and_every_file_is_hashed() -> None:
    locks = sorted((ROOT / "requirements").glob("*.txt"))
    assert locks
    for lock in locks:
        content = lock.read_text(encoding="utf-8")
        assert "://" not in content
        assert not re.search(r"--(?:index-url|extra-index-url|find-links)", content)
        pinned = re.findall(
            r"^[a-z0-9][^\n]*==[^\n]*\\\n((?:    --hash=sha256:[0-9a-f]{64}.*\n)+)", content, re.M
        )
        assert len(pinned) == len(re.findall(r"^[a-z0-9]", content, re.M))


def pinned(lock: str) -> set[tuple[str, str]]:
    """The packages of a lock, each with a version."""
    return set(re.findall(r"^([a-z0-9-]+)==(\S+)", text(f"requirements/{lock}.txt"), re.M))


def test_what_a_host_installs_is_locked_and_of_versions_that_go_together() -> None:
    project = tomllib.loads(text("pyproject.toml"))
    extras = project["project"]["optional-dependencies"]
    wanted = {name: extras[name] for name in ("web", "postgresql", "redis")}
    wanted["build"] = project["build-system"]["requires"]
    for lock, packages in wanted.items():
        assert text(f"requirements/{lock}.in").split() == [name.split(">")[0] for name in packages]
    assert not {"psycopg", "redis"} & {name for name, _ in pinned("web")}
    together = [pinned(lock) for lock in (*wanted, "test")]
    for one in together:
        names = {name for name, _ in one}
        for other in together:
            assert {pin for pin in other if pin[0] in names} <= one


def test_the_commands_of_the_guide_for_hosts_fetch_nothing_without_a_hash() -> None:
    commands = re.findall(r"pip install .*", text("docs/hosting.md"))
    assert len(commands) > 3
    for command in commands:
        assert "--require-hashes" in command or "--no-deps --no-build-isolation" in command
        for lock in re.findall(r"-r (\S+)", command):
            assert (ROOT / lock).is_file()


def test_the_core_needs_nothing_but_the_standard_library() -> None:
    project = tomllib.loads(text("pyproject.toml"))["project"]
    assert project["dependencies"] == []
    assert project["requires-python"] == ">=3.11"


def test_every_target_of_the_makefile_is_explained() -> None:
    makefile = text("Makefile")
    phony = re.search(r"^\.PHONY: (.*)$", makefile, re.M)
    assert phony is not None
    explained = set(re.findall(r'@echo "make ([\w-]+)', makefile))
    assert explained == set(phony[1].split()) - {"help", "python"}


def test_what_the_readme_and_the_guide_tell_to_make_can_be_made() -> None:
    targets = set(re.findall(r"^([\w-]+):", text("Makefile"), re.M))
    for name in ("README.md", "CONTRIBUTING.md", ".ci/run"):
        named = set(re.findall(r"\bmake ([a-z-]+)\b", text(name)))
        assert named
        assert named <= targets


def test_the_changelog_has_this_version() -> None:
    assert f"## {shutbox.__version__}" in text("CHANGELOG.md")


def test_the_readme_counts_right() -> None:
    boxes = [e for e in shutbox.catalogue() if "tiles" in shutbox.find(e.name).card().options]
    for name in ("README.md", "CHANGELOG.md"):
        assert f"{len(boxes)} boxes" in text(name), f"{name} has another number of boxes"


def test_every_picture_is_shown_and_has_the_width_it_says() -> None:
    pictures = ROOT / "docs" / "pictures"
    shown = set(re.findall(r"pictures/([\w.-]+\.png)", text("README.md") + text("docs/browser.md")))
    assert shown == {path.name for path in pictures.glob("*")}
    for width in (320, 768, 1440):
        for look in ("light", "dark", "contrast"):
            header = (pictures / f"classic-{width}-{look}.png").read_bytes()[:24]
            assert header[:8] == b"\x89PNG\r\n\x1a\n"
            assert int.from_bytes(header[16:20], "big") == width
