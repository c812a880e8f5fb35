"""What people write and keep with a violation: comments, and files that are given back as they came."""

import unicodedata
from datetime import datetime, timedelta

from django.db import transaction
from django.db.models import Sum

from apps.advisors.models import Attachment, Comment
from apps.people.models import User
from apps.thresholds.case_steps import Refusal
from apps.thresholds.models import Violation

MB = 1024 * 1024
LARGEST_FILE = 5 * MB
LARGEST_TOGETHER = 25 * MB
MOST_FILES = 20
LONGEST_NAME = 120
LONGEST_COMMENT = 4000
TWICE_WITHIN = timedelta(minutes=1)  # the same words of the same person so soon were sent twice
_NOT_IN_NAMES = '<>:"/\\|?*'


def add_comment(violation: Violation, text: str, *, by: User, now: datetime) -> Comment:
    """What somebody says; sent twice it is kept once. Raises Refusal where nothing or too much is said."""
    text = text.strip()
    if not text:
        raise Refusal("Write what there is to say; an empty comment is not kept.")
    if len(text) > LONGEST_COMMENT:
        raise Refusal(
            f"This has {len(text):,} characters; give at most {LONGEST_COMMENT:,}, or attach it as a file."
        )
    with transaction.atomic():
        Violation.objects.select_for_update().get(pk=violation.pk)
        last = violation.comments.order_by("-pk").first()
        if last is not None and (last.by, last.text) == (by, text) and now - last.at < TWICE_WITHIN:
            return last
        return Comment.objects.create(violation=violation, at=now, by=by, text=text)


def attach(violation: Violation, name: str, content: bytes, *, by: User, now: datetime) -> Attachment:
    """Keep a file with a violation. Raises Refusal for one that is empty, too large, or one too many."""
    if not content:
        raise Refusal(f"{safe_name(name)} is empty; attach a file with something in it.")
    if len(content) > LARGEST_FILE:
        raise Refusal(too_large(safe_name(name), len(content)))
    with transaction.atomic():
        Violation.objects.select_for_update().get(pk=violation.pk)
        have = violation.attachments.count()
        together = violation.attachments.aggregate(sum=Sum("size"))["sum"] or 0
        if have >= MOST_FILES:
            raise Refusal(f"{have} files are kept with this violation already; remove one first.")
        if together + len(content) > LARGEST_TOGETHER:
            raise Refusal(
                f"With this file there would be {(together + len(content)) / MB:.1f} MB; at most"
                f" {LARGEST_TOGETHER // MB} MB are kept with one violation. Remove a file first."
            )
        return Attachment.objects.create(
            violation=violation, at=now, by=by, name=safe_name(name), size=len(content), content=content
        )


def too_large(name: str, size: int) -> str:
    """The sentence for a file that is not kept."""
    return f"{name} has {size / MB:.1f} MB; give a file of at most {LARGEST_FILE // MB} MB, or a link to it in a comment."


def safe_name(name: str) -> str:
    """The name of a file without its folders and without characters that could lead a reader or a system astray."""
    name = name.replace("\\", "/").rpartition("/")[2]
    name = unicodedata.normalize("NFC", name)
    name = "".join(
        "_" if sign in _NOT_IN_NAMES else sign
        for sign in name
        if unicodedata.category(sign) not in ("Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp")
    )
    name = " ".join(name.split()).strip(" .")
    stem, dot, ending = name.rpartition(".")
    if dot and stem and len(ending) <= 12:
        return f"{stem[: LONGEST_NAME - len(ending) - 1]}.{ending}"
    return name[:LONGEST_NAME] or "attachment"
