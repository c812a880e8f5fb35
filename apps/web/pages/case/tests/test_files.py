"""What people say in a case file and the files they keep with it."""

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile

from apps.advisors.models import Attachment, Comment
from apps.web.pages.case.tests.scenes import NASTY, page, post

pytestmark = pytest.mark.django_db

MB = 1024 * 1024


def test_people_talk_and_say_a_thing_once(planner, found):
    for _ in range(2):
        post(planner, found, "comments", {"text": f"Five good days.\n{NASTY}"})

    assert Comment.objects.count() == 1
    shown = page(planner, found)
    assert "Five good days.<br>" in shown
    assert "<script>alert" not in shown


@pytest.mark.parametrize(
    ("text", "words"), [(" ", "an empty comment is not kept"), ("x" * 4001, "has 4,001")]
)
def test_a_comment_that_cannot_be_kept_gets_a_sentence(planner, found, text, words):
    told = post(planner, found, "comments", {"text": text})

    assert words in told
    assert text.strip() in told
    assert not Comment.objects.exists()


def test_a_file_comes_back_as_it_was_and_only_as_a_download(planner, found):
    page_of_evil = b"<!doctype html><script>alert(document.cookie)</script>"
    file = SimpleUploadedFile("../../etc/evil\u202egnp.html", page_of_evil, "text/html")
    post(planner, found, "files", {"file": file})

    kept = Attachment.objects.get()
    got = planner.get(f"{found.get_absolute_url()}/files/{kept.pk}")

    assert kept.name == "evilgnp.html"
    assert got.content == page_of_evil
    assert got["Content-Type"] == "application/octet-stream"
    assert got["Content-Disposition"] == 'attachment; filename="evilgnp.html"'
    assert got["X-Content-Type-Options"] == "nosniff"
    assert "sandbox" in got["Content-Security-Policy"]


@pytest.mark.parametrize(
    ("size", "words"),
    [
        (0, "plan.txt is empty"),
        (5 * MB + 1, "plan.txt has 5.0 MB; give a file of at most 5 MB"),
        (17 * MB, "The file has 17.0 MB; give a file of at most 5 MB"),
    ],
)
def test_a_file_that_cannot_be_kept_gets_a_sentence(planner, found, size, words):
    told = post(planner, found, "files", {"file": SimpleUploadedFile("plan.txt", b"x" * size)})

    assert words in told
    assert not Attachment.objects.exists()


def test_without_a_file_nothing_is_kept(planner, found):
    assert "Choose a file first." in post(planner, found, "files", {})


def test_files_together_have_a_limit(planner, found):
    for number in range(6):
        told = post(
            planner, found, "files", {"file": SimpleUploadedFile(f"{number}", b"x" * (4 * MB + MB // 2))}
        )

    assert Attachment.objects.count() == 5
    assert "With this file there would be 27.0 MB" in told


def test_a_file_is_removed_after_a_question_and_with_its_violation(planner, found):
    for name in ("a.txt", "b.txt"):
        post(planner, found, "files", {"file": SimpleUploadedFile(name, b"x")})
    kept = Attachment.objects.get(name="a.txt")
    address = f"{found.get_absolute_url()}/files/{kept.pk}/remove"

    assert "Remove a.txt?" in planner.get(address).content.decode()
    planner.post(address)
    assert [one.name for one in Attachment.objects.all()] == ["b.txt"]
    found.target.delete()
    assert not Attachment.objects.exists()


def test_a_file_of_one_violation_is_not_found_at_another(planner, found):
    post(planner, found, "files", {"file": SimpleUploadedFile("a.txt", b"x")})
    kept = Attachment.objects.get()

    assert planner.get(f"/violations/{found.pk + 1}/files/{kept.pk}").status_code == 404
