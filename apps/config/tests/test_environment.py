"""The environment is made once from the locks; a machine that lacks something gets a sentence."""

import os
import re
import shutil
import stat
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[3]
HASHED = re.compile(r"^([a-z0-9-]+)==(\S+)(?: ; .*)? \\$", re.MULTILINE)


def program(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(f"#!/bin/sh\n{text}\n")
    path.chmod(0o755)


class Checkout:
    """A copy of the script and the locks, with a Python and a uv that only pretend."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.bin = root / "bin"
        (root / ".ci").mkdir()
        shutil.copy(ROOT / ".ci/environment.sh", root / ".ci")
        self.lock("one")
        for name in ("sh", "dirname", "cmp", "cp", "rm", "cut", "echo", "cat", "chmod", "mkdir"):
            self.bin.mkdir(exist_ok=True)
            (self.bin / name).symlink_to(shutil.which(name) or "")

    def lock(self, text: str) -> None:
        for name in ("requirements.txt", "requirements-dev.txt"):
            (self.root / name).write_text(f"{name} {text}")

    def python(self, name: str, version: str, has_venv: bool = True) -> None:
        checks = f'case "$*" in *version_info*) {"true" if self._fits(version) else "false"};; *ensurepip*) {"true" if has_venv else "false"};; --version) echo Python {version};; esac'
        program(self.bin / name, checks)

    @staticmethod
    def _fits(version: str) -> bool:
        return version.rsplit(".", 1)[0] in ("3.11", "3.12", "3.13")

    def uv(self, python: str = "/bin/true") -> None:
        """A uv whose environments have this Python."""
        make_venv = (
            f"mkdir -p .venv/bin && printf '#!/bin/sh\\nexec {python} \"$@\"\\n' > .venv/bin/python"
            " && chmod 755 .venv/bin/python"
        )
        program(self.bin / "uv", f'echo "$*" >> calls\ncase "$1" in venv) {make_venv};; esac')

    def make(self, kind: str, **settings: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [self.root / ".ci/environment.sh", kind],
            env={"PATH": str(self.bin), **settings}, stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False,
        )  # fmt: skip

    def installed(self) -> list[str]:
        """The locks that were installed since we last asked."""
        calls = self.root / "calls"
        lines = calls.read_text().splitlines() if calls.exists() else []
        calls.unlink(missing_ok=True)
        return [line.split()[-1] for line in lines if line.startswith("pip sync")]


@pytest.fixture
def checkout(tmp_path: Path) -> Checkout:
    return Checkout(tmp_path)


def test_a_python_that_does_not_fit_gets_a_sentence(checkout):
    checkout.python("python3", "3.9.2")

    done = checkout.make("run")

    assert done.returncode == 1
    assert done.stderr == "Headroom needs Python 3.11, 3.12 or 3.13; found is Python 3.9.2.\n"


def test_no_python_gets_a_sentence(checkout):
    done = checkout.make("run")

    assert done.stderr == "Headroom needs Python 3.11, 3.12 or 3.13; found is none.\n"


def test_a_python_without_venv_gets_a_sentence(checkout):
    checkout.python("python3", "3.11.2", has_venv=False)

    done = checkout.make("run")

    assert done.returncode == 1
    assert re.fullmatch(
        r"Headroom needs Python's venv, which \S+/python3 has not: install it .*\n", done.stderr
    )


def test_a_fitting_python_is_looked_for(checkout):
    checkout.python("python3", "3.14.0")
    checkout.python("python3.12", "3.12.1")
    checkout.uv()

    assert checkout.make("run").returncode == 0
    assert checkout.installed() == ["requirements.txt"]


def test_it_is_made_once_for_each_lock(checkout):
    checkout.python("python3", "3.13.0")
    checkout.uv()

    first = [checkout.make("run") for _ in range(2)]
    once = checkout.installed()
    checkout.lock("two")
    checkout.make("run")

    assert [done.stderr for done in first] == ["Installing what Headroom needs. This is done once.\n", ""]
    assert once == ["requirements.txt"]
    assert checkout.installed() == ["requirements.txt"]


def test_byte_code_is_made_at_installation_even_where_python_is_told_to_keep_none(checkout):
    checkout.python("python3", "3.13.0")
    checkout.uv(python=sys.executable)
    own = [checkout.root / "apps/estate.py", checkout.root / "worker/tasks.py"]
    for file in own:
        file.parent.mkdir()
        file.write_text("")

    done = checkout.make("run", PYTHONDONTWRITEBYTECODE="1")

    assert done.returncode == 0, done.stderr
    assert "--compile-bytecode" in (checkout.root / "calls").read_text()
    assert all(list(file.parent.glob(f"__pycache__/{file.stem}.*.pyc")) for file in own)


def test_code_that_changed_since_is_compiled_at_the_next_start(checkout):
    checkout.python("python3", "3.13.0")
    checkout.uv(python=sys.executable)
    checkout.make("run")
    (checkout.root / "apps").mkdir()
    (checkout.root / "apps/risks.py").write_text("")

    checkout.make("run", PYTHONDONTWRITEBYTECODE="1")

    assert list((checkout.root / "apps/__pycache__").glob("risks.*.pyc"))


def test_running_takes_nothing_away_from_the_tests(checkout):
    checkout.python("python3", "3.13.0")
    checkout.uv()

    for kind in ("dev", "run", "dev"):
        checkout.make(kind)
    once = checkout.installed()
    checkout.lock("two")
    checkout.make("run")

    assert once == ["requirements-dev.txt"]
    assert checkout.installed() == ["requirements-dev.txt"]


def test_an_installation_that_failed_is_not_taken_for_done(checkout):
    checkout.python("python3", "3.13.0")
    program(checkout.bin / "uv", 'case "$1" in pip) exit 1;; esac')

    done = [checkout.make("run") for _ in range(2)]

    assert [process.returncode for process in done] == [1, 1]


def test_the_locks_name_hashes_and_no_addresses():
    for name in ("requirements.txt", "requirements-dev.txt"):
        text = (ROOT / name).read_text()

        assert "--hash=sha256:" in text
        assert "://" not in text
        assert "--index-url" not in re.sub(r"^#.*$", "", text, flags=re.MULTILINE)


def test_what_the_tests_need_includes_what_running_needs():
    run, dev = (
        dict(HASHED.findall((ROOT / name).read_text()))
        for name in ("requirements.txt", "requirements-dev.txt")
    )

    assert run
    assert run.items() <= dev.items()


def test_every_setting_is_explained_in_the_example():
    example = (ROOT / ".env.example").read_text()
    read = set()
    for file in (ROOT / "apps").rglob("*.py"):
        if "tests" not in file.parts:
            read |= set(
                re.findall(r"(?:env\.\w+|_secret|environ\.get)\(\s*\"(HEADROOM_\w+)\"", file.read_text())
            )

    assert read
    assert {name for name in read if f"#{name}=" not in example} == set()


def test_the_secrets_of_the_containers_are_made_once(tmp_path):
    (tmp_path / ".ci").mkdir()
    shutil.copy(ROOT / ".ci/secrets.sh", tmp_path / ".ci")

    for _ in range(2):
        subprocess.run([tmp_path / ".ci/secrets.sh"], check=True)
        made = {path.name: path.read_text().strip() for path in (tmp_path / "secrets").iterdir()}

    again = {path.name: path.read_text().strip() for path in (tmp_path / "secrets").iterdir()}
    assert made == again
    assert made["postgres_password"] in made["database_url"]
    assert len(made["secret_keys"]) == 44
    assert stat.S_IMODE((tmp_path / "secrets").stat().st_mode) == 0o700
    assert os.access(tmp_path / "secrets/secret_key", os.R_OK)
