"""
P: pages as readers get them, from gunicorn as an installation starts it: time, weight, first paint, many readers.

    python -m benchmarks.pages [--targets 1000] [--deep 4]

The fleet has 1,000 targets with 30 limits each; the pages of one target are those of targets with a long history.
"""

import argparse
import gzip
import http.client
import os
import random
import shutil
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from statistics import median, quantiles
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from django.conf import settings

from apps.config.embedded.child import Child
from apps.config.embedded.listener import answers
from apps.config.embedded.supervisor import GUNICORN, ROOT
from benchmarks.report import BenchmarkReport, Measurement
from benchmarks.server import measured_alone

if TYPE_CHECKING:
    from benchmarks.estate import BenchmarkEstate

ROUNDS = 40
READERS, EVERY, SECONDS = 50, 5.0, 30.0  # readers, seconds between two pages of one, how long they read
EAGER, EAGER_SECONDS = 8, 10.0  # readers that never pause, to see where it ends
MIX = ("target",) * 6 + ("estate", "statistic", "violations", "targets")  # what readers open
BROWSERS = ("chromium", "chromium-browser", "google-chrome")
LIMITS = {"target": (60, 120), "estate": (None, 200), "statistic": (None, 120)}  # median and p95, ms
NAMES = {
    "target": "profile of a target",
    "estate": "estate of {targets:,} targets",
    "statistic": "statistic, {days:,} days",
}
OBSERVER = """
    new MutationObserver(() => {
        const see = (name, selector) => {
            if (!(name in window) && document.querySelector(selector)) window[name] = performance.now();
        };
        see("tableSeen", "tbody tr");
        see("chartSeen", ".js-plotly-plot .plot-container");
    }).observe(document, {childList: true, subtree: true});
"""


def main(arguments: list[str] | None = None) -> int:
    """Fill a scratch database, open pages, print, and say whether all fit."""
    parser = argparse.ArgumentParser(prog="benchmarks.pages")
    parser.add_argument("--targets", type=int, default=1000)
    parser.add_argument("--deep", type=int, default=4, help="how many of them have a history of 1,000 days")
    options = parser.parse_args(arguments)

    def of_a_fleet(report: BenchmarkReport) -> None:
        from benchmarks.fleet import make_fleet

        measure(make_fleet(options.targets, options.deep, days=1000), options.deep, report)

    return measured_alone(of_a_fleet)


def measure(fleet: "BenchmarkEstate", deep: int, report: BenchmarkReport) -> None:
    """All figures of the pages, with the fleet in the database that new connections find."""
    site = _signed_in(fleet, deep)
    with _server() as port:
        site.port = port
        _time(site, report)
        _weigh(site, report)
        _paint(site, report)
        _readers(site, report)
        _saturation(site, report)


@dataclass
class Site:
    """Where the pages are, and the session that may open them."""

    addresses: dict[str, list[str]]
    session: str
    names: dict[str, str]
    port: int = 0

    def open(self, connection: http.client.HTTPConnection, kind: str, turn: int) -> bytes:
        """A page of a kind, as a browser takes it. Raises OSError where it does not come whole and well."""
        return self.ask(connection, self.addresses[kind][turn % len(self.addresses[kind])])[0]

    def ask(self, connection: http.client.HTTPConnection, path: str) -> tuple[bytes, int]:
        """What lies at an address, and in how many bytes it came to a browser that takes it compressed."""
        cookie = f"{settings.SESSION_COOKIE_NAME}={self.session}"
        connection.request("GET", path, headers={"Cookie": cookie, "Accept-Encoding": "gzip"})
        answer = connection.getresponse()
        body = answer.read()
        if answer.status != 200:
            raise OSError(f"{path} answers {answer.status}")
        is_compressed = answer.headers["Content-Encoding"] == "gzip"
        return gzip.decompress(body) if is_compressed else body, len(body)

    def connection(self) -> http.client.HTTPConnection:
        return http.client.HTTPConnection("127.0.0.1", self.port, timeout=60)


