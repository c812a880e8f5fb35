"""Limits of two conditions: over 95 % and less than 50 GB free. Both must be broken."""

from datetime import UTC, datetime, timedelta

import pytest

from apps.collection.tests.scripted import BOOT, TODAY, Story, days_before, instance, prepare
from apps.forecasting.models import Forecast
from apps.forecasting.predict import predict_violations
from apps.inventory.models import Target
from apps.thresholds.check import check_thresholds
from apps.thresholds.command_output import threshold_as_json
from apps.thresholds.engine.notation import BadNotation, Companion, Form, parse_notation
from apps.thresholds.judge import FigureState, profile_of
from apps.thresholds.models import Threshold, Violation
from apps.thresholds.register import add_threshold, read_limits
from apps.web.pages.thresholds.preview import in_words, preview_of

pytestmark = pytest.mark.django_db

NOW = datetime(2026, 7, 1, 6, tzinfo=UTC)
FREE = {"free": Companion("ts_room_mb", "GB"), "used": Companion("ts_used_mb", "GB")}
BOTH = "<=95 unless >=50 GB free"


@pytest.fixture
def target() -> Target:
    prepare()
    return instance()


def limit(target: Target, notation: str = BOTH, **rest: object) -> Threshold:
    (made,) = add_threshold("x_used", notation, now=BOOT, target=target, **rest)  # type: ignore[arg-type]
    return made


def reviewed(target: Target, days: list[tuple[float, float | None]]) -> str:
    """Days of (MB used, GB free): o opened, c continued, x closed, . nothing."""
    story, deeds = Story(target), ""
    for on, (used, free) in zip(days_before(TODAY, len(days)), days, strict=True):
        story.day(on, used={"DATA": used}, free=None if free is None else {"DATA": free})
        checked = check_thresholds(target, on, NOW)
        deeds += "o" if checked.opened else "x" if checked.closed else "c" if checked.continued else "."
    return deeds


# ── what people type ─────────────────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    "text",
    [
        "over 95 % and less than 50 GB free",
        "Above 95% and under 50 GB free",
        "more than 95 % and below 51200 MB free",
        "<=95 % unless >=50 GB free",
        "<=95 or >=50 free",
        "95 UNLESS >= 0.048828125 TB Free",
    ],
)
def test_it_is_written_as_people_say_it_or_as_a_limit_with_a_way_out(text):
    (limit,) = parse_notation(text, "%", companions=FREE)

    assert (limit.form, limit.high) == (Form.AT_MOST, 95)
    assert limit.second is not None
    assert (limit.second.metric, limit.second.unit, limit.second.word) == ("ts_room_mb", "GB", "free")
    assert (limit.second.limit.form, limit.second.limit.low) == (Form.AT_LEAST, 50)


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("<=95 % and >=50 GB free", "can be read in two ways"),
        (">95 % and <50 GB free", "can be read in two ways"),
        ("<=95 unless >=50 GB", "end it with free or used"),
        ("<=95 unless >=50 GB spare", "end it with free or used"),
        ("<=95 unless free", "end it with free or used"),
        ("<=95 unless >=50 parsecs free", "50 parsecs” is not a unit of “free”. Give it in GB"),
        ("<=95 unless >=50 % free", "not a unit of “free”"),
        ("<=95 GB unless >=50 GB free", "not a unit of used of maximum"),
        ("<=95 unless >=50 GB free or <=3 used", "more than two conditions"),
        ("? unless >=50 GB free", "“\\?” cannot be one of two conditions"),
        ("10..20 unless >=50 GB free", "“10..20” cannot be one of two conditions"),
        ("<=95 unless 10..20 free", "does not say what it is a limit of|cannot be one of"),
        ("over 95 % and less than", "can be read in two ways|is not a limit"),
        ("unless", "is not a limit"),
    ],
)
def test_what_is_not_a_limit_of_two_conditions_gets_a_sentence(text, sentence):
    with pytest.raises(BadNotation, match=sentence) as refused:
        parse_notation(text, "%", of="used of maximum", companions=FREE)

    assert str(refused.value).endswith(".")


def test_a_statistic_without_a_companion_takes_no_second_condition():
    with pytest.raises(BadNotation, match="redo has no other statistic to go with it"):
        read_limits("x_redo", "<=50 unless >=5 free")
    with pytest.raises(BadNotation, match="no other statistic"):
        read_limits("x_used", BOTH, "change_7")


