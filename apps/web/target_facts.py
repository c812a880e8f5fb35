"""The facts line of a target: what it is, for how long it has been up, what it has, what changed, when it was read."""

from collections.abc import Mapping
from datetime import date
from math import isnan

from django.urls import reverse

from apps.catalog.registry import metrics_of
from apps.charts import figures
from apps.charts.reader import style
from apps.charts.words import count
from apps.collection.last_states import find_last_reading
from apps.collection.models import HistoryImport
from apps.inventory.models import Target
from apps.snapshots.dictionary import series_ids
from apps.snapshots.history import read_histories
from apps.snapshots.models import Coverage
from apps.snapshots.recent_days import CHANGE_DAYS, RESTART_DAYS, RecentDays

SIZE_ROLES = ("cores", "memory")  # of a machine


def facts_of(target: Target, today: date, recent: RecentDays) -> list[dict[str, str]]:
    """Each fact with its label; what is not known is not there. `recent` are the days up to `today`."""
    sizes = _read_sizes(target, today)
    facts = [*_release(recent), *_machine(target, sizes)]
    if (up := sizes.get("uptime")) is not None:
        facts.append(_fact("up", count(int(up), "day") if up >= 1 else "less than a day"))
    facts.append(_fact(f"restarts in {RESTART_DAYS} days", figures.whole(recent.restarts)))
    facts += _changed_parameters(target, recent)
    if target.owner:
        facts.append(_fact("owner", str(target.owner)))
    facts += [*_last_run(target), *(_origin(target, today) if recent.origin else []), *_history(target)]
    facts.append(_fact("days in", target.time_zone))
    zone = style().zone
    if zone is not None and str(zone) != target.time_zone:
        facts.append(_fact("times in", str(zone)))
    return facts


def _origin(target: Target, day: date) -> list[dict[str, str]]:
    """Where the figures of a day that was not read come from, and how much of it they cover."""
    cover = Coverage.objects.get(target=target, day=day)
    if len(cover.given_categories) == len(cover.categories):
        return [_fact("figures from", cover.origin)]
    share = min(cover.hours / cover.day_hours, 1.0)
    return [
        _fact("figures from", f"{cover.origin}, {figures.fixed(100 * share, 0)}{figures.SPACE}% of the day")
    ]


def _history(target: Target) -> list[dict[str, str]]:
    """How many days of history were imported, and from when on."""
    history = HistoryImport.objects.filter(target=target).exclude(stored={}).first()
    if history is None or history.oldest is None:
        return []
    words = f"{count(history.days_stored, 'day')}, back to {figures.short_day(history.oldest)}"
    return [_fact("history imported", words, reverse("target_history", args=[target.pk]))]


def _fact(label: str, value: str, url: str = "") -> dict[str, str]:
    return {"label": label, "value": value, "url": url}


def _release(recent: RecentDays) -> list[dict[str, str]]:
    labels = (("version", "version"), ("distribution", ""), ("kernel", "kernel"))
    return [_fact(label, recent.release[name]) for name, label in labels if recent.release.get(name)]


def _read_sizes(target: Target, day: date) -> dict[str, float]:
    """Uptime, cores and memory as platforms name them by their roles; those of the host before the target's own."""
    machines = [target, *([target.runs_on] if target.runs_on is not None else [])]
    metrics = [
        metric
        for platform in dict.fromkeys(machine.platform for machine in machines)
        for metric in metrics_of(platform)
        if metric.role in (*SIZE_ROLES, "uptime")
    ]
    if not metrics:
        return {}
    series = series_ids([(metric.category, metric.key, "") for metric in metrics])
    histories = read_histories([machine.pk for machine in machines], series, day, day)
    sizes: dict[str, float] = {}
    for machine in machines:
        for metric, value in zip(metrics, histories.values[machine.pk][0].tolist(), strict=True):
            if not isnan(value) and (machine is target or metric.role != "uptime"):
                sizes[metric.role] = metric.to_display_unit(value)
    return sizes


def _machine(target: Target, sizes: Mapping[str, float]) -> list[dict[str, str]]:
    """The host and what it has: "dbx-dw01, 16 cores, 128 GB"; of a host itself what it has."""
    host = target.runs_on
    words = []
    if (cores := sizes.get("cores")) is not None:
        words.append(f"{figures.figure(cores)} {'core' if cores == 1 else 'cores'}")
    if (memory := sizes.get("memory")) is not None:
        words.append(f"{figures.figure(memory)} GB")
    facts = [_fact("host", host.name, host.get_absolute_url())] if host is not None else []
    return [*facts, _fact("with", ", ".join(words))] if words else facts


def _changed_parameters(target: Target, recent: RecentDays) -> list[dict[str, str]]:
    """How many parameters are not what they were 30 days ago, and when the last one changed."""
    number = recent.changed_parameters
    if recent.last_change is None:
        return []
    last = figures.short_day(recent.last_change.astimezone(target.zone).date())
    words = (
        f"{figures.whole(number)} on {last}" if number == 1 else f"{figures.whole(number)}, last on {last}"
    )
    url = f"{reverse('target_collection', args=[target.pk])}#changes"
    return [_fact(f"parameters changed since −{CHANGE_DAYS}", words, url)]


def _last_run(target: Target) -> list[dict[str, str]]:
    run = find_last_reading(target.pk)
    if run is None:
        return []
    read = run.began_at.astimezone(target.zone)
    words = (
        f"{figures.moment(read)} in {figures.seconds_text(run.seconds)}, {figures.whole(run.series)} series"
    )
    return [_fact("last read", words, reverse("target_collection", args=[target.pk]))]
