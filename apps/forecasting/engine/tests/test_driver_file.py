"""Days of a driver as people give them: each mistake with its line, and nothing taken by half."""

import json
from datetime import date

import pytest

from apps.forecasting.engine.driver_file import MOST_DAYS, BadDriverDays, read_days

TODAY = date(2026, 11, 20)


def read(text: str) -> tuple[dict[date, float], dict[date, float]]:
    days = read_days(text.encode(), TODAY)
    return days.measured, days.planned


def test_values_and_planned_ones_are_read():
    measured, planned = read(
        "day,value,planned\n2026-11-19,1200,\n2026-11-20,1250.5,1300\n2026-12-01,,1500\n"
    )

    assert measured == {date(2026, 11, 19): 1200, date(2026, 11, 20): 1250.5}
    assert planned == {date(2026, 11, 20): 1300, date(2026, 12, 1): 1500}


def test_a_file_of_a_spreadsheet_in_another_country_is_read():
    assert read("\ufeffDay;Value\r\n2026-11-19;1200,5\r\n")[0] == {date(2026, 11, 19): 1200.5}


def test_json_is_read():
    entries = [{"day": "2026-11-19", "value": 1200}, {"day": "2026-12-01", "planned": 1500, "value": None}]

    assert read(json.dumps(entries)) == ({date(2026, 11, 19): 1200}, {date(2026, 12, 1): 1500})


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("", "There are no days"),
        ("day,value\n", "There are no days"),
        ("2026-11-19,1200", "The first line is “2026-11-19,1200”; expected the head day,value,planned."),
        ("day\n2026-11-19", "expected the head"),
        ("day,value,colour\n2026-11-19,1,red", "expected the head"),
        ("day,value\n2026-11-19,1200\n2026-11-19,1300", "Line 3: 2026-11-19 is there twice."),
        ("day,value\n2026-11-19,-3", "Line 2: -3 is less than nothing"),
        ("day,value\n2026-11-21,1200", "Line 2: 2026-11-21 has not come yet"),
        ("day,value\n19.11.2026,1200", "Line 2: “19.11.2026” is not a day"),
        ("day,value\n2026-11-19,many", "“many” is not a number"),
        ("day,value\n2026-11-19,nan", "is no number that can be"),
        ("day,value\n2026-11-19,", "has neither a value nor a planned one"),
        ("day,value\n2026-11-19,1,2", "Line 2 has 3 fields, and the head 2."),
        ("day,planned\n2046-11-19,1", "more than ten years ahead"),
        ("day,value\n1026-11-19,1", "is before 1990-01-01"),
        ("[1]", "Entry 1 is no object"),
        ('{"day": 1}', "Give a list"),
        ("[{", "This is not JSON"),
        ("day,value\n" + "x,1\n" * 9, "So are 4 more."),
    ],
)
def test_each_mistake_has_its_sentence(text, sentence):
    with pytest.raises(BadDriverDays) as refused:
        read(text)

    assert sentence in str(refused.value)


def test_what_is_no_text_and_what_is_too_much_is_refused():
    rows = "\n".join(f"{date.fromordinal(700_000 + number)},1" for number in range(100_000))
    for content, sentence in (
        (b"\xff\xfe\x00", "Line 1 is not text in UTF-8; save it as CSV in UTF-8."),
        (f"day,value\n{rows}".encode(), f"There are 100,000 days; give at most {MOST_DAYS:,} at once."),
    ):
        with pytest.raises(BadDriverDays) as refused:
            read_days(content, TODAY)
        assert str(refused.value) == sentence
