"""The pages of the product by their titles: those of the side bar, of a person's menu and the others; and which item a page belongs to."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from django.http import HttpRequest
from django.urls import reverse

from apps.platforms.registration import all_registrations
from apps.reports.registry import all_reports
from apps.web.rights import may_change


@dataclass(frozen=True)
class MenuItem:
    """A page that has a title of its own, with its icon in the side bar."""

    page: str
    title: str
    icon: str = "report"
    key: str = ""  # which of several pages behind one address
    needs_planner: bool = False
    needs_administrator: bool = False

    @property
    def place(self) -> str:
        """What scripts and the mark of the page that is open know it by."""
        return self.key or self.page

    @property
    def url(self) -> str:
        return reverse(self.page, args=[self.key] if self.key else [])

    def is_open_to(self, request: HttpRequest) -> bool:
        if self.needs_administrator:
            return bool(getattr(request.user, "is_staff", False))
        return may_change(request) or not self.needs_planner


@dataclass(frozen=True)
class MenuCount:
    """How many are behind an item, with what is written beside the number and what is only read aloud."""

    number: int
    words: str = ""
    spoken: str = ""


BEFORE_REPORTS = (
    MenuItem("estate", "Estate", "estate"),
    MenuItem("violations", "Violations", "violations"),
    MenuItem("findings", "Findings", "search"),
    MenuItem("risks", "Risk board", "clock"),
    MenuItem("thresholds", "Thresholds", "thresholds"),
    MenuItem("compare", "Compare", "compare"),
    MenuItem("what_if", "What if", "flag"),
    MenuItem("studies", "Studies", "compare"),
    MenuItem("calculators", "Calculators", "edit"),
    MenuItem("weekly_report", "Weekly report"),
)
AFTER_REPORTS = (
    MenuItem("targets", "Targets", "targets"),
    MenuItem("forecast_account", "Forecasts", "tick"),
    MenuItem("collection", "Collection", "collection"),
)
OF_A_PERSON = (
    MenuItem("preferences", "Preferences"),
    MenuItem("account", "Password"),
    MenuItem("schedules", "Schedules"),
    MenuItem("notices", "Notices"),
    MenuItem("people", "People", needs_administrator=True),
    MenuItem("plan_templates", "Plan templates"),
    MenuItem("reads", "What Headroom reads"),
)
FROM_OTHER_PAGES = (
    MenuItem("rules", "Rules"),
    MenuItem("threshold_add", "Set a threshold", needs_planner=True),
    MenuItem("study_add", "Study a change", needs_planner=True),
    MenuItem("benchmarks", "Benchmarks"),
    MenuItem("benchmark_add", "Read runs", needs_planner=True),
    MenuItem("packs", "Threshold packs"),
    MenuItem("calendars", "Calendars"),
    MenuItem("notes", "Notes on days"),
    MenuItem("patterns", "Pattern of all targets"),
    MenuItem("what_if_try", "Try a change"),
    MenuItem("drivers", "Drivers"),
    MenuItem("targets_import", "Import a list", needs_planner=True),
    MenuItem("figure_files", "Figures from CSV", needs_planner=True),
)


def side_bar(counts: Mapping[str, MenuCount]) -> list[tuple[MenuItem, MenuCount | None]]:
    """The items of the side bar with their counts, which are named by the page."""
    return [(item, counts.get(item.page)) for item in _side_items()]


def _side_items() -> Iterator[MenuItem]:
    """Each report that is declared has a place of its own."""
    yield from BEFORE_REPORTS
    yield from (
        MenuItem("report", report.title, key=report.key) for report in all_reports() if report.template
    )
    yield from AFTER_REPORTS


def person_menu(request: HttpRequest) -> list[MenuItem]:
    return [item for item in OF_A_PERSON if item.is_open_to(request)]


def pages_called(words: str, request: HttpRequest) -> list[MenuItem]:
    """The pages that have these words in their title, for whoever may open them; titles that begin so come first."""
    begins, *others = words.casefold().split() or [""]
    hits = [
        item
        for item in _every_page()
        if item.is_open_to(request) and all(word in item.title.casefold() for word in (begins, *others))
    ]
    return sorted(hits, key=lambda item: not item.title.casefold().startswith(begins)) if begins else []


def _every_page() -> Iterator[MenuItem]:
    yield from (*_side_items(), *OF_A_PERSON, *FROM_OTHER_PAGES)
    for registration in all_registrations():
        yield MenuItem("target_add", f"Add {registration.thing}", key=registration.key, needs_planner=True)


ITEMS = {
    "violations": (
        "violation",
        "violation_step",
        "violation_owner",
        "violation_diagnosis",
        "violation_comment",
        "violation_template",
        "action",
        "action_add",
        "attachment_add",
        "attachment_remove",
        "study_windows",
        "study_figure_add",
        "plan_templates",
        "plan_template",
        "plan_template_add",
    ),
    "thresholds": (
        "threshold",
        "threshold_add",
        "threshold_withdraw",
        "calendars",
        "calendar",
        "calendar_add",
        "packs",
        "pack",
    ),
    "findings": ("rules", "rule"),
    "studies": ("study", "study_add", "benchmarks", "benchmark", "benchmark_add"),
    "compare": ("target_compare", "target_pattern", "patterns"),
    "what_if": (
        "scenario",
        "scenario_remove",
        "change_remove",
        "what_if_try",
        "drivers",
        "driver",
        "driver_add",
        "driver_remove",
    ),
    "targets": (
        "target",
        "target_violations",
        "target_findings",
        "target_walk",
        "target_report",
        "target_forecast",
        "target_collection",
        "target_all",
        "target_edit",
        "target_address",
        "target_password",
        "target_retire",
        "target_sessions",
        "target_host",
        "target_database",
        "target_baseline",
        "target_experience",
        "target_files",
        "target_history",
        "targets_import",
        "figure_files",
        "figure_file",
        "target_add",
        "statistic",
        "statistic_forecast",
        "statistic_related",
        "statistic_pair",
        "statistic_patterns",
        "notes",
        "note",
        "note_add",
    ),
}
ITEM_OF = {page: item for item, pages in ITEMS.items() for page in pages}


def item_of(page: str) -> str:
    """The item of the side bar that the page with this name belongs to: that of its own name, unless another has it."""
    return ITEM_OF.get(page, page)
