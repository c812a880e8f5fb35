"""What leaves the house: the weekly report by mail, and notices by mail and webhook."""

import json
import re
from collections.abc import Iterator
from datetime import datetime
from html import unescape

from django.utils.html import escape

from apps.charts import figures
from apps.notices.digest import create_message
from apps.notices.events import find_events
from apps.notices.mail import compose_mail
from apps.notices.models import Delivery, Notice, Subscriber
from apps.notices.report_delivery import prepare
from apps.notices.webhook import compose_body
from apps.reports.facts import GROUPS
from apps.reports.formats import FORMATS
from apps.reports.models import WeeklyReport
from apps.thresholds.models import Violation
from apps.web.tests.truth.ledger import Ledger
from apps.web.tests.truth.outlooks import Limited, fact_of, say
from apps.web.tests.truth.periods import claim_items, text_of_pdf
from apps.web.tests.truth.product import Product

OPENED = re.compile(r"is over its limit(?: at (?P<value>\S+)(?: .+?)?)? against (?P<limit>.+)\.$")
PREDICTED = re.compile(r"around (?P<day>.+?); the lead time is (?P<lead>\d+) days, so act now\.$")


def read_report_mail(product: Product, ledger: Ledger, now: datetime) -> None:
    """The mail of the newest report says what its facts say, as text, as HTML and as the PDF beside it."""
    report = WeeklyReport.objects.latest("composed_at")
    mail = compose_mail(prepare(report, ["reader@example.com"], now)[0])
    (html, _), *_ = mail.alternatives
    texts = {
        "report mail, text": str(mail.body),
        "report mail, HTML": unescape(re.sub(r"<[^>]+>", " ", str(html))),
    }
    for attached in mail.attachments:
        if isinstance(attached, tuple) and attached[2] == "application/pdf":
            texts["report mail, PDF"] = text_of_pdf(attached[1])
    ledger.claim(len(texts) == 3, "the mail of the report has no PDF")
    product.opened += texts
    facts = json.loads(FORMATS["json"].make(report))
    claim_items(ledger, [item for kind, _ in GROUPS for item in facts.get(kind, [])], texts)


def read_notices(product: Product, ledger: Ledger, now: datetime) -> None:
    """What happened lately, in the words of notices; and each message carries each of them, in every shape."""
    find_events(now)
    notices = list(Notice.objects.select_related("violation__target", "violation__threshold"))
    for notice in notices:
        if notice.violation is not None:
            _say_notice(ledger, f"notice {notice.key}", notice, notice.violation)
    entries = [
        {"kind": notice.kind, "text": notice.text, "url": "https://headroom.example.com/"}
        for notice in notices
    ]
    subscriber = Subscriber.objects.latest("pk")
    delivery = create_message(subscriber, f"{len(entries)} things happened", entries, now)
    for place, text in _shapes(delivery):
        product.opened.append(place)
        for entry in entries[:20]:
            ledger.claim(
                entry["text"] in text or str(escape(entry["text"])) in text,
                f"{place} lacks “{entry['text']}”",
            )


def _shapes(delivery: Delivery) -> Iterator[tuple[str, str]]:
    """A message as each channel sends it."""
    mail = compose_mail(delivery)
    (html, _), *_ = mail.alternatives
    yield "notices, mail as text", str(mail.body)
    yield "notices, mail as HTML", str(html)
    for way in (Subscriber.Way.SLACK, Subscriber.Way.TEAMS, Subscriber.Way.JSON):
        body = compose_body(delivery, way)
        yield f"notices, webhook {way}", "\n".join(_texts(body))


def _texts(body: object) -> Iterator[str]:
    """Every text within a body."""
    if isinstance(body, str):
        yield body.replace("&lt;", "<").replace("&gt;", ">").replace("&amp;", "&")
    elif isinstance(body, dict):
        for value in body.values():
            yield from _texts(value)
    elif isinstance(body, list):
        for value in body:
            yield from _texts(value)


def _say_notice(ledger: Ledger, place: str, notice: Notice, case: Violation) -> None:
    of: Limited = (case.target.name, case.metric, case.component, str(case.figure))
    match = OPENED.search(notice.text)
    if match is not None and match["value"]:
        if case.is_closing:
            ledger.say(fact_of(of, "worst"), place, text=match["value"])
        elif case.is_live:
            say(ledger, place, of, "now", text=match["value"])
    match = PREDICTED.search(notice.text)
    likely = ledger.value(fact_of(of, "likely"))
    if match is not None and not isinstance(likely, str) and likely is not None:
        day = figures.long_day(likely).replace(figures.SPACE, " ")  # type: ignore[arg-type]
        ledger.claim(
            day == match["day"].replace(figures.SPACE, " "), f"{place}: {notice.text}, elsewhere on {likely}"
        )
        say(ledger, place, of, "to act", exact=match["lead"])
