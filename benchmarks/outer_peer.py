"""
The outer peer: VictoriaMetrics with the same figures, asked over HTTP; left out where the program is not installed.

It runs for as long as it is asked, on a port of the loopback, and keeps its data in a temporary folder.
"""

import json
import shutil
import socket
import subprocess
import tempfile
import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from datetime import UTC, date, datetime, timedelta
from datetime import time as clock_time
from http.client import HTTPConnection
from typing import Any
from urllib.parse import urlencode

import numpy as np

from apps.inventory.models import Target
from benchmarks.data import Floats, Key, readings, shapes
from benchmarks.estate import BenchmarkEstate, anchors_of

PROGRAM = "victoria-metrics"
ABSENT = f"{PROGRAM} is not installed"
DAYS = 366  # of each target that it is given: a trend, and the days of a profile
_READY_WITHIN = 30.0  # seconds


class Peer:
    """A connection to the server, kept open as ours is."""

    def __init__(self, port: int) -> None:
        self._connection = HTTPConnection("127.0.0.1", port, timeout=60)

    def close(self) -> None:
        self._connection.close()

    def ask(
        self, path: str, body: bytes | None = None, parameters: Mapping[str, object] | None = None
    ) -> bytes:
        """What it answers; RuntimeError where that is an error."""
        query = f"?{urlencode(parameters)}" if parameters else ""
        self._connection.request("GET" if body is None else "POST", path + query, body)
        answer = self._connection.getresponse()
        body_of_answer = answer.read()
        if answer.status >= 300:
            raise RuntimeError(f"{PROGRAM} answers {answer.status}: {body_of_answer[:200]!r}")
        return body_of_answer

    def profile(self, target: Target, day: date) -> list[dict[Key, float]]:
        """The figures of the four days of a profile, oldest first: an instant query each."""
        return [
            self._instant(f'last_over_time({{target="{target.name}"}}[{reach + 1}d])', anchor)
            for anchor, reach in sorted(anchors_of(day).items())
        ]

    def _instant(self, query: str, on: date) -> dict[Key, float]:
        series = self._query("/api/v1/query", {"query": query, "time": _seconds(on)})
        return {_key(sample["metric"]): float(sample["value"][1]) for sample in series}

    def trend(self, target: Target, key: Key, first: date, last: date) -> list[tuple[int, float]]:
        """One series by day."""
        query = f'{key[0]}{{target="{target.name}",component="{key[1]}"}}'
        parameters = {
            "query": query,
            "start": _seconds(first),
            "end": _seconds(last),
            "step": "1d",
            "nocache": 1,
        }
        [series] = self._query("/api/v1/query_range", parameters)
        return [(int(at), float(value)) for at, value in series["values"]]

    def _query(self, path: str, parameters: Mapping[str, object]) -> list[dict[str, Any]]:
        answer: dict[str, Any] = json.loads(self.ask(path, parameters=parameters))
        return list(answer["data"]["result"])


def _key(labels: dict[str, str]) -> Key:
    return labels["__name__"], labels.get("component", "")


def _seconds(on: date) -> int:
    return int(datetime.combine(on, clock_time(), UTC).timestamp())


def is_installed() -> bool:
    return shutil.which(PROGRAM) is not None


@contextmanager
def peer_with(estate: BenchmarkEstate, targets: Sequence[Target]) -> Iterator[Peer]:
    """A server that holds the last days of these targets."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = int(free.getsockname()[1])
    with tempfile.TemporaryDirectory(prefix="headroom-bench-") as folder:
        command = [
            PROGRAM, f"-httpListenAddr=127.0.0.1:{port}", f"-storageDataPath={folder}", "-retentionPeriod=100y",
            "-loggerLevel=ERROR",
        ]  # fmt: skip
        server = subprocess.Popen(command, stdout=subprocess.DEVNULL)
        try:
            _wait_until_ready(port)
            peer = Peer(port)
            for target in targets:
                peer.ask("/api/v1/import", b"".join(_lines(estate, target)))
            peer.ask("/internal/force_flush")
            yield peer
            peer.close()
        finally:
            server.terminate()
            server.wait(30)


def _wait_until_ready(port: int) -> None:
    until = time.monotonic() + _READY_WITHIN
    while True:
        try:
            Peer(port).ask("/health")
        except OSError:
            if time.monotonic() > until:
                raise
            time.sleep(0.1)
        else:
            return


def _lines(estate: BenchmarkEstate, target: Target) -> Iterable[bytes]:
    """A line of JSON for each series of a target: its labels, values and moments; a missing value has no moment."""
    days = min(DAYS, estate.days)
    first = estate.last - timedelta(days=days - 1)
    moments = (_seconds(first) + 86400 * np.arange(days)) * 1000
    for shape in shapes():
        history: Floats = readings(target.pk, estate.days, shape)[-days:]
        for (metric, component), values in zip(shape.keys, history.T, strict=True):
            is_known = np.isfinite(values)
            yield json.dumps(
                {
                    "metric": {
                        "__name__": metric, "component": component, "target": target.name,
                        "category": str(shape.category),
                    },
                    "values": values[is_known].tolist(),
                    "timestamps": moments[is_known].tolist(),
                }
            ).encode() + b"\n"  # fmt: skip
