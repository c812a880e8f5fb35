"""Every part of the pages in every state on one sheet, for people who change the look; only while debugging."""

from datetime import date, timedelta
from typing import Any

from django import forms
from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render

from apps.charts import figures
from apps.charts.bars import bars
from apps.charts.calendar import calendar
from apps.charts.history import Breach, Event, history
from apps.charts.riskbar import riskbar
from apps.charts.sparkline import sparkline
from apps.charts.treemap import treemap
from apps.profiles.build import Presence
from apps.thresholds.judge import State
from apps.web.sentences import Part
from apps.web.show import Horizon, ShownCell, ShownProfile, ShownRow, ShownSection
from apps.web.size_map import Tile

TODAY = date(2026, 2, 17)
COLOURS = [
    "bg",
    "surface",
    "sunken",
    "line",
    "line2",
    "control",
    "ink3",
    "ink2",
    "ink",
    "accent",
    "over",
    "overmark",
    "oversoft",
    "risk",
    "riskmark",
    "risksoft",
    "ok",
    "okmark",
    "oksoft",
    "none",
    "measure",
    "fan80",
    "fan95",
    "band",
    "s2",
    "s3",
    "s4",
    "s5",
    "s6",
    "s7",
]
MEANINGS = [
    (State.COMFORTABLE, "inside its limit, and no breach foreseen"),
    (State.AT_RISK, "breach predicted: chance 50 % or more, three reviews in a row"),
    (State.VIOLATED, "over its limit on the days its threshold asks for"),
    (State.NO_DATA, "not read, or too little read to judge"),
]


class PartsForm(forms.Form):
    """Controls in their states; nothing is ever saved."""

    limit = forms.CharField(help_text="2, <1.5, >=95, 0, 10..20; units are accepted.")
    owner = forms.ChoiceField(choices=[("", "nobody yet"), ("1", "T. Okafor")], required=False)
    severity = forms.ChoiceField(
        choices=[("warning", "warning"), ("critical", "critical")], widget=forms.RadioSelect
    )
    windows = forms.BooleanField(
        label="leave out maintenance windows", required=False, help_text="None in the last 90 days."
    )
    why = forms.CharField(required=False, widget=forms.Textarea(attrs={"rows": 2}))


def parts(request: HttpRequest) -> HttpResponse:
    """The sheet in the theme of the reader; not found outside debugging."""
    if not settings.DEBUG:
        raise Http404("The sheet of parts is shown while debugging only.")
    form = PartsForm({"limit": "2 parsecs", "severity": "warning", "windows": "on"})
    form.add_error(
        "limit", "“2 parsecs” is not a unit of redo per day. Give GB/day or MB/s, for example <50 GB/day."
    )
    return render(
        request,
        "pages/parts.html",
        {
            "sentence": [Part("Every part in every state", True), Part(", in the theme you chose.")],
            "colours": COLOURS,
            "meanings": MEANINGS,
            "facts": [
                {"label": "version", "value": "19.24", "url": ""},
                {"label": "host", "value": "host-01", "url": "#"},
                {"label": "restarts in 90 days", "value": "1", "url": ""},
            ],
            "tabs": [("Profile", "", True), ("Violations", 8, False), ("Collection", "", False)],
            "form": form,
            "profile": _profile(),
            "risks": _risks(),
            "treemap": treemap(_tiles()),
            "calendar": calendar(_days(), TODAY),
            "bars": bars(*_dry_run(), "The dry run of a limit of 50", unit="GB/day"),
            "chart": _chart(),
            "chart_rows": [{"day": "Tue 17 Feb 2026", "on": TODAY, "value": "1,662", "reason": ""}],
            "timeline": _timeline(),
            "today": TODAY,
            "nights": ["complete", "partial", "failed", "missed", "none"],
            "steps": ["to_do", "under_way", "done", "dropped"],
            "runs": ["complete", "partial", "failed", "missed", "running"],
        },
    )


def _cell(value: float | None, now: float, pad: str = "") -> ShownCell:
    if value is None:
        return ShownCell(Presence.NOT_PRESENT, "Not present", "", "", "", "new")
    change = (now - value) / value * 100 if value else None
    text = figures.figure(value)
    return ShownCell(
        Presence.PRESENT,
        text,
        pad,
        figures.exact(value, "cs"),
        "",
        "new" if change is None else figures.delta(change),
        figures.is_big(change),
    )


def _row(
    name: str,
    then: list[float | None],
    now: float,
    limit: float | None,
    state: State | None,
    left: str = "",
    kind: str = "",
    *,
    is_greyed: bool = False,
) -> ShownRow:
    texts = [figures.figure(value) for value in (*then, now) if value is not None]
    pads = dict(zip(texts, figures.pads([*texts, "0.76"]), strict=False))
    known = [value for value in then if value is not None]
    first = known[-1] if known else now / 2
    line = [first + (now - first) * step / 29 + (step % 5 - 2) * now / 60 for step in range(29)]
    absent = range(20) if len(known) < len(then) else ()
    values: list[float | None] = [
        None if step in absent else value for step, value in enumerate([*line, now])
    ]
    return ShownRow(
        statistic=name,
        url="#",
        klass="User I/O",
        unit="cs",
        then=[_cell(value, now, pads.get(figures.figure(value), "")) for value in then],
        today=_cell(now, now, pads.get(figures.figure(now), "")),
        spark=sparkline(values, limit, "above", f"{name}, 30 days", state=state or "", absent=absent),
        threshold="" if limit is None else f"<{figures.figure(limit)}",
        threshold_pad="",
        threshold_url="#",
        state=state,
        state_reason="fewer than 100 waits" if state is State.NO_DATA else "",
        severity="warning",
        days_left=left,
        days_left_kind=kind,
        days_left_order=None,
        greyed=is_greyed,
    )


