"""Several reports of a day: their hours add up, none counts twice, and what is between them is in no figure."""

import io
from datetime import UTC, date, datetime

import pytest
from django.core.management import call_command

from apps.collection.file_readers import UnreadableFile
from apps.collection.host_files import look_into, store_file, take_back_days
from apps.collection.host_uploads import forget_old_uploads
from apps.collection.models import DayPiece
from apps.inventory.models import Target
from apps.platforms.oracle.tests.test_reports import BODY, END, HEAD
from apps.snapshots import dictionary
from apps.snapshots.models import Coverage, Sample

pytestmark = pytest.mark.django_db

NOW = datetime(2026, 3, 10, 12, 0, tzinfo=UTC)
ON = date(2026, 2, 1)
CUT = BODY.replace("SQL*Net more data from clien          700    0          1      1      0.5    1.1\n", "")


@pytest.fixture
def target() -> Target:
    return Target.objects.create(
        name="PAYPRD", kind="instance", platform="oracle", collector="oracle", registered_at=NOW
    )


@pytest.fixture(autouse=True)
def _forget():
    dictionary.forget()


def report(first: str, last: str, commits: int, *, body: str = CUT, day: str = "01") -> bytes:
    head = HEAD.replace("01-Feb-26 00:00:00", f"{day}-Feb-26 {first}:00")
    head = head.replace("02-Feb-26 00:00:00", f"{day}-Feb-26 {last}:00")
    return (
        head + body.replace("86,400            1.0", f"{commits:,}".rjust(6) + "            1.0") + END
    ).encode()


def store(target: Target, content: bytes, name: str):
    [outcome] = store_file(target, io.BytesIO(content), name, NOW).outcomes
    return outcome


def figures() -> dict[tuple[str, str], float | None]:
    return {(row.metric, row.component): row.value for row in Sample.objects.filter(value__isnull=False)}


def test_reports_of_one_day_add_up_and_their_gaps_are_in_no_figure(target):
    store(target, report("08:00", "09:00", 3600), "a.txt")
    outcome = store(target, report("12:00", "14:00", 21_600), "b.txt")

    assert outcome.is_stored
    assert outcome.sentence == "together with one other file: 12 % of the day"
    have = figures()
    assert have["user_commits", ""] == pytest.approx((3600 + 21_600) / (3 * 3600))
    assert have["wait_count", "log file sync"] == pytest.approx(20_000 * 24 / 3)
    assert have["wait_avg_ms", "log file sync"] == pytest.approx(25)
    cover = Coverage.objects.get()
    assert (cover.hours, cover.origin) == (3, "2 files, a.txt to b.txt")


def test_the_order_in_which_they_come_does_not_matter(target):
    content = {
        "a": report("08:00", "09:00", 3600),
        "b": report("12:00", "14:00", 21_600),
        "c": report("09:00", "10:00", 60),
    }
    for name in ("b", "c", "a"):
        store(target, content[name], name)
    backwards = figures()
    for name in content:
        take_back_days(target, name, None, NOW)
    assert not figures()

    for name in ("a", "b", "c"):
        store(target, content[name], name)

    assert figures() == backwards
    assert Coverage.objects.get().origin == "3 files, a to b"


def test_hours_that_overlap_count_once(target):
    store(target, report("08:00", "12:00", 14_400), "long")
    inside = store(target, report("09:00", "10:00", 36_000), "inside")
    across = store(target, report("11:00", "16:00", 36_000), "across")

    assert (inside.is_stored, inside.sentence) == (
        False, "its hours are those of other files, which cover more of the day",
    )  # fmt: skip
    assert across.is_stored
    assert figures()["user_commits", ""] == pytest.approx((36_000 + 36_000) / (6 * 3600))
    assert Coverage.objects.get().origin == "2 files, inside to across"


def test_reports_of_every_hour_give_percentiles_as_well(target):
    for hour in range(24):
        last = f"{hour + 1:02}:00" if hour < 23 else "23:59"
        store(target, report(f"{hour:02}:00", last, 3600 * (hour + 1)), f"sp_{hour:02}")

    have = figures()
    assert have["user_commits", ""] == pytest.approx(sum(range(1, 25)) / 24, rel=0.01)
    assert have["user_commits:max", ""] == pytest.approx(24, rel=0.02)
    assert not Coverage.objects.get().is_partial


def test_an_event_that_one_of_them_does_not_name_did_not_occur_in_it(target):
    row = "db file scattered read".ljust(28)
    both = CUT.replace("control file sequential read", row)
    store(target, report("08:00", "09:00", 1, body=both), "a")
    store(target, report("09:00", "10:00", 1), "b")

    assert figures()["wait_count", "db file scattered read"] == pytest.approx(900 * 24 / 2)


def test_what_only_one_of_them_has_is_left_out(target):
    store(target, report("08:00", "09:00", 1), "a")
    store(target, report("09:00", "10:00", 1, body=CUT.replace("user rollbacks", "user rollback ")), "b")

    assert ("user_rollbacks", "") not in figures()
    assert ("user_commits", "") in figures()


def test_a_preview_says_what_the_day_would_be_and_keeps_nothing(target):
    store(target, report("08:00", "09:00", 3600), "a")

    [outcome] = look_into(target, io.BytesIO(report("09:00", "11:00", 60)), "b", NOW).outcomes

    assert (outcome.sentence, outcome.share) == ("together with one other file: 12 % of the day", 0.125)
    assert DayPiece.objects.count() == 1
    assert Coverage.objects.get().hours == 1


def test_one_of_them_is_taken_back_and_the_others_stay(target):
    for name, first, last in (("a", "08:00", "09:00"), ("b", "09:00", "11:00")):
        store(target, report(first, last, 3600), name)

    assert take_back_days(target, "b", None, NOW) == [ON]

    assert figures()["user_commits", ""] == pytest.approx(1)
    assert Coverage.objects.get().origin == "file a"
    take_back_days(target, "a", None, NOW)
    assert not Coverage.objects.exists()
    assert not DayPiece.objects.exists()


def test_the_same_report_again_changes_nothing(target):
    for name, first, last in (("a", "08:00", "09:00"), ("b", "09:00", "11:00")):
        store(target, report(first, last, 3600), name)
    before = figures()

    again = store(target, report("08:00", "09:00", 3600), "a")

    assert (again.is_stored, again.sentence) == (False, "already there, unchanged")
    assert figures() == before
    assert DayPiece.objects.count() == 2


def test_stretches_are_bounded_in_number_and_in_age(target, monkeypatch, settings):
    monkeypatch.setattr("apps.collection.history.pieces.MOST_PIECES", 1)
    store(target, report("08:00", "09:00", 3600), "a")
    with pytest.raises(UnreadableFile, match="1 files give stretches of 2026-02-01 already"):
        store(target, report("09:00", "10:00", 3600), "b")
    forget_old_uploads(NOW)
    assert DayPiece.objects.exists()

    settings.HEADROOM_FIGURE_DAYS = 30
    forget_old_uploads(NOW)

    assert not DayPiece.objects.exists()


def test_the_command_takes_many_reports_at_once(target, tmp_path, capsys):
    paths = []
    for hour in (8, 9, 10):
        path = tmp_path / f"sp_{hour}.txt"
        path.write_bytes(report(f"{hour:02}:00", f"{hour + 1:02}:00", 3600))
        paths.append(str(path))

    call_command("import_host", *paths, "--target", "PAYPRD")

    assert "together with two other files: 12 % of the day" in capsys.readouterr().out
    assert Coverage.objects.get().hours == 3
