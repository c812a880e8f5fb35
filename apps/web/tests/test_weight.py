"""What a browser loads is small: pages travel compressed, and of Bootstrap only what they can meet."""

import gzip
import re
from pathlib import Path

import pytest
from django.conf import settings
from django.urls import reverse

from apps.web.styles import STYLE_SHEETS
from apps.web.tests.scenes import signed_in

STATIC, TEMPLATES = settings.BASE_DIR / "static", settings.BASE_DIR / "templates"
LARGEST = 480_000  # of all files that a page with a chart loads, gzipped: 220 kB of 700 are left for the page
PLOTLY = "vendor/plotly/plotly-basic.min.js"
NAMED = re.compile(r"{% static '([^']+)' %}")
OF_EVERY_PAGE = ("base.html", "components/head.html")


@pytest.mark.django_db
def test_a_page_travels_compressed():
    answer = signed_in(is_planner=False).get(reverse("estate"), headers={"accept-encoding": "gzip"})

    assert answer.headers["Content-Encoding"] == "gzip"
    assert b"</html>" in gzip.decompress(answer.content)


def test_what_a_page_with_a_chart_loads_leaves_room_for_the_page():
    everywhere = {name for template in OF_EVERY_PAGE for name in named_in(TEMPLATES / template)}
    everywhere |= {*STYLE_SHEETS, "img/sprite.svg", "img/logo.svg"}
    of_charts = [named for page in TEMPLATES.glob("pages/**/*.html") if PLOTLY in (named := named_in(page))]

    weights = [sum(map(weight, everywhere | named)) for named in of_charts]

    assert len(weights) > 3
    assert max(weights) < LARGEST


def named_in(template: Path) -> set[str]:
    """The static files that a template names."""
    return set(NAMED.findall(template.read_text()))


def weight(name: str) -> int:
    """The bytes of a static file as they are sent."""
    return len(gzip.compress((STATIC / name).read_bytes(), 9))