def _profile() -> ShownProfile:
    unread = ShownCell(Presence.NO_DATA, "No data", "", "", "the target was not read on this day", "–")
    rows = [
        _row("comfortable, small change", [1.5, 1.56, 1.8], 1.6, 2.0, State.COMFORTABLE, "> 90 d"),
        _row("over its limit", [0.5, 0.5, 0.6], 0.76, 0.5, State.VIOLATED, "over 8 d", "over"),
        _row("over since it appeared", [None, None, 0.5], 1.0, 0.4, State.VIOLATED, "over 90+ d", "over"),
        _row("about to be over", [1310.0, 1502.0, 1623.0], 1662.0, 1800.0, State.AT_RISK, "25 d", "risk"),
        _row("too little to judge", [2.0, 2.1, 2.2], 2.3, 3.0, State.NO_DATA, is_greyed=True),
        _row("no threshold", [41.0, 46.2, 44.9], 47.3, None, None),
    ]
    old = _row("not read then", [1.0, 6.1, 7.4], 8.0, 16.0, State.COMFORTABLE, "> 90 d")
    rows.append(ShownRow(**{**vars(old), "then": [unread, *old.then[1:]]}))
    horizons = [
        Horizon("-90", "−90", "19 Nov", False),
        Horizon("-30", "−30", "17 Jan", True),
        Horizon("-7", "−7", "10 Feb", False),
    ]
    return ShownProfile(
        horizons,
        "17 Feb",
        [ShownSection("Waits", "average wait, cs", rows)],
        ["* Not read on that very day; the nearest earlier day is used."],
    )


def _risks() -> list[dict[str, Any]]:
    def day(offset: int) -> date:
        return TODAY + timedelta(days=offset)

    foreseen = riskbar(
        TODAY, state="at_risk", soonest=day(13), likely=day(25), latest=day(81), act_by=day(11)
    )
    later = riskbar(TODAY, state="comfortable", soonest=day(53), likely=day(78), act_by=day(64))
    over = riskbar(TODAY, state="violated", note="over since 9 Feb, 8 days")
    unread = riskbar(TODAY, state="no_data", note="no figures since 13 Feb")
    return [
        {"state": State.VIOLATED, "what": "disk group +RECO", "slack": "−18 d", "bar": over},
        {"state": State.AT_RISK, "what": "tablespace DATA", "slack": "+11 d", "bar": foreseen},
        {"state": State.COMFORTABLE, "what": "tablespace INDX", "slack": "+64 d", "bar": later},
        {"state": State.NO_DATA, "what": "all its limits", "slack": "–", "bar": unread},
    ]


def _tiles() -> list[Tile]:
    sizes = [
        ("North", "one", "violated", 3.4, 0.88),
        ("North", "two", "comfortable", 1.2, 0.76),
        ("South", "three", "at_risk", 1.5, 0.86),
        ("South", "four", "no_data", 0.6, 0.5),
        ("South", "five", "comfortable", 0.9, 0.4),
    ]
    return [
        Tile(group, name, "#", state, size * 2**40, size * used * 2**40)
        for group, name, state, size, used in sizes
    ]


def _days() -> dict[date, int | None]:
    return {TODAY - timedelta(days=back): None if back in (20, 21) else (back * 7) % 12 for back in range(90)}


def _dry_run() -> tuple[list[date], list[float | None], float, list[bool]]:
    days = [TODAY - timedelta(days=back) for back in range(89, -1, -1)]
    values: list[float | None] = [
        None if day.day == 5 else 36.0 + (day.day * 7) % 11 + (14 if day.day > 28 else 0) for day in days
    ]
    return days, values, 50.0, [value is not None and value > 50 for value in values]


def _chart() -> dict[str, Any]:
    days = [TODAY - timedelta(days=back) for back in range(90, -1, -1)]
    values: list[float | None] = [
        None if 40 < step < 43 else 1200 + 5.1 * step + (step % 4) * 5 for step in range(91)
    ]
    fan = [
        (TODAY + timedelta(days=ahead), 1662 + 5.5 * ahead, *(1662 + rate * ahead for rate in (3, 8, 1, 11)))
        for ahead in range(1, 91)
    ]
    at = [TODAY + timedelta(days=ahead) for ahead in (13, 25, 81)]
    return history(
        days,
        values,
        1800.0,
        unit="GB",
        fan=fan,
        breach=Breach(at[0], at[1], at[2]),
        events=[Event(date(2026, 1, 11), "restart", "restart"), Event(date(2026, 1, 31), "month end")],
        today=TODAY,
    )


def _timeline() -> list[dict[str, Any]]:
    steps = [
        (date(2025, 12, 22), "predicted"),
        (date(2026, 1, 5), "open"),
        (date(2026, 1, 8), "in progress"),
        (date(2026, 2, 9), "accepted risk"),
    ]
    return [{"at": day, "after": word} for day, word in steps]
