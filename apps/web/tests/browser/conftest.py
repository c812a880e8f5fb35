"""A real Chromium, and the web server it looks at: a process of its own with an estate in a database of its own."""

import os
import re
import shutil
import socket
import sys
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from http.client import HTTPConnection
from pathlib import Path
from typing import Any
from urllib.parse import urljoin, urlsplit

import pytest
from django.urls import Resolver404, resolve
from playwright.sync_api import (
    Browser,
    BrowserContext,
    ConsoleMessage,
    Page,
    Request,
    ViewportSize,
    expect,
    sync_playwright,
)

from apps.config.embedded.child import Child
from apps.config.embedded.folder import Folder
from apps.web.tests.addresses import FILES, OF_A_TEST, POSTS, PROPOSALS, SIGNED_OUT
from apps.web.tests.browser.estate import PASSWORD, PLANNER, READER
from apps.web.tests.estate_database import run_program

ROOT = Path(__file__).resolve().parents[4]
PROGRAMS = ("chromium", "chromium-browser", "google-chrome")
ARGUMENTS = (
    "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking",
    "--disable-component-update", "--disable-sync",
)  # fmt: skip
PATIENCE = 60_000  # milliseconds, in which a busy machine shows what is waited for
expect.set_options(timeout=PATIENCE)
WIDE: ViewportSize = {"width": 1440, "height": 900}
NewContext = Callable[..., BrowserContext]
REFUSED_BY_POLICY = (
    "document.addEventListener('securitypolicyviolation', (e) => console.error(e.violatedDirective))"
)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        if Path(__file__).parent in item.path.parents:
            item.add_marker(pytest.mark.browser)


@pytest.fixture(scope="package")
def chromium() -> Iterator[Browser]:
    """The machine's own Chromium. Not kept longer: its event loop would be in the way of Django's other tests."""
    program = next(filter(None, map(shutil.which, PROGRAMS)), None)
    if program is None:
        pytest.skip(f"NO PAGE WAS OPENED IN A BROWSER: none of {', '.join(PROGRAMS)} is on the PATH.")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=program, args=ARGUMENTS)
        yield browser
        browser.close()


# ── the site ──────────────────────────────────────────────────────────────────────────────────────────────────────────


@pytest.fixture(scope="session")
def site(database: str, site_broker: str) -> Iterator[str]:
    """The address of the pages, served as in production."""
    with socket.create_server(("127.0.0.1", 0), backlog=64) as listener:
        port = listener.getsockname()[1]
        bind = f"fd://{listener.fileno()}"
        options = ("--worker-class", "gthread", "--threads", "6", "--no-control-socket", "--bind", bind)
        server = run_program(
            "web",
            "gunicorn",
            "apps.config.wsgi",
            *options,
            address=database,
            listener=listener,
            broker=site_broker,
        )

        def answers() -> bool:
            with suppress(OSError):
                connection = HTTPConnection("127.0.0.1", port, timeout=60)
                connection.request("GET", "/sign-in")
                return connection.getresponse().status == 200
            return False

        server.wait_until(answers, "The web server", seconds=180)
        yield f"http://127.0.0.1:{port}"
        server.stop()


@pytest.fixture
def tester(site: str, database: str, site_broker: str) -> Iterator[None]:
    """A worker that tests connections; what waits in its queue from other tests is thrown away."""
    options = ("-Q", "collect", "-P", "threads", "-c", "2", "--purge", "--without-gossip", "--without-mingle")
    child = Child(
        [sys.executable, "-m", "celery", "--app", "worker.celery", "worker", *options],
        log=Folder(os.environ["HEADROOM_DATA"]).logs / f"browser-worker-{os.getpid()}.log",
        environment={**os.environ, "HEADROOM_DATABASE_URL": database, "HEADROOM_BROKER_URL": site_broker},
        working_directory=ROOT,
    )
    child.wait_until(lambda: "ready" in child.last_words(30), "The worker", seconds=180)
    yield
    child.kill_group()


# ── windows ───────────────────────────────────────────────────────────────────────────────────────────────────────────


def sign_in(page: Page, user: str = PLANNER, password: str = PASSWORD) -> None:
    """Fill in the form that is open."""
    page.get_by_label("User name").fill(user)
    page.get_by_label("Password").fill(password)
    page.get_by_role("button", name="Sign in").click()


