"""Templates can be read: no line is longer than a screen is wide."""

from django.conf import settings

LONGEST = 160


def test_no_line_of_a_template_is_over_160_characters():
    lines = {
        f"{path.relative_to(settings.BASE_DIR)}:{number}": line
        for path in (settings.BASE_DIR / "templates").rglob("*.*")
        for number, line in enumerate(path.read_text().splitlines(), start=1)
    }

    assert len(lines) > 1000
    assert [place for place, line in lines.items() if len(line) > LONGEST] == []
