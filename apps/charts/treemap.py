"""Size and state of the targets: area is what is allocated, the filled part from below what is used."""

from collections.abc import Sequence
from html import escape
from typing import Protocol

from apps.charts.figures import bytes_text
from apps.charts.svg import tag, text, title

WIDTH, HEIGHT = 742.0, 230.0
GAP = 1.5
HEAD = 18.0  # the name of a group above its tiles

Box = tuple[float, float, float, float]  # x, y, width, height


class TreemapTile(Protocol):
    """What is drawn; `state` is empty where nothing is judged."""

    @property
    def group(self) -> str: ...
    @property
    def target(self) -> str: ...
    @property
    def url(self) -> str: ...
    @property
    def state(self) -> str: ...
    @property
    def size(self) -> float: ...
    @property
    def used(self) -> float: ...


def treemap(
    tiles: Sequence[TreemapTile], label: str = "Size and state of the targets; the table has the same figures"
) -> str:
    """The tiles in groups, largest first; a drawing with a link on each tile."""
    groups: dict[str, list[TreemapTile]] = {}
    for tile in tiles:
        if tile.size > 0:
            groups.setdefault(tile.group or "No group", []).append(tile)
    ordered = sorted(groups.items(), key=lambda pair: -sum(tile.size for tile in pair[1]))
    boxes = squarify(
        [sum(tile.size for tile in members) for _, members in ordered], (0.0, 0.0, WIDTH, HEIGHT)
    )
    parts = [_hatch()]
    for (name, members), box in zip(ordered, boxes, strict=True):
        parts.append(_group(name, members, box))
    return tag(
        "svg",
        parts,
        class_="drawing treemap",
        viewBox=f"0 0 {int(WIDTH)} {int(HEIGHT)}",
        role="group",
        aria_label=label,
    )


def squarify(sizes: Sequence[float], box: Box) -> list[Box]:
    """Boxes whose areas are as `sizes`, in the same order, as near to squares as rows and columns allow."""
    total = sum(sizes)
    if not sizes or total <= 0:
        return [(box[0], box[1], 0.0, 0.0) for _ in sizes]
    x, y, width, height = box
    scale = width * height / total
    areas = [size * scale for size in sizes]
    placed: list[Box] = []
    start = 0
    while start < len(areas):
        side = min(width, height)
        end = start + 1
        while end < len(areas) and _worst(areas[start : end + 1], side) <= _worst(areas[start:end], side):
            end += 1
        row = areas[start:end]
        depth = sum(row) / side if side else 0.0
        offset = 0.0
        for area in row:
            length = area / depth if depth else 0.0
            placed.append(
                (x, y + offset, depth, length) if width >= height else (x + offset, y, length, depth)
            )
            offset += length
        if width >= height:
            x, width = x + depth, width - depth
        else:
            y, height = y + depth, height - depth
        start = end
    return placed


def _worst(row: Sequence[float], side: float) -> float:
    """How far from a square the worst box of a row is."""
    if not side or min(row) <= 0:
        return float("inf")
    total = sum(row)
    return max(side**2 * max(row) / total**2, total**2 / (side**2 * min(row)))


def _hatch() -> str:
    line = tag("path", d="M0 5L5 0", class_="hatch-line")
    pattern = tag("pattern", line, id="hatch", width=5, height=5, patternUnits="userSpaceOnUse")
    return tag("defs", pattern)


def _group(name: str, tiles: Sequence[TreemapTile], box: Box) -> str:
    x, y, width, height = box
    x, y, width, height = x + GAP, y + GAP, width - 2 * GAP, height - 2 * GAP
    head = HEAD if height > 3 * HEAD else 0.0
    parts = []
    if head and _fits(name, width):
        parts.append(text(name, x + 1, y + 12, class_="t-quiet"))
    ordered = sorted(tiles, key=lambda tile: -tile.size)
    inner = squarify([tile.size for tile in ordered], (x, y + head, width, height - head))
    parts += [_tile(tile, tile_box) for tile, tile_box in zip(ordered, inner, strict=True)]
    return tag("g", parts)


