"""Sizes of past days by backups: bounds, which are shown and by which nothing is judged."""

from datetime import timedelta

import numpy as np
import pytest
from django.urls import reverse

from apps.catalog.registry import get_metric
from apps.platforms.oracle.history.session import open_history
from apps.platforms.oracle.tests.lives import DAY, MIDNIGHT, life_of
from apps.platforms.oracle.tests.test_history import look, read
from apps.snapshots.engine.days import day_of
from apps.snapshots.measured import read_series
from apps.snapshots.models import Coverage
from apps.web.figure_history import chart_of, read_history
from apps.web.tests.scenes import signed_in
from testing.oracle_server import Backups, Clock, RecoveryCatalog, instance

A_DAY = timedelta(days=1)
NIGHT = timedelta(hours=2)
MONTH_AGO = DAY - 30 * A_DAY


@pytest.fixture
def life(db):
    clock = Clock(MIDNIGHT)
    database = instance("GISPRD", clock=clock, started_at=MIDNIGHT - 100 * A_DAY)
    with life_of(database, clock, (DAY, MONTH_AGO)) as life:
        yield life


@pytest.fixture
def backups(life) -> Backups:
    """A full backup every seventh night for 40 days, of a target that was read for the first time today."""
    backups = Backups(life.database)
    backups.back_up_each(7 * A_DAY, MIDNIGHT - 40 * A_DAY + NIGHT, MIDNIGHT)
    life.collect()
    return backups


def true_figures(life, on) -> dict[str, float]:
    """Used and allocated megabytes of the tablespaces at the end of a day, as the database had them."""
    moment = day_of(on, life.target().zone).ended_at
    [gis] = life.database.instances
    rows = {
        view: list(life.database.rows(view, gis, None, moment))
        for view in ("dba_data_files", "dba_tablespace_usage_metrics")
    }
    sizes: dict[str, float] = {}
    for row in rows["dba_data_files"]:
        name = f"size {row['tablespace_name']}"
        sizes[name] = sizes.get(name, 0) + row["bytes"] / 2**20
    used = {
        f"used {row['tablespace_name']}": row["used_space"] * 8192 / 2**20
        for row in rows["dba_tablespace_usage_metrics"]
    }
    return sizes | used


def test_sizes_of_past_days_are_bounds_of_what_they_were(life, backups):
    target = life.target()
    reaches = look(target, life).reaches
    assert reaches[3].days == 40
    assert len(backups.rows) / 2 < reaches[3].rows < len(backups.rows)  # without those of undo

    read(target, life, "backups")

    true = true_figures(life, MONTH_AGO)
    figures = {key: value for key, value in life.figures(MONTH_AGO).items() if not np.isnan(value)}
    sizes = {name: value for (metric, name), value in figures.items() if metric == "ts_size_mb"}
    used = {name: value for (metric, name), value in figures.items() if metric == "ts_used_mb"}
    assert sizes.keys() >= {"SYSTEM", "SYSAUX"}
    assert used.keys() == sizes.keys()
    for name, size in sizes.items():
        assert true[f"size {name}"] <= size <= 1.2 * true[f"size {name}"]
        assert true[f"used {name}"] - 0.1 <= used[name] <= 1.2 * true[f"used {name}"] + 1
    assert {metric for metric, _ in figures} == {
        "ts_size_mb",
        "ts_used_mb",
    }  # a ratio of two bounds says nothing


def test_bounds_are_shown_and_nothing_is_judged_by_them(life, backups):
    target = life.target()
    look(target, life)
    read(target, life, "backups")

    cover = Coverage.objects.get(target=target, day=MONTH_AGO)
    assert cover.origin == "backups (at most)"
    [measured] = read_series([target], [("ts_used_mb", "SYSTEM")], MONTH_AGO, MONTH_AGO).values()
    assert measured.is_present.all()
    assert not measured.counts.any()
    page = signed_in().get(reverse("target", args=[target.pk]), {"on": str(DAY - A_DAY)})
    assert "≤" in page.content.decode()


def test_charts_and_files_of_a_statistic_mark_bounds(life, backups):
    target = life.target()
    look(target, life)
    read(target, life, "backups")

    history = read_history(target, get_metric("ts_used_mb"), "SYSTEM", DAY - A_DAY, 40)

    bound, measure = chart_of(history)["data"]
    assert sum(value is not None for value in bound["y"]) > 25
    assert all(None in pair for pair in zip(bound["y"], measure["y"], strict=True))
    day = next(day for day in history.values if day.day == MONTH_AGO)
    assert day.text().startswith("≤")
    assert (day.bound, day.measured, day.reason) == (day.value, None, "a bound, from backups (at most)")
    page = signed_in().get(reverse("statistic", args=[target.pk, "ts_used_mb"]), {"component": "SYSTEM"})
    assert "dotted: at most, which nothing is judged by" in page.content.decode()


