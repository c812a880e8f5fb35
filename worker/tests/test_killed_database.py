"""A PostgreSQL that is killed while a target is read costs no reading."""

import json
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


def test_S6_a_database_killed_while_a_target_is_read_costs_neither_the_slot_nor_its_lease():
    done = subprocess.run(
        [sys.executable, "-m", "worker.tests.killed_database"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=600,
        check=False,
    )

    assert done.returncode == 0, done.stderr[-3000:]
    assert json.loads(done.stdout.splitlines()[-1]) == {
        "state": "complete",
        "tries": 1,
        "snapshots": 2,
        "days": ["2026-06-28", "2026-06-29"],
        "leased_by": "",
        "waits_for_roll_up": 0,
    }
