"""What moves with a statistic, what is read beside it, and how one follows another, as tables."""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date

from django.utils.safestring import SafeString

from apps.charts import figures
from apps.charts.rhobar import rhobar
from apps.profiles.build import ProfileCell
from apps.profiles.engine.correlation import Correlations
from apps.profiles.neighbours import Neighbour
from apps.profiles.related_statistics import RelatedSeries
from apps.web.cells import after, drawing, link
from apps.web.figure_history import DayValue, History
from apps.web.sentences import capital
from apps.web.sheet_cells import presence
from apps.web.tables import Column, DrawingColumn, FigureColumn, RowHead, Table


@dataclass(frozen=True)
class Mover:
    """A series that moves with the statistic, and where the two are drawn together."""

    series: RelatedSeries
    url: str


@dataclass(frozen=True)
class ReadBeside:
    """A statistic that the method reads beside it, and where the two are drawn together."""

    statistic: Neighbour
    url: str


@dataclass(frozen=True)
class Lag:
    """The relation of two series at a lag; without enough days there is none."""

    days_later: int
    rho: float | None
    days: int
    chance: float | None
    is_best: bool


def signed(rho: float) -> str:
    """`+0.71`, `−0.12`: two places, with the sign."""
    text = figures.fixed(abs(rho), 2)
    return text if not round(abs(rho), 2) else f"{'+' if rho > 0 else figures.MINUS}{text}"


def lag_in_words(lag: int) -> str:
    """How long after the other a statistic follows."""
    return "same day" if lag == 0 else "1 day later" if lag == 1 else f"{lag} days later"


def small_chance(share: float) -> str:
    """A chance in percent; the smallest that is told apart is 0.1 %."""
    if share < 0.001:
        return f"<{figures.SPACE}{figures.fixed(0.1, 1)}{figures.SPACE}%"
    return f"{figures.figure(100 * share)}{figures.SPACE}%" if share < 0.995 else f"100{figures.SPACE}%"


def lags_of(correlations: Correlations) -> Iterator[Lag]:
    """The relation of two series at each lag; the one that chance explains least is marked."""
    best = int(correlations.best()[0])
    for lag, rho in enumerate(correlations.rho[0]):
        is_known = rho == rho
        chance = float(correlations.chance[0, lag])
        yield Lag(
            lag, float(rho) if is_known else None, int(correlations.days[0, lag]),
            chance if is_known else None, lag == best and is_known,
        )  # fmt: skip


def _mover_name(row: Mover) -> SafeString:
    series = row.series
    also = f"{series.also} more of the same readings" if series.also else ""
    name = series.metric.called(series.component)
    aside = ", ".join(filter(None, (series.metric.label if name == series.component else "", also)))
    return after(link(row.url, name), "sub", aside)


MOVERS: Table[Mover] = Table(
    "movers",
    "Statistics that move with it, strongest first; each row opens the two drawn together",
    (
        RowHead("statistic", lambda row: row.series.metric.key, _mover_name),
        Column("component", lambda row: row.series.component, in_file_only=True),
        Column("where", lambda row: row.series.target.name, file_head="target"),
        FigureColumn("ρ", lambda row: row.series.rho, lambda row: signed(row.series.rho), file_head="rho"),
        DrawingColumn(
            "drawn",
            show=lambda row: drawing(rhobar(row.series.rho)),
            is_head_unseen=True,
            css="drawn",
            head_css="drawn",
        ),
        Column(
            "it follows",
            lambda row: row.series.lag,
            lambda row: lag_in_words(row.series.lag),
            file_head="follows after, days",
            css="nowrap",
        ),
        FigureColumn("days", lambda row: row.series.days),
        FigureColumn(
            "chance",
            lambda row: row.series.chance,
            lambda row: small_chance(row.series.chance),
        ),
        Column("further figures alike", lambda row: row.series.also, in_file_only=True),
    ),
    title="What moves with it",
    opens_rows=True,
)


