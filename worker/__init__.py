"""
Work done behind the pages, and by the clock.

celery.py     the Celery application
broker.py     the way to the broker, whose loss ends no worker
schedule.py   the timetable's defaults; people change it in the application
tasks.py      the tasks, one call each
control.py    tests of connections, which wait for no queue
"""

from worker.celery import app  # whoever imports a task speaks to our broker

__all__ = ["app"]
