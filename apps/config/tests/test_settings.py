"""Production is the default; what only works over https follows HEADROOM_URL; secrets are made once and kept."""

import json
import os
import stat
import subprocess
import sys
from pathlib import Path

import pytest
from django.core.management import call_command

ROOT = Path(__file__).resolve().parents[3]
PRINT = "import json; from apps.config import settings as s; print(json.dumps({n: getattr(s, n, None) for n in %r}, default=str))"


def run(*command: str, **settings: str) -> subprocess.CompletedProcess[str]:
    """A program of its own, with just these settings."""
    inherited = {name: value for name, value in os.environ.items() if not name.startswith("HEADROOM_")}
    return subprocess.run(
        [sys.executable, *command],
        env={**inherited, **settings},
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )


def read(*names: str, **settings: str):
    done = run("-c", PRINT % (names,), **settings)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


SECURE = ("SECURE_SSL_REDIRECT", "SECURE_HSTS_SECONDS", "SESSION_COOKIE_SECURE", "CSRF_COOKIE_SECURE")


def test_over_plain_http_nobody_is_locked_out(tmp_path):
    assert not any(read(*SECURE, HEADROOM_DATA=str(tmp_path), HEADROOM_URL="http://estate:8000").values())


def test_over_https_everything_is_secure(tmp_path):
    settings = read(
        *SECURE, "ALLOWED_HOSTS", HEADROOM_DATA=str(tmp_path), HEADROOM_URL="https://headroom.example.com"
    )

    assert all(settings.values())
    assert "headroom.example.com" in settings["ALLOWED_HOSTS"]
    assert "*" not in settings["ALLOWED_HOSTS"]


def test_django_has_nothing_to_say_about_a_deployment(tmp_path):
    done = run(
        "manage.py", "check", "--deploy", "--fail-level", "WARNING",
        HEADROOM_DATA=str(tmp_path), HEADROOM_URL="https://headroom.example.com",
    )  # fmt: skip

    assert done.returncode == 0, done.stderr


def test_debug_is_asked_for(tmp_path):
    assert read("DEBUG", HEADROOM_DATA=str(tmp_path)) == {"DEBUG": False}
    assert read("DEBUG", HEADROOM_DATA=str(tmp_path), HEADROOM_DEBUG="1") == {"DEBUG": True}


def test_secrets_are_made_once_and_are_private(tmp_path):
    data = tmp_path / "var"

    first, second = (read("SECRET_KEY", "HEADROOM_SECRET_KEYS", HEADROOM_DATA=str(data)) for _ in range(2))

    assert first == second
    assert {stat.S_IMODE((data / name).stat().st_mode) for name in ("secret-key", "secret-keys")} == {0o600}


def test_a_secret_that_is_given_is_not_made(tmp_path):
    key = tmp_path / "key"
    key.write_text("given\n")

    secret = read("SECRET_KEY", HEADROOM_DATA=str(tmp_path / "var"), HEADROOM_SECRET_KEY_FILE=str(key))

    assert secret == {"SECRET_KEY": "given"}
    assert not (tmp_path / "var/secret-key").exists()


def test_secrets_that_cannot_be_kept_get_a_sentence(tmp_path):
    (tmp_path / "var").write_text("in the way")

    done = run("manage.py", "check", HEADROOM_DATA=str(tmp_path / "var"))

    assert done.returncode == 1
    assert done.stderr.startswith("HEADROOM_SECRET_KEY is not set and cannot be made and kept: ")
    assert "Traceback" not in done.stderr


def test_only_the_web_has_a_pool(tmp_path):
    both = "from apps.config import {}; from django.conf import settings; print('pool' in settings.DATABASES['default']['OPTIONS'])"

    web = run("-c", both.format("wsgi"), HEADROOM_DATA=str(tmp_path))
    worker = run(
        "-c",
        both.format("settings"),
        HEADROOM_DATA=str(tmp_path),
        DJANGO_SETTINGS_MODULE="apps.config.settings",
    )

    assert (web.stdout.strip(), worker.stdout.strip()) == ("True", "False"), web.stderr + worker.stderr


def test_a_database_that_does_not_answer_gets_a_sentence(tmp_path):
    done = run("manage.py", "migrate", HEADROOM_DATA=str(tmp_path))

    assert done.returncode == 1
    assert done.stderr.startswith("Headroom's database does not answer: start it with `make run`")
    assert "Traceback" not in done.stderr


@pytest.mark.django_db
def test_no_migration_is_missing():
    call_command("makemigrations", "--check", "--dry-run", verbosity=3)
