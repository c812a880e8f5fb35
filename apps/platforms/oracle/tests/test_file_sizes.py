"""Sizes of past days by backups: bounds, which are shown and by which nothing is judged."""

from datetime import timedelta

import numpy as np
import pytest
from django.urls import reverse

from apps.platforms.oracle.history.session import open_history
from apps.platforms.oracle.tests.lives import DAY, MIDNIGHT, life_of
from apps.platforms.oracle.tests.test_history import look, read
from apps.snapshots.engine.days import day_of
from apps.snapshots.measured import read_series
from apps.snapshots.models import Coverage
from apps.web.tests.scenes import signed_in
from testing.oracle_server import Backups, Clock, instance

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