def _signed_in(fleet: "BenchmarkEstate", deep: int) -> Site:
    from django.test import Client
    from django.urls import reverse

    from apps.people.models import User
    from apps.web.figure_history import SPANS

    client = Client()
    client.force_login(User.objects.create(username="reader"), "django.contrib.auth.backends.ModelBackend")
    longest = max(SPANS)
    history = f"?days={longest}&component=tablespace+0001"
    pks = [target.pk for target in fleet.targets[:deep]]
    return Site(
        {
            "target": [reverse("target", args=[pk]) for pk in pks],
            "estate": [reverse("estate")],
            "statistic": [reverse("statistic", args=[pk, "ts_used_mb"]) + history for pk in pks],
            "violations": [reverse("violations")],
            "targets": [reverse("targets") + "?group=group+01"],
        },
        client.cookies[settings.SESSION_COOKIE_NAME].value,
        {kind: name.format(targets=len(fleet.targets), days=longest) for kind, name in NAMES.items()},
    )


@contextmanager
def _server() -> Iterator[int]:
    """Gunicorn on a free port, with files that were collected, started as the supervisor starts it."""
    folder = Path(settings.HEADROOM_DATA)
    environment = {**os.environ, "HEADROOM_STATIC": str(folder / "static")}
    collect = [sys.executable, "manage.py", "collectstatic", "--no-input", "--verbosity", "0"]
    subprocess.run(collect, cwd=ROOT, env=environment, check=True)
    with socket.create_server(("127.0.0.1", 0), backlog=1024) as listener:
        number = listener.fileno()
        command = [sys.executable, "-m", *GUNICORN, "--bind", f"fd://{number}"]
        child = Child(
            command,
            log=folder / "pages.log",
            environment=environment,
            descriptors=[number],
            working_directory=ROOT,
        )
        try:
            child.wait_until(lambda: answers(listener), "The web server", seconds=120)
            yield int(listener.getsockname()[1])
        finally:
            child.stop(10)


def _time(site: Site, report: BenchmarkReport) -> None:
    """Milliseconds from asking to the last byte, one reader, kinds in turns, both processes warm."""
    timings: dict[str, list[float]] = {kind: [] for kind in LIMITS}
    for turn in range(-10, ROUNDS):
        for kind, times in timings.items():
            connection = site.connection()  # a new one each time goes to either process
            began = time.perf_counter()
            site.open(connection, kind, turn)
            if turn >= 0:
                times.append(1000 * (time.perf_counter() - began))
            connection.close()
    for kind, (middle, slow) in LIMITS.items():
        name = site.names[kind]
        report.add(Measurement(f"V-{kind}", f"{name}: median", median(timings[kind]), "ms", most=middle))
        report.add(
            Measurement(f"V-{kind}-95", f"{name}: 95th percentile", p95(timings[kind]), "ms", most=slow)
        )


def p95(values: Sequence[float]) -> float:
    return quantiles(values, n=20, method="inclusive")[-1]


def _weigh(site: Site, report: BenchmarkReport) -> None:
    """All that a browser with an empty cache loads for a page, as it is sent."""
    connection = site.connection()
    for kind in LIMITS:
        page, size = site.ask(connection, site.addresses[kind][0])
        files = sorted(_files_of(page.decode()))
        weight = size + sum(site.ask(connection, path)[1] for path in files)
        words = f"{site.names[kind]}: weight with {len(files)} files, as it is sent"
        report.add(Measurement(f"V-{kind}-kB", words, weight / 1000, "kB", most=500))
    connection.close()


def _files_of(page: str) -> set[str]:
    """What a page names under /static/, with the fonts that it preloads."""
    return {urlsplit(piece).path for piece in page.split('"') if piece.startswith(settings.STATIC_URL)}


