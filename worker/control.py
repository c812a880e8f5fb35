"""
Tests of connections, made by the worker for collections in threads of their own.

Somebody waits for them in front of a page. Its queue may be hours long and all its threads may wait for targets; what
is broadcast is heard by the worker's main thread, and needs neither. A broadcast that nobody hears is lost, which the
page tells after a few seconds.
"""

from threading import BoundedSemaphore, Thread
from typing import Any

from celery.worker.control import control_command
from django.db import close_old_connections, connection

from apps.collection.connection import MOST_IN_ALL, run_test

QUEUE = "collect"
_turns = BoundedSemaphore(MOST_IN_ALL)


@control_command(args=[("test_id", int)], signature="<test>")  # type: ignore[untyped-decorator]
def try_connection(state: Any, test_id: int) -> None:
    """Test a connection that a page wrote down."""
    if QUEUE in state.app.amqp.queues.consume_from and _turns.acquire(blocking=False):
        Thread(target=_run, args=(test_id,), name=f"test {test_id}", daemon=True).start()


def _run(test_id: int) -> None:
    try:
        close_old_connections()
        run_test(test_id)
    finally:
        connection.close()
        _turns.release()
