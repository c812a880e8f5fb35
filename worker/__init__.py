"""
Work done behind the pages, and by the clock.

celery.py     the Celery application
schedule.py   the timetable's defaults; people change it in the application
tasks.py      the tasks, one call each
"""

from worker.celery import app  # whoever imports a task speaks to our broker

__all__ = ["app"]
