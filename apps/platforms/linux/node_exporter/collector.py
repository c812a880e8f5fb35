"""NodeExporterCollector: a host by the page of its node_exporter."""

from collections.abc import Iterable, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from time import perf_counter

from apps.collection.collector import Collected, CollectionError, SourceRun
from apps.inventory.models import Target
from apps.platforms.linux.clock import clock_notes
from apps.platforms.linux.facts import read_facts
from apps.platforms.linux.filesystems import readings_of
from apps.platforms.linux.metrics.categories import (
    DEVICES,
    FILESYSTEMS,
    INTERFACES,
    KERNEL,
    NODES,
    PROCESSORS,
    TCP,
)
from apps.platforms.linux.node_exporter.endpoint import Endpoint, endpoint_at
from apps.platforms.linux.node_exporter.fetch import fetch_page
from apps.platforms.linux.node_exporter.kernel_files import kernel_files
from apps.platforms.linux.node_exporter.metrics_page import MetricsPage, read_page
from apps.platforms.linux.node_exporter.spaces import spaces_of
from apps.platforms.linux.proof import proof_of
from apps.platforms.linux.sources import SOURCES, Texts

# the collectors of node_exporter that each source is made of
PARTS = {
    KERNEL: ("cpu", "meminfo", "stat", "vmstat", "loadavg", "pressure"),
    DEVICES: ("diskstats",),
    INTERFACES: ("netdev",),
    TCP: ("netstat",),
    PROCESSORS: ("cpu",),
    NODES: ("meminfo_numa",),
    FILESYSTEMS: ("filesystem",),
}


class NodeExporterCollector:
    """Reads a host from the page of its node_exporter: nobody signs in there."""

    def collect(self, target: Target, slot: datetime) -> Collected:
        user, password = proof_of(target, target.address)
        return collect_from(endpoint_at(target.address, user, password))


def collect_from(endpoint: Endpoint) -> Collected:
    """What the page of a host says now. Raises CollectionError."""
    began = perf_counter()
    page = read_page(fetch_page(endpoint))
    return collected_of(page, endpoint.host, datetime.now(UTC), perf_counter() - began)


def collected_of(page: MetricsPage, host: str, now: datetime, seconds: float) -> Collected:
    """The readings of a page, by the clock of the host that it is of. Raises CollectionError."""
    texts = kernel_files(page)
    clock, started = page.value("node_time_seconds"), page.value("node_boot_time_seconds")
    captured_at = datetime.fromtimestamp(clock, UTC) if clock else now
    runs = [*_sources(page, texts, seconds), _spaces(page, texts, seconds)]
    if all(run.error for run in runs):
        raise CollectionError(
            f"The page of {host} has nothing of a Linux host: neither processors nor memory, devices or filesystems."
        )
    return Collected(
        captured_at=captured_at,
        started_at=datetime.fromtimestamp(started, UTC) if started else None,
        sources=runs,
        facts=_facts(page, texts),
        notes=clock_notes(host, captured_at - now),
    )


def _sources(page: MetricsPage, texts: Texts, seconds: float) -> list[SourceRun]:
    runs = []
    for source in SOURCES:
        if source.category not in PARTS:
            continue
        run = source.run(texts, seconds)
        if run.readings or not source.is_optional:
            parts = PARTS[source.category]
            error = "" if run.readings else _why_nothing(page, parts)
            runs.append(replace(run, name=_name(parts), error=error))
    return runs


def _spaces(page: MetricsPage, texts: Texts, seconds: float) -> SourceRun:
    readings = readings_of(spaces_of(page, texts))
    parts = PARTS[FILESYSTEMS]
    error = "" if readings else _why_nothing(page, parts)
    return SourceRun(name=_name(parts), category=FILESYSTEMS, seconds=seconds, readings=readings, error=error)


def _name(parts: Iterable[str]) -> str:
    return f"node_exporter: {', '.join(parts)}"


def _why_nothing(page: MetricsPage, parts: Sequence[str]) -> str:
    """Why a page has nothing of what these collectors of node_exporter give."""
    successes = page.by("collector", "node_scrape_collector_success")
    failed = [part for part in parts if successes.get(part) == 0]
    if failed:
        return f"node_exporter says that its collector {' and '.join(failed)} failed."
    missing = [part for part in parts if part not in successes]
    if missing:
        return f"The page has nothing of {', '.join(missing)}: these collectors of node_exporter are switched off."
    return f"The page has nothing of {', '.join(parts)} that is known."


def _facts(page: MetricsPage, texts: Texts) -> dict[str, str]:
    """What is known of the machine; whether it is a container nobody tells."""
    facts = read_facts(texts)
    del facts["container"]
    for labels in page.labels("node_exporter_build_info")[:1]:
        facts["node_exporter"] = labels.get("version", "")
    return {name: value for name, value in facts.items() if value}
