"""Tables as people use them: sorted, filtered, copied, taken along as files; the address keeps what is seen."""

import csv
import io
import re

import pytest
from playwright.sync_api import Page, expect

from apps.web.tests.browser.conftest import NewContext, sign_in


def warehouse(page: Page) -> str:
    page.goto("/targets?q=DWPRD")
    page.get_by_role("table").get_by_role("link", name="DWPRD").click()
    page.wait_for_url("**/targets/*")
    return page.url


def names_of(page: Page, table: str) -> list[str]:
    """The names of the rows that are shown, in their order."""
    return [
        text.strip() for text in page.locator(f"#{table} tbody tr:visible th[scope=row]").all_inner_texts()
    ]


def test_a_list_is_sorted_by_its_heads_and_the_address_keeps_it(page: Page):
    page.goto("/targets")
    first_order = names_of(page, "targets")
    head = page.get_by_role("columnheader", name="target", exact=True)

    head.get_by_role("button").click()
    expect(head).to_have_attribute("aria-sort", "ascending")
    names = names_of(page, "targets")
    assert names == sorted(first_order, key=str.lower) != first_order
    expect(page.locator("[data-tools-of=targets] [role=status]")).to_have_text(
        "sorted by target, smallest first"
    )
    head.get_by_role("button").press("Enter")
    expect(head).to_have_attribute("aria-sort", "descending")
    assert names_of(page, "targets") == names[::-1]
    assert page.url.endswith("targets-sort=-target")
    page.reload()

    expect(head).to_have_attribute("aria-sort", "descending")
    assert names_of(page, "targets") == names[::-1]
    head.get_by_role("button").click()
    assert head.get_attribute("aria-sort") is None
    assert names_of(page, "targets") == first_order


def open_menu(page: Page, table: str) -> None:
    """Copy and files stand in the menu of a table."""
    page.locator(f"[data-tools-of={table}] summary").click()


def test_rows_are_filtered_by_words_and_j_passes_over_the_hidden(page: Page):
    page.goto("/thresholds?thresholds-find=dwprd")
    find = page.get_by_label("Show the rows that contain")
    status = page.locator("[data-tools-of=thresholds] [role=status]")
    rows = page.locator("#thresholds tbody tr:visible")

    expect(find).to_have_value("dwprd")
    texts = rows.all_inner_texts()
    assert texts
    assert all("DWPRD" in text for text in texts)
    expect(status).to_have_text(re.compile(f"^{len(texts)} of "))
    find.fill("dwprd redo size")
    expect(rows.first).to_contain_text("redo size")
    assert rows.count() < len(texts)
    find.blur()
    page.keyboard.press("j")
    expect(page.locator("tr.at-keyboard")).to_contain_text("redo size")
    find.fill("nothing is called so")

    expect(rows).to_have_count(0)
    expect(status).to_contain_text("0 of")


def test_a_table_of_few_rows_has_no_filter(page: Page):
    page.goto("/targets")

    assert 0 < page.locator("#targets tbody tr").count() < 15
    expect(page.get_by_label("Show the rows that contain")).to_be_hidden()


def test_figures_of_different_units_do_not_stand_between_each_other(page: Page):
    page.goto("/violations?violations-sort=-value")

    units = [text.strip() for text in page.locator("#violations tbody tr td.sub.nowrap").all_inner_texts()]

    assert len(set(units)) > 1
    assert [unit for at, unit in enumerate(units) if units[at - 1] != unit or at == 0] == list(
        dict.fromkeys(units)
    )


def test_the_profile_is_sorted_within_its_sections_figures_as_figures_and_what_is_missing_last(page: Page):
    warehouse(page)
    sections = page.locator("#profile .section-name").count()

    page.locator("#profile thead .today button").click()

    assert page.locator("#profile .section-name").count() == sections
    waits = page.locator("#profile tbody").filter(has=page.locator(".section-name", has_text="Waits"))
    texts = [text.strip() for text in waits.locator("td.today").all_inner_texts()]
    figures = [float(text.replace(",", "")) for text in texts if re.fullmatch(r"[\d.,]+", text)]
    assert len(figures) > 5
    assert figures == sorted(figures, reverse=True)
    assert [re.fullmatch(r"[\d.,]+", text) is None for text in texts] == sorted(
        re.fullmatch(r"[\d.,]+", text) is None for text in texts
    )
    expect(waits.locator("tr").first.locator(".section-name")).to_have_count(1)
    page.get_by_label("Show the rows that contain").fill("log file")

    rows = page.locator("#profile tbody tr:visible")
    name = rows.first.locator(".section-name")
    assert int(name.get_attribute("rowspan") or 0) == rows.count() > 1


def test_what_is_shown_is_copied_for_a_spreadsheet(page: Page):
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    page.goto("/targets")

    open_menu(page, "targets")
    page.get_by_role("button", name="Copy").click()

    expect(page.get_by_role("button", name="Copied")).to_be_visible()
    head, *lines = [line.split("\t") for line in page.evaluate("navigator.clipboard.readText()").split("\n")]
    assert head[1] == "target"
    (line,) = [line for line in lines if line[1].startswith("GISPRD")]
    assert re.fullmatch(r"\d{4}-\d\d-\d\d \d\d:\d\d", line[8])


@pytest.mark.parametrize("kind", ["CSV", "XLSX"])
def test_a_table_is_taken_along_as_a_file(page: Page, kind: str):
    page.goto("/thresholds")

    open_menu(page, "thresholds")
    with page.expect_download() as begun:
        page.get_by_role("group", name="Thresholds").get_by_role("link", name=kind).click()

    path = begun.value.path()
    assert begun.value.suggested_filename == f"thresholds.{kind.lower()}"
    if kind == "CSV":
        rows = list(csv.reader(io.StringIO(path.read_text())))
        assert len(rows) == page.locator("#thresholds tbody tr").count() + 1
    else:
        assert path.read_bytes()[:2] == b"PK"


def test_on_a_phone_a_list_is_sorted_by_a_choice(page: Page):
    page.set_viewport_size({"width": 390, "height": 844})
    page.goto("/targets")

    page.get_by_label("sort by").select_option("target")

    names = names_of(page, "targets")
    assert names == sorted(names, key=str.lower)
    assert page.locator("#targets thead button").first.get_attribute("tabindex") == "-1"


def test_without_scripts_a_table_is_read_as_it_is(new_context: NewContext):
    context = new_context(java_script_enabled=False)
    page = context.new_page()
    page.goto("/sign-in?next=/thresholds")
    sign_in(page)
    page.wait_for_url("**/thresholds")

    expect(page.locator("#thresholds tbody tr").first).to_be_visible()
    expect(page.locator("#thresholds thead button")).to_have_count(0)
    expect(page.get_by_label("Show the rows that contain")).to_be_hidden()
    open_menu(page, "thresholds")
    expect(page.get_by_role("link", name="XLSX")).to_be_visible()
    context.close()
