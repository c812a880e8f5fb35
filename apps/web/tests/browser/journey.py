"""
How somebody walks through the pages: by mouse, by keyboard alone, or with a thumb on a telephone; each counts its steps.

A step is a click, a tap, or Enter; a field is what is typed or chosen in one. Walking to a place by Tab is no step.
"""

from dataclasses import dataclass, field
from typing import Literal

from playwright.sync_api import Locator, Page, expect

Way = Literal["mouse", "keyboard", "telephone"]
WAYS: tuple[Way, ...] = ("mouse", "keyboard", "telephone")
MOST_TABS = 150


@dataclass
class Journey:
    """One person on the way from the page that follows the sign-in."""

    page: Page
    way: Way
    steps: list[str] = field(default_factory=list)
    fields: list[str] = field(default_factory=list)

    def begin(self) -> None:
        """The page that follows the sign-in, with nothing counted yet."""
        self.page.goto("/")
        self.steps.clear()
        self.fields.clear()

    def choose(self, place: Locator) -> None:
        """Follow a link or press a button."""
        self.steps.append(place.inner_text())
        if self.way == "keyboard":
            self._walk_to(place)
            self.page.keyboard.press("Enter")
        elif self.way == "telephone":
            place.tap()
        else:
            place.click()

    def choose_from_menu(self, name: str) -> None:
        """A page of the side bar; on a telephone that is opened by a button."""
        if self.way == "telephone":
            self.choose(self.page.get_by_role("button", name="Menu"))
        self.choose(self.page.get_by_role("navigation", name="Pages").get_by_role("link", name=name))

    def type_into(self, place: Locator, text: str) -> None:
        """Fill in one field, key by key."""
        self._begin_field(place)
        self.page.keyboard.type(text)

    def pick(self, place: Locator, text: str, option: str) -> None:
        """Type a part of a name, and take what is offered first."""
        self.type_into(place, text)
        expect(self.page.get_by_role("option").first).to_contain_text(option)
        self.page.keyboard.press("ArrowDown")
        self.page.keyboard.press("Enter")

    def select(self, place: Locator, option: str) -> None:
        """Choose from a list."""
        self._begin_field(place)
        if self.way == "keyboard":
            self.page.keyboard.type(option)
        else:
            place.select_option(option)

    def _begin_field(self, place: Locator) -> None:
        self.fields.append(str(place.get_attribute("name")))
        if self.way == "keyboard":
            self._walk_to(place)
        elif self.way == "telephone":
            place.tap()
        else:
            place.click()

    def _walk_to(self, place: Locator) -> None:
        """Press Tab until the place has the focus; past the side bar, where it is in the page, by the link that skips it."""
        at = place.element_handle()
        if at.evaluate("at => !!at.closest('main') && !document.activeElement.closest('main')"):
            self.page.keyboard.press("Tab")
            self.page.keyboard.press("Enter")
        for _ in range(MOST_TABS):
            if at.evaluate("at => document.activeElement === at"):
                return
            self.page.keyboard.press("Tab")
        raise AssertionError(f"Tab does not lead to {place}")