def _tile(tile: TreemapTile, box: Box) -> str:
    x, y = box[0], box[1]
    width, height = max(box[2] - GAP, 0.5), max(box[3] - GAP, 0.5)
    state = str(tile.state or "no_data")
    share = min(max(tile.used / tile.size, 0.0), 1.0) if tile.size else 0.0
    size = bytes_text(tile.size)
    if tile.used > 0:
        size = f"{size} · {share * 100:.0f}\u00a0%"
    label = f"{tile.target}, {size}, {state.replace('_', ' ')}"
    parts = [title(label), _box(x, y, width, height, f'class="tile is-{escape(state)}"')]
    if state == "no_data":
        parts.append(_box(x, y, width, height, 'fill="url(#hatch)"'))
    elif share:
        filled = height * share
        parts.append(_box(x, y + height - filled, width, filled, f'class="tile-used is-{escape(state)}"'))
    parts += _words(tile.target, size, state, (x, y + height, width, height))
    return tag("a", parts, href=tile.url, aria_label=label)


def _words(name: str, size: str, state: str, foot: Box) -> list[str]:
    """Glyph, name and size at the foot of a tile, as far as there is room."""
    x, bottom, width, height = foot
    if width <= 20 or height <= 20:
        return []
    has_name = _fits(name, width - 26, is_bold=True)
    has_size = has_name and height > 38 and _fits(size, width - 8)
    line = bottom - (23 if has_size else 7)
    parts = [_glyph(state, x + 6, line - 10.5)]
    if has_name:
        parts += [text(name, x + 23, line, class_="t-strong"), "\n"]
    elif height > 40 and _fits(name, width - 8, is_bold=True):
        parts = [_glyph(state, x + 6, line - 26.5), text(name, x + 6, line, class_="t-strong")]
    if has_size:
        parts.append(text(size, x + 6, bottom - 7, class_="t-size"))
    return parts


def _box(x: float, y: float, width: float, height: float, look: str) -> str:
    """A rectangle; an estate has thousands, so it is written at once."""
    return f'<rect x="{x:.2f}" y="{y:.2f}" width="{width:.2f}" height="{height:.2f}" {look}/>'


def _fits(words: str, width: float, is_bold: bool = False) -> bool:
    """Whether words of 11 pixels have room, by the mean width of a letter; names in bold are mostly capitals."""
    return len(words) * (7.5 if is_bold else 6.2) <= width


def _glyph(state: str, x: float, y: float) -> str:
    """The mark of a state, as in the sprite."""
    inside = {
        "violated": [
            tag("circle", cx=7, cy=4.75, r=4.5, fill="currentColor", stroke="none"),
            tag("path", d="M.5 12h13", stroke_width=2),
        ],
        "at_risk": [
            tag("path", d="M1.5 1.5h11"),
            tag("path", d="M7 3.25 11.25 8H9v5H5V8H2.75z", fill="currentColor", stroke="none"),
        ],
        "closing": [
            tag("path", d="M1.5 2h11"),
            tag("circle", cx=7, cy=9, r=3.5),
            tag("path", d="M3.5 9h7a3.5 3.5 0 0 1-7 0z", fill="currentColor", stroke="none"),
        ],
        "comfortable": [tag("path", d="M1.5 2h11"), tag("circle", cx=7, cy=9, r=3.5)],
    }.get(
        state,
        [
            tag("path", d="M1.5 2h11", stroke_dasharray="2 1.5"),
            tag("circle", cx=7, cy=9, r=3.5, stroke_dasharray="2 1.65"),
        ],
    )
    return tag("g", inside, class_=f"glyph is-{state}", transform=f"translate({x:.1f} {y:.1f})")
