"""Oracle's format models: dates and numbers to text, and text to dates."""

import re
from datetime import UTC, datetime, timedelta, timezone
from decimal import ROUND_HALF_UP, Decimal

from .errors import OraError

ELEMENT = re.compile(
    r'"[^"]*"|FM|FX|SYYYY|YYYY|IYYY|RRRR|YYY|RR|YY|MONTH|MON|MM|DAY|DDD|DD|DY|D|HH24|HH12|HH|MI|SSSSS|SS'
    r"|X?FF[1-9]?|TZH|TZM|TZR|TZD|A\.M\.|P\.M\.|AM|PM|Q|WW|IW|W|J|[-/,.;: ]|T",
    re.IGNORECASE,
)

MONTHS = [
    "JANUARY",
    "FEBRUARY",
    "MARCH",
    "APRIL",
    "MAY",
    "JUNE",
    "JULY",
    "AUGUST",
    "SEPTEMBER",
    "OCTOBER",
    "NOVEMBER",
    "DECEMBER",
]
DAYS = ["MONDAY", "TUESDAY", "WEDNESDAY", "THURSDAY", "FRIDAY", "SATURDAY", "SUNDAY"]

DIGITS = {
    "YYYY": 4,
    "RRRR": 4,
    "SYYYY": 4,
    "YY": 2,
    "RR": 2,
    "MM": 2,
    "DD": 2,
    "DDD": 3,
    "HH24": 2,
    "HH12": 2,
    "HH": 2,
    "MI": 2,
    "SS": 2,
    "SSSSS": 5,
    "TZM": 2,
}


def elements_of(pattern: str) -> list[str]:
    elements = []
    position = 0
    while position < len(pattern):
        match = ELEMENT.match(pattern, position)
        if not match or match[0].upper() == "T":
            raise OraError(1821)
        elements.append(match[0])
        position = match.end()
    return elements


def format_date(moment: datetime, pattern: str) -> str:
    """Return a date as a format model writes it."""
    is_filled = True
    text = ""
    for element in elements_of(pattern):
        if element.upper() == "FM":
            is_filled = not is_filled
        elif element.upper() != "FX":
            text += date_element(moment, element, is_filled)
    return text