def _paint(site: Site, report: BenchmarkReport) -> None:
    """First contentful paint in Chromium with an empty cache; the rows of a table are there before a chart is."""
    program = next(filter(None, map(shutil.which, BROWSERS)), None)
    if program is None:
        print("No Chromium is on the PATH: nothing is said of the first paint.", file=sys.stderr)
        return
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=program, args=["--no-sandbox", "--disable-gpu"])
        early = 0
        for kind in LIMITS:
            paints = []
            for turn in range(5):
                moments = _measure_paint(browser, site, kind, turn)
                paints.append(moments["paint"])
                early += moments["chart"] is not None and moments["chart"] < (
                    moments["table"] or float("inf")
                )
            report.add(
                Measurement(
                    f"V-{kind}-paint", f"{site.names[kind]}: first paint", median(paints), "ms", most=1000
                )
            )
        report.add(Measurement("V-order", "pages with a chart before the rows of its table", early, most=0))
        browser.close()


def _measure_paint(browser: Any, site: Site, kind: str, turn: int) -> dict[str, float]:
    root = f"http://127.0.0.1:{site.port}"
    context = browser.new_context()
    context.add_cookies([{"name": settings.SESSION_COOKIE_NAME, "value": site.session, "url": root}])
    context.add_init_script(OBSERVER)
    page = context.new_page()
    page.goto(root + site.addresses[kind][turn % len(site.addresses[kind])], wait_until="networkidle")
    moments: dict[str, float] = page.evaluate(
        "({paint: performance.getEntriesByName('first-contentful-paint')[0].startTime,"
        " table: window.tableSeen ?? null, chart: window.chartSeen ?? null})"
    )
    context.close()
    return moments


@dataclass
class ReadTimes:
    """What readers met."""

    times: list[float] = field(default_factory=list)  # ms
    errors: list[str] = field(default_factory=list)


def _read(site: Site, readers: int, seconds: float, pause: float) -> tuple[ReadTimes, float]:
    """So many readers at once, each opening a page, then pausing for what is left of `pause`; and how long it took."""
    read = ReadTimes()
    began = time.perf_counter()

    def read_pages(number: int) -> None:
        chosen = random.Random(number)
        time.sleep(pause * number / readers)
        while time.perf_counter() - began < seconds:
            asked_at = time.perf_counter()
            connection = site.connection()
            try:
                site.open(connection, chosen.choice(MIX), chosen.randrange(1000))
                read.times.append(1000 * (time.perf_counter() - asked_at))
            except (OSError, http.client.HTTPException) as error:
                read.errors.append(repr(error))
            finally:
                connection.close()
            time.sleep(max(0.0, pause - (time.perf_counter() - asked_at)))

    threads = [threading.Thread(target=read_pages, args=[number]) for number in range(readers)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return read, time.perf_counter() - began


def _readers(site: Site, report: BenchmarkReport) -> None:
    read, _ = _read(site, READERS, SECONDS, EVERY)
    words = f"{READERS} readers, a page every {EVERY:g} s each"
    report.add(Measurement("V-readers-errors", f"{words}: errors", len(read.errors), most=0))
    report.add(Measurement("V-readers-50", f"{words}: median", median(read.times), "ms"))
    report.add(Measurement("V-readers-95", f"{words}: 95th percentile", p95(read.times), "ms", most=1000))


def _saturation(site: Site, report: BenchmarkReport) -> None:
    read, seconds = _read(site, EAGER, EAGER_SECONDS, 0)
    report.add(
        Measurement("V-most", f"{EAGER} readers without a pause", len(read.times) / seconds, "pages/s")
    )
    report.add(Measurement("V-needed", "of which those readers ask for", READERS / EVERY, "pages/s"))
    report.add(
        Measurement("V-most-errors", f"{EAGER} readers without a pause: errors", len(read.errors), most=0)
    )


if __name__ == "__main__":
    sys.exit(main())
