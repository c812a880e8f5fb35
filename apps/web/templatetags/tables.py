"""Declared tables on pages, with what they are used with: filter, copy, CSV and XLSX."""

from typing import Any, Protocol

from django import template
from django.template import Context

from apps.web.tables import FilledTable


class HasFiles(Protocol):
    """What has tools: a table with its address."""

    @property
    def key(self) -> str: ...
    @property
    def title(self) -> str: ...
    @property
    def has_files(self) -> bool: ...


register = template.Library()


@register.inclusion_tag("components/table.html", takes_context=True)
def table(context: Context, filled: FilledTable[Any]) -> dict[str, Any]:
    """The table below its tools, or what it says where it has no rows."""
    return _content(context, filled) | {"tools": _tools(context, filled)}


@register.inclusion_tag("components/table.html", takes_context=True)
def bare_table(context: Context, filled: FilledTable[Any]) -> dict[str, Any]:
    """The table alone: its tools stand elsewhere."""
    return _content(context, filled)


@register.inclusion_tag("components/table_tools.html", takes_context=True)
def table_tools(context: Context, filled: HasFiles, csv_url: str = "") -> dict[str, Any]:
    """The tools alone; `csv_url` is for a table whose CSV has an address of its own."""
    return _tools(context, filled) | ({"csv_url": csv_url} if csv_url else {})


def _content(context: Context, filled: FilledTable[Any]) -> dict[str, Any]:
    return {
        "table": filled.table,
        "heads": [column.head_cell for column in filled.columns],
        "bodies": list(filled.bodies(context)) if filled else [],
    }


def _tools(context: Context, filled: HasFiles) -> dict[str, Any]:
    query = context["request"].GET.copy()
    query["table"] = filled.key
    addresses = {}
    for kind in ("csv", "xlsx"):
        query["format"] = kind
        addresses[f"{kind}_url"] = f"{context['request'].path}?{query.urlencode()}"  # of a fragment, its own
    return {"key": filled.key, "label": filled.title, "files": filled.has_files, **addresses}
