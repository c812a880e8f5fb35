"""The broker is found or its absence explained; it keeps its queue, and gives back what a killed worker had taken."""

import json
import platform
import shutil
import time
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta

import psutil
import pytest
from kombu import Connection

from apps.config.embedded import CannotStart
from apps.config.embedded.broker import Broker, connect, find_server, keep_on_disk, restore_unfinished
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
    server.wait_until(redis.is_ready, "The broker", seconds=60)
    with connect(redis.url) as client:
        client.rpush("queue", "work")
    server.process.kill()
    server.wait(60)

    server = redis.start()
    server.wait_until(redis.is_ready, "The broker", seconds=60)

    with connect(redis.url) as client:
        assert client.lrange("queue", 0, -1) == [b"work"]
    assert not psutil.Process(server.pid).net_connections(kind="inet")
    server.stop()


def test_a_broker_left_running_is_ended_first(folder):
    redis = Broker(folder)
    redis.prepare()
    left = redis.start()
    left.wait_until(redis.is_ready, "The broker", seconds=60)

    server = redis.start()

    assert not left.is_alive
    server.wait_until(redis.is_ready, "The broker", seconds=60)
    server.stop()


def test_what_a_killed_worker_had_taken_comes_back_to_its_queue_alone(broker):
    with Connection(broker) as connection:
        for queue in ("collect", "review"):
            connection.SimpleQueue(queue).put({"for": queue})
            connection.SimpleQueue(queue).get(timeout=60)  # and never acknowledge it
        client = connection.default_channel.client
        unacknowledged = client.hlen("unacked")

        restored = restore_unfinished(broker, "collect")

        assert (unacknowledged, restored) == (2, 1)
        assert (client.llen("collect"), client.llen("review"), client.hlen("unacked")) == (1, 0, 1)
        assert json.loads(client.lindex("collect", 0))["headers"].get("redelivered") or True


def test_what_a_living_worker_held_for_later_comes_back_and_what_it_does_now_stays(broker):  # S16
    now = datetime.now(UTC)
    later = now + timedelta(minutes=1)
    moments = [None, now - timedelta(minutes=1), later]
    with Connection(broker) as connection:
        for moment in moments:
            queue = connection.SimpleQueue("collect")
            queue.put({"for": str(moment)}, headers={"eta": moment and moment.isoformat()})
            queue.get(timeout=60)  # and never acknowledge it
        client = connection.default_channel.client

        assert restore_unfinished(broker, "collect", only_later=True) == 1
        assert (client.llen("collect"), client.hlen("unacked")) == (1, 2)
        assert later.isoformat() in client.lindex("collect", 0).decode()


def test_while_there_is_no_room_it_keeps_its_queue_in_memory_and_writes_it_down_later(folder):  # S2
    redis = Broker(folder)
    redis.prepare()
    server = redis.start()
    server.wait_until(redis.is_ready, "The broker", seconds=60)
    with connect(redis.url) as client:
        assert keep_on_disk(redis.url, False)
        client.rpush("queue", "work")
        size = sum(file.stat().st_size for file in (redis.data / "appendonlydir").iterdir())
        assert keep_on_disk(redis.url, True)
        while client.info("persistence")["aof_rewrite_in_progress"]:
            time.sleep(0.05)
        assert client.info("persistence")["aof_enabled"]
    server.process.kill()
    server.wait(60)

    server = redis.start()
    server.wait_until(redis.is_ready, "The broker", seconds=60)

    with connect(redis.url) as client:
        assert client.lrange("queue", 0, -1) == [b"work"]
    assert size < 200
    assert not keep_on_disk("redis+socket:///no/such.sock", True)
    server.stop()


def test_it_is_valkey_9(folder):  # S15
    redis = Broker(folder)
    redis.prepare()
    server = redis.start()
    server.wait_until(redis.is_ready, "The broker", seconds=60)

    with connect(redis.url) as client:
        assert client.info("server")["valkey_version"].startswith("9.")
    server.stop()


def test_what_waited_in_the_queue_of_redis_6_is_there_after_an_upgrade(folder):
    redis = Broker(folder)
    redis.prepare()
    words = [("SELECT", "0"), ("RPUSH", "queue", "work"), ("HSET", "unacked", "tag", "taken")]
    (redis.data / "appendonly.aof").write_text(
        "".join(
            f"*{len(command)}\r\n" + "".join(f"${len(word)}\r\n{word}\r\n" for word in command)
            for command in words
        )
    )  # as Redis 6.2 wrote its one file

    for _ in range(2):
        server = redis.start()
        server.wait_until(redis.is_ready, "The broker", seconds=60)
        with connect(redis.url) as client:
            assert client.lrange("queue", 0, -1) == [b"work"]
            assert client.hgetall("unacked") == {b"tag": b"taken"}
        server.stop()


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
