"""The links to the style sheets of every page."""

from django import template
from django.conf import settings
from django.templatetags.static import static
from django.utils.html import format_html_join
from django.utils.safestring import SafeString

from apps.web.styles import BUNDLE, STYLE_SHEETS

register = template.Library()


@register.simple_tag
def style_sheets() -> SafeString:
    """One link where the static files are collected, else one for each part."""
    names = [BUNDLE] if settings.STATIC_ROOT else STYLE_SHEETS
    return format_html_join("\n", '<link rel="stylesheet" href="{}">', ((static(name),) for name in names))
