"""Which passwords may be chosen: those that are not guessed soon, whatever signs they are made of."""

from django.core.exceptions import ValidationError

from apps.people.models import User

LEAST_SCORE = 3  # of zxcvbn's 0 to 4: more than a hundred million guesses
LONGEST_JUDGED = 72  # characters; judging takes longer than their number grows


class GuessedSoonValidator:
    """Refuse common passwords also where they are doubled, spelled otherwise or strung together, and repetition."""

    def validate(self, password: str, user: User | None = None) -> None:
        from zxcvbn import zxcvbn  # type: ignore[import-untyped]  # its lists of words take their time to load

        own_words = [user.username, user.first_name, user.last_name, user.email] if user else []
        outcome = zxcvbn(password[:LONGEST_JUDGED], user_inputs=["headroom", *filter(None, own_words)])
        if outcome["score"] < LEAST_SCORE:
            raise ValidationError(
                "This password is easy to guess. Choose one that is no common word, name or date and "
                "repeats nothing: four words that have nothing to do with each other, for example.",
                code="guessed_soon",
            )

    def get_help_text(self) -> str:
        return "It must not be easy to guess: no common password, no repetition, no row of keys."
