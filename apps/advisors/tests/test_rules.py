"""What rules say: found where platforms declare them, asked of what is looked at, silent without a reason."""

from dataclasses import dataclass
from datetime import date, timedelta

import pytest

from apps.advisors.engine.rules import Advice, AdvisorRule, Observation, add_rules, advise, rule
from apps.advisors.observation import advise_on
from apps.catalog.declarations import find_declarations
from apps.catalog.registry import platform_of
from apps.catalog.subjects import Neighbourhood, SubjectStatistics, add_subjects
from apps.collection.tests.scripted import HOSTS, LOAD, PLATFORM, TODAY, Story, host, instance, prepare
from apps.inventory.models import Target
from apps.platforms.oracle.platform import PLATFORM as ORACLE
from apps.profiles.neighbours import read_neighbours
from apps.snapshots import dictionary
from apps.snapshots.record import ReadSource, record_snapshot
from apps.snapshots.roll_up import roll_up_day

FAULTS = "page faults"


@rule("x_cpu")
def faults_rise(observation: Observation) -> Advice | None:
    if not (observation.is_rising(FAULTS) and observation.is_largest):
        return None
    return Advice(because="Page faults rise", action="look at the TLB")


@dataclass(frozen=True)
class ScriptedObservation:
    """An observation that answers what a test dictates."""

    is_largest: bool
    rising: tuple[str, ...] = ()

    def is_rising(self, subject: str) -> bool:
        return subject in self.rising


@pytest.fixture
def ruled():
    add_rules(PLATFORM, [faults_rise])
    add_subjects(PLATFORM, [Neighbourhood(metric="x_cpu", subjects=(FAULTS,))], {})
    add_subjects(HOSTS, [], {FAULTS: SubjectStatistics((("x_busy_pct", "*"),))})
    yield
    add_rules(PLATFORM, [])
    add_subjects(PLATFORM, [], {FAULTS: SubjectStatistics()})
    add_subjects(HOSTS, [], {FAULTS: SubjectStatistics()})


@pytest.fixture
def empty_days(db):
    """Room for the readings of the script."""
    dictionary.forget()
    prepare()
    yield
    dictionary.forget()


def busy(machine: Target, value: float, on: date) -> None:
    """A host that is read once a day."""
    ends = Story(machine).slots(on)[1]
    source = ReadSource(category=LOAD, values={("x_busy_pct", ""): value})
    record_snapshot(machine, [source], slot=ends, captured_at=ends, started_at=None)
    roll_up_day(machine, on, ends)


@pytest.mark.usefixtures("ruled", "empty_days")
@pytest.mark.parametrize(
    ("cpu", "faults", "sentences"),
    [
        (5000.0, (10, 20, 40), ["Page faults rise: look at the TLB."]),
        (5000.0, (20, 20, 20), []),
        (1.0, (10, 20, 40), []),
    ],
    ids=["on top and faults rise", "faults are flat", "not on top"],
)
def test_cor3_cpu_on_top_and_rising_page_faults_suggest_a_look_at_the_tlb(cpu, faults, sentences):
    machine = host(interval_minutes=1440)
    target = instance(runs_on=machine)
    story = Story(target)
    for back, value in zip((30, 7, 0), faults, strict=True):
        on = TODAY - timedelta(days=back)
        story.day(on, cpu=cpu, waits={"db file sequential read": (1000, 10.0)})
        busy(machine, float(value), on)

    neighbours = read_neighbours(target, "x_cpu", "", TODAY)

    assert [str(advice) for advice in advise_on(target, "x_cpu", "", TODAY, neighbours)] == sentences


def test_a_rule_is_asked_of_no_statistic_but_its_own(ruled):
    largest = ScriptedObservation(is_largest=True, rising=(FAULTS,))

    assert [advice.action for advice in advise(PLATFORM, "x_cpu", largest)] == ["look at the TLB"]
    assert advise(PLATFORM, "x_redo", largest) == advise(HOSTS, "x_cpu", largest) == []


def test_rules_are_found_in_every_module_of_their_package():
    names = {declared.check.__name__ for declared in find_declarations(ORACLE.rules, AdvisorRule)}

    assert "misses_of_the_address_translation" in names


def test_cpu_time_on_top_and_rising_page_faults_suggest_a_look_at_the_tlb():
    (advice,) = advise("oracle", "cpu_time", ScriptedObservation(is_largest=True, rising=(FAULTS,)))

    assert str(advice) == (
        "CPU is what most time goes to, and page faults rise: look whether the CPU is spent on misses of the address"
        " translation (TLB), by page size; huge pages for the SGA are the usual cure."
    )
    assert advise("oracle", "cpu_time", ScriptedObservation(is_largest=False, rising=(FAULTS,))) == []
    assert advise("oracle", "cpu_time", ScriptedObservation(is_largest=True)) == []


def test_rules_watch_statistics_of_their_platform():
    watched = {
        metric for declared in find_declarations(ORACLE.rules, AdvisorRule) for metric in declared.watches
    }

    assert {platform_of(metric) for metric in watched} == {ORACLE.key}
