"""What stands on the page of a host of all that runs on it, and on an instance's page of the host below it."""

from datetime import date
from typing import Any

from django.http import HttpRequest, HttpResponse

from apps.inventory.models import Target
from apps.web.guest_tables import guest_tables
from apps.web.storage_path_table import storage_path_table, storage_paths
from apps.web.tables import FilledTable

Tables = list[FilledTable[Any]]


def tables_of_host(host: Target, day: date) -> Tables:
    """The instances on a host with their sums, and the devices below the files of all of them; of others nothing."""
    if host.kind != Target.Kind.HOST:
        return []
    instances = instances_on(host)
    return _with_rows(
        [
            *guest_tables(host, instances, day),
            storage_path_table(host, storage_paths(host, instances, day), day),
        ]
    )


def tables_of_instance(instance: Target, host: Target, day: date) -> Tables:
    """The instances that share its host, and the devices below its own files."""
    paths = storage_paths(host, [instance], day)
    return _with_rows([*guest_tables(host, instances_on(host), day), storage_path_table(host, paths, day)])


def instances_on(host: Target) -> list[Target]:
    return list(Target.objects.in_estate().filter(runs_on=host).order_by("name"))


def _with_rows(tables: Tables) -> Tables:
    return [table for table in tables if len(table)]


def file_among(request: HttpRequest, tables: Tables) -> HttpResponse | None:
    """The file of the table that the address names; None where it names none of them."""
    named = [table for table in tables if table.key == request.GET.get("table")]
    return named[0].file(request) if named else None
