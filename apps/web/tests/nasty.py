"""What nobody would type, and where it could be typed: the material of the fuzz."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from html.parser import HTMLParser
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

from django import forms
from django.test import Client
from django.urls import URLPattern, URLResolver, get_resolver

TEXTS = (
    "", " ", "0", "-1", "1", "1" * 5000, "9" * 18, "9" * 19, str(2**31), str(2**63), "0" * 4999 + "1", "+5", "٣",
    "1e999", "nan", "inf", "-inf", "1.5", "1,5", "0x_", "\0", "a\0b", "\ud800", "\u202egnp.exe", "\ufeff", "🦄" * 50,
    "ﬃ", "İ", "\u2028", "2026-02-30", "0001-01-01", "9999-12-31", "2026-02-17", "2026-02-17T00:00:00+99:99",
    "2026-02-17T00:05:00+00:00", "2026-W99", "99:99", "24:00", "23:59", "[" * 500, "(" * 500, "{" * 500, "[!", "[z-a]",
    "*a" * 60, "<script>alert('x')</script>", "'; DROP TABLE target; --", "%s %(x)s {0} {{ x }} %", "../../etc/passwd",
    "a\r\nX-Evil: yes", "//evil.example", "javascript:alert(1)", "http://[", "a@b@c", "=1+1", "a" * 3000, " " * 3000,
    "x_used", "x_used|DATA", "x_used:9-17", "x_used:99-1", "DATA", "value", "UTC", "Mars/Olympus", "on", "none", "clear",
    "5:2026-02-17T00:00:00+00:00", "+200 GB", "+99999999999999999999999 GB", "4 -> 0 cores", "4 -> 8 cores",
    "<=95 % unless >=50 GB free", "10..20", "20..10", "no change", "?", "eliminate", "every Sunday", "2026-01-01..2999-01-01",
    "9-17", "acknowledged", "csv", "xlsx", "decide", "accept", "warning", "127.0.0.1", "(DESCRIPTION=" * 300, "null", "{}",
)  # fmt: skip
PACK = "pack: mine\ntitle: Mine\nlimits:\n- {statistic: x_used, component: DATA, limit: <=100 MB, opens_after: 2, opens_within: 3, leaves_out_peaks: true, plan: Add a file.}\n"
LIST = "name,host,port,service,user,password,time_zone,group,environment\nPAYPRD,127.0.0.1,1,svc,u,p,UTC,Pay,prod\n"
NAMES = "A = (DESCRIPTION=(ADDRESS=(PROTOCOL=TCP)(HOST=127.0.0.1)(PORT=1))(CONNECT_DATA=(SERVICE_NAME=a)))"
FILES = (PACK, LIST, NAMES, "", "\0", "plain", "a" * 20_000)
WORDS = re.compile(r"[\w%<>=.]+")


@dataclass
class FormSeen:
    """A form of a page: where it is sent, and what it sends when nobody touches it."""

    action: str
    method: str
    fields: dict[str, list[str]] = field(default_factory=dict)
    files: list[str] = field(default_factory=list)


class FormsOfPage(HTMLParser):
    """Reads the forms of a page, with the values that stand in them."""

    def __init__(self, address: str) -> None:
        super().__init__()
        self.address, self.forms = address, list[FormSeen]()
        self._name = self._first = ""
        self._select = ""

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        attributes = {name: value or "" for name, value in attrs}
        name = attributes.get("name", "")
        if tag == "form":
            self.forms.append(
                FormSeen(attributes.get("action") or self.address, attributes.get("method", "get").lower())
            )
        elif not self.forms:
            return
        elif tag in ("input", "button") and name:
            if attributes.get("type") == "file":
                self.forms[-1].files.append(name)
            else:
                self.forms[-1].fields.setdefault(name, []).append(attributes.get("value", ""))
        elif tag == "textarea" and name:
            self.forms[-1].fields.setdefault(name, []).append("")
        elif tag == "select":
            self._select = name
        elif tag == "option" and self._select:
            chosen = self.forms[-1].fields.setdefault(self._select, [attributes.get("value", "")])
            if "selected" in attributes:
                chosen[:] = [attributes.get("value", "")]

    def handle_endtag(self, tag: str) -> None:
        if tag == "select":
            self._select = ""


def forms_of(client: Client, addresses: list[str]) -> list[FormSeen]:
    """The forms of the pages at these addresses, each kind of them once."""
    forms: dict[tuple[str, str, tuple[str, ...]], FormSeen] = {}
    for address in addresses:
        response = client.get(address)
        if "html" not in response.get("Content-Type", "") or response.status_code != 200:
            continue
        page = FormsOfPage(address)
        page.feed(response.content.decode())
        for form in page.forms:
            form.fields.pop("csrfmiddlewaretoken", None)
            forms.setdefault((form.action.partition("?")[0], form.method, tuple(form.fields)), form)
    return list(forms.values())


def patterns() -> Iterator[tuple[str, URLPattern]]:
    """Every address that the program answers, with its name."""
    return _below(get_resolver().url_patterns)


def _below(entries: list[URLPattern | URLResolver]) -> Iterator[tuple[str, URLPattern]]:
    for entry in entries:
        if isinstance(entry, URLResolver):
            yield from _below(entry.url_patterns)
        else:
            yield str(entry.name), entry


_READ = re.compile(
    r"""(?:GET|POST|given|typed|sent|query|read_number|_number)\b(?:\.get|\.getlist)?\s*[(\[]\s*(?:request,\s*)?"(\w+)"|"(\w+)" (?:not )?in request\.(?:GET|POST)"""
)


def parameters() -> list[str]:
    """The names of all that views read from addresses and forms, as the source and the forms have them."""
    folder = Path(__file__).parents[1]
    names = {
        match[1] or match[2]
        for path in folder.rglob("*.py")
        if "tests" not in path.parts
        for match in _READ.finditer(path.read_text("utf-8"))
    }
    for form in _subclasses(forms.BaseForm):
        if form.__module__.startswith("apps.web"):
            names |= set(getattr(form, "base_fields", {}))
    return sorted(names)


def _subclasses(of: type[Any]) -> Iterator[type[Any]]:
    for child in of.__subclasses__():
        yield child
        yield from _subclasses(child)


def encoded(pairs: list[tuple[str, str]]) -> str:
    """Names and values as an address or a form sends them, letters that are none included."""
    return urlencode([(name, value.encode("utf-8", "surrogatepass")) for name, value in pairs])
