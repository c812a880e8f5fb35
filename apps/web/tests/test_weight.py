"""What a browser loads is small: pages travel compressed, and of Bootstrap only what they can meet."""

import gzip

import pytest
from django.conf import settings
from django.urls import reverse

from apps.web.tests.scenes import signed_in

STATIC = settings.BASE_DIR / "static"
LARGEST = 500_000  # of all files that a page with a chart loads, gzipped: 200 kB of 700 are left for the page


@pytest.mark.django_db
def test_a_page_travels_compressed():
    answer = signed_in(is_planner=False).get(reverse("estate"), headers={"accept-encoding": "gzip"})

    assert answer.headers["Content-Encoding"] == "gzip"
    assert b"</html>" in gzip.decompress(answer.content)


def test_what_a_page_with_a_chart_loads_leaves_room_for_the_page():
    files = [*STATIC.glob("css/*.css"), *STATIC.glob("js/*.js"), *STATIC.glob("fonts/*.woff2")]
    files += [*STATIC.glob("vendor/*/*.js"), *STATIC.glob("vendor/*/*.css"), *STATIC.glob("img/*.svg")]

    assert sum(len(gzip.compress(file.read_bytes(), 9)) for file in files) < LARGEST