def date_element(moment: datetime, element: str, is_filled: bool) -> str:
    name = element.upper()
    if element.startswith('"'):
        return element[1:-1]
    if name in ("MONTH", "MON", "DAY", "DY"):
        word = MONTHS[moment.month - 1] if name.startswith("M") else DAYS[moment.weekday()]
        word = word[:3] if name in ("MON", "DY") else word.ljust(9 if is_filled else 0)
        return word if element.isupper() else word.title() if element[0].isupper() else word.lower()
    if name in ("AM", "PM", "A.M.", "P.M."):
        half = "PM" if moment.hour >= 12 else "AM"
        return f"{half[0]}.M." if "." in name else half
    if match := re.fullmatch(r"(X?)FF([1-9]?)", name):
        return ("." if match[1] else "") + f"{moment.microsecond:06}000"[: int(match[2] or 6)]
    offset = int((moment.utcoffset() or timedelta()).total_seconds()) // 60
    if name == "TZR":
        return f"{offset_sign(offset)}{abs(offset) // 60:02}:{abs(offset) % 60:02}"
    if name == "TZH":
        return f"{offset_sign(offset)}{abs(offset) // 60:02}"
    numbers = {
        "YYYY": (moment.year, 4),
        "SYYYY": (moment.year, 4),
        "RRRR": (moment.year, 4),
        "IYYY": (moment.isocalendar().year, 4),
        "YYY": (moment.year % 1000, 3),
        "YY": (moment.year % 100, 2),
        "RR": (moment.year % 100, 2),
        "MM": (moment.month, 2),
        "DD": (moment.day, 2),
        "DDD": (moment.timetuple().tm_yday, 3),
        "D": (moment.isoweekday() % 7 + 1, 1),
        "HH24": (moment.hour, 2),
        "HH12": ((moment.hour - 1) % 12 + 1, 2),
        "HH": ((moment.hour - 1) % 12 + 1, 2),
        "MI": (moment.minute, 2),
        "SS": (moment.second, 2),
        "SSSSS": (moment.hour * 3600 + moment.minute * 60 + moment.second, 5),
        "TZM": (abs(offset) % 60, 2),
        "Q": ((moment.month + 2) // 3, 1),
        "WW": ((moment.timetuple().tm_yday + 6) // 7, 2),
        "IW": (moment.isocalendar().week, 2),
        "W": ((moment.day + 6) // 7, 1),
        "J": (moment.toordinal() + 1721425, 7),
    }
    if name not in numbers:
        return element
    number, width = numbers[name]
    return f"{number:0{width}}" if is_filled else str(number)


def offset_sign(minutes: int) -> str:
    return "-" if minutes < 0 else "+"


def parse_date(text: str, pattern: str) -> datetime:
    """Return the date that `text` says by a format model."""
    parts: dict[str, str] = {}
    rest = text
    for element in elements_of(pattern):
        name = element.upper()
        if name in ("FM", "FX"):
            continue
        match = re.match(element_pattern(name, element), rest, re.IGNORECASE)
        if not match:
            raise OraError(1840 if not rest else 1861)
        parts[name.rstrip("123456789") if "FF" in name else name] = match[0]
        rest = rest[match.end() :]
    if rest.strip():
        raise OraError(1830, text="date format picture ends before converting entire input string")
    try:
        return date_from(parts)
    except ValueError:
        raise OraError(1839, text="date not valid for month specified") from None


def element_pattern(name: str, element: str) -> str:
    if element.startswith('"'):
        return re.escape(element[1:-1])
    if name in DIGITS:
        return rf"\d{{1,{DIGITS[name]}}}"
    if name in ("MON", "MONTH"):
        return "|".join(month[: 3 if name == "MON" else None] for month in MONTHS)
    if "FF" in name:
        return r"\.?\d{1,9}" if name.startswith("X") else r"\d{1,9}"
    if name in ("AM", "PM"):
        return "AM|PM"
    if name in ("TZH",):
        return r"[+-]?\d{1,2}"
    if name == "TZR":
        return r"[+-]\d\d:\d\d|[A-Za-z/_]+"
    if len(name) == 1 and not name.isalnum():
        return r"[-/,.;: ]"
    raise OraError(1821)


def date_from(parts: dict[str, str]) -> datetime:
    def number(*names: str, default: int) -> int:
        return next((int(parts[name]) for name in names if name in parts), default)

    today = datetime.now(UTC)
    year = number("YYYY", "RRRR", "SYYYY", "YY", "RR", default=today.year)
    if year < 100:
        year += 1900 if "RR" in parts and year >= 50 else 2000
    month = number("MM", default=today.month)
    for name in ("MON", "MONTH"):
        if name in parts:
            month = [each[:3] for each in MONTHS].index(parts[name][:3].upper()) + 1
    hour = number("HH24", "HH12", "HH", default=0)
    half = parts.get("AM", parts.get("PM", "")).upper()
    if half:
        hour = hour % 12 + (12 if half == "PM" else 0)
    fraction = parts.get("FF", parts.get("XFF", "0")).lstrip(".")
    moment = datetime(  # noqa: DTZ001 - a DATE has no zone
        year,
        month,
        number("DD", default=1),
        hour,
        number("MI", default=0),
        number("SS", default=0),
        int(fraction.ljust(6, "0")[:6]),
    )
    if "TZH" in parts:
        hours = int(parts["TZH"])
        minutes = number("TZM", default=0) * (-1 if parts["TZH"].startswith("-") else 1)
        moment = moment.replace(tzinfo=timezone(timedelta(hours=hours, minutes=minutes)))
    return moment


def format_number(number: int | float, pattern: str) -> str:
    """Return a number as a format model writes it; number signs if it does not fit."""
    model = pattern.upper()
    is_filled = not model.startswith("FM")
    model = model.removeprefix("FM").replace("G", ",").replace("D", ".")
    if model in ("TM", "TM9", "TME"):
        return str(number)
    if set(model) <= {"X", "0"} and "X" in model:
        text = format(int(number), "X")
        text = text.zfill(len(model)) if model.startswith("0") else text
        return text.rjust(len(model) + 1) if is_filled else text
    whole_model, point, fraction_model = model.strip("SMIPR$L").partition(".")
    if set(whole_model + fraction_model) - {"9", "0", ","}:
        raise OraError(1481, text="invalid number format model")
    exact = Decimal(repr(number)).quantize(Decimal(1).scaleb(-len(fraction_model)), ROUND_HALF_UP)
    digits, _, fraction = format(abs(exact), "f").partition(".")
    slots = whole_model.replace(",", "")
    width = len(whole_model) + len(point) + len(fraction_model) + 1
    if len(digits.lstrip("0")) > len(slots):
        return "#" * width
    least = len(slots) - slots.index("0") if "0" in slots else (0 if fraction else 1)
    digits = digits.lstrip("0").zfill(least)
    whole = group_digits(digits, whole_model)
    if not is_filled:
        least_digits = fraction_model.rfind("0") + 1
        fraction = fraction[:least_digits] + fraction[least_digits:].rstrip("0")
    text = whole + point + fraction
    text = ("-" if exact < 0 else "") + text
    return text.rjust(width) if is_filled else text


def group_digits(digits: str, model: str) -> str:
    """Put the model's commas between the digits, from the right."""
    text = ""
    rest = digits
    for slot in reversed(model):
        if not rest:
            break
        if slot == ",":
            text = "," + text
        else:
            text, rest = rest[-1] + text, rest[:-1]
    return text
