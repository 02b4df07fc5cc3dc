"""The project around the code: lock files, commands and documents are correct."""

import json
import re
import runpy
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
    content = text("requirements/site/package-lock.json")
    assert "://" not in content
    packages = json.loads(content)["packages"]
    assert all(about["integrity"] for name, about in packages.items() if name)


def pinned(lock: str) -> set[tuple[str, str]]:
    """The packages of a lock, each with a version."""
    return set(re.findall(r"^([a-z0-9-]+)==(\S+)", text(f"requirements/{lock}.txt"), re.M))


def named(requirement: str) -> str:
    """The package of a line such as `uvloop>=0.17; sys_platform != 'win32'`."""
    return re.split("[>;]", requirement)[0]


def test_the_lowest_versions_are_those_that_are_tested() -> None:
    extras = tomllib.loads(text("pyproject.toml"))["project"]["optional-dependencies"]
    lowest = dict(pinned("lowest"))
    for requirement in {one for name in extras for one in extras[name] if name != "docs"}:
        if requirement.startswith("shutbox["):
            continue
        bound = re.fullmatch(r"([\w-]+)(?:\[\w+])?>=([0-9.]+)(?:;.*)?", requirement)
        assert bound is not None, requirement
        of = lowest[bound[1].replace("_", "-")]
        assert re.fullmatch(rf"{re.escape(bound[2])}(\.0)*", of), requirement


def test_what_a_host_installs_is_locked_and_of_versions_that_go_together() -> None:
    project = tomllib.loads(text("pyproject.toml"))
    extras = project["project"]["optional-dependencies"]
    wanted = {name: extras[name] for name in ("web", "postgresql")}
    wanted["build"] = project["build-system"]["requires"]
    for lock, packages in wanted.items():
        assert text(f"requirements/{lock}.in").split() == [named(one) for one in packages]
    assert not {"psycopg"} & {name for name, _ in pinned("web")}
    together = [pinned(lock) for lock in (*wanted, "test")]
    # What programs that learn need is installed beside the extras, and changes nothing of them.
    learning = {named(one) for name in ("fast", "gym") for one in extras[name]}
    assert text("requirements/rl.in").replace("-", "_").split() == sorted(learning)
    beside = pinned("extras")
    names = {name for name, _ in beside}
    assert {pin for pin in pinned("rl") if pin[0] in names} <= beside
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


def test_the_core_needs_nothing_but_the_standard_library_and_has_one_version() -> None:
    project = tomllib.loads(text("pyproject.toml"))["project"]
    assert project["dependencies"] == []
    assert project["requires-python"] == ">=3.11"
    assert f"\nversion: {shutbox.__version__}\n" in text("CITATION.cff")
    assert f"## {shutbox.__version__}" in text("CHANGELOG.md")


def test_every_target_of_the_makefile_is_explained_and_what_guides_name_can_be_made() -> None:
    makefile = text("Makefile")
    phony = re.search(r"^\.PHONY: (.*)$", makefile, re.M)
    assert phony is not None
    explained = set(re.findall(r'@echo "make ([\w-]+)', makefile))
    assert explained == set(phony[1].split()) - {"help"}
    targets = set(re.findall(r"^([\w-]+):", makefile, re.M))
    for name in ("README.md", "CONTRIBUTING.md", ".ci/run"):
        named = set(re.findall(r"\bmake ([a-z-]+)\b", text(name)))
        assert named
        assert named <= targets


def test_ci_runs_the_two_commands_of_the_readme_as_a_newcomer_does() -> None:
    shown = re.search(r"^Two commands.*?```sh\n(.*?)```", text("README.md"), re.M | re.S)
    assert shown is not None
    commands = re.findall(r"^make \w+", shown[1], re.M)
    assert len(commands) == 2
    for command in commands:
        assert f"newcomer {command}" in text(".ci/run")


def test_the_readme_and_the_page_of_the_package_are_as_make_docs_writes_them() -> None:
    for path, written in runpy.run_path(str(ROOT / "docs/counts.py"))["pages"]().items():
        assert path.read_text(encoding="utf-8") == written, "run make docs"


def test_the_page_of_the_package_links_to_nothing_beside_it() -> None:
    project, page = tomllib.loads(text("pyproject.toml"))["project"], text("PACKAGE.md")
    assert project["readme"] == "PACKAGE.md"
    assert re.findall(r"\]\((?!https://)", page) == []
    assert set(re.findall(r"`shutbox\[(\w+)\]`", page)) <= set(project["optional-dependencies"])


def test_every_picture_is_shown_and_has_the_width_it_says() -> None:
    pictures = ROOT / "docs" / "pictures"
    shown = set(
        re.findall(r"pictures/([\w.-]+\.webp)", text("README.md") + text("docs/browser.md"))
    )
    assert shown == {path.name for path in pictures.glob("*")}
    for width in (320, 768, 1440):
        for look in ("light", "dark", "contrast"):
            header = (pictures / f"classic-{width}-{look}.webp").read_bytes()[:28]
            assert header[8:16] == b"WEBPVP8 "
            assert int.from_bytes(header[26:28], "little") == width