def companions_table(until: date) -> Table[ReadBeside]:
    """What the method reads beside a statistic: 30 and 7 days before a day, and on it."""
    return Table(
        "beside",
        f"Statistics read beside it, 30 and 7 days ago and on {figures.long_day(until)}; each row opens the two drawn together",
        (
            Column("what", lambda row: row.statistic.subject, lambda row: capital(row.statistic.subject), css="quiet-text"),
            RowHead("statistic", lambda row: row.statistic.row.metric.key, _companion_name),
            Column("component", lambda row: row.statistic.row.component, in_file_only=True),
            Column("where", lambda row: row.statistic.target.name, file_head="target"),
            _days_ago(30),
            _days_ago(7),
            FigureColumn(
                figures.short_day(until),
                lambda row: presence(row.statistic.row.today),
                lambda row: _text(row.statistic.row.today),
                file_head="that day",
                css="strong",
                label="now",
            ),
            Column("unit", lambda row: row.statistic.row.unit, css="sub"),
        ),
        title="What is read beside it",
        opens_rows=True,
        file_order=(
            "what", "statistic", "component", "target", "unit", "30 days ago", "7 days ago", "that day",
        ),
    )  # fmt: skip


def _days_ago(days: int) -> FigureColumn[ReadBeside]:
    return FigureColumn(
        f"{days} days ago",
        lambda row: presence(row.statistic.row.then[days]),
        lambda row: _text(row.statistic.row.then[days]),
        label=f"{days} d ago",
    )


def _companion_name(row: ReadBeside) -> SafeString:
    figure = row.statistic.row
    name = figure.metric.called(figure.component)
    return after(
        link(row.url, name),
        "sub",
        figure.metric.label if name == figure.component else "",
    )


def _text(cell: ProfileCell) -> str:
    return cell.presence.words if cell.value is None else figures.figure(cell.value)


LAGS: Table[Lag] = Table(
    "by-lag",
    "Correlation of the changes at each lag",
    (
        RowHead("it follows", lambda row: lag_in_words(row.days_later), css="nowrap"),
        FigureColumn("ρ", lambda row: row.rho, lambda row: "–" if row.rho is None else signed(row.rho)),
        Column(
            "drawn", show=lambda row: "" if row.rho is None else drawing(rhobar(row.rho)), is_head_unseen=True
        ),
        FigureColumn("days", lambda row: row.days),
        FigureColumn(
            "chance",
            lambda row: row.chance,
            lambda row: "–" if row.chance is None else small_chance(row.chance),
        ),
    ),
    title="Correlation at each lag",
    css="",
    scrolls=False,
    row_css=lambda row: "is-chosen" if row.is_best else "",
)

Together = tuple[tuple[History, DayValue], ...]  # a day of one history, or of several side by side


def together_table(*histories: History) -> Table[Together]:
    """Several series side by side, a row a day; in files one below the other."""
    columns: list[Column[Together]] = [
        RowHead("day", lambda row: row[0][1].day, lambda row: figures.full_day(row[0][1].day), css="nowrap"),
        *(_series_column(at, history) for at, history in enumerate(histories)),
        Column("target", lambda row: row[0][0].target.name, in_file_only=True),
        Column("statistic", lambda row: row[0][0].metric.key, in_file_only=True),
        Column("component", lambda row: row[0][0].component, in_file_only=True),
        Column("value", lambda row: row[0][1].value, in_file_only=True),
        Column("unit", lambda row: row[0][0].metric.display_unit, in_file_only=True),
        Column("presence", lambda row: str(row[0][1].presence), in_file_only=True),
        Column("note", lambda row: row[0][1].reason, in_file_only=True),
    ]
    return Table("figures", "Both series, newest first", columns, title="The figures of the chart", css="")


def _series_column(at: int, history: History) -> Column[Together]:
    return FigureColumn(
        f"{history.full_name}, {history.metric.display_unit}", show=lambda row: row[at][1].text()
    )


def together_rows(*histories: History) -> Iterator[Together]:
    """A row a day, newest first, of histories over the same days."""
    for values in zip(*(reversed(history.values) for history in histories), strict=True):
        yield tuple(zip(histories, values, strict=True))


def rows_one_by_one(*histories: History) -> Iterator[Together]:
    """The days of one history after those of the other."""
    for history in histories:
        for value in history.values:
            yield ((history, value),)
