"""
The same collector against databases that this project did not write: those that HEADROOM_TEST_ORACLE_DSN names.

    HEADROOM_TEST_ORACLE_DSN="HEADROOM/password@host:1521/FREEPDB1" make test ARGS="-k real_database"

Several are separated by blanks. The accounts need the grants of docs/what-headroom-reads.md. Without the variable these
tests are left out, and say so; docs/oracle.md tells how to have such a database in a container.
"""

import os
import re
import time
import warnings
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from typing import NamedTuple
from zoneinfo import ZoneInfo

import oracledb
import pytest
from django.db import transaction

from apps.collection.collect import collect_target
from apps.collection.collector import CollectionError
from apps.inventory.models import Credential, Target
from apps.platforms.oracle import categories, queries
from apps.platforms.oracle.collector import Run
from apps.platforms.oracle.connect import Connection, Login, sign_in
from apps.platforms.oracle.guard import views_in
from apps.platforms.oracle.identity import identify
from apps.platforms.oracle.preflight import test_connection as check_connection
from apps.platforms.oracle.read import Reader, named
from apps.platforms.oracle.sessions import read_sessions
from apps.platforms.oracle.tests.golden import FAMILIES
from apps.platforms.oracle.versions import Scope
from apps.snapshots import dictionary
from apps.snapshots.history import read_days
from apps.snapshots.retention import ensure_partitions
from testing.oracle_server.dictionary import views_of

CATEGORY = {"v$sysstat": categories.SYSSTAT, "v$pgastat": categories.PGASTAT, "v$sgainfo": categories.SGAINFO}
DSNS = os.environ.get("HEADROOM_TEST_ORACLE_DSN", "").split()


class Real(NamedTuple):
    """One database and the account that reads it."""

    login: Login
    address: dict[str, object]

    def target(self) -> Target:
        return Target(
            name="REAL",
            kind=Target.Kind.INSTANCE,
            platform="oracle",
            collector="oracle",
            address=self.address,
        )


@pytest.fixture(params=DSNS or [""], ids=lambda dsn: dsn.rpartition("@")[2] or "none named")
def real(request: pytest.FixtureRequest) -> Real:
    if not request.param:
        warnings.warn("not tested: HEADROOM_TEST_ORACLE_DSN names no real database", stacklevel=2)
        pytest.skip("HEADROOM_TEST_ORACLE_DSN names no real database; docs/oracle.md tells how to have one")
    parts = re.fullmatch(r"([^/]+)/(.+)@([^:/]+):(\d+)/(.+)", request.param)
    assert parts, "Give HEADROOM_TEST_ORACLE_DSN as user/password@host:port/service."
    user, password, host, port, service = parts.groups()
    return Real(Login(user, password), {"host": host, "port": int(port), "service": service})


@pytest.fixture
def session(real: Real) -> Iterator[tuple[Connection, Scope]]:
    """A session of that account, and what it sees."""
    connection = sign_in("REAL", real.address, real.login, time.monotonic() + 60)
    try:
        yield connection, identify(Reader(connection, Scope()), ZoneInfo("UTC")).scope
    finally:
        connection.close()


def test_a_real_database_is_read_in_full(real):
    collected = Run(real.target(), [real.login]).collect()

    assert [(source.name, source.error) for source in collected.failed] == []
    assert sum(len(source.readings) for source in collected.sources) > 500
    assert collected.facts["version"]
    assert collected.proposed_host
    assert abs(collected.captured_at - datetime.now(UTC)) < timedelta(minutes=5)


def test_a_real_database_has_the_statistics_of_the_method_by_their_names(real):
    collected = Run(real.target(), [real.login]).collect()
    read = {reading.metric for source in collected.sources for reading in source.readings}

    of_the_method = {
        named(CATEGORY[golden.view])[golden.name].key for family in FAMILIES.values() for golden in family
    }
    missing = sorted(of_the_method - read)
    if missing:  # a release may be without a few, which are then not available
        warnings.warn(f"not in this release: {', '.join(missing)}", stacklevel=1)
    assert len(missing) < len(of_the_method) / 10, missing


def test_a_real_database_passes_the_test_of_its_connection(real):
    steps = check_connection(real.address, real.login)

    assert [(step.name, step.sentence) for step in steps if not step.is_ok] == []


def test_a_real_database_refuses_a_wrong_password_with_the_error_we_know(real):
    with pytest.raises(CollectionError, match=r"ORA-01017|ORA-28000") as caught:
        Run(real.target(), [Login(real.login.username, "certainly not its password")]).collect()

    assert caught.value.needs_a_person


def test_a_real_database_refuses_an_unknown_service_with_the_error_we_know(real):
    target = real.target()
    target.address = real.address | {"service": "NO_SUCH_SERVICE"}

    with pytest.raises(CollectionError, match=r"the listener does not know this service \(ORA-12514\)"):
        Run(target, [real.login]).collect()


def test_a_real_database_answers_every_statement_that_is_ever_sent(real, session):
    connection, scope = session
    refused = {}
    for query, sql in queries.statements_for(scope):
        with connection.raw.cursor() as cursor:
            try:
                cursor.execute(f"select * from ({sql}) where rownum < 1")
            except oracledb.Error as error:
                refused[query.name] = str(error).partition("\n")[0]

    assert refused == {}


def test_a_real_database_has_the_columns_that_the_server_of_the_other_tests_plays(session):
    connection, scope = session
    played = views_of(scope.release)
    wrong = []
    for view in sorted({view for _, sql in queries.statements_for(scope) for view in views_in(sql)}):
        with connection.raw.cursor() as cursor:
            cursor.execute(f"select * from {view} where 1 = 0")
            columns = {column[0] for column in cursor.description}
        wrong += [
            f"{view}.{column.name}"
            for column in (played[view].columns if view in played else ())
            if column.name not in columns
        ]

    assert wrong == []


@pytest.mark.django_db
def test_two_readings_of_a_real_database_become_figures(real):
    now = datetime.now(UTC).replace(microsecond=0)
    target = real.target()
    target.registered_at, target.interval_minutes = now, 5
    with transaction.atomic():
        ensure_partitions([now.date() + timedelta(days=offset) for offset in (-9, -1, 0, 1, 9)])
        target.save()
        Credential.objects.create(target=target, username=real.login.username, password=real.login.password)
        runs = [collect_target(target, now, now)]
        time.sleep(3)
        runs.append(collect_target(target, now + timedelta(minutes=5), datetime.now(UTC)))
        days = [now.date() - timedelta(days=1), now.date()]  # sizes read once may end the day before
        frame = read_days(target, days)
        figures = {
            (metric, component): value
            for day in days
            if day in frame
            for (_, metric, component), value in frame[day].dropna().items()
        }
        sessions = read_sessions(target)
        transaction.set_rollback(True)
    dictionary.forget()

    assert [run.state for run in runs] == ["complete", "complete"]
    assert figures["execute_count", ""] > 0
    assert figures["tm_db_time", ""] >= 0
    assert any(value > 0 for (metric, _), value in figures.items() if metric == "ts_used_mb")
    assert sessions
