"""What rules notice: the figures behind it are those of the statistics they lead to, and every finding is told alike."""

import re
from html import unescape

from apps.advisors.models import Finding
from apps.inventory.models import Target
from apps.thresholds.models import Violation
from apps.web.tests.truth.figures import say_figure
from apps.web.tests.truth.html import Cell
from apps.web.tests.truth.ledger import Ledger
from apps.web.tests.truth.product import Product, linked

_PIECE = re.compile(r'<a href="([^"]*/statistics/[^"]*)"[^>]*>[^<]*</a> <strong>([^<]*)</strong>')
_SPACES = str.maketrans("\N{NARROW NO-BREAK SPACE}\N{NO-BREAK SPACE}", "  ")


def read_findings(product: Product, ledger: Ledger) -> None:
    """The findings of the estate, of each target and of each case, their figures and how many there are."""
    live = Finding.objects.live().filter(target__retired_at=None)
    _read_page(product, ledger, "/findings", live.count())
    for target in Target.objects.in_estate().filter(rule_trial__isnull=False):
        around = [target.pk, target.runs_on_id]
        _read_page(product, ledger, f"/targets/{target.pk}/findings", live.filter(target__in=around).count())
    for case in Violation.objects.live().filter(target__retired_at=None):
        _read_evidence(product, ledger, f"/violations/{case.pk}")
    fired = sum(int(float(row["fires on targets"])) for row in product.rows("/rules", "rules"))
    ledger.claim(fired == live.count(), f"/rules count {fired} findings, there are {live.count()}")


def _read_page(product: Product, ledger: Ledger, address: str, count: int) -> None:
    table = product.tables(address).get("findings")
    rows = 0 if table is None else sum(any(_is_of_rule(cell) for cell in row) for row in table.rows)
    ledger.claim(rows == count, f"{address} shows {rows} findings, there are {count}")
    if rows:
        in_file = len(product.rows(address, "findings"))
        ledger.claim(in_file == count, f"the file of {address} has {in_file} findings, there are {count}")
    _read_evidence(product, ledger, address)


def _read_evidence(product: Product, ledger: Ledger, address: str) -> None:
    """The figures behind the findings of a page."""
    for link, text in _PIECE.findall(product.page(address)):
        of = linked([unescape(link)])
        assert of is not None
        value, _, unit = unescape(text).translate(_SPACES).partition(" ")
        if value != "none":
            say_figure(ledger, address, of, of.day, text=value, unit=unit)


def _is_of_rule(cell: Cell) -> bool:
    """Whether a cell names a finding, and not the group of the rows below."""
    return any(link.startswith("/rules/") for link in cell.links)
