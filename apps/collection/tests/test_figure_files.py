"""Daily figures of a CSV: understood, stored beside what is there, taken back."""

from datetime import UTC, date, datetime, timedelta

import pytest
from django.core.management import CommandError, call_command

from apps.collection.engine.figure_rows import BadFigures, FigureColumns
from apps.collection.history.figure_files import (
    HELD,
    drop_file,
    forget_old_files,
    give_file,
    lost_figure_files,
    map_file,
    start_storing,
    store_figures,
    take_back_file,
)
from apps.collection.history.figure_reading import FigureNames
from apps.collection.history.models import FigureFile
from apps.inventory.models import Target
from apps.snapshots.measured import read_series
from apps.snapshots.models import Coverage, Figure, Sample

pytestmark = pytest.mark.django_db

NOW = datetime(2026, 3, 10, 12, 0, tzinfo=UTC)
HEAD = "day,target,statistic,component,value,unit\n"
FEBRUARY = HEAD + "".join(
    f"2026-02-{day:02},PAYPRD,redo_size,,{day},GB/day\n2026-02-{day:02},PAYPRD,ts_used_mb,DATA,{100 + day},GB\n"
    for day in range(1, 29)
)


@pytest.fixture(autouse=True)
def target() -> Target:
    return Target.objects.create(
        name="PAYPRD", kind="instance", platform="oracle", collector="oracle", registered_at=NOW
    )


def give(text: str, name: str = "past.csv", target: Target | None = None) -> FigureFile:
    return give_file(name, text.encode(), target, None, NOW)


def store(file: FigureFile) -> FigureFile:
    start_storing(file, NOW)
    assert not store_figures(file.pk, lambda: NOW)
    file.refresh_from_db()
    return file


def sample(target: str = "PAYPRD") -> set[tuple[date, str, str, float | None]]:
    rows = Sample.objects.filter(target=target, value__isnull=False)
    return {(row.day, row.metric, row.component, row.value) for row in rows}


def problems(file: FigureFile) -> list[tuple[int, str]]:
    return [(problem["line"], problem["text"]) for problem in file.report["problems"]]


def test_what_is_understood_is_said_before_anything_is_stored():
    file = give(FEBRUARY)

    assert (file.report["figures"], file.report["days"], file.report["targets"]) == (56, 28, ["PAYPRD"])
    [redo, used] = sorted(file.report["statistics"], key=lambda row: row["key"])
    assert (redo["name"], redo["unit"], redo["first"], redo["last"]) == (
        "redo_size",
        "GB/day",
        "2026-02-01",
        "2026-02-28",
    )
    assert (used["label"], used["figures"]) == ("used", 28)
    assert not Figure.objects.exists()


def test_figures_are_stored_in_the_units_of_the_catalogue_and_name_their_file(target):
    store(give(FEBRUARY))

    day = date(2026, 2, 7)
    [measured] = read_series([target], [("redo_size", ""), ("ts_used_mb", "DATA")], day, day).values()
    assert measured.values[1, 0] == pytest.approx(107 * 1024)
    assert measured.counts.all()
    cover = Coverage.objects.get(target=target, day=day)
    assert cover.source_of(measured.metrics[0].category) == "CSV past.csv"
    assert FigureFile.objects.get().content == b""


def test_the_same_again_changes_nothing_and_taking_back_leaves_nothing():
    file = store(give(FEBRUARY))
    before = sample()
    store(give(FEBRUARY))

    assert sample() == before
    assert len(before) == 56
    assert take_back_file(file, NOW) == 28
    assert sample() == set()
    assert not Coverage.objects.exists()


def imported(target: Target, on: date, origin: str) -> None:
    """A day whose redo another source has told."""
    from apps.catalog.registry import get_metric
    from apps.snapshots.given_days import store_given

    store_given(target, {on: {get_metric("redo_size").category: {("redo_size", ""): 5.0}}}, origin)


def test_a_day_that_was_measured_stays_as_it_is(target):
    on = date(2026, 2, 3)
    imported(target, on, "CSV other.csv")
    Coverage.objects.filter(day=on).update(origin="")

    file = give(FEBRUARY)

    assert (file.report["days"], file.report["measured_days"]) == (27, 1)
    store(file)
    assert {row for row in sample() if row[0] == on} == {(on, "redo_size", "", 5.0)}


