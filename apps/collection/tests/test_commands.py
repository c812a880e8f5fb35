"""The commands of operators: JSON with the documented keys, and one sentence with exit code 1 for bad input."""

import io
import json
import os
import re
import subprocess
import sys
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command

from apps.collection import full_disk
from apps.collection.collector import CollectionError
from apps.collection.engine.disk import DiskRoom
from apps.collection.lease import take_lease
from apps.collection.models import CollectionRun
from apps.collection.tests.scripted import SCRIPT, TODAY, Story, days_before, instance, prepare, reading
from apps.inventory.models import Credential, Target
from apps.platforms.linux.tests.test_ssh import sshd as sshd  # a real one, on loopback
from apps.thresholds.models import Threshold, Violation

pytestmark = pytest.mark.django_db

ROOT = Path(__file__).resolve().parents[3]
DOCUMENTED = (ROOT / "docs/commands.md").read_text()


@pytest.fixture
def target() -> Target:
    prepare()
    return instance()


@pytest.fixture
def measured(target: Target) -> Target:
    story = Story(target, classes={"log file sync": "Commit"})
    for on in (TODAY - timedelta(days=7), TODAY):
        story.day(on, redo=50, cpu=100, waits={"log file sync": (1000, 10)}, used={"DATA": 9}, hits=44)
    return target


def run_command(name: str, *arguments: str, typed: str = "") -> str:
    output, stdin = io.StringIO(), sys.stdin
    sys.stdin = io.StringIO(typed)
    try:
        call_command(name, *arguments, stdout=output)
    finally:
        sys.stdin = stdin
    return output.getvalue()


def run_for_json(name: str, *arguments: str, typed: str = "") -> Any:
    (line,) = run_command(name, *arguments, "--json", typed=typed).splitlines()
    return json.loads(line)


def keys_documented_of(heading: str) -> set[str]:
    """The keys that a section of docs/commands.md names in its table."""
    section = DOCUMENTED.split(f"\n## {heading}\n")[1].split("\n## ")[0]
    return set(re.findall(r"^\| `(\w+)`", section, re.MULTILINE))


def all_keys(value: Any) -> set[str]:
    if isinstance(value, dict):
        return set(value) | {key for part in value.values() for key in all_keys(part)}
    return {key for part in value for key in all_keys(part)} if isinstance(value, list) else set()


# ── collect ──────────────────────────────────────────────────────────────────────────────────────────────────────────


def test_collect_prints_the_run_with_the_documented_keys(target):
    SCRIPT.answers["SCRIPT"] = reading(datetime(2026, 6, 30, tzinfo=UTC), failed={"waits": "No grant."})

    run = run_for_json("collect", "SCRIPT", "--now", "2026-06-30T00:05:30")

    assert (run["target"], run["slot"], run["state"]) == ("SCRIPT", "2026-06-30T00:05:00+00:00", "partial")
    assert all_keys(run) == keys_documented_of("collect")


def test_collect_by_hand_has_the_minute_it_was_asked_for_as_its_slot(target):
    run_command("collect", "script", "--now", "2026-06-30T02:07:41+02:00")

    assert SCRIPT.calls == [("SCRIPT", datetime(2026, 6, 30, 0, 7, tzinfo=UTC))]


def test_collect_tells_of_a_failure_and_ends_with_one(target, capsys):
    SCRIPT.answers["SCRIPT"] = CollectionError("Nothing answers at db1:1521.")

    with pytest.raises(SystemExit) as ended:
        call_command("collect", "SCRIPT", "--now", "2026-06-30T00:05", "--json")

    run = json.loads(capsys.readouterr().out)
    assert (ended.value.code, run["state"], run["reason"]) == (1, "failed", "Nothing answers at db1:1521.")


def test_collect_refuses_a_target_that_is_being_collected(target):
    now = datetime(2026, 6, 30, 0, 5, tzinfo=UTC)
    take_lease(target, "somebody", now)

    with pytest.raises(CommandError, match="is being collected already"):
        run_command("collect", "SCRIPT", "--now", now.isoformat())

    assert not CollectionRun.objects.exists()


@pytest.mark.parametrize(
    ("days", "why"),
    [(-500, "lies before what is kept: readings are kept for 400 days"), (400, "lies in the future")],
)
def test_O2_collect_refuses_a_moment_outside_of_what_is_kept_before_the_run_begins(target, days, why):
    moment = datetime.now(UTC) + timedelta(days=days)

    with pytest.raises(CommandError, match=why):
        run_command("collect", "SCRIPT", "--now", moment.isoformat())

    assert not CollectionRun.objects.exists()
    assert SCRIPT.calls == []


