"""LocalCollector: this machine, from its own files and from sysstat where it collects."""

import glob
import os
import subprocess
from collections.abc import Iterable, Mapping
from contextlib import suppress
from datetime import UTC, datetime, timedelta
from pathlib import Path
from time import perf_counter, sleep

from apps.collection.collector import Collected, CollectionError, SourceRun
from apps.inventory.models import Target
from apps.platforms.linux import filesystems, processes, sadf, switches
from apps.platforms.linux.facts import booted_at, read_facts
from apps.platforms.linux.metrics.categories import FILESYSTEMS, SYSSTAT
from apps.platforms.linux.sources import FOR_FACTS, MOUNTS, PAGE_SIZE, SOURCES, add_sysstat, split_texts

_PATIENCE = 20  # seconds for sadf, which reads a file of a day


class LocalCollector:
    """
    Reads the machine this Headroom runs on.

    `root` is where its files are found, and `records` where sysstat keeps its own.
    """

    def __init__(self, root: str = "/", records: Iterable[str] = sadf.FOLDERS) -> None:
        self.root = root
        self.records = tuple(records)

    def collect(self, target: Target, slot: datetime) -> Collected:
        captured_at = datetime.now(UTC)
        texts, runs = self._read_files()
        if all(run.error for run in runs):
            raise CollectionError(
                "This machine has no /proc to read: it is not Linux, or /proc is not mounted here."
            )
        spaces, notes = self._read_filesystems(texts)
        interval = timedelta(minutes=target.interval_minutes)
        runs = self._read_sysstat(texts, runs, captured_at, interval)
        return Collected(
            captured_at=captured_at,
            started_at=booted_at(texts.get("/proc/stat", "")),
            sources=[*runs, *self._read_processes(texts), spaces],
            facts=read_facts(texts),
            notes=[*notes, *filter(None, [switches.why_unknown(texts), processes.why_unknown(texts)])],
        )

    def _read_files(self) -> tuple[dict[str, str], list[SourceRun]]:
        texts = {PAGE_SIZE: str(os.sysconf("SC_PAGE_SIZE")), **self._texts(FOR_FACTS), **self._rounds()}
        runs = []
        for source in SOURCES:
            began = perf_counter()
            texts |= self._texts(source.files)
            run = source.run(texts, perf_counter() - began)
            if run.readings or not source.is_optional:
                runs.append(run)
        return texts, runs

    def _rounds(self) -> dict[str, str]:
        """The switches of all threads, twice; a round that hangs shows nothing."""
        command = ["sh", "-c", switches.script(self.root.rstrip("/"))]
        texts = {}
        for name, pause in ((switches.BEFORE, switches.PAUSE), (switches.AFTER, 0)):
            try:
                texts[name] = subprocess.run(
                    command, capture_output=True, text=True, errors="replace", timeout=_PATIENCE
                ).stdout
            except subprocess.TimeoutExpired:
                break
            sleep(pause)
        return texts

    def _read_processes(self, texts: dict[str, str]) -> list[SourceRun]:
        began = perf_counter()
        command = ["sh", "-c", processes.script(self.root.rstrip("/"))]
        with suppress(subprocess.TimeoutExpired):
            texts |= split_texts(
                subprocess.run(
                    command, capture_output=True, text=True, errors="replace", timeout=_PATIENCE
                ).stdout
            )
        run = processes.read_processes(texts, perf_counter() - began)
        return [run] if run else []

    def _texts(self, patterns: Iterable[str]) -> dict[str, str]:
        """What the files hold that can be read; the others may be missing for good reasons."""
        texts = {}
        for pattern in patterns:
            for path in glob.glob(pattern.removeprefix("/"), root_dir=self.root):
                try:
                    texts[f"/{path}"] = Path(self.root, path).read_text(errors="replace")
                except OSError:
                    continue
        return texts

    def _read_filesystems(self, texts: Mapping[str, str]) -> tuple[SourceRun, list[str]]:
        began = perf_counter()
        mounts = filesystems.worth_watching(texts.get(MOUNTS, ""))
        spaces, notes = filesystems.ask_each(mounts)
        readings = filesystems.readings_of(spaces)
        error = "" if readings else f"{MOUNTS} names no filesystem that could be asked for its space."
        seconds = perf_counter() - began
        return SourceRun(
            name="statvfs", category=FILESYSTEMS, seconds=seconds, readings=readings, error=error
        ), notes

    def _read_sysstat(
        self, texts: dict[str, str], runs: list[SourceRun], now: datetime, interval: timedelta
    ) -> list[SourceRun]:
        began = perf_counter()
        command = ["sh", "-c", sadf.script(minutes_back(interval), self.records)]
        try:
            output = subprocess.run(
                command, capture_output=True, text=True, errors="replace", timeout=_PATIENCE
            ).stdout
        except subprocess.TimeoutExpired:
            sentence = f"sadf did not finish within {_PATIENCE} seconds; the figures come from /proc alone."
            return [
                *runs,
                SourceRun(name="sadf", category=SYSSTAT, seconds=perf_counter() - began, error=sentence),
            ]
        texts |= split_texts(output)
        return add_sysstat(runs, texts, now, interval, perf_counter() - began)


def minutes_back(interval: timedelta) -> int:
    """How recently a file of sysstat's must have been written to: twice the interval, or three of its usual ones."""
    return max(30, round(2 * interval.total_seconds() / 60))
