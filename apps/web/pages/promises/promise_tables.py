"""The tables of the account: chances, kinds of figures, the straight line, and promises one by one."""

from collections.abc import Sequence
from dataclasses import dataclass

from django.utils.safestring import SafeString

from apps.charts import figures
from apps.forecasting.engine.account import ChanceGroup, ForecastAccount
from apps.forecasting.figure_kinds import kind_of_account
from apps.forecasting.models import Promise, forecast_url
from apps.thresholds.limits import notation_with_unit
from apps.web.cells import link
from apps.web.tables import Column, FigureColumn, RowHead, Table


@dataclass(frozen=True)
class KindRow:
    """A kind of figure with its account, and how much wider its bands are; the last row is all of them."""

    name: str
    account: ForecastAccount
    width: float = 1.0
    url: str = ""
    is_whole: bool = False


@dataclass(frozen=True)
class LineRow:
    """One figure of the account beside that of a straight line."""

    what: str
    own: str
    line: str


def group_words(group: ChanceGroup) -> str:
    """ "60 to 80 %", "under 7 %", "over 95 %"."""
    low, high = f"{100 * group.least:.0f}", f"{100 * group.most:.0f}"
    if group.least == 0:
        return f"under {high} %"
    return f"over {low} %" if group.most == 1 else f"{low} to {high} %"


def _width_words(row: KindRow) -> str:
    return "" if row.is_whole else "–" if row.width == 1 else f"× {figures.fixed(row.width, 1)}"


CHANCES: Table[ChanceGroup] = Table(
    "chances",
    "Chances against what came",
    (
        RowHead("chance forecast", group_words),
        FigureColumn("in the mean", lambda row: 100 * row.chance, lambda row: f"{100 * row.chance:.0f} %", file_head="mean chance, %"),
        FigureColumn("promises", lambda row: row.count),
        FigureColumn("came", lambda row: row.came),
        FigureColumn(
            "true share lies", lambda row: f"{100 * row.low:.0f} to {100 * row.high:.0f} %", file_head="true share at 80 %"
        ),
    ),
    title="Is the chance true?",
)  # fmt: skip

KINDS: Table[KindRow] = Table(
    "kinds",
    "How promises of each kind of figure fared",
    (
        RowHead("kind of figure", lambda row: row.name, lambda row: link(row.url, row.name)),
        FigureColumn("promises", lambda row: row.account.count),
        FigureColumn("forecast", lambda row: row.account.own.predicted),
        FigureColumn("came", lambda row: row.account.own.came),
        FigureColumn("did not", lambda row: row.account.own.missed, label="did not come"),
        FigureColumn("not forecast", lambda row: row.account.own.unforeseen, label="came, not forecast"),
        FigureColumn("days off", lambda row: row.account.own.days_off),
        FigureColumn("line’s", lambda row: row.account.line.days_off, label="days off, line", file_head="days off, line"),
        FigureColumn("in range", lambda row: _hundredths(row.account.in_range), lambda row: _percent(row.account.in_range), file_head="in range, %"),
        FigureColumn("false in 100", lambda row: _hundredths(row.account.false_share), lambda row: _hundred(row.account.false_share)),
        FigureColumn("widened", lambda row: row.width, _width_words, file_head="width of bands"),
    ),
    row_css=lambda row: "sum" if row.is_whole else "",
    title="By kind",
)  # fmt: skip

LINE: Table[LineRow] = Table(
    "line",
    "Beside a straight line",
    (
        RowHead("of the same promises", lambda row: row.what),
        FigureColumn("Headroom", lambda row: row.own),
        FigureColumn("straight line", lambda row: row.line),
    ),
)


def line_rows(account: ForecastAccount) -> list[LineRow]:
    """What Headroom and a straight line made of the same nights."""
    own, line = account.own, account.line
    rows = [
        LineRow("forecast, and came", f"{own.came} of {own.predicted}", f"{line.came} of {line.predicted}"),
        LineRow("came, not forecast", str(own.unforeseen), str(line.unforeseen)),
        LineRow("days off, in the median", figures.figure(own.days_off), figures.figure(line.days_off)),
    ]
    if account.is_enough:
        false = line.missed / account.count
        rows.append(LineRow("false in 100 promises", _hundred(account.false_share), _hundred(false)))
    return rows