def test_O2_collect_makes_room_for_a_moment_of_months_ago(target):
    moment = datetime.now(UTC).replace(day=15) - timedelta(days=330)
    SCRIPT.answers["SCRIPT"] = reading(moment)

    assert run_for_json("collect", "SCRIPT", "--now", moment.isoformat())["state"] == "complete"


def test_O5_collect_does_not_try_a_refused_password_again(target):
    SCRIPT.answers["SCRIPT"] = CollectionError("ORA-01017: the password is wrong.", needs_a_person=True)
    with pytest.raises(SystemExit):
        run_command("collect", "SCRIPT", "--now", "2026-06-30T00:05")

    with pytest.raises(CommandError, match=r"SCRIPT waits for a person and was not tried: ORA-01017"):
        run_command("collect", "SCRIPT", "--now", "2026-06-30T00:06")
    assert len(SCRIPT.calls) == 1
    SCRIPT.answers["SCRIPT"] = reading(datetime(2026, 6, 30, 0, 7, tzinfo=UTC))
    run_command("collect", "SCRIPT", "--now", "2026-06-30T00:07", "--even-if-blocked")

    assert len(SCRIPT.calls) == 2
    target.refresh_from_db()
    assert not target.is_blocked


@pytest.mark.parametrize("command", [("collect", "SCRIPT"), ("review",)])
def test_while_the_disk_is_full_nothing_is_read_or_reviewed(target, command, monkeypatch, settings, tmp_path):
    settings.HEADROOM_DISK = tmp_path
    monkeypatch.setattr(full_disk, "measure_disk", lambda folder: DiskRoom(1000, 10**9, None))

    with pytest.raises(CommandError, match=r"is nearly full \(.* left\): make room"):
        run_command(*command)

    assert not CollectionRun.objects.exists()


def test_collect_refuses_a_retired_target(target):
    target.retire(datetime(2026, 6, 1, tzinfo=UTC))

    with pytest.raises(CommandError, match="was retired on 1 June 2026"):
        run_command("collect", "SCRIPT")


# ── profile ──────────────────────────────────────────────────────────────────────────────────────────────────────────


def test_profile_prints_rows_with_the_documented_keys(measured):
    run_command(
        "add_threshold", "SCRIPT", "x_read_ms", "0", "--component", "log file sync", "--severity", "critical"
    )

    profile = run_for_json("profile", "SCRIPT", "--on", TODAY.isoformat())

    assert all_keys(profile) == keys_documented_of("profile")
    assert (profile["target"], profile["day"]) == ("SCRIPT", TODAY.isoformat())
    rows = {(row["statistic"], row["component"]): row for row in profile["rows"]}
    row = rows["x_read_ms", "log file sync"]
    assert (row["class"], row["unit"], row["today"]) == ("Commit", "cs", 1)
    assert (row["threshold"], row["severity"], row["state"]) == ("0", "critical", "violated")
    assert row["minus_7"] == {
        "value": 1, "day": (TODAY - timedelta(days=7)).isoformat(), "delta_percent": 0, "change": None, "presence": "present",
        "hours": 24.0, "spans_days": 1, "is_partial": False, "is_since_restart": False,
    }  # fmt: skip
    assert row["minus_90"] == {
        "value": None,
        "day": None,
        "delta_percent": None,
        "change": None,
        "presence": "no_data",
        "hours": None,
        "spans_days": 1,
        "is_partial": False,
        "is_since_restart": False,
    }
    assert rows["x_hit_pct", ""]["minus_7"]["delta_points"] == 0


def test_profile_without_a_day_is_todays(measured):
    assert run_for_json("profile", "SCRIPT")["day"] == TODAY.isoformat()
    assert "log file sync (cs)" in run_command("profile", "SCRIPT")


def test_profile_of_a_target_without_figures_says_what_is_needed(target):
    with pytest.raises(CommandError, match="has no figures yet: two readings are needed"):
        run_command("profile", "SCRIPT")


# ── thresholds ───────────────────────────────────────────────────────────────────────────────────────────────────────


