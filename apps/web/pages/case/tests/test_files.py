"""What people say in a case file and the files they keep with it."""

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile

from apps.advisors.models import Attachment, Comment
from apps.web.pages.case.tests.scenes import NASTY, page, post

pytestmark = pytest.mark.django_db

MB = 1024 * 1024


def test_people_talk_and_say_a_thing_once(planner, violation):
    for _ in range(2):
        post(planner, violation, "comments", {"text": f"Five good days.\n{NASTY}"})

    assert Comment.objects.count() == 1
    html = page(planner, violation)
    assert "Five good days.<br>" in html
    assert "<script>alert" not in html


@pytest.mark.parametrize(
    ("text", "words"), [(" ", "an empty comment is not kept"), ("x" * 4001, "has 4,001")]
)
def test_a_comment_that_cannot_be_kept_gets_a_sentence(planner, violation, text, words):
    answer = post(planner, violation, "comments", {"text": text})

    assert words in answer
    assert text.strip() in answer
    assert not Comment.objects.exists()


def test_a_file_comes_back_as_it_was_and_only_as_a_download(planner, violation):
    page_of_evil = b"<!doctype html><script>alert(document.cookie)</script>"
    upload = SimpleUploadedFile("../../etc/evil\u202egnp.html", page_of_evil, "text/html")
    post(planner, violation, "files", {"file": upload})

    file = Attachment.objects.get()
    download = planner.get(f"{violation.get_absolute_url()}/files/{file.pk}")

    assert file.name == "evilgnp.html"
    assert download.content == page_of_evil
    assert download["Content-Type"] == "application/octet-stream"
    assert download["Content-Disposition"] == 'attachment; filename="evilgnp.html"'
    assert download["X-Content-Type-Options"] == "nosniff"
    assert "sandbox" in download["Content-Security-Policy"]


@pytest.mark.parametrize(
    ("size", "words"),
    [
        (0, "plan.txt is empty"),
        (5 * MB + 1, "plan.txt has 5.0 MB; give a file of at most 5 MB"),
        (17 * MB, "The file has 17.0 MB; give a file of at most 5 MB"),
    ],
)
def test_a_file_that_cannot_be_kept_gets_a_sentence(planner, violation, size, words):
    answer = post(planner, violation, "files", {"file": SimpleUploadedFile("plan.txt", b"x" * size)})

    assert words in answer
    assert not Attachment.objects.exists()


def test_without_a_file_nothing_is_kept(planner, violation):
    assert "Choose a file first." in post(planner, violation, "files", {})


def test_files_together_have_a_limit(planner, violation):
    for number in range(6):
        answer = post(
            planner, violation, "files", {"file": SimpleUploadedFile(f"{number}", b"x" * (4 * MB + MB // 2))}
        )

    assert Attachment.objects.count() == 5
    assert "With this file there would be 27.0 MB" in answer


def test_a_file_is_removed_after_a_question_and_with_its_violation(planner, violation):
    for name in ("a.txt", "b.txt"):
        post(planner, violation, "files", {"file": SimpleUploadedFile(name, b"x")})
    file = Attachment.objects.get(name="a.txt")
    address = f"{violation.get_absolute_url()}/files/{file.pk}/remove"

    assert "Remove a.txt?" in planner.get(address).content.decode()
    planner.post(address)
    assert [file.name for file in Attachment.objects.all()] == ["b.txt"]
    violation.target.delete()
    assert not Attachment.objects.exists()


def test_a_file_of_one_violation_is_not_found_at_another(planner, violation):
    post(planner, violation, "files", {"file": SimpleUploadedFile("a.txt", b"x")})
    file = Attachment.objects.get()

    assert planner.get(f"/violations/{violation.pk + 1}/files/{file.pk}").status_code == 404
