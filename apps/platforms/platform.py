"""Platform: everything the core needs to know of one technology."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from importlib import import_module
from pathlib import Path

from apps.advisors.calculators import Calculator, add_calculators
from apps.advisors.engine.finding_rules import FindingRule, Guard, add_finding_rules
from apps.advisors.engine.rules import AdvisorRule, add_rules
from apps.advisors.engine.walks import Walk, add_walk
from apps.advisors.plan_outlines import PlanOutline, add_plan_outlines
from apps.advisors.rule_cases import add_rule_cases
from apps.catalog.causes import Cause, add_causes
from apps.catalog.declarations import find_declarations
from apps.catalog.details import Detail, add_details
from apps.catalog.guests import Guests, add_guests
from apps.catalog.metric import Metric
from apps.catalog.not_measurable import NotMeasurable, add_not_measurable
from apps.catalog.process_names import ProcessName, add_process_names
from apps.catalog.registry import add_metrics
from apps.catalog.splits import Split, add_splits
from apps.catalog.storage_levels import DeviceLevel, FileLevel, add_storage_levels
from apps.catalog.subjects import Neighbourhood, SubjectStatistics, add_subjects
from apps.catalog.trend_statistics import TrendStatistic, add_trend_statistics
from apps.collection.collector import add_collector_at, add_passive, add_tester_at
from apps.collection.file_readers import FileSource, add_file_source
from apps.collection.history.sources import add_history_at
from apps.inventory.places import add_place_at
from apps.platforms.reads import add_reads_at
from apps.platforms.registration import Registration, ThisMachine, add_registrations, add_this_machine
from apps.platforms.sessions import SessionSource, add_session_source
from apps.thresholds.pack_folders import add_packs


@dataclass(frozen=True, kw_only=True)
class Platform:
    """
    One technology, as it is declared in its folder.

    A collector is named by its dotted path and loaded when a target is first read by it: drivers are heavy, and most
    commands and pages read nothing. So are, by collector, who receives a secret (`places`) and what "Test connection" calls
    (`testers`).

    `registrations` say how people register its targets, `this_machine` how the
    machine is read that Headroom runs on, `sessions` how they ask for those of this moment, `reads` is the
    dotted path of what says everything that is read. `details` are its tabs, `splits` statistics that measure parts of one thing, `neighbourhoods` what is read beside
    its statistics, and `subjects` what it has itself on the subjects of such readings; `guests` are the figures of its instances
    that stand side by side where they share a machine, `file_level` and `device_level` how response of files is read beside that
    of the devices below them, `process_names` what its processes are called on the machine that they run on, `trend_statistics` what the report on processors follows over three months, `walk` the questions that are asked where its hosts seem short of processors. `causes` say what speaks of the cause
    of a figure, `rules` and `calculators` name the packages of its advisor rules (with the cases that prove them) and calculators, `courses` say what may be done; `packs` is the folder of
    its threshold packs. `files` say how files of its hosts are read, `passive` are the collectors whose
    targets are read from what they send, never asked, `not_measurable` what no reading of its targets can give. `history` is, by collector, the dotted path of what opens a session with the past of a target.
    """

    key: str
    label: str
    metrics: Sequence[Metric]
    collectors: Mapping[str, str]
    places: Mapping[str, str] = field(default_factory=dict)
    testers: Mapping[str, str] = field(default_factory=dict)
    registrations: Sequence[Registration] = ()
    this_machine: ThisMachine | None = None
    sessions: Sequence[SessionSource] = ()
    reads: str = ""
    details: Sequence[Detail] = ()
    splits: Sequence[Split] = ()
    neighbourhoods: Sequence[Neighbourhood] = ()
    subjects: Mapping[str, SubjectStatistics] = field(default_factory=dict)
    guests: Guests | None = None
    file_level: FileLevel | None = None
    device_level: DeviceLevel | None = None
    process_names: Sequence[ProcessName] = ()
    trend_statistics: Sequence[TrendStatistic] = ()
    walk: Walk | None = None
    causes: Sequence[Cause] = ()
    rules: str = ""
    calculators: str = ""
    courses: Sequence[PlanOutline] = ()
    packs: Path | None = None
    files: FileSource | None = None
    passive: Sequence[str] = ()
    not_measurable: NotMeasurable | None = None
    history: Mapping[str, str] = field(default_factory=dict)

    def register(self) -> None:
        """Put this platform into the core's registries."""
        add_metrics(self.key, self.metrics)
        add_registrations(self.registrations)
        if self.this_machine is not None:
            add_this_machine(self.this_machine)
        for source in self.sessions:
            add_session_source(source)
        if self.reads:
            add_reads_at(self.key, self.reads)
        add_details(self.key, self.details)
        add_splits(self.key, self.splits)
        add_subjects(self.key, self.neighbourhoods, self.subjects)
        if self.guests is not None:
            add_guests(self.key, self.guests)
        add_storage_levels(self.key, self.file_level, self.device_level)
        add_process_names(self.key, self.process_names)
        add_trend_statistics(self.key, self.trend_statistics)
        if self.walk is not None:
            add_walk(self.key, self.walk)
        add_causes(self.key, self.causes)
        if self.rules:
            add_rules(self.key, find_declarations(self.rules, AdvisorRule))
            add_finding_rules(
                self.key, find_declarations(self.rules, FindingRule), find_declarations(self.rules, Guard)
            )
            add_rule_cases(self.key, _folder_of(self.rules) / "cases.json")
        if self.calculators:
            add_calculators(self.key, find_declarations(self.calculators, Calculator))
        add_plan_outlines(self.courses)
        if self.packs is not None:
            add_packs(self.packs)
        self._register_reading()

    def _register_reading(self) -> None:
        """How its targets are read, and what cannot be."""
        for name, path in self.collectors.items():
            add_collector_at(name, path)
        for name in self.passive:
            add_passive(name)
        if self.not_measurable is not None:
            add_not_measurable(self.key, self.not_measurable)
        if self.files is not None:
            add_file_source(self.key, self.files)
        for name, path in self.history.items():
            add_history_at(name, path)
        for name, path in self.places.items():
            add_place_at(name, path)
        for name, path in self.testers.items():
            add_tester_at(name, path)


def _folder_of(package: str) -> Path:
    return Path(next(iter(import_module(package).__path__)))