def test_what_another_source_tells_stays_and_the_rest_is_filled_beside_it(target):
    on = date(2026, 2, 3)
    imported(target, on, "CSV other.csv")

    file = give(FEBRUARY)

    assert file.report["stays"] == {"CSV other.csv": 1}
    store(file)
    assert {row for row in sample() if row[0] == on} == {
        (on, "redo_size", "", 5.0),
        (on, "ts_used_mb", "DATA", 103 * 1024),
    }
    assert take_back_file(FigureFile.objects.get(), NOW) == 28
    assert sample() == {(on, "redo_size", "", 5.0)}
    assert Coverage.objects.get().origin == "CSV other.csv"


def test_what_was_not_given_is_not_said_to_have_not_occurred(target):
    store(give(HEAD + "2026-02-03,PAYPRD,wait_time,log file sync,12,s/day\n"))

    day = date(2026, 2, 3)
    keys = [("wait_time", "log file sync"), ("wait_time", "db file sequential read")]
    [measured] = read_series([target], keys, day, day).values()
    assert measured.is_present.tolist() == [[True], [False]]
    assert not measured.is_absent.any()
    assert measured.reason(1, 0) == "CSV past.csv does not have it"


def test_columns_and_names_of_others_are_put_to_ours(target):
    file = give(
        "Zeitpunkt;Kennzahl;Wert;Maß\n01.02.2026;Redo des Tages;1,5;GB/day\n02.02.2026;Sonstiges;3;GB\n",
        target=target,
    )
    assert file.reason == "it is open which column has day, statistic."

    columns = FigureColumns(
        {"day": "Zeitpunkt", "statistic": "Kennzahl", "value": "Wert", "unit": "Maß"}, {"target": "PAYPRD"}
    )
    map_file(file, columns, FigureNames({"Redo des Tages": "redo_size"}), NOW)

    assert file.report["figures"] == 1
    assert file.report["unknown_statistics"] == {"Sonstiges": 1}
    assert problems(file) == [(3, "“Sonstiges” is not a statistic that is known here; choose one for it.")]
    store(file)
    assert [(on, key) for on, key, _, _ in sample()] == [(date(2026, 2, 1), "redo_size")]


def test_a_statistic_is_known_by_the_name_that_its_source_has_and_by_its_label():
    file = give(
        HEAD + "2026-02-01,payprd,Redo  size,,1,GB/day\n2026-02-01,PAYPRD,user commits,,3,per second\n"
    )

    assert [row["key"] for row in file.report["statistics"]] == ["redo_size", "user_commits"]


def test_another_headroom_gives_what_its_view_has():
    file = store(give(FEBRUARY))
    rows = Sample.objects.filter(target="PAYPRD").values_list("day", "metric", "component", "value", "unit")
    exported = "target,day,metric,component,value,unit\n" + "".join(
        f"PAYPRD,{day},{metric},{component},{'' if value is None else value},{unit}\n"
        for day, metric, component, value, unit in rows
    )
    before = sample()
    take_back_file(file, NOW)

    again = store(give(exported, "sample.csv"))

    assert again.report["problems"] == []
    assert sample() == before


BAD = {
    "": "The file is empty; give lines below a head such as day,target,statistic,component,value,unit.",
    "hello\nworld\n": "The first line is “hello”; expected a head such as day,target,statistic,component,value,unit.",
    HEAD: "There is a head and no line below it.",
    "day,value,day\n2026-02-01,1,2\n": "The head names “day” twice.",
    HEAD + "2026-02-01,PAYPRD,redo_size,,1,GB/day,7\n": "Line 2 has 7 fields, and the head 6.",
    HEAD + '2026-02-01,PAYPRD,"redo_size,,1,GB/day\n': "Line 2 is not CSV: unexpected end of data.",
    "PK\x03\x04": "This is a packed file or a workbook; save it as CSV and give that.",
}


@pytest.mark.parametrize("text", BAD)
def test_a_file_that_is_no_table_is_refused_in_a_sentence(text: str):
    with pytest.raises(BadFigures) as refused:
        give(text)

    assert str(refused.value) == BAD[text]
    assert not FigureFile.objects.exists()


def test_a_file_that_is_not_utf_8_names_its_line():
    with pytest.raises(BadFigures, match=r"^Line 2 is not text in UTF-8"):
        give_file("past.csv", b"day,value\n2026-02-01,\xe4\n", None, None, NOW)


