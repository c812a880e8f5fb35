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


def in_one_style(*numbers: int) -> list[str]:
    """The counts of one sentence: in words where all are small, else all of them in figures."""
    write = in_words if max(numbers, default=0) < len(_NUMBERS) else whole
    return [write(number) for number in numbers]


def plural_of(noun: str) -> str:
    """Several of it: "devices", "processes"."""
    return f"{noun}es" if noun.endswith("s") else f"{noun}s"


def count(number: int, noun: str, plural: str = "") -> str:
    """A small number in words with its noun: "two violations"."""
    return f"{in_words(number)} {noun if number == 1 else plural or plural_of(noun)}"


def capital(text: str) -> str:
    return text[:1].upper() + text[1:]


def uncapital(text: str) -> str:
    """The text within a sentence; what begins with two capitals is a name."""
    return text if text[1:2].isupper() else text[:1].lower() + text[1:]
