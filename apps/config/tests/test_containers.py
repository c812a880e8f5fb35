"""
docker-compose.yml, as far as it can be checked without an engine.

Its shape is read; then the commands and health checks of its services are run with their environment and secrets,
against a PostgreSQL and a Valkey of our own instead of those of the images.
"""

import os
import re
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import psycopg
import pytest
import yaml

from apps.config.embedded import supervisor
from apps.config.embedded.broker import Broker
from apps.config.embedded.postgres import Postgres
from conftest import free_port, temporary_folder

ROOT = Path(__file__).resolve().parents[3]
COMPOSE: dict[str, Any] = yaml.safe_load((ROOT / "docker-compose.yml").read_text())
SERVICES: dict[str, dict[str, Any]] = COMPOSE["services"]
OURS = ("migrate", "web", "worker-collect", "worker-review", "beat")
LONG_RUNNING = [name for name in SERVICES if name != "migrate"]


def test_every_service_that_keeps_running_has_a_health_check():
    assert all("healthcheck" in SERVICES[name] for name in LONG_RUNNING)
    assert {SERVICES[name]["restart"] for name in LONG_RUNNING} == {"unless-stopped"}


def test_nothing_starts_before_the_migrations():
    for name in OURS[1:]:
        assert SERVICES[name]["depends_on"]["migrate"] == {"condition": "service_completed_successfully"}
    assert SERVICES["migrate"]["depends_on"] == {
        "postgres": {"condition": "service_healthy"},
        "broker": {"condition": "service_healthy"},
    }


def test_the_queue_is_kept_on_disk_and_evicts_nothing():
    command = " ".join(SERVICES["broker"]["command"])

    assert "--appendonly yes" in command
    assert "--maxmemory-policy noeviction" in command
    assert SERVICES["broker"]["volumes"] == ["broker:/data"]


def test_only_the_web_is_published_and_on_loopback_unless_told_otherwise():
    started = {name: service for name, service in SERVICES.items() if "profiles" not in service}

    assert {name for name, service in started.items() if "ports" in service} == {"web"}
    assert SERVICES["web"]["ports"] == ["${HEADROOM_BIND:-127.0.0.1}:${HEADROOM_PORT:-8000}:8000"]


def test_a_database_to_test_against_starts_only_when_asked_for_and_on_loopback():
    oracle = SERVICES["oracle"]
    accounts = (ROOT / ".ci/oracle/10-accounts.sh").read_text()

    assert oracle["profiles"] == ["oracle"]
    assert oracle["ports"] == ["127.0.0.1:${HEADROOM_TEST_ORACLE_PORT:-1521}:1521"]
    assert "./.ci/oracle:/container-entrypoint-initdb.d:ro" in oracle["volumes"]
    assert not any("oracle" in service.get("depends_on", {}) for service in SERVICES.values())
    assert re.findall(r"/run/secrets/(\w+)", accounts) == oracle["secrets"] == ["oracle_password"]
    for script in re.findall(r"grants/[\w-]+\.sql", accounts):
        assert '"<password>"' in (ROOT / ".ci/oracle" / script).read_text()


def test_the_accounts_of_that_database_are_made_by_the_scripts_people_run(tmp_path):
    (tmp_path / "sqlplus").write_text('#!/bin/sh\necho "== $*"\ncat\n')
    (tmp_path / "sqlplus").chmod(0o755)
    (tmp_path / "password").write_text("s3cret\n")
    script = tmp_path / "accounts.sh"
    text = (ROOT / ".ci/oracle/10-accounts.sh").read_text()
    script.write_text(text.replace("/run/secrets/oracle_password", str(tmp_path / "password")))
    shutil.copytree(ROOT / ".ci/oracle/grants", tmp_path / "grants")

    output = subprocess.run(
        ["bash", script], env={"PATH": f"{tmp_path}:{os.environ['PATH']}"}, capture_output=True, text=True, check=True
    ).stdout  # fmt: skip

    in_database, in_root = output.split("== -S -L / as sysdba\n")[1:]
    assert in_database.startswith("ALTER SESSION SET CONTAINER = FREEPDB1;\n")
    assert 'CREATE USER HEADROOM IDENTIFIED BY "s3cret";' in in_database
    assert in_root.startswith("ALTER SESSION SET CONTAINER = CDB$ROOT;\n")
    assert 'CREATE USER C##HEADROOM IDENTIFIED BY "s3cret" CONTAINER=ALL;' in in_root


def test_secrets_come_from_files_and_are_declared():
    for service in SERVICES.values():
        assert set(service.get("secrets", [])) <= set(COMPOSE["secrets"])
        for name, value in service.get("environment", {}).items():
            if name.endswith("_FILE"):
                assert value.removeprefix("/run/secrets/") in service["secrets"]
            assert not re.search(r"PASSWORD$|SECRET_KEYS?$", name)


def test_named_volumes_are_declared():
    mounted = {volume.split(":")[0] for service in SERVICES.values() for volume in service.get("volumes", [])}
    used = {name for name in mounted if not name.startswith("./")}

    assert used == set(COMPOSE["volumes"])