def test_add_threshold_prints_what_it_made_with_the_documented_keys(target):
    made = run_for_json("add_threshold", "SCRIPT", "x_redo", "50 GB/day", "--severity", "critical")

    assert set(made) == keys_documented_of("add_threshold")
    assert (made["threshold"], made["unit"], made["severity"]) == ("50 GB/day", "GB/day", "critical")


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["SCRIPT", "x_redo", "<1,5"], "has a comma; write decimals with a point"),
        (["SCRIPT", "x_redo", "2 parsecs"], "is not a unit of redo. Give it in GB/day"),
        (["SCRIPT", "x_nothing", "2"], "x_nothing is not a statistic of the catalogue"),
        (["SCRIPT", "x_busy_pct", "2"], "one of another platform"),
        (["NOBODY", "x_redo", "2"], "There is no target named NOBODY. Registered are: SCRIPT."),
        (["SCRIPT", "x_redo", "2", "--severity", "mild"], "invalid choice: 'mild'"),
        (["SCRIPT", "x_redo"], "required: notation"),
    ],
)
def test_a_limit_that_cannot_be_set_gets_a_sentence_and_nothing_is_saved(target, arguments, sentence):
    with pytest.raises(CommandError, match=re.escape(sentence)):
        run_command("add_threshold", *arguments)

    assert not Threshold.objects.exists()


def test_check_thresholds_and_review_print_violations_with_the_documented_keys(measured):
    run_command("add_threshold", "SCRIPT", "x_used", "8")

    checked = run_for_json("check_thresholds", "--on", TODAY.isoformat())
    reviewed = run_for_json("review", "--on", TODAY.isoformat(), "--target", "SCRIPT")

    assert all_keys(checked) | {"continued"} == keys_documented_of("check_thresholds and review")
    (answer,) = checked
    assert [violation["component"] for violation in answer["opened"]] == ["DATA"]
    assert [violation["state"] for violation in reviewed[0]["continued"]] == ["open"]
    assert Violation.objects.get().plan is not None


def test_check_thresholds_says_in_words_what_it_did(measured):
    assert "0 opened, 0 continued, 0 closed" in run_command("check_thresholds", "--on", TODAY.isoformat())


@pytest.mark.parametrize("command", ["check_thresholds", "review"])
def test_only_closed_days_are_judged(measured, command):
    today = datetime.now(UTC).date()
    run_command("add_threshold", "SCRIPT", "x_used", "8")

    with pytest.raises(CommandError, match="is not closed yet"):
        run_command(command, "--on", (today + timedelta(days=1)).isoformat())

    assert not Violation.objects.exists()


def test_review_makes_up_for_every_closed_day_once(target):
    today = datetime.now(UTC).date()
    prepare(today)
    story = Story(target)
    for on in days_before(today - timedelta(days=2), 4):
        story.day(on, used={"DATA": 9})

    first = run_for_json("review")

    assert [answer["day"] for answer in first][:4] == [
        on.isoformat() for on in days_before(today - timedelta(days=2), 4)
    ]
    assert run_command("review") == "Every closed day was reviewed already.\n"


@pytest.mark.parametrize(
    ("command", "arguments", "sentence"),
    [
        ("profile", ["SCRIPT", "--on", "2026-02-30"], "“2026-02-30” is not a day; write it like 2026-02-17"),
        ("review", ["--on", "yesterday"], "“yesterday” is not a day"),
        ("check_thresholds", ["--on", "31.12.2026"], "“31.12.2026” is not a day"),
        ("collect", ["SCRIPT", "--now", "noon"], "“noon” is not a moment; write it like 2026-02-17T00:05"),
        ("collect", ["NOBODY"], "There is no target named NOBODY"),
        ("review", ["--target", "NOBODY"], "There is no target named NOBODY"),
        ("add_host", ["web1", "--port", "ssh"], "invalid int value: 'ssh'"),
    ],
)
def test_bad_input_gets_a_sentence(target, command, arguments, sentence):
    with pytest.raises(CommandError, match=re.escape(sentence)):
        run_command(command, *arguments)


# ── registering ──────────────────────────────────────────────────────────────────────────────────────────────────────

INSTANCE = ["ERP", "--host", "db1", "--service", "ERPPRD", "--user", "HEADROOM", "--password-stdin"]


def test_add_instance_reads_the_password_from_its_standard_input():
    made = run_for_json("add_instance", *INSTANCE, typed="tiger's secret\n")

    assert set(made) == keys_documented_of("add_instance and add_host")
    credential = Credential.objects.get()
    assert credential.peek_at(credential.target.address) == "tiger's secret"
    assert Target.objects.get().address == {"host": "db1", "port": 1521, "service": "ERPPRD"}


