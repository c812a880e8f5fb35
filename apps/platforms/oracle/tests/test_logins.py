"""How long logins take, timed each night where somebody asked for it, with the figures of the studies of huge pages and pre_page_sga."""

import time as real_time
from datetime import timedelta
from types import SimpleNamespace

import oracledb
import pytest

from apps.catalog.experience import RESPONSE
from apps.collection.models import CollectionRun
from apps.platforms.oracle import logins
from apps.platforms.oracle.connect import Login
from apps.platforms.oracle.connect import connect as driver_connect
from apps.platforms.oracle.forms import InstanceForm
from apps.platforms.oracle.rules.login import LOGIN_SLOW
from apps.platforms.oracle.tests.lives import DAY, MIDNIGHT, Life, life_of
from apps.platforms.oracle.tests.test_life import filled
from apps.profiles.build import build_profile
from apps.snapshots.models import Fact
from apps.snapshots.user_figures import store_user_figures
from testing.oracle_server import Clock

pytestmark = pytest.mark.django_db


def ask_for_logins(life: Life, *, is_on: bool = True) -> None:
    target = life.target()
    target.address |= {"times_logins": is_on}
    target.save()


@pytest.fixture
def slow(monkeypatch: pytest.MonkeyPatch) -> SimpleNamespace:
    """Lets each login that is timed take some seconds longer than it does, on the clock by which it is timed."""
    clock = SimpleNamespace(ahead=0.0, seconds=0.0)
    real_connect = driver_connect

    def connect(*of: object) -> oracledb.Connection:
        clock.ahead += clock.seconds
        return real_connect(*of)  # type: ignore[arg-type]

    monkeypatch.setattr(logins, "connect", connect)
    monkeypatch.setattr(
        logins, "time", SimpleNamespace(monotonic=lambda: real_time.monotonic() + clock.ahead)
    )
    return clock


def night(life: Life) -> CollectionRun:
    run = life.collect()
    life.clock.advance(days=1)
    return run


@pytest.mark.parametrize(
    ("before", "after", "times"),
    [(14.340, 2.547, 5.6), (2.5, 0.15, 16.7), (1.039, 0.218, 4.8), (1.039, 0.084, 12.4)],
    ids=["STU14 through the listener", "STU14 of a storm", "STU14 of a laptop", "STU14 of 12.1"],
)
def test_logins_of_a_night_before_and_after_a_change(slow, before, after, times):
    clock = Clock(MIDNIGHT)
    with life_of(filled(clock), clock) as life:
        ask_for_logins(life)
        night(life)
        slow.seconds = before
        night(life)
        slow.seconds = after
        night(life)

        figures = [life.figures(DAY + timedelta(days=back)) for back in (0, 1)]

    middle = [of_day["login_middle_ms", ""] for of_day in figures]
    assert middle == [pytest.approx(1000 * seconds, rel=0.5, abs=60) for seconds in (before, after)]
    assert middle[0] - middle[1] == pytest.approx(1000 * (before - after), abs=60)
    assert before / after == pytest.approx(times, abs=0.06)


def test_STU14_local_logins_are_given_as_what_users_have_and_stand_beside_those_of_the_listener():
    clock = Clock(MIDNIGHT)
    with life_of(filled(clock), clock) as life:
        night(life)
        life.collect()
        local = (RESPONSE.key, "login on the host")
        store_user_figures(life.target(), {DAY - timedelta(days=7): {local: 9.645}, DAY: {local: 0.437}})

        (row,) = [row for row in build_profile(life.target(), DAY).rows if row.key == local]

    assert (row.today.value, row.then[7].value) == (0.437, 9.645)
    assert pytest.approx(22.1, abs=0.05) == 9.645 / 0.437  # where the text says 7 to 20 times


def test_STU14_release_and_pre_page_sga_are_looked_at_before_small_pages_are_blamed():
    first, second, *_ = LOGIN_SLOW.actions

    assert "pre_page_sga" in first
    assert "release" in first
    assert "HP_MISSING" in second


def test_nobody_is_signed_in_for_it_where_nobody_asked():
    clock = Clock(MIDNIGHT)
    with life_of(filled(clock), clock) as life:
        run = life.collect()

        assert life.server.connections == 1
    assert "logins of the night" not in [source["name"] for source in run.sources]


def test_logins_are_timed_once_a_day_and_say_which_way_they_took():
    clock = Clock(MIDNIGHT)
    with life_of(filled(clock), clock) as life:
        ask_for_logins(life)
        life.server.faults.delay_logons(0.3, times=1)
        life.collect()
        first = life.server.connections
        clock.advance(hours=1)
        life.collect()
        later = life.server.connections - first
        way = Fact.objects.get(target=life.target(), name="way of logins").value
        figures = life.figures(DAY - timedelta(days=1))

    assert (first, later) == (1 + logins.TRIES, 1)
    assert way == "through the listener, on this machine"
    assert figures["login_middle_ms", ""] <= figures["login_worst_ms", ""]


def test_one_slow_login_is_the_longest_and_not_the_middle():
    clock = Clock(MIDNIGHT)
    with life_of(filled(clock), clock) as life:
        ask_for_logins(life)
        life.collect()
        clock.advance(days=1)
        target = life.target()
        login = Login("HEADROOM", "secret-of-gis")
        life.server.faults.delay_logons(0.5, times=1)
        run, _ = logins.read_logins(target.address, login, "elsewhere", real_time.monotonic() + 60)

    middle, worst = (reading.value for reading in run.readings)
    assert worst >= 500
    assert middle < 500


def test_logins_that_are_refused_are_no_figure_and_say_why():
    clock = Clock(MIDNIGHT)
    with life_of(filled(clock), clock) as life:
        life.server.faults.deny(20, text="maximum number of processes (500) exceeded")
        login = Login("HEADROOM", "secret-of-gis")
        run, _ = logins.read_logins(life.target().address, login, "", real_time.monotonic() + 60)

    assert run.readings == []
    assert run.error.startswith("Not timed: ORA-00020")
    assert not run.is_worth_retrying


def test_the_form_of_an_address_asks_for_it():
    typed = {
        "name": "GISPRD", "host": "db1", "port": 1521, "service": "GISPRD", "protocol": "tcp", "username": "u",
        "password": "p", "time_zone": "UTC", "times_logins": "on",
    }  # fmt: skip
    form = InstanceForm(typed)

    assert form.is_valid(), form.errors
    assert form.address["times_logins"] is True
    without = InstanceForm({name: value for name, value in typed.items() if name != "times_logins"})
    assert without.is_valid()
    assert "times_logins" not in without.address
