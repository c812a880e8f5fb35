"""Which instance will run into trouble first, and why: the way of docs/which-first.md, link by link."""

import re
from html import unescape

import pytest
from django.urls import reverse

from apps.collection.tests.scripted import BOOT, Story, days_before, instance, prepare
from apps.review.nightly import review_targets
from apps.thresholds.register import add_threshold
from apps.web.tests.scenes import signed_in
from apps.web.tests.test_queries import NOW, TODAY

pytestmark = pytest.mark.django_db


def link(html: str, pattern: str) -> str:
    match = re.search(pattern, html, re.S)
    assert match, pattern
    return unescape(match[1])


def test_three_clicks_lead_from_the_first_page_to_what_moves_with_the_figure():
    prepare(*days_before(TODAY, 9), NOW.date())
    target = instance("DWPRD", registered_at=BOOT)
    add_threshold("x_used", "10", now=BOOT, target=target, component="DATA")
    story = Story(target)
    for number, on in enumerate(days_before(TODAY, 3)):
        story.day(on, redo=5 + number, used={"DATA": 9.0 + 2 * number}, hits=90)
        review_targets([target], on, NOW)
    client = signed_in(is_planner=False)

    first = client.get(reverse("estate")).content.decode()
    case = client.get(link(first, r'<a class="name" href="(/violations/\d+)">DATA')).content.decode()
    figure = client.get(
        link(case, r'<a\s+href="(/targets/\d+/statistics/[^"]+)"\s*>its history')
    ).content.decode()
    moves = client.get(link(figure, r'href="(/targets/\d+/statistics/[^"]+/related[^"]*)"'))

    assert "DWPRD" in first
    assert "How this figure was computed" in figure
    assert moves.status_code == 200