def test_used_space_needs_a_full_backup_soon_after(life):
    backups = Backups(life.database)
    backups.back_up(MIDNIGHT - 40 * A_DAY)
    backups.back_up(MIDNIGHT - 20 * A_DAY, level=1)
    life.collect()
    target = life.target()

    with open_history(target) as session:
        day = session.read_day(day_of(MONTH_AGO, target.zone), ["backups"])
        before = session.read_day(day_of(DAY - 50 * A_DAY, target.zone), ["backups"])

    assert day is not None
    [shot] = next(iter(day.shots.values())).values()
    assert {metric for metric, _ in shot.keys} == {"ts_size_mb"}
    assert before is None


def test_without_a_backup_the_page_says_so(life):
    life.collect()

    reach = look(life.target(), life).reaches[3]

    assert reach.reason == "The control file remembers no backup of a data file that RMAN made."


def test_without_the_grant_the_page_has_what_would_help(life):
    life.database.users["HEADROOM"].forbidden = frozenset({"v$backup_datafile"})
    life.collect()

    reach = look(life.target(), life).reaches[3]

    assert reach.reason == "The account HEADROOM may not read v$backup_datafile."
    assert reach.remedy == "GRANT READ ON sys.v_$backup_datafile TO HEADROOM;"


def catalog_of(life, owner: str = "RMAN", **more: int) -> RecoveryCatalog:
    """A recovery catalog in this database, which knows it."""
    catalog = RecoveryCatalog(life.database, owner)
    catalog.register(life.database.dbid, **more)
    return catalog


@pytest.fixture
def short_memory(life) -> Backups:
    """Full backups of 40 days, of which the control file remembers ten; a target that was read for the first time today."""
    backups = Backups(life.database)
    backups.back_up_each(7 * A_DAY, MIDNIGHT - 40 * A_DAY + NIGHT, MIDNIGHT)
    life.collect()
    return backups


def test_a_recovery_catalog_reaches_further_back_than_the_control_file(life, short_memory):
    catalog = catalog_of(life)
    catalog.resync(short_memory)
    count = len(short_memory.rows)
    short_memory.forget_before(MIDNIGHT - 10 * A_DAY)
    target = life.target()

    reach = look(target, life).reaches[3]
    read(target, life, "backups")

    assert reach.days == 40
    assert count / 2 < reach.rows < count  # each once, and without those of undo
    assert reach.notes[1].startswith("with the recovery catalog of RMAN since ")
    figures = {key: value for key, value in life.figures(MONTH_AGO).items() if not np.isnan(value)}
    true = true_figures(life, MONTH_AGO)
    assert true["size SYSTEM"] <= figures["ts_size_mb", "SYSTEM"] <= 1.2 * true["size SYSTEM"]


def test_without_a_catalog_the_preview_says_so(life, short_memory):
    short_memory.forget_before(MIDNIGHT - 10 * A_DAY)

    reach = look(life.target(), life).reaches[3]

    assert reach.days < 12
    assert reach.notes[1] == (
        "of the control file alone: the account sees no recovery catalog in this database"
    )


def test_a_catalog_that_does_not_know_this_database_is_left_alone(life, short_memory):
    catalog = RecoveryCatalog(life.database)
    catalog.register(life.database.dbid + 1)
    catalog.resync(short_memory)
    short_memory.forget_before(MIDNIGHT - 10 * A_DAY)

    reach = look(life.target(), life).reaches[3]

    assert reach.days < 12
    assert reach.notes[1].endswith("the recovery catalog of RMAN does not know this database")


def test_backups_of_an_earlier_incarnation_are_left_out(life, short_memory):
    catalog = catalog_of(life, dbinc_key=3)
    catalog.resync(short_memory, dbinc_key=2)
    short_memory.forget_before(MIDNIGHT - 10 * A_DAY)

    reach = look(life.target(), life).reaches[3]

    assert reach.days < 12
    assert reach.notes[1] == "with the recovery catalog of RMAN, which has no backup of it"


def test_of_several_catalogs_that_know_this_database_none_is_read(life, short_memory):
    for owner in ("RMAN", "RCAT"):
        catalog_of(life, owner).resync(short_memory)
    short_memory.forget_before(MIDNIGHT - 10 * A_DAY)

    reach = look(life.target(), life).reaches[3]

    assert reach.days < 12
    assert reach.notes[1].endswith("several recovery catalogs know this database, those of RCAT, RMAN")


def test_a_catalog_is_enough_where_the_control_file_may_not_be_asked(life, short_memory):
    catalog_of(life).resync(short_memory)
    life.database.users["HEADROOM"].forbidden = frozenset({"v$backup_datafile"})

    reach = look(life.target(), life).reaches[3]

    assert (reach.days, reach.reason) == (40, "")
