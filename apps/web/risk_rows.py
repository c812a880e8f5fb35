"""A limited figure as a line of a list of risks: days as texts, empty where there is none."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date

from apps.charts import figures
from apps.charts.riskbar import riskbar
from apps.outlook.figure import Outlook
from apps.thresholds.judge import FigureState


@dataclass(frozen=True, kw_only=True)
class Risk:
    """One line of a list of risks; days are texts, empty where there is none."""

    outlook: Outlook
    today: date  # where the drawn axis begins
    what: str
    url: str
    together: Sequence[Outlook] = ()  # the figures that the line speaks for, where they are several

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
    def room(self) -> str:
        return "" if self.together else self.outlook.room_words

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
        one = self.outlook
        if one.slack is not None:
            return figures.slack(one.slack)
        return f"> {one.horizon - one.lead} d" if one.horizon is not None else "–"

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
        one = self.outlook
        return riskbar(
            self.today, state=one.state, soonest=one.soonest_on, likely=one.likely_on, latest=one.latest_on,
            act_by=one.act_by, note=self.note,
        )  # fmt: skip


def line_of(outlook: Outlook, today: date) -> Risk:
    return Risk(outlook=outlook, today=today, what=outlook.what, url=outlook.url)
