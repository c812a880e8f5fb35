"""
Write docs/forecast-gallery.md and its drawings: shapes that DBAs have, each with what the forecast says of it today.

    python -m benchmarks.forecast_gallery

It asks as the nightly review does: 400 days, the kind, the most there can be, the date, and a violation on the first day beyond.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path

from apps.charts.figures import SPACE, figure, long_day
from apps.forecasting.engine.batch import forecast_batch
from apps.forecasting.engine.chance import Prediction, predict_crossings
from apps.forecasting.engine.edges import AT_ONCE, build_edges
from apps.thresholds.engine.notation import Form
from benchmarks.gallery_drawing import draw_shape
from benchmarks.gallery_shapes import ON, SHAPES, GalleryShape

DOCS = Path(__file__).resolve().parents[1] / "docs"
PAGE, PICTURES = DOCS / "forecast-gallery.md", DOCS / "pictures" / "forecasts"
HEAD = """# Shapes and their forecasts

Shapes that DBAs have, each with what the method of [How a limit is foreseen](forecasts.md) says of it on {day}, asked as the nightly review asks.
`python -m benchmarks.forecast_gallery` writes this page and its drawings, `benchmarks/gallery_shapes.py` declares the shapes, and a test holds
that every answer is right within its bounds, or that the page says that it is missed, and that page and drawings are those of today's method.

Blue is the history, dashed the expected line, the dark band holds 80 % and the pale one 95 % of the futures; grey is what came, which the
forecast did not know. On the limit lie a bar from the soonest to the latest day and a dot on the likely one.
""".replace("{day}", long_day(ON).replace(SPACE, " "))


@dataclass(frozen=True)
class GalleryPicture:
    """A shape with what is predicted of it, and its drawing."""

    shape: GalleryShape
    prediction: Prediction
    svg: str


def draw_gallery(shapes: Sequence[GalleryShape] = SHAPES) -> list[GalleryPicture]:
    """Forecast all shapes as one batch, by the calls of the review."""
    forecasts = forecast_batch(
        [shape.history for shape in shapes],
        kinds=[shape.kind for shape in shapes],
        caps=[shape.cap for shape in shapes],
        last_on=[ON] * len(shapes),
    )
    count = len(shapes)
    edges = build_edges(
        range(count), [shape.limit for shape in shapes], [Form.AT_MOST] * count, [AT_ONCE] * count
    )
    predictions = predict_crossings(forecasts, edges)
    return [
        GalleryPicture(shape, prediction, draw_shape(shape, forecasts, row, prediction))
        for row, (shape, prediction) in enumerate(zip(shapes, predictions, strict=True))
    ]


def is_right(picture: GalleryPicture) -> bool:
    """Whether the prediction has the right answer: breach or not, the day, and the chance."""
    shape, prediction = picture.shape, picture.prediction
    if shape.chance is None or prediction.chance is None:
        return shape.chance is None and prediction.chance is None and prediction.day is None
    low, high = shape.chance
    if not low <= prediction.chance <= high:
        return False
    if shape.breaks_on is None:
        return not prediction.is_likely
    return (
        prediction.is_likely
        and prediction.day is not None
        and abs(prediction.day - shape.breaks_on) <= shape.within
    )


def sentence_of(picture: GalleryPicture) -> str:
    """What the forecast says, as its page begins."""
    shape, prediction = picture.shape, picture.prediction
    if prediction.chance is None:
        reason = prediction.reason or "no forecast"
        return f"{reason[:1].upper()}{reason[1:]}."
    chance = f"the chance is {prediction.chance_in_words}"
    if prediction.day is None:
        return f"No breach within {prediction.within} days; {chance}."
    latest = f"latest {day_of(prediction.latest)}" if prediction.latest else "latest beyond the horizon"
    deed = "Reaches" if prediction.is_likely else "May reach"
    return (
        f"{deed} {edge_of(shape)} around {day_of(prediction.day)}"
        f" (soonest {day_of(prediction.soonest)}, {latest}); {chance}."
    )


def outcome_of(shape: GalleryShape) -> str:
    """What came."""
    if shape.breaks_on is None:
        return "What came: no breach."
    return f"What came: {edge_of(shape)} passed on {day_of(shape.breaks_on)}."


def edge_of(shape: GalleryShape) -> str:
    return f"{figure(shape.limit)} {shape.unit}"


def day_of(ahead: int | None) -> str:
    return long_day(None if ahead is None else ON + timedelta(days=ahead)).replace(SPACE, " ")


def write_page(pictures: Sequence[GalleryPicture]) -> str:
    missed = [picture.shape.name for picture in pictures if picture.shape.missed]
    count = (
        f"{len(pictures) - len(missed)} of {len(pictures)} answers are right. Missed: {', '.join(missed)}.\n"
    )
    return "\n".join([HEAD, count, *(write_section(picture) for picture in pictures)])


def write_section(picture: GalleryPicture) -> str:
    shape = picture.shape
    notes = [f"**Missed**: {shape.missed}"] if shape.missed else []
    after = " ".join(filter(None, [outcome_of(shape), *notes, shape.remark]))
    return (
        f"## {shape.name}\n\n{shape.words}\n\n"
        f"![{shape.name}: history, limit and forecast](pictures/forecasts/{shape.file_name})\n\n"
        f"> {sentence_of(picture)}\n\n{after}\n"
    )


def gallery_files(pictures: Sequence[GalleryPicture]) -> Mapping[Path, str]:
    """Every file of the gallery with its content."""
    drawings = {PICTURES / picture.shape.file_name: f"{picture.svg}\n" for picture in pictures}
    return {PAGE: write_page(pictures), **drawings}


def main() -> None:
    """Write the page and its drawings."""
    PICTURES.mkdir(parents=True, exist_ok=True)
    for path, content in gallery_files(draw_gallery()).items():
        path.write_text(content)
    print(f"{len(SHAPES)} shapes: {PAGE}")


if __name__ == "__main__":
    main()
