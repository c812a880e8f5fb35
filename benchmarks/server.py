"""
A database of its own to measure in: on the embedded server in a temporary folder, or on the one that
HEADROOM_BENCH_DATABASE_URL names. Both leave nothing behind.
"""

import os
import shutil
import tempfile
from base64 import urlsafe_b64encode
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any
from urllib.parse import urlsplit

import psycopg
from psycopg import sql

from apps.config.embedded.folder import Folder
from apps.config.embedded.postgres import Postgres
from benchmarks.report import BenchmarkReport

ADDRESS = "HEADROOM_BENCH_DATABASE_URL"
SCRATCH = f"headroom_bench_{os.getpid()}"


@contextmanager
def scratch_database() -> Iterator[None]:
    """A new database, and the product set up to work on it."""
    folder = Folder(tempfile.mkdtemp(prefix="headroom-bench-"))
    folder.root.chmod(0o711)
    folder.make()
    address = os.environ.get(ADDRESS, "")
    try:
        with _on_given_server(address) if address else _on_embedded_server(folder) as url:
            _set_up_product(folder, url)
            yield
            _sign_off()
    finally:
        shutil.rmtree(folder.root, ignore_errors=True)


def measured_alone(measure: Callable[[BenchmarkReport], object]) -> int:
    """Measure in a scratch database and print the table; 1 where something was missed, else 0."""
    report = BenchmarkReport()
    with scratch_database():
        measure(report)
    print(f"\n{report.table()}")
    return 1 if report.missed else 0


@contextmanager
def _on_embedded_server(folder: Folder) -> Iterator[str]:
    postgres = Postgres(folder)
    postgres.prepare()
    server = postgres.start()
    try:
        server.wait_until(postgres.is_ready, "PostgreSQL", seconds=60)
        yield postgres.url
    finally:
        server.stop()


@contextmanager
def _on_given_server(url: str) -> Iterator[str]:
    name = sql.Identifier(SCRATCH)
    with psycopg.connect(url, autocommit=True) as connection:
        connection.execute(sql.SQL("CREATE DATABASE {}").format(name))
        try:
            yield urlsplit(url)._replace(path=f"/{SCRATCH}").geturl()
        finally:
            connection.execute(sql.SQL("DROP DATABASE {} WITH (FORCE)").format(name))


def _set_up_product(folder: Folder, url: str) -> None:
    for name in [name for name in os.environ if name.startswith("HEADROOM_") and name != ADDRESS]:
        del os.environ[name]  # what is measured are the defaults
    os.environ |= {
        "DJANGO_SETTINGS_MODULE": "apps.config.settings",
        "HEADROOM_DATA": str(folder.root),
        "HEADROOM_DATABASE_URL": url,
        "HEADROOM_BROKER_URL": "memory://",
        "HEADROOM_SECRET_KEY": "for benchmarks alone",
        "HEADROOM_SECRET_KEYS": urlsafe_b64encode(b"for benchmarks, 32 bytes long...").decode(),
        "HEADROOM_DEMO": "0",
    }
    import django

    django.setup()


def _sign_off() -> None:
    from django.db import connections

    connections.close_all()


def has_lz4() -> bool:
    """Whether the server can compress by lz4, which the product then does."""
    return bool(
        _query_text("SELECT 'lz4' = ANY(enumvals) FROM pg_settings WHERE name = 'default_toast_compression'")
    )


def description() -> str:
    """The server and how it compresses vectors."""
    return f"PostgreSQL {_query_text('SHOW server_version')}, vectors compressed by {'lz4' if has_lz4() else 'pglz'}"


def _query_text(query: str) -> Any:
    from django.db import connection

    with connection.cursor() as cursor:
        cursor.execute(query)
        return cursor.fetchone()[0]