LINES = {
    "31/02/2026,PAYPRD,redo_size,,1,GB/day": "“31/02/2026” is not a day such as 2026-01-31.",
    "2026-03-10,PAYPRD,redo_size,,1,GB/day": "2026-03-10 is not over; a figure is of a whole day.",
    "1999-01-01,PAYPRD,redo_size,,1,GB/day": "1999-01-01 lies before what is kept: figures are kept since",
    "2026-02-02,PAYPRD,redo_size,,much,GB/day": "“much” is not a number; write 1200 or 1200.5.",
    "2026-02-02,PAYPRD,redo_size,,nan,GB/day": "“nan” is no number that can be.",
    "2026-02-02,PAYPRD,redo_size,,1,parsecs": "“parsecs” is not a unit of",
    "2026-02-02,PAYPRD,redo_size,,1,sessions": "“sessions” is not a unit of",
    "2026-02-02,PAYPRD,happiness,,1,": "“happiness” is not a statistic that is known here; choose one for it.",
    "2026-02-02,PAYPRD,,,1,": "The statistic is missing.",
    "2026-02-02,NOBODY,redo_size,,1,GB/day": "No target is called “NOBODY”; choose one for it.",
    "2026-02-02,,redo_size,,1,GB/day": "The target is missing.",
    "2026-02-02,PAYPRD,ts_used_mb,,1,GB": "used needs a component: which tablespace it is of.",
    "2026-02-02,PAYPRD,redo_size,DATA,1,GB/day": "redo size has no components, and this line names “DATA”.",
    "2026-02-01,PAYPRD,redo_size,,2,GB/day": "redo size of PAYPRD is there more than once for a day; give one figure a day.",
    "2026-02-02,PAYPRD,host_cpu_busy_pct,,2,%": "“host_cpu_busy_pct” is a statistic of other targets than this one.",
}


@pytest.mark.parametrize("line", LINES)
def test_a_line_that_cannot_be_taken_is_named_and_the_others_are_taken(line: str):
    file = give(f"{HEAD}2026-02-01,PAYPRD,redo_size,,1,GB/day\n{line}\n")

    [(number, text)] = problems(file)
    assert number == 3
    assert text.startswith(LINES[line])
    assert file.report["figures"] == 1


def test_days_that_can_be_read_in_two_ways_are_asked_about():
    text = HEAD + "03/02/2026,PAYPRD,redo_size,,1,GB/day\n"
    file = give(text)
    assert file.reason == "“03/02/2026” can be read in two ways; choose how days are written."

    map_file(file, FigureColumns(**{**file.columns, "dates": "%d/%m/%Y"}), FigureNames(), NOW)

    assert file.report["statistics"][0]["first"] == "2026-02-03"
    assert (
        give(text + "28/02/2026,PAYPRD,redo_size,,1,GB/day\n").reason == ""
    )  # one of them is told by its day


def test_a_worker_that_was_lost_is_followed_by_another():
    other = Target.objects.create(
        name="HRPRD", kind="instance", platform="oracle", collector="oracle", registered_at=NOW
    )
    file = give(FEBRUARY + FEBRUARY.replace(HEAD, "").replace("PAYPRD", "HRPRD"))
    start_storing(file, NOW)
    times = iter([NOW, NOW, NOW, NOW + timedelta(minutes=4)])

    assert store_figures(file.pk, lambda: next(times))
    assert sample("HRPRD") == set()
    assert lost_figure_files(NOW + timedelta(minutes=20)) == [file.pk]
    assert not store_figures(file.pk, lambda: NOW)
    assert len(sample(other.name)) == len(sample()) == 56


def test_a_file_that_nobody_stores_is_forgotten_and_one_can_be_dropped():
    drop_file(give(FEBRUARY))
    assert not FigureFile.objects.exists()

    give(FEBRUARY)
    forget_old_files(NOW + HELD)
    assert not FigureFile.objects.exists()


def test_the_command_shows_stores_and_takes_back(tmp_path, capsys, settings):
    settings.HEADROOM_FIGURE_DAYS = 20_000
    path = tmp_path / "past.csv"
    path.write_text(FEBRUARY.replace("2026-", "2025-") + "2025-02-01,PAYPRD,happiness,,1,\n")

    call_command("import_csv_history", path, "--preview")
    assert "line 58: “happiness” is not a statistic" in capsys.readouterr().out
    assert not Figure.objects.exists()
    call_command("import_csv_history", path, "--statistic", "happiness=user_commits", "--json")
    assert '"figures": 57' in capsys.readouterr().out
    assert len(sample()) == 57
    call_command("import_csv_history", path, "--take-back")
    assert "28 days of past.csv taken back." in capsys.readouterr().out
    assert sample() == set()
    with pytest.raises(CommandError, match=r"cannot be read: No such file"):
        call_command("import_csv_history", tmp_path / "none.csv")
    with pytest.raises(CommandError, match=r"“parsecs” is not a statistic"):
        call_command("import_csv_history", path, "--statistic", "happiness=parsecs")