def _made_of(row: Promise) -> SafeString:
    url = f"{forecast_url(row.target_id, row.metric, row.component)}"
    return link(f"{url}{'&' if '?' in url else '?'}on={row.made_on}", figures.short_day(row.made_on), "")


def _error(row: Promise) -> int | None:
    return (
        None if row.happened_on is None or row.likely_on is None else (row.happened_on - row.likely_on).days
    )


def _error_words(row: Promise) -> str:
    off = _error(row)
    if off is None:
        return ""
    return "to the day" if off == 0 else f"{abs(off)} d {'late' if off > 0 else 'early'}"


def _range_words(row: Promise) -> str:
    if row.happened_on is None or row.soonest_on is None:
        return ""
    is_inside = row.soonest_on <= row.happened_on and (
        row.latest_on is None or row.happened_on <= row.latest_on
    )
    return "yes" if is_inside else "no"


def _line_words(row: Promise) -> str:
    if row.line_on is None:
        return "not forecast" if row.happened_on else ""
    if row.happened_on is None:
        return "did not come"
    off = (row.happened_on - row.line_on).days
    return "to the day" if off == 0 else f"{abs(off)} d {'late' if off > 0 else 'early'}"


def _outcome(row: Promise) -> str:
    return figures.short_day(row.happened_on) if row.happened_on else row.get_outcome_display()


PROMISES: Table[Promise] = Table(
    "promises",
    "Promises that ended or came",
    (
        RowHead("target", lambda row: row.target.name, lambda row: link(row.target.get_absolute_url(), row.target.name)),
        Column("what", lambda row: row.what, lambda row: link(row_url(row), row.what)),
        Column("kind", lambda row: kind_of_account(row.metric), in_file_only=True),
        Column("limit", lambda row: row.notation, lambda row: notation_with_unit(row.notation, row.unit), label="limit"),
        Column("unit", lambda row: row.unit, in_file_only=True),
        FigureColumn("made on", lambda row: row.made_on, _made_of),
        FigureColumn("due", lambda row: row.due_on, in_file_only=True),
        FigureColumn("chance", lambda row: 100 * row.chance, lambda row: figures.chance(row.chance), file_head="chance, %"),
        FigureColumn("soonest", lambda row: row.soonest_on, in_file_only=True),
        FigureColumn("likely", lambda row: row.likely_on),
        FigureColumn("latest", lambda row: row.latest_on, in_file_only=True),
        FigureColumn("line", lambda row: row.line_on, in_file_only=True),
        Column("outcome", lambda row: row.get_outcome_display(), in_file_only=True),
        FigureColumn("came", lambda row: row.happened_on, _outcome),
        FigureColumn("error", _error, _error_words, file_head="error, days"),
        Column("in range", _range_words, label="in range"),
        Column("straight line", show=_line_words, css="quiet-text", label="straight line"),
        Column("not counted because", lambda row: row.get_reason_display() if row.reason else "", in_file_only=True),
    ),
)  # fmt: skip


def row_url(row: Promise) -> str:
    """The page of the forecast that a promise came from."""
    return forecast_url(row.target_id, row.metric, row.component)


def _hundredths(share: float | None) -> float | None:
    return None if share is None else 100 * share


def _percent(share: float | None) -> str:
    return "–" if share is None else f"{100 * share:.0f} %"


def _hundred(share: float | None) -> str:
    return "–" if share is None else figures.fixed(100 * share, 1)


def kind_rows(by_kind: Sequence[KindRow], whole: ForecastAccount) -> list[KindRow]:
    """The kinds, and all of them below."""
    return [*by_kind, KindRow("all kinds", whole, is_whole=True)] if len(by_kind) > 1 else list(by_kind)
