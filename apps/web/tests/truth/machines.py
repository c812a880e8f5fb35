"""What stands on the page of a host of all that runs on it: instances side by side, and the devices below their files."""

from urllib.parse import urlencode

from apps.catalog.storage_levels import device_level_of, file_level_of
from apps.inventory.models import Target
from apps.web.tests.truth.figures import say_figure
from apps.web.tests.truth.html import PageTable, by_head
from apps.web.tests.truth.ledger import Ledger
from apps.web.tests.truth.product import Linked, Product, linked

GUESTS, PATHS = "guests-", "storage-paths"


def read_machine(product: Product, ledger: Ledger, host: Target, day: str) -> None:
    """Each figure of an instance or a device is that of its own pages; the sums are those of their parts."""
    address = f"/targets/{host.pk}?{urlencode({'on': day})}"
    for key, table in product.tables(address).items():
        if key.startswith(GUESTS):
            _read_guests(ledger, address, table)
        elif key == PATHS:
            _read_paths(ledger, address, host, table, day)


def read_walk(product: Product, ledger: Ledger, target: Target, day: str) -> None:
    """The evidence of the walk is figures of statistics."""
    address = f"/targets/{target.pk}/walk?{urlencode({'on': day})}"
    if table := product.tables(address).get("walk"):
        for line in table.rows:
            cells = by_head(table, line)
            of = linked(cells["statistic"].links)
            if of is not None:
                say_figure(ledger, address, of, day, text=cells["the day"].text, unit=cells["unit"].text)


def _read_guests(ledger: Ledger, address: str, table: PageTable) -> None:
    for cells in table.rows:
        for head, cell in zip(table.heads, cells, strict=True):
            of = linked(cell.links)
            if of is not None:
                unit = head.rpartition(", ")[2] if ", " in head else ""
                say_figure(ledger, address, of, of.day, text=cell.text, unit=unit)


def _read_paths(ledger: Ledger, address: str, host: Target, table: PageTable, day: str) -> None:
    level = device_level_of(host.platform)
    assert level is not None
    platforms = dict(Target.objects.filter(runs_on=host).values_list("name", "platform"))
    for line in table.rows:
        cells = by_head(table, line)
        for name, head in (("disk", "disk"), ("volume", "volume"), ("made of", "device")):
            of = linked(cells[name].links) if name in cells else None
            if of is None:
                continue
            files = file_level_of(platforms[of.target]) if name == "disk" else None
            counted = files.disks if files is not None and files.disks is not None else level
            for way, metric in (("read", counted.read), ("write", counted.write)):
                device = Linked(of.target, metric, of.component, day)
                say_figure(ledger, address, device, day, text=cells[f"{way}: {head}, ms"].text, unit="ms")