@pytest.mark.parametrize(
    ("arguments", "typed", "sentence"),
    [
        (INSTANCE, "", "Give the password as the first line of standard input"),
        ([*INSTANCE, "--port", "0"], "secret", "0 is not a port"),
        ([*INSTANCE, "--port", "99999"], "secret", "99999 is not a port"),
        ([*INSTANCE, "--time-zone", "CEST"], "secret", "“CEST” is not a time zone"),
        (INSTANCE[:-1], "secret", "--password-stdin"),
    ],
)
def test_an_instance_that_cannot_be_registered_gets_a_sentence(arguments, typed, sentence):
    with pytest.raises(CommandError, match=sentence):
        run_command("add_instance", *arguments, typed=typed)

    assert not Target.objects.exists()


HOST_KEY = "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIJ7c+qVvE1H9gOJlX7V0nCzHlyVKFB3MEr4wGvUPtTtm"


def test_add_host_registers_this_machine_or_one_over_ssh():
    local = run_for_json("add_host", "here", "--local")
    run_command(
        "add_host", "web1", "--host", "web1", "--user", "headroom", "--host-key", f"web1 {HOST_KEY}", "--password-stdin",
        typed="secret\n",
    )  # fmt: skip

    assert set(local) == {"target", "id"}
    assert dict(Target.objects.values_list("name", "collector")) == {"here": "linux", "web1": "linux-ssh"}
    assert set(Target.objects.values_list("interval_minutes", flat=True)) == {5}


def test_add_host_registers_a_host_by_the_page_of_its_node_exporter():
    run_command(
        "add_host",
        "db01",
        "--node-exporter",
        "https://db01:9443",
        "--user",
        "prom",
        "--password-stdin",
        typed="lion\n",
    )

    target = Target.objects.get()
    assert target.collector == "linux-node-exporter"
    assert target.address == {
        "host": "db01", "port": 9443, "path": "/metrics", "protocol": "https", "certificate": "", "user": "prom",
    }  # fmt: skip
    assert target.credentials.get().peek_at(target.address) == "lion"


OVER_SSH = ("--host", "127.0.0.1", "--user", "headroom", "--key", "/k")


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        ((), "Give --host, or --local for this machine."),
        (("--host", "web1"), "Give --user, or --local for this machine."),
        (
            ("--host", "web1", "--user", "u"),
            "Give --key, or --password-stdin and a password on standard input.",
        ),
        (("--host", "web1:22", "--user", "u", "--key", "/k"), "“web1:22” has a port in it"),
        ((*OVER_SSH, "--port", "70000"), "70000 is not a port; give a number from 1 to 65535, usually 22."),
        ((*OVER_SSH, "--host-key", "ssh-ed25519 AAAA"), "“ssh-ed25519 AAAA” is not a host key"),
        (("--node-exporter", "db01:9100"), "“db01:9100” is not the URL of a page"),
        (("--node-exporter", "http://db01", "--user", "u"), "Give --user and --password-stdin"),
        (("--node-exporter", "http://db01:9100/a b"), "“/a b” is not the path of a page"),
        ((*OVER_SSH, "--port", "1"), "127.0.0.1:1 cannot be reached"),
        ((*OVER_SSH, "--host-key", HOST_KEY, "--time-zone", "Mars"), "“Mars” is not a time zone"),
    ],
)
def test_add_host_says_what_is_missing_or_wrong(arguments, sentence):
    with pytest.raises(CommandError, match=re.escape(sentence)):
        run_command("add_host", "web1", *arguments)

    assert not Target.objects.exists()


def test_add_host_takes_the_key_that_has_the_fingerprint(sshd):
    arguments = ("--host", "127.0.0.1", "--port", str(sshd.port), "--user", sshd.user, "--key", sshd.key_file)
    with pytest.raises(CommandError, match="Compare it on the host") as caught:
        run_command("add_host", "web1", *arguments)
    fingerprint = str(caught.value).rpartition(" ")[2]
    with pytest.raises(CommandError, match=f"{re.escape(fingerprint)}, not SHA256:another"):
        run_command("add_host", "web1", *arguments, "--fingerprint", "SHA256:another")

    run_command("add_host", "web1", *arguments, "--fingerprint", fingerprint)

    assert Target.objects.get().address["host_key"] == sshd.host_key


def test_on_the_command_line_bad_input_is_one_line_and_exit_code_1():
    ended = subprocess.run(
        [sys.executable, "manage.py", "add_threshold", "SCRIPT", "x_redo", "2", "--severity", "mild"],
        cwd=ROOT, env=os.environ, capture_output=True, text=True, timeout=300,
    )  # fmt: skip

    assert ended.returncode == 1
    assert ended.stdout == ""
    assert len(ended.stderr.splitlines()) == 1
    assert "invalid choice: 'mild'" in ended.stderr
