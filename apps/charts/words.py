"""Small numbers and the beginnings of sentences, as they are written in running text."""

from apps.charts.figures import whole

_NUMBERS = [
    "no",
    "one",
    "two",
    "three",
    "four",
    "five",
    "six",
    "seven",
    "eight",
    "nine",
    "ten",
    "eleven",
    "twelve",
]


def in_words(number: int) -> str:
    """A count up to twelve in words, a larger one in figures."""
    return _NUMBERS[number] if number < len(_NUMBERS) else whole(number)


def capital(text: str) -> str:
    return text[:1].upper() + text[1:]
