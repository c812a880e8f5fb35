"""Every page, light and dark, wide and narrow: it opens without errors, fits, and can be used by everybody."""

import pytest
from playwright.sync_api import Page, expect

from apps.web.tests.addresses import FILES, PAGES
from apps.web.tests.browser.conftest import NewContext, watch
from apps.web.tests.browser.looking import look_at

OTHERS = (  # pages behind one address that look different
    "target_report/space",
    "target_report/io",
    "target_report/host",
    "target_add/instance",
)


@pytest.mark.parametrize("name", [*PAGES, *OTHERS])
def test_a_page_opens_fits_and_can_be_used(name: str, page: Page, addresses: dict[str, str]):
    name, _, key = name.partition("/")
    address = addresses[name]
    if key:
        address = f"{address.partition('?')[0].rpartition('/')[0]}/{key}"
    answer = page.goto(address, wait_until="load")
    expect(page.locator(".chart .loading")).to_have_count(0)

    assert answer
    assert answer.status == 200
    assert look_at(page, f"{name}{key}") == []
    assert page.get_by_role("heading", level=1).count() == 1


def test_the_sign_in_page_opens_fits_and_can_be_used(new_context: NewContext):
    page = new_context().new_page()
    wrong = watch(page)

    page.goto("/sign-in")

    assert look_at(page, "sign_in") == []
    assert wrong == []
    page.close()


@pytest.mark.parametrize("name", sorted(FILES))
def test_a_file_is_offered_beside_its_page(name: str, page: Page, addresses: dict[str, str]):
    answer = page.request.get(addresses[name])

    assert answer.ok
    assert "attachment" in answer.headers["content-disposition"]


def test_a_page_that_is_not_there_says_so(page: Page):
    answer = page.request.get("/targets/99999999999999999999")

    assert answer.status == 404
    assert "There is no such page." in answer.text()
