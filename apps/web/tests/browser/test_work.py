"""A day of a DBA: limits, violations, plans, targets; by hand, in the browser."""

import re
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta

import pytest
from playwright.sync_api import Page, Route, expect

from testing.oracle_server import OracleServer, instance

PASSWORD = "a secret of the database"


@pytest.fixture
def oracle() -> Iterator[OracleServer]:
    with OracleServer(instance("NEWPRD"), users={"HEADROOM": PASSWORD}) as server:
        yield server


def open_target(page: Page, name: str) -> None:
    page.goto("/targets")
    page.get_by_role("table").get_by_role("link", name=name, exact=True).click()
    expect(page).to_have_title(re.compile(rf"^{re.escape(name)}"))


def from_the_menu(page: Page, what: str) -> None:
    page.locator("summary", has_text="More").click()
    page.locator(".person-menu").get_by_text(what, exact=True).click()


def test_a_limit_tells_what_it_would_have_done_while_it_is_typed(page: Page):
    open_target(page, "HRPRD")
    page.get_by_role("link", name="redo size").click()
    page.get_by_role("link", name="Set a limit").click()
    answer, limit = page.get_by_role("heading", level=1), page.locator("[name=notation]")

    limit.press_sequentially("<1 MB/day")
    expect(answer).to_contain_text(re.compile(r"Below .+ would have fired on 1\d of the last 90 days"))
    limit.fill("<9 TB/day")
    expect(answer).to_contain_text("would have fired on 0 of the last 90 days")
    page.get_by_role("button", name="Save threshold").click()

    expect(
        page.get_by_role("status").filter(has_text="Saved. It applies from the next review.")
    ).to_be_visible()
    row = page.get_by_role("row").filter(has_text="HRPRD").filter(has_text="<9 TB/day")
    expect(row).to_contain_text("redo size")


def test_a_limit_that_was_typed_before_the_scripts_came_is_answered_too(page: Page):
    open_target(page, "HRPRD")
    page.get_by_role("link", name="redo size").click()
    form = page.get_by_role("link", name="Set a limit").get_attribute("href")
    held: list[Route] = []
    page.route("**/htmx.min*.js", lambda route: held.append(route))

    page.goto(str(form), wait_until="commit")
    page.locator("[name=notation]").fill("<9 TB/day")
    held[0].continue_()

    answer = page.get_by_role("heading", level=1)
    expect(answer).to_contain_text("would have fired on 0 of the last 90 days")


def test_a_name_that_nothing_has_names_the_nearest(page: Page):
    page.goto("/thresholds/add")
    page.get_by_role("combobox", name="Statistic").fill("redo sizes")
    page.locator("[name=notation]").fill("<1 GB/day")

    page.get_by_role("button", name="Save threshold").click()

    wrong = page.locator(".field", has=page.locator("[name=metric]")).locator(".wrong")
    expect(wrong).to_contain_text("No statistic is called “redo sizes”. The nearest are redo size")


def test_a_change_is_tried_before_and_after_and_kept(page: Page):
    open_target(page, "HRPRD")
    page.get_by_role("link", name="redo size").click()
    page.get_by_role("main").get_by_role("link", name="What if").first.click()
    expect(page.get_by_role("combobox", name="If")).to_have_value("redo size")

    page.locator("[name=change]").fill("+20 %")
    page.locator("[name=on]").fill((datetime.now(UTC).date() + timedelta(days=14)).isoformat())
    expect(page.get_by_role("heading", level=1)).to_contain_text("+20 % from ")
    expect(page.locator("svg.before-after")).to_be_visible()
    page.get_by_role("button", name="Keep as a scenario").click()

    expect(page.get_by_role("heading", level=1)).to_contain_text("redo size on HRPRD: +20 %")
    page.get_by_role("link", name="Remove scenario").click()
    page.get_by_role("button", name="Remove the scenario").click()
    expect(page.get_by_role("status").filter(has_text="is removed.")).to_be_visible()


def test_what_is_not_a_limit_gets_a_sentence_in_place_of_the_help(page: Page):
    page.goto("/thresholds/add?metric=redo_size")
    limit = page.locator("[name=notation]")
    field = page.locator(".field", has=limit)
    expect(field.locator(".help:not(.echo)")).to_be_visible()

    limit.fill("2 parsecs")
    expect(page.get_by_role("heading", level=1)).to_contain_text("Not a limit yet.")
    page.get_by_role("button", name="Save threshold").click()

    expect(field.locator(".wrong")).to_contain_text("parsecs")
    expect(field.locator(".help:not(.echo)")).to_have_count(0)
    expect(limit).to_be_focused()
    expect(limit).to_have_value("2 parsecs")


