"""The gallery has the right answers, or says which are missed, and is what the method says today."""

import re
from pathlib import Path

import pytest

from benchmarks.forecast_gallery import (
    PAGE,
    PICTURES,
    GalleryPicture,
    draw_gallery,
    gallery_files,
    is_right,
)
from benchmarks.gallery_shapes import CERTAIN, SHAPES, UNLIKELY

NUMBER = re.compile(r"\d+(?:\.\d+)?")
PIXELS = 0.3  # by which another processor may draw a point elsewhere
LARGEST = 12_000  # bytes of a drawing
WRITE = "python -m benchmarks.forecast_gallery writes it anew"


@pytest.fixture(scope="module")
def pictures() -> dict[str, GalleryPicture]:
    return {picture.shape.name: picture for picture in draw_gallery()}


@pytest.fixture(scope="module")
def files(pictures) -> dict[Path, str]:
    return dict(gallery_files(list(pictures.values())))


@pytest.mark.parametrize("name", [shape.name for shape in SHAPES])
def test_the_answer_is_right_or_the_gallery_says_that_it_is_missed(pictures, name):
    picture = pictures[name]

    assert is_right(picture) == (not picture.shape.missed), picture.prediction


def test_what_comes_is_what_the_right_answer_says():
    for shape in SHAPES:
        if shape.chance == CERTAIN:
            assert shape.breaks_on is not None, shape.name
        if shape.chance == UNLIKELY:
            assert shape.breaks_on is None, shape.name


def test_the_page_has_the_sentences_of_today(files):
    assert PAGE.read_text() == files[PAGE], WRITE


def test_the_drawings_are_those_of_today_and_small(files):
    drawings = {path: svg for path, svg in files.items() if path != PAGE}

    assert set(PICTURES.iterdir()) == set(drawings), WRITE
    for path, svg in drawings.items():
        content = path.read_text()
        assert len(content) < LARGEST, path
        assert NUMBER.sub("", content) == NUMBER.sub("", svg), f"{path}: {WRITE}"
        assert numbers(content) == pytest.approx(numbers(svg), abs=PIXELS), f"{path}: {WRITE}"


def numbers(svg: str) -> list[float]:
    return [float(each) for each in NUMBER.findall(svg)]
