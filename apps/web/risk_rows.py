"""A limited figure as a line of a list of risks: days as texts, empty where there is none."""

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from datetime import date

from django.utils.html import format_html
from django.utils.safestring import SafeString

from apps.charts import figures
from apps.charts.riskbar import riskbar, riskbar_axis
from apps.outlook.figure import Outlook
from apps.thresholds.judge import FigureState
from apps.web.cells import after, drawing, link, state
from apps.web.sheet_cells import word
from apps.web.tables import Column, DrawingColumn, FigureColumn


@dataclass(frozen=True, kw_only=True)
class Risk:
    """One line of a list of risks; days are texts, empty where there is none."""

    outlook: Outlook
    today: date  # where the drawn axis begins
    what: str
    url: str
    together: Sequence[Outlook] = ()  # the figures that the line speaks for, where they are several
    alike: int = 0  # how many of their kind are under a limit, those among them

    @property
    def state(self) -> FigureState:
        return self.outlook.state

    @property
    def target(self) -> str:
        return self.outlook.target.name

    @property
    def target_url(self) -> str:
        return self.outlook.target.get_absolute_url()

    @property
    def kind(self) -> str:
        """What kind of resource it belongs to: the section of the profile."""
        return self.outlook.about.section.title or "Other"

    @property
    def group(self) -> str:
        group = self.outlook.target.group
        return group.name if group else ""

    @property
    def room(self) -> str:
        """What is left to the limit, in words; of several figures, all of which are over, how many of their kind."""
        if not self.together:
            return "not known" if self.outlook.unread else self.outlook.room_words
        return f"{len(self.together)} of {self.alike} over"

    @property
    def room_css(self) -> str:
        """Only what is beyond its limit stands out."""
        return "strong c-over" if self.state is FigureState.VIOLATED else ""

    @property
    def soonest(self) -> str:
        return self._day(self.outlook.soonest_on)

    @property
    def likely(self) -> str:
        return self._day(self.outlook.likely_on)

    @property
    def latest(self) -> str:
        is_later = self.outlook.is_foreseen and self.outlook.chance is not None
        return self._day(self.outlook.latest_on) or ("later" if is_later else "")

    @property
    def act_by(self) -> str:
        return self._day(self.outlook.act_by)

    def _day(self, day: date | None) -> str:
        missing = "–" if self.outlook.is_foreseen else ""
        return figures.short_day(day) if day else missing

    @property
    def chance(self) -> str:
        return "" if self.outlook.chance is None else self.outlook.chance_words

    @property
    def to_act(self) -> str:
        return f"{self.outlook.lead} d" if self.outlook.metric else ""

    @property
    def slack(self) -> str:
        """Days; of what is over its limit or closing there is none."""
        outlook = self.outlook
        if outlook.slack is not None:
            return figures.slack(outlook.slack)
        return f"> {outlook.horizon - outlook.lead} d" if outlook.horizon is not None else "–"

    @property
    def slack_state(self) -> str:
        return "no_data" if self.outlook.state is FigureState.NO_DATA else self.outlook.slack_kind

    @property
    def owner(self) -> str:
        """Its owner; of a target that was not read, the target's."""
        owner = self.outlook.target.owner if not self.outlook.metric else None
        return self.outlook.owner or str(owner or "")

    @property
    def plan(self) -> str:
        return self.outlook.plan

    @property
    def note(self) -> str:
        return self.outlook.note

    @property
    def bar_svg(self) -> str:
        """When it happens, drawn; of a long list only the lines that are shown are."""
        outlook = self.outlook
        return riskbar(
            self.today, state=outlook.state, soonest=outlook.soonest_on, likely=outlook.likely_on, latest=outlook.latest_on,
            act_by=outlook.act_by, note=self.note,
        )  # fmt: skip


def line_of(outlook: Outlook, today: date) -> Risk:
    return Risk(outlook=outlook, today=today, what=outlook.what, url=outlook.url)


def state_column() -> Column[Risk]:
    return Column("state", lambda row: word(row.state), lambda row: state(row.state, row.note), css="nowrap")


def target_column() -> Column[Risk]:
    return Column("target", lambda row: row.target, lambda row: link(row.target_url, row.target, ""))


def bar_column(
    today: date,
    show: Callable[[Risk], object],
    css: Callable[[Risk], str],
    span: Callable[[Risk], int] | None = None,
) -> Column[Risk]:
    """When it happens, drawn below the months from today on."""
    head = format_html('<span class="unseen">when</span>{}', drawing(riskbar_axis(today)))
    return DrawingColumn(head, show=show, css=css, head_css="drawn", span=span)


def day_columns() -> Sequence[Column[Risk]]:
    """The days on which it may happen."""
    return (
        FigureColumn("soonest", lambda row: row.outlook.soonest_on, lambda row: row.soonest),
        FigureColumn("likely", lambda row: row.outlook.likely_on, lambda row: row.likely, css="strong"),
        FigureColumn(
            "latest",
            lambda row: row.outlook.latest_on,
            lambda row: row.latest,
            css="rail-off",
            head_css="rail-off",
        ),
    )


def lead_columns() -> Sequence[Column[Risk]]:
    """The chance that it happens, and the days that acting takes."""
    return (
        FigureColumn(
            "chance",
            lambda row: row.outlook.chance,
            lambda row: row.chance,
            css="r-chance",
            head_css="r-chance",
        ),
        FigureColumn(
            "to act",
            lambda row: row.outlook.lead,
            lambda row: row.to_act,
            file_head="days to act",
            css="rail-off",
            head_css="rail-off",
        ),
    )


def slack_column(file_head: str, show: Callable[[Risk], object], plain: Collection[str] = ()) -> Column[Risk]:
    """The days that are left to act; those of `plain` states do not stand out."""
    looks = {"violated": "strong c-over", "at_risk": "strong c-risk"} | dict.fromkeys(plain, "")
    return FigureColumn(
        "slack",
        lambda row: row.outlook.slack,
        show,
        css=lambda row: looks.get(row.slack_state, "c-far"),
        file_head=file_head,
    )


def _owner(row: Risk) -> SafeString:
    return after(f"{row.owner}," if row.owner and row.plan else row.owner, "sub", row.plan)


def _owner_in_full(row: Risk) -> str:
    return ", ".join(filter(None, (row.owner, row.plan)))


def owner_columns(note_head: str) -> Sequence[Column[Risk]]:
    """Owner and plan together on the page, apart in files, which also say the note."""
    return (
        Column("owner, step", show=_owner, css="r-owner nowrap", title=_owner_in_full),
        Column("owner", lambda row: row.owner, in_file_only=True),
        Column("plan", lambda row: row.plan, in_file_only=True),
        Column(note_head, lambda row: row.note, in_file_only=True),
    )


WIDTHS = "r-state r-target r-what r-room r-bar r-day r-day r-latest r-chance r-act r-slack r-owner"