def test_a_risk_is_accepted_with_a_reason_and_a_plan_gets_a_step(page: Page):
    page.goto("/violations")
    page.get_by_role("row").filter(has_text="HRPRD").locator("th a").click()
    page.get_by_label("Next", exact=True).select_option("accept the risk")
    page.get_by_role("button", name="Take this step").click()
    expect(page.get_by_role("alert")).to_contain_text("Accepting a risk needs a reason")

    page.get_by_label("Why").fill("The old portal is switched off <in spring>.")
    page.get_by_label("Look again on").fill("2030-04-01")
    page.get_by_role("button", name="Take this step").click()
    expect(page.locator(".crumbs .tag")).to_have_text("accepted risk")
    expect(page.get_by_text("The old portal is switched off <in spring>.")).to_be_visible()
    expect(page.get_by_text("Dana Brook").first).to_be_visible()

    page.get_by_text("Add a step").click()
    new = page.locator("form", has=page.get_by_role("button", name="Add step"))
    new.get_by_label("Step", exact=True).fill("Tell the owners of the portal.")
    new.get_by_label("Due").fill("2030-03-01")
    page.get_by_role("button", name="Add step").click()
    step = page.get_by_role("row").filter(has_text="Tell the owners of the portal.")
    expect(step).to_contain_text("1 Mar")

    state = step.get_by_label("State of “Tell the owners of the portal.”")
    with page.expect_navigation():
        state.select_option("done")
    expect(state).to_have_value("done")


def test_a_target_is_paused_and_goes_on(page: Page):
    open_target(page, "ERPPRD")

    from_the_menu(page, "Pause")
    expect(page.get_by_text("ERPPRD is paused.")).to_be_visible()

    from_the_menu(page, "Resume reading")
    expect(page.get_by_role("status").filter(has_text="ERPPRD is read again.")).to_be_visible()
    expect(page.get_by_text("ERPPRD is paused.")).to_have_count(0)


def test_a_target_is_retired_after_a_question(page: Page):
    open_target(page, "LOGPRD")

    from_the_menu(page, "Retire")
    expect(page.get_by_role("heading", level=1)).to_have_text("Retire LOGPRD?")
    page.get_by_role("link", name="Cancel").click()
    expect(page).to_have_title(re.compile("^LOGPRD"))
    from_the_menu(page, "Retire")
    page.get_by_role("button", name="Retire LOGPRD").click()

    expect(
        page.get_by_role("status").filter(has_text="LOGPRD is retired. Its history stays.")
    ).to_be_visible()
    expect(page.get_by_role("table").get_by_role("link", name="LOGPRD", exact=True)).to_have_count(0)


NO_TIME = re.compile("Not tried: the test is given|There was no time left|did not answer within")


def fill_instance(page: Page, oracle: OracleServer, name: str, password: str) -> None:
    page.goto("/targets/add/instance")
    page.get_by_label("Name", exact=True).fill(name)
    page.locator("[name=host]").fill("127.0.0.1")
    page.locator("[name=port]").fill(str(oracle.port))
    page.locator("[name=service]").fill("NEWPRD")
    page.locator("[name=username]").fill("HEADROOM")
    page.locator("[name=password]").fill(password)


def test_an_instance_is_tried_over_its_own_protocol_and_added(page: Page, oracle: OracleServer, tester: None):
    steps = page.get_by_role("table", name="Steps of the test")
    for _ in range(5):  # a busy machine uses up the seconds that a test is given
        fill_instance(page, oracle, "NEWPRD", PASSWORD)
        page.get_by_role("button", name="Test connection").click()
        expect(steps).to_be_visible()
        if not steps.get_by_role("row").filter(has_text=NO_TIME).count():
            break

    expect(steps.get_by_role("row").filter(has_text="Sign-in")).to_contain_text("HEADROOM may sign in.")
    expect(steps.get_by_role("row").filter(has_text="Release")).to_contain_text("instance NEWPRD")
    expect(steps.get_by_label("failed")).to_have_count(0)
    assert PASSWORD not in page.content()
    expect(page.locator("[name=password]")).to_have_value(PASSWORD)  # typed, and never sent back by a page
    expect(page.get_by_label("Name", exact=True)).to_have_value("NEWPRD")

    page.get_by_role("button", name="Save instance").click()
    expect(page.get_by_role("status").filter(has_text="NEWPRD is registered and being read.")).to_be_visible()
    assert PASSWORD not in page.content()
    from_the_menu(page, "New password")
    expect(page.locator("[name=username]")).to_have_value("HEADROOM")
    assert PASSWORD not in page.content()


def test_a_wrong_password_is_told_by_the_step_that_failed(page: Page, oracle: OracleServer, tester: None):
    fill_instance(page, oracle, "WRONGPRD", "not the secret")

    page.get_by_role("button", name="Test connection").click()

    step = page.get_by_role("table", name="Steps of the test").get_by_role("row").filter(has_text="Sign-in")
    expect(step).to_contain_text("ORA-01017")
    expect(step.get_by_label("failed")).to_be_visible()
    page.goto("/targets?q=WRONGPRD")
    expect(page.get_by_role("main")).to_contain_text("No target matches")


def test_whoever_may_only_read_is_told_who_can_help(readers_page: Page):
    readers_page.goto("/thresholds")
    expect(readers_page.get_by_role("link", name="Set a threshold")).to_have_count(0)

    readers_page.goto("/thresholds/add")

    expect(readers_page.get_by_role("heading", level=1)).to_have_text("You may not do this.")
    expect(readers_page.get_by_role("main")).to_contain_text("an administrator can give it to you")
