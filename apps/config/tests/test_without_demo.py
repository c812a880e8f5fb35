"""Headroom without the demo and without what stands in for an Oracle server: both are left out, and all else works."""

import os
import subprocess
import sys
from pathlib import Path
from urllib.parse import urlsplit

import psycopg
import pytest
import yaml
from psycopg.conninfo import make_conninfo

from apps.config.backup import address_of_connection

ROOT = Path(__file__).resolve().parents[3]
WITHOUT = """
from apps.config.settings import *
INSTALLED_APPS = [name for name in INSTALLED_APPS if name != "apps.demo"]
"""
RUN = """
import sys
sys.modules["apps.demo"] = sys.modules["testing"] = None  # neither can be imported
import django
django.setup()
from django.core.management import call_command
from django.test import Client
from apps.config.prepare import prepare
from apps.inventory.models import Target
from apps.people.models import User
from worker.tasks import load_example

call_command("check")
answer = prepare()
assert answer["programs"] == [], answer
load_example.apply(throw=True)
assert [target.is_demo for target in Target.objects.all()] == [False]
client = Client(SERVER_NAME="localhost")
client.force_login(User.objects.create(username="planner", may_change=True))
for page in ("", "targets", "collection", "violations", "risks", "thresholds", "schedules", "demo"):
    answer = client.get("/" + page)
    assert answer.status_code == 200, page
    assert "Open the demo" not in answer.content.decode(), page
assert client.post("/demo").status_code == client.post("/demo/open").status_code == 404
Target.objects.update(is_demo=True)  # what an installation with the demo has left
assert "cannot be removed here" in client.get("/demo").content.decode()
assert client.get("/").status_code == 200
print("done")
"""


@pytest.mark.django_db
def test_everything_works_with_the_demo_taken_out(tmp_path):
    (tmp_path / "without_demo.py").write_text(WITHOUT)
    address = urlsplit(os.environ["HEADROOM_DATABASE_URL"])
    settings = {
        "DJANGO_SETTINGS_MODULE": "without_demo",
        "HEADROOM_DATABASE_URL": address._replace(path="/headroom_without_demo").geturl(),
        "PYTHONPATH": f"{tmp_path}:{ROOT}",
    }
    with psycopg.connect(make_conninfo(**address_of_connection()), autocommit=True) as server:
        server.execute("CREATE DATABASE headroom_without_demo")
        try:
            done = subprocess.run(
                [sys.executable, "-c", RUN], cwd=tmp_path, env={**os.environ, **settings},
                capture_output=True, text=True, check=False, timeout=300,
            )  # fmt: skip
        finally:
            server.execute("DROP DATABASE headroom_without_demo WITH (FORCE)")

    assert done.returncode == 0, done.stderr
    assert done.stdout.splitlines()[-1] == "done"


def test_the_containers_start_without_the_demo_and_the_image_has_no_tools_of_the_tests():
    compose = yaml.safe_load((ROOT / "docker-compose.yml").read_text())
    ignored = (ROOT / ".dockerignore").read_text().splitlines()

    assert compose["services"]["web"]["environment"]["HEADROOM_DEMO"] == "${HEADROOM_DEMO:-0}"
    assert "*" in ignored
    assert "!testing" not in ignored
