"""The forecast of one figure."""

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import CommandError
from django.utils import timezone

from apps.catalog.registry import UnknownMetric, get_metric
from apps.charts import figures
from apps.collection.command import OperatorCommand
from apps.collection.today import last_closed_day
from apps.forecasting.daily_figures import HISTORY
from apps.forecasting.engine.forecasts import HORIZON
from apps.forecasting.figure_forecast import BadQuestion, LimitForecast, forecast_figure
from apps.outlook.figure import Outlook
from apps.outlook.forecast_json import forecast_as_json
from apps.outlook.profile import read_figure_outlooks
from apps.thresholds.models import change_in_words


class Command(OperatorCommand):
    help = (
        "Print when a figure of a target reaches its limits: likely, soonest and latest day, and the chance."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("target")
        parser.add_argument("metric", help="the key of the statistic, for example ts_used_mb")
        parser.add_argument("--component", default="", help="which tablespace, event, filesystem or device")
        parser.add_argument(
            "--horizon", type=int, default=HORIZON, metavar="DAYS", help="days ahead, up to 180"
        )
        parser.add_argument(
            "--window", type=int, default=HISTORY, metavar="DAYS", help="days of history to go by, 14 to 400"
        )
        parser.add_argument("--on", metavar="DAY", help="as it would have been made on this day")
        self.add_json(parser)

    def handle(self, *args: Any, **options: Any) -> None:
        target = self.target(options["target"])
        on = self.day(options["on"]) or last_closed_day(target, timezone.now())
        try:
            forecast = forecast_figure(
                target,
                get_metric(options["metric"]),
                options["component"],
                on,
                horizon=options["horizon"],
                window=options["window"],
            )
        except (BadQuestion, UnknownMetric) as error:
            raise CommandError(str(error)) from None
        metric = forecast.metric.key
        standings = read_figure_outlooks(target, metric, forecast.component, [], on, timezone.now())
        if options["json"]:
            self.print_json(forecast_as_json(forecast, standings))
            return
        name = forecast.metric.called(forecast.component)
        unit = forecast.metric.display_unit
        last = float(forecast.forecasts.last[0])
        now = (
            "no figure" if last != last else f"{figures.figure(forecast.metric.to_display_unit(last))} {unit}"
        )
        self.stdout.write(f"{name} on {target.name}, {now} on {on}")
        if not forecast.limits:
            self.stdout.write(forecast.reason or "No limit is set on it.")
        for answer in forecast.limits:
            outlook = standings.get(answer.threshold.figure)
            self.stdout.write(_line(answer, outlook))
            for line in answer.lines:
                when = f"{line.on}" if line.on else "no date"
                per_day = figures.figure(forecast.metric.to_display_unit(line.slope))
                self.stdout.write(f"  line, {line.name}: {per_day} {unit} a day, {when}")


def _line(answer: LimitForecast, outlook: Outlook | None) -> str:
    prediction = answer.prediction
    change = change_in_words(answer.threshold.figure)
    on = f", {change}" if change else ""
    limit = f"{answer.threshold.notation}{on} ({answer.threshold.severity})"
    if not prediction.is_violated and outlook is not None and outlook.has_no_days:
        return f"{limit}: {outlook.note}"
    words = f"{limit}: {answer.words}"
    if prediction.is_violated or prediction.chance is None:
        return words
    words += f", chance {prediction.chance_in_words}"
    if prediction.day is None:
        return words
    latest = answer.day(prediction.latest)
    return (
        f"{words}, likely {answer.likely_on}, soonest {answer.day(prediction.soonest)},"
        f" latest {latest or 'later than the horizon'}, slack {answer.slack} days"
    )