@pytest.fixture(scope="package")
def new_context(chromium: Browser, site: str) -> Iterator[NewContext]:
    """Windows of somebody new: nothing moves in them, and they wait as long as a busy machine takes."""
    contexts: list[BrowserContext] = []

    def begin(**options: Any) -> BrowserContext:
        settings = {"base_url": site, "viewport": WIDE, "reduced_motion": "reduce", **options}
        contexts.append(chromium.new_context(**settings))
        contexts[-1].set_default_timeout(PATIENCE)
        contexts[-1].add_init_script(REFUSED_BY_POLICY)
        return contexts[-1]

    yield begin
    for context in contexts:
        context.close()


@pytest.fixture(scope="package")
def signed_in(new_context: NewContext) -> Callable[[str], BrowserContext]:
    """Windows of a person, who signs in once."""
    contexts: dict[str, BrowserContext] = {}

    def context_of(user: str) -> BrowserContext:
        if user not in contexts:
            contexts[user] = new_context()
            page = contexts[user].new_page()
            page.goto("/sign-in")
            sign_in(page, user)
            page.wait_for_url("**/")
            page.close()
        return contexts[user]

    return context_of


def watch(page: Page) -> list[str]:
    """What goes wrong in a window: errors of scripts, refusals of the policy, requests that fail."""
    wrong: list[str] = []

    def failed(request: Request) -> None:
        if request.failure != "net::ERR_ABORTED":  # that page was left while it was still asking
            wrong.append(f"{request.url} {request.failure}")

    def note(message: ConsoleMessage) -> None:
        is_about_a_request = message.text.startswith(
            ("htmx:afterRequest", "htmx:sendError", "htmx:sendAbort")
        )
        if message.type in ("error", "warning") and not is_about_a_request:
            wrong.append(message.text)

    page.on("console", note)
    page.on("pageerror", lambda error: wrong.append(str(error)))
    page.on("requestfailed", failed)
    page.on("response", lambda got: wrong.append(f"{got.url} {got.status}") if got.status >= 400 else None)
    return wrong


@pytest.fixture
def page(signed_in: Callable[[str], BrowserContext]) -> Iterator[Page]:
    """A window of somebody who may change things; nothing may go wrong in it."""
    page = signed_in(PLANNER).new_page()
    wrong = watch(page)
    yield page
    page.close()
    assert wrong == []


@pytest.fixture
def readers_page(signed_in: Callable[[str], BrowserContext]) -> Iterator[Page]:
    """A window of somebody who may only read."""
    page = signed_in(READER).new_page()
    yield page
    page.close()


@dataclass
class Opened:
    """A page by its address, and what it said; of a file the address alone."""

    address: str
    text: str = ""


@pytest.fixture(scope="package")
def addresses(opened: dict[str, Opened]) -> dict[str, str]:
    return {name: page.address for name, page in opened.items()}


@pytest.fixture(scope="package")
def opened(signed_in: Callable[[str], BrowserContext], site: str) -> dict[str, Opened]:
    """Every page, opened once: link by link from the estate, of the warehouse where it has such a page."""
    requests = signed_in(PLANNER).request
    warehouse = re.search(r'href="(/targets/\d+)"[^>]*>DWPRD<', requests.get(f"{site}/targets").text())
    assert warehouse
    waiting = [warehouse[1], "/", "/thresholds/add"]
    pages: dict[str, Opened] = {}
    followed: set[str] = set()
    while waiting:
        address = waiting.pop(0)
        try:
            name = str(resolve(urlsplit(address).path).url_name)
        except Resolver404:
            continue
        if (
            address in followed
            or name in POSTS | PROPOSALS | OF_A_TEST | SIGNED_OUT
            or (name in pages and (name != "target" or "?" in address))  # every target, of today alone
        ):
            continue
        followed.add(address)
        text = "" if name in FILES else requests.get(site + address).text()
        pages.setdefault(name, Opened(address, text))
        if text:
            links = re.findall(r'(?:href|formaction|hx-get|method="get" action)="([^"]+)"', text)
            waiting += [urljoin(address, link.replace("&amp;", "&")).partition("#")[0] for link in links]
    return pages
