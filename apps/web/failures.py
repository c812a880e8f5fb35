"""What people see where a page failed: one sentence, and for a full disk what to do."""

import sys

import psycopg
from django.db import OperationalError
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.csrf import requires_csrf_token
from django.views.defaults import server_error


@requires_csrf_token
def page_failed(request: HttpRequest) -> HttpResponse:
    """503 where PostgreSQL has no room to write, else Django's own 500."""
    error = sys.exc_info()[1]
    if isinstance(error, OperationalError) and isinstance(error.__cause__, psycopg.errors.DiskFull):
        return render(request, "no_room.html", status=503)
    return server_error(request)
