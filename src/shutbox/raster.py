"""A scene as a PNG, for what shows no SVG: the previews of links in chats.

The picture is that of `picture`, drawn by resvg, which the extra `png` brings; its digits come with
shutbox, so it looks the same wherever it is drawn.
"""

from importlib.util import find_spec
from pathlib import Path

from shutbox.errors import needing
from shutbox.picture import svg
from shutbox.scene import Scene

WIDTH = 1200  # pixels; what shows a preview scales it down
_FONT = Path(__file__).parent / "fonts" / "digits.otf"


def can_draw() -> bool:
    """Whether the extra is there."""
    return find_spec("resvg_py") is not None


def png(scene: Scene, *, width: int = WIDTH) -> bytes:
    """The picture of a scene, as the bytes of a PNG. Raises NotInstalled without the extra."""
    with needing("png"):
        import resvg_py
    drawn: bytes = resvg_py.svg_to_bytes(
        svg_string=svg(scene),
        width=width,
        skip_system_fonts=True,
        font_files=[str(_FONT)],
        serif_family="Shutbox Serif",
    )
    return bytes(drawn)
