"""S9: a password that would be guessed soon is refused, whatever its length."""

import pytest
from django.contrib.auth.password_validation import validate_password
from django.core.exceptions import ValidationError

from apps.people.models import User

RITA = User(username="rita", first_name="Rita", last_name="Lindqvist", email="rita@example.com")


def complaints(password: str) -> list[str]:
    """What is said against it."""
    try:
        validate_password(password, RITA)
    except ValidationError as refused:
        return list(refused.messages)
    return []


@pytest.mark.parametrize(
    "password",
    [
        "aaaaaaaaaaaa",
        "passwordpassword",
        "rita-rita-rit",
        "P@ssw0rdP@ssw0rd",
        "qwertyuiop12",
        "abcabcabcabc",
        "Lindqvist1999",
        "headroomheadroom",
        "z" * 5000,
    ],
)
def test_what_is_common_or_repeats_itself_is_refused_with_a_sentence(password):
    assert any(sentence.startswith("This password is easy to guess.") for sentence in complaints(password))


@pytest.mark.parametrize(
    "password",
    [
        "correct horse battery staple",
        "Tk9fG2qLw0pXz_-a",
        "kalt4 Lampe unter sieben",
        "雨が降る日は家で本を読みます",
    ],
)
def test_what_nobody_guesses_is_taken(password):
    assert complaints(password) == []
