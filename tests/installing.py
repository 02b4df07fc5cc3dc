"""Packages on a path of their own, as an installer leaves them: modules beside their dist-info."""

import os
import subprocess
import sys
import tomllib
from collections.abc import Iterable, Mapping
from pathlib import Path
from types import MappingProxyType

ROOT = Path(__file__).parents[1]
PIG = ROOT / "examples" / "plugin"


def install(project: Path, site: Path) -> Path:
    """Put the modules and the metadata of a project into a folder for `sys.path`; return it."""
    about = tomllib.loads((project / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    name, version = about["name"], about["version"]
    info = site / f"{name.replace('-', '_')}-{version}.dist-info"
    info.mkdir(parents=True)
    metadata = f"Metadata-Version: 2.1\nName: {name}\nVersion: {version}\n"
    (info / "METADATA").write_text(metadata, encoding="utf-8")
    lines = []
    for group, entries in about["entry-points"].items():
        lines += [f"[{group}]", *(f"{name} = {value}" for name, value in entries.items())]
    (info / "entry_points.txt").write_text("\n".join(lines) + "\n", encoding="utf-8")
    for module in project.glob("*.py"):
        (site / module.name).write_bytes(module.read_bytes())
    return site


def run(
    site: Path, *words: str, typed: str = "", **environment: str
) -> subprocess.CompletedProcess[str]:
    """Run Python with these arguments, the sources and a folder of packages."""
    data = {"SHUTBOX_DATA": str(site / "data"), "SHUTBOX_CACHE": str(site / "cache")}
    return run_program(
        sys.executable, *words, typed=typed, paths=(site,), variables=data | environment
    )


def run_program(
    *words: str,
    typed: str = "",
    folder: Path | None = None,
    paths: Iterable[Path] = (),
    encoding: str = "utf-8",
    variables: Mapping[str, str] = MappingProxyType({}),
) -> subprocess.CompletedProcess[str]:
    """Run a program at the ends of pipes; Python finds the sources and what is in more folders."""
    found = os.pathsep.join(map(str, (ROOT / "src", *paths)))
    return subprocess.run(
        words,
        input=typed,
        cwd=folder,
        env={**os.environ, "PYTHONPATH": found, "PYTHONIOENCODING": encoding, **variables},
        capture_output=True,
        encoding=encoding,
        check=False,
    )