@pytest.mark.parametrize("metric", ["ts_used_pct_max", "ts_used_pct_size", "host_fs_used_pct"])
def test_space_of_databases_and_hosts_takes_percent_and_bytes_in_one_limit(metric):
    (limit,) = read_limits(metric, "over 95 % and less than 50 GB free")

    assert limit.second is not None
    assert in_words(limit, "%") == "At most 95 % unless at least 50 GB free"


# ── judging ──────────────────────────────────────────────────────────────────────────────────────────────────────────


def test_it_opens_only_where_both_are_broken_and_closes_when_either_is_inside_again(target):
    limit(target, closes_after=2)

    assert reviewed(target, [(96, 60), (94, 40), (96, 40), (96, 60), (94, 40), (97, 70)]) == "..ocx."


@pytest.mark.parametrize(
    ("used", "free", "state"),
    [
        (95, 50, FigureState.COMFORTABLE),
        (95.1, 49.9, FigureState.VIOLATED),
        (95.1, 50, FigureState.COMFORTABLE),
        (95, 49.9, FigureState.COMFORTABLE),
        (95.1, None, FigureState.NO_DATA),
        (95, None, FigureState.COMFORTABLE),
    ],
)
def test_the_review_and_the_row_agree(target, used, free, state):
    limit(target)
    Story(target).day(TODAY, used={"DATA": used}, free=None if free is None else {"DATA": free})

    checked = check_thresholds(target, TODAY, NOW)

    (row,) = (row for row in profile_of(target, TODAY).rows if row.row.component == "DATA")
    assert (row.state, checked.states["x_used", "DATA", "value"]) == (state, state)
    if state is FigureState.NO_DATA:
        assert row.reason.startswith("both conditions are needed, and “free” is not known")


def test_an_unknown_second_figure_neither_opens_nor_closes(target):
    limit(target, closes_after=2)

    assert reviewed(target, [(96, 40), (96, None), (96, 60), (96, None), (96, 60)]) == "occcx"


def test_the_recovery_gap_is_asked_of_one_of_the_two(target):
    limit(target, closes_after=1, recovery_gap=10)

    assert reviewed(target, [(96, 40), (90, 52), (96, 54.9), (96, 55)]) == "occx"


def test_the_case_file_tells_both_figures(target):
    limit(target, "over 95 MB and less than 50 GB free")
    reviewed(target, [(96, 40)])

    violation = Violation.objects.get()

    step = violation.steps.get()
    assert (
        step.sentence == "Over its limit: 96 MB and 40 GB free against over 95 MB and less than 50 GB free."
    )


def test_of_two_equal_limits_the_one_without_a_way_out_is_the_stricter(target):
    limit(target)
    strict = limit(target, "<=95")
    Story(target).day(TODAY, used={"DATA": 96}, free={"DATA": 500})

    (opened,) = check_thresholds(target, TODAY, NOW).opened

    assert opened.threshold == strict


def test_both_at_once_are_foreseen_and_no_nearer_limit_in_their_place(target):
    own = limit(target)
    add_threshold("x_used", "90", now=BOOT)
    story = Story(target)
    for number, on in enumerate(days_before(TODAY, 30)):
        story.day(on, used={"DATA": 60 + number}, free={"DATA": 500})

    predict_violations(target, TODAY, NOW)

    made = Forecast.objects.get()
    assert made.threshold == own
    assert (made.likely_on, made.reason) == (None, "none within 30 days")


def test_the_dry_run_and_json_know_both(target):
    made = limit(target)
    story = Story(target)
    days = [datetime.now(UTC).date() - timedelta(days=back) for back in (3, 2, 1)]
    prepare(*days)
    for on, free in zip(days, (60, 40, None), strict=True):
        story.day(on, used={"DATA": 96}, free=None if free is None else {"DATA": free})

    preview = preview_of({"target": str(target.pk), "metric": "x_used", "notation": BOTH})

    assert preview.sentence == (
        "At most 95 MB unless at least 50 GB free would have fired on 1 of the last 90 days; 2 of them could be judged."
    )
    assert threshold_as_json(made)["second"] == {
        "statistic": "x_free", "form": "at_least", "low": 50.0, "high": None, "unit": "GB",
    }  # fmt: skip
