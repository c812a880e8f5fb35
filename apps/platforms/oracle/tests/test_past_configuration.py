"""Parameters and patches of the time before the first reading: facts with their moments, which charts show as changes."""

import re
from datetime import timedelta

import pytest

from apps.collection.history.imports import take_back_history
from apps.platforms.oracle.tests.lives import DAY, MIDNIGHT, life_of
from apps.platforms.oracle.tests.test_history import look, read
from apps.snapshots.models import Fact
from apps.web.chart_events import occasions_of
from apps.web.target_changes import changes_of
from testing.oracle_server import Clock, Statspack, instance

A_DAY = timedelta(days=1)
GB = 2**30
PATCHED_AT = MIDNIGHT - 200 * A_DAY


@pytest.fixture
def parameters() -> dict[str, str]:
    return {"open_cursors": "300", "sga_target": str(6 * GB)}


@pytest.fixture
def life(db, parameters):
    """Six days of Statspack, with a parameter that changed, one that went and came back, and three patches."""
    clock = Clock(MIDNIGHT)
    database = instance("GISPRD", clock=clock, started_at=MIDNIGHT - 20 * A_DAY, parameters=parameters)
    with life_of(database, clock) as life:
        statspack = Statspack(database, has_parameters=True)
        for days, changes in (
            (6, {}),
            (5, {"sga_target": str(8 * GB), "open_cursors": "500", "resource_manager_plan": "NIGHT"}),
            (4, {}),
            (3, {"open_cursors": "300", "resource_manager_plan": ""}),
            (2, {}),
            (1, {}),
            (0, {}),
        ):
            parameters |= changes
            statspack.snap(MIDNIGHT - days * A_DAY)
        database.set_rows(
            "dba_registry_sqlpatch",
            lambda now: [
                {
                    "patch_id": number, "action": action, "status": status, "description": text,
                    "action_time": database.local(PATCHED_AT + place * A_DAY),
                }
                for place, (number, action, status, text) in enumerate(
                    (
                        (1, "APPLY", "SUCCESS", "Database Release Update : 19.21.0.0.231017 (35643107)"),
                        (2, "APPLY", "WITH ERRORS (RU)", "OJVM RELEASE UPDATE: 19.21.0.0.231017 (35648110)"),
                        (3, "APPLY", "SUCCESS", "Database Release Update : 19.22.0.0.240116 (35943157)"),
                        (4, "APPLY", "SUCCESS", "Fix of one bug"),
                        (4, "ROLLBACK", "SUCCESS", "Fix of one bug"),
                    )
                )
            ],
        )  # fmt: skip
        life.collect()
        yield life


def changes(life) -> list[tuple[int, str, str, str]]:
    """What changed, oldest first, with how many days before the first reading."""
    return [
        ((DAY - change.at.date()).days, change.what, change.before, change.after)
        for change in reversed(changes_of(life.target()))
    ]


def test_parameters_and_patches_are_changes_of_their_days(life):
    look(life.target(), life)

    history = read(life.target(), life, "statspack")

    assert changes(life) == [
        (200, "Database Release Update", "", "19.21.0.0.231017 (35643107)"),
        (198, "Database Release Update", "19.21.0.0.231017 (35643107)", "19.22.0.0.240116 (35943157)"),
        (197, "patch 4", "", "Fix of one bug"),
        (196, "patch 4", "Fix of one bug", "without Fix of one bug"),
        (5, "open_cursors", "300", "500"),
        (5, "sga_target", "6G", "8G"),
        (3, "open_cursors", "500", "300"),
    ]
    assert len(history.fact_keys) == 11
    events = occasions_of(life.target(), DAY - 10 * A_DAY, DAY, []).events
    assert [event.label for event in events] == [
        "open_cursors 300 → 500, sga_target 6G → 8G",
        "open_cursors 500 → 300",
    ]


def test_reading_again_changes_nothing_and_all_of_it_is_taken_back(life):
    target = life.target()
    before = set(Fact.objects.filter(target=target).values_list("name", "component", "since"))
    look(target, life)
    read(target, life, "statspack")
    once = changes(life)

    read(target, life, "statspack")

    assert changes(life) == once
    take_back_history(target, life.clock())
    assert set(Fact.objects.filter(target=target).values_list("name", "component", "since")) == before


def test_the_preview_says_how_many_patches_there_are_or_what_would_help(life):
    patches = look(life.target(), life).reaches[-1]
    assert (patches.title, patches.days) == ("Patches", 0)
    assert re.fullmatch(r"Three patches since 1\sAug\s2025: read with any of the others\.", patches.reason)

    life.database.users["HEADROOM"].forbidden = frozenset({"dba_registry_sqlpatch", "stats$parameter"})
    patches = look(life.target(), life).reaches[-1]

    assert patches.reason == "The account HEADROOM may not read dba_registry_sqlpatch."
    assert patches.remedy == "GRANT READ ON sys.dba_registry_sqlpatch TO HEADROOM;"
    read(life.target(), life, "statspack")
    assert changes(life) == []


def test_a_database_that_was_never_patched_says_so(life):
    life.database.set_rows("dba_registry_sqlpatch", lambda now: [])

    assert look(life.target(), life).reaches[-1].reason == "The database was never patched."
