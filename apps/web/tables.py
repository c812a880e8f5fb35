"""Any table of a page as a file: `?format=csv` or `?format=xlsx` at the address of the page."""

from collections.abc import Iterable, Sequence

from django.http import HttpRequest, HttpResponse

from apps.reports.sheets import Cell, Sheet, as_csv, as_workbook

CSV = "text/csv; charset=utf-8"
XLSX = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"
FORMATS = ("csv", "xlsx")


def table_file(
    request: HttpRequest, key: str, heads: Sequence[str], rows: Iterable[Sequence[Cell]], name: str = ""
) -> HttpResponse | None:
    """
    The table as a file where the address asks for it, else None and the rows are never computed.

    `key` is the id of the table on its page, `heads` name units, `name` is that of the file (else the key). Rows hold
    figures as numbers and days as days; a figure that is missing is None, or the word that says which way.
    """
    asked = request.GET.get("format", "")
    if asked not in FORMATS or request.GET.get("table", key) != key:
        return None
    return file_of(Sheet(name or key, heads, rows), asked)


def file_of(sheet: Sheet, kind: str) -> HttpResponse:
    """The sheet as something to download, "csv" or "xlsx"."""
    made = as_csv(sheet) if kind == "csv" else as_workbook([sheet])
    response = HttpResponse(made, content_type=CSV if kind == "csv" else XLSX)
    response["Content-Disposition"] = f'attachment; filename="{_file_name(sheet.name)}.{kind}"'
    return response


def _file_name(name: str) -> str:
    return "".join(
        letter if letter.isascii() and (letter.isalnum() or letter in "-_.") else "_" for letter in name
    )
