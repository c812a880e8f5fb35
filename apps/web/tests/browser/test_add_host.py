"""Adding a host in a browser: its key is fetched, compared and stored, over a real sshd; or its node_exporter shows its page."""

from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page, expect

from apps.platforms.linux.keys import fingerprint_of
from apps.platforms.linux.tests.exporter_server import answer, exporter
from apps.platforms.linux.tests.test_ssh import sshd as sshd
from apps.web.tests.browser.conftest import ROOT

SHOTS = ROOT / "build" / "screenshots"
# a picture leaves attributes without a style behind, which htmx would give to what it puts in the place of such an element
FORGET_PICTURE = "document.querySelectorAll('[style]').forEach((element) => element.removeAttribute('style'))"


def test_the_key_of_a_host_is_fetched_and_compared_before_anything_is_sent(page: Page, sshd, tester):
    fingerprint = fingerprint_of(sshd.host_key)
    page.goto("/targets/add/host")
    for field, value in (
        ("name", "tested-host"), ("host", "127.0.0.1"), ("port", str(sshd.port)), ("username", sshd.user),
        ("key", sshd.key_file),
    ):  # fmt: skip
        page.locator(f"#id_{field}").fill(value)

    page.get_by_role("button", name="Test connection").click()

    expect(page.get_by_role("main").get_by_role("status")).to_contain_text(
        f"with the fingerprint {fingerprint}"
    )
    look(page, "host-key")
    page.get_by_role("button", name="Save host").click()
    expect(page.locator("#id_is_compared-wrong")).to_contain_text("Compare the fingerprint")

    page.get_by_label(f"The host itself says {fingerprint}").check()
    page.get_by_role("button", name="Test connection").click()

    expect(page.get_by_role("main").get_by_role("status")).to_contain_text(f"{sshd.user} may sign in.")
    expect(page.get_by_role("main").get_by_role("status")).to_contain_text(" can be read.")
    look(page, "host-tested")


def test_a_host_by_its_node_exporter_says_what_is_wrong_and_then_what_can_be_read(page: Page, tester):
    page.goto("/targets/add/host-by-node-exporter")
    status = page.get_by_role("main").get_by_role("status")
    with exporter(answer("mysql_up 1\n")) as other:
        for field, value in (("name", "tested-page"), ("host", "127.0.0.1"), ("port", str(other.port))):
            page.locator(f"#id_{field}").fill(value)
        page.get_by_role("button", name="Test connection").click()
        expect(status).to_contain_text("none of its series begins with node_")
    look(page, "node-exporter-wrong")

    with exporter(answer()) as right:
        page.locator("#id_port").fill(str(right.port))
        page.get_by_role("button", name="Test connection").click()
        expect(status).to_contain_text("It tells of a Linux host.")
    look(page, "node-exporter-tested")
    page.locator("summary", has_text="HTTPS and password").click()
    expect(page.locator("#id_protocol")).to_be_visible()
    look(page, "node-exporter-protected")


def look(page: Page, name: str) -> None:
    """Hold the page against axe, and keep pictures of it."""
    SHOTS.mkdir(parents=True, exist_ok=True)
    page.screenshot(path=SHOTS / f"{name}.png", full_page=True)
    violations = Axe().run(page).response["violations"]
    assert [(violation["id"], violation["nodes"][0]["html"]) for violation in violations] == []
    page.set_viewport_size({"width": 390, "height": 844})
    page.emulate_media(color_scheme="dark")
    page.screenshot(path=SHOTS / f"{name}-narrow-dark.png", full_page=True)
    page.emulate_media(color_scheme="light")
    page.set_viewport_size({"width": 1440, "height": 900})
    page.evaluate(FORGET_PICTURE)
