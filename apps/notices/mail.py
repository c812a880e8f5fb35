"""The mail of one delivery: readable as plain text, with the charts in place and the PDF beside it."""

from email.mime.image import MIMEImage
from email.utils import format_datetime

from django.conf import settings
from django.core.mail import EmailMultiAlternatives
from django.template.loader import render_to_string

from apps.notices.models import Delivery
from apps.reports.facts import ReportChart
from apps.reports.formats import file_name
from apps.reports.html import MOST_CHARTS, address_of, as_html
from apps.reports.models import WeeklyReport
from apps.reports.pdf import as_pdf, chart_png
from apps.reports.text import as_text


def is_configured() -> bool:
    """Whether mail can be sent at all."""
    return bool(settings.EMAIL_HOST)


def compose_mail(delivery: Delivery) -> EmailMultiAlternatives:
    """The very message, the same each time it is asked for."""
    mail = EmailMultiAlternatives(
        subject=join_lines(delivery.subject),
        from_email=settings.DEFAULT_FROM_EMAIL,
        to=[delivery.recipient],
        headers={
            "Message-ID": delivery.message_id,
            "Date": format_datetime(delivery.made_at),
            "Auto-Submitted": "auto-generated",
        },
    )
    if delivery.report is not None:
        _report(mail, delivery.report)
    else:
        context = {"subject": delivery.subject, "notices": delivery.notices, "url": settings.HEADROOM_URL}
        mail.body = render_to_string("emails/notices.txt", context)
        mail.attach_alternative(render_to_string("emails/notices.html", context), "text/html")
    return mail


def join_lines(subject: str) -> str:
    """A subject without what would end its header."""
    return " ".join(subject.split())


def _report(mail: EmailMultiAlternatives, report: WeeklyReport) -> None:
    mail.body = f"{as_text(report)}\n{address_of(report)}\n"
    mail.attach_alternative(as_html(report, _inline), "text/html")
    mail.mixed_subtype = "related"  # type: ignore[attr-defined]  # the stubs are of Django 6
    for chart in report.facts.charts[:MOST_CHARTS]:
        picture = MIMEImage(chart_png(chart), "png")
        picture.add_header("Content-ID", f"<{_name(chart)}>")
        picture.add_header("Content-Disposition", "inline", filename=f"{chart.violation}.png")
        mail.attach(picture)
    mail.attach(file_name(report, "pdf"), as_pdf(report), "application/pdf")


def _name(chart: ReportChart) -> str:
    return f"chart-{chart.violation}@headroom"


def _inline(chart: ReportChart) -> str:
    return f"cid:{_name(chart)}"