def test_they_are_the_processes_of_make_run():
    gunicorn = [
        part for part in SERVICES["web"]["command"] if part not in ("python", "-m", "--bind", "0.0.0.0:8000")
    ]

    assert gunicorn == list(supervisor.GUNICORN)
    for queue, _, options in supervisor.WORKERS:
        command = SERVICES[f"worker-{queue}"]["command"][2:]
        same = [*supervisor.CELERY, "worker", "-Q", queue, "-n", f"{queue}@%h", *options]
        position = same.index("--concurrency") + 1
        assert command[:position] + command[position + 1 :] == same[:position] + same[position + 1 :]
        assert SERVICES[f"worker-{queue}"]["stop_signal"] == "SIGQUIT"
    assert SERVICES["beat"]["command"][2:] == [*supervisor.CELERY, "beat", "--pidfile="]


def test_the_image_runs_the_web_as_somebody_other_than_root():
    lines = (ROOT / "Dockerfile").read_text().replace("\\\n", "").splitlines()
    last_stage = lines[max(number for number, line in enumerate(lines) if line.startswith("FROM")) :]
    command = yaml.safe_load(next(line for line in last_stage if line.startswith("CMD")).removeprefix("CMD "))

    assert "USER headroom" in last_stage
    assert sorted(command) == sorted(SERVICES["web"]["command"])


def test_the_image_gets_everything_that_runs():
    admitted = re.findall(r"^!(\S+)$", (ROOT / ".dockerignore").read_text(), flags=re.MULTILINE)

    assert {"apps", "worker", "static", "templates", "manage.py", "requirements.txt"} <= set(admitted)
    assert not {"secrets", "var", ".env", "."} & set(admitted)


class ComposeServices:
    """The services' processes, without containers."""

    def __init__(self, folder: Path, database_url: str, broker_url: str, port: int) -> None:
        self.folder = folder
        self.port = port
        self.database_url = database_url
        self.broker_url = broker_url
        shutil.copytree(ROOT / ".ci", folder / ".ci")
        subprocess.run([folder / ".ci/secrets.sh"], check=True)
        (folder / "secrets/database_url").write_text(database_url + "\n")

    def environment(self, service: str) -> dict[str, str]:
        declared = {
            name: re.sub(r"\$\{\w+:-([^}]*)\}", r"\1", str(value))
            .replace("/run/secrets", str(self.folder / "secrets"))
            .replace("redis://broker:6379/0", self.broker_url)
            for name, value in SERVICES[service]["environment"].items()
        }
        # sys.executable's folder, since a link to it does not tell Python where its packages are
        path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
        return {**declared, "PATH": path, "HOME": str(self.folder), "HEADROOM_DATA": "/proc/unwritable"}

    def arguments(self, parts: list[str]) -> list[str]:
        return [
            part.replace("0.0.0.0:8000", f"127.0.0.1:{self.port}").replace(":8000/", f":{self.port}/")
            for part in parts
        ]

    def start(self, service: str) -> subprocess.Popen[bytes]:
        with (self.folder / f"{service}.log").open("w") as log:
            return subprocess.Popen(
                self.arguments(SERVICES[service]["command"]), cwd=ROOT, env=self.environment(service),
                stdin=subprocess.DEVNULL, stdout=log, stderr=subprocess.STDOUT, start_new_session=True,
            )  # fmt: skip

    def log(self, service: str) -> str:
        return (self.folder / f"{service}.log").read_text()

    def is_healthy(self, service: str) -> bool:
        how, *test = SERVICES[service]["healthcheck"]["test"]
        command = ["sh", "-c", test[0].replace("$$", "$")] if how == "CMD-SHELL" else self.arguments(test)
        done = subprocess.run(
            command, cwd=ROOT, env=self.environment(service), capture_output=True, check=False
        )
        return done.returncode == 0

    def wait_until_healthy(
        self, service: str, process: subprocess.Popen[bytes], seconds: float = 300
    ) -> None:
        deadline = time.monotonic() + seconds
        while not self.is_healthy(service):
            assert process.poll() is None, self.log(service)
            assert time.monotonic() < deadline, self.log(service)
            time.sleep(0.5)


@pytest.fixture
def containers() -> Iterator[ComposeServices]:
    folder = temporary_folder()
    postgres, broker = Postgres(folder, is_durable=False), Broker(folder)
    postgres.prepare()
    broker.prepare()
    servers = [postgres.start(), broker.start()]
    servers[0].wait_until(postgres.is_ready, "PostgreSQL", seconds=60)
    servers[1].wait_until(broker.is_ready, "The broker", seconds=60)
    yield ComposeServices(folder.root, postgres.url, broker.url, free_port())
    for server in reversed(servers):
        server.stop()
    shutil.rmtree(folder.root)


def test_the_services_run_with_their_environment_and_secrets(containers):
    migrate = containers.start("migrate")

    assert migrate.wait(timeout=600) == 0, containers.log("migrate")
    assert re.search(r"^Sign in as \S+ with the password \S+$", containers.log("migrate"), flags=re.MULTILINE)
    assert not containers.is_healthy("web")
    with psycopg.connect(
        containers.database_url
    ) as connection:  # what was due an hour ago, beat does at once
        connection.execute(
            "UPDATE django_celery_beat_periodictask SET last_run_at = now() - interval '1 hour'"
        )

    running = {name: containers.start(name) for name in OURS[1:]}
    try:
        for name, process in running.items():
            containers.wait_until_healthy(name, process)
    finally:
        for name, process in running.items():
            process.send_signal(getattr(signal, SERVICES[name].get("stop_signal", "SIGTERM")))
        ends = {name: process.wait(timeout=180) for name, process in running.items()}
    assert ends == dict.fromkeys(running, 0), {name: containers.log(name)[-500:] for name in running}
