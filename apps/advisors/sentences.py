"""Evidence in sentences, made when it is shown, in the marks of whoever reads it."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from typing import Any

from apps.charts import figures

COUNTS = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")


@dataclass(frozen=True)
class EvidenceSentence:
    """A piece of evidence for people: its sentence, and the number that decides, where it is one."""

    sentence: str
    number: str = ""


def describe_evidence(piece: Mapping[str, Any]) -> EvidenceSentence:
    """A piece of evidence as it was kept; what was kept as a sentence, by earlier releases, is shown as it is."""
    if "kind" not in piece:
        return EvidenceSentence(str(piece.get("sentence", "")), str(piece.get("number", "")))
    changes = [_ShownChange.of(change) for change in piece["changes"]]
    return _SENTENCES[piece["kind"]](changes, piece["numbers"])


def states_the_case(piece: Mapping[str, Any]) -> bool:
    """Whether a piece says what changed and which days are compared, rather than why."""
    return piece.get("kind") in ("figure", "nothing_before", "appeared")


@dataclass(frozen=True)
class _ShownChange:
    """A statistic before and now, for people."""

    name: str
    unit: str
    before: float | None
    now: float | None

    @classmethod
    def of(cls, change: Mapping[str, Any]) -> "_ShownChange":
        return cls(change["name"], change["unit"], change["before"], change["now"])

    @property
    def percent(self) -> str:
        if not self.before or self.now is None:
            return "new" if self.now else figures.percent(0.0)
        return f"{figures.delta(100 * (self.now - self.before) / abs(self.before))}{figures.SPACE}%"

    @property
    def course(self) -> str:
        """`2.1 → 4.3 ms`."""
        return f"{figures.figure(self.before)} → {self.amount(self.now)}"

    @property
    def short(self) -> str:
        return f"{self.name} {self.percent}"

    @property
    def long(self) -> str:
        return f"{self.name} {self.course} ({self.percent})"

    def amount(self, value: float | None) -> str:
        return f"{figures.figure(value)}{figures.SPACE}{self.unit}" if self.unit else figures.figure(value)


ShownChanges = Sequence[_ShownChange]
Numbers = Mapping[str, Any]
Sentence = Callable[[ShownChanges, Numbers], EvidenceSentence]


def _join(parts: Sequence[str]) -> str:
    return " and ".join(filter(None, [", ".join(parts[:-1]), *parts[-1:]]))


def _measures(changes: ShownChanges) -> str:
    count = len(changes)
    word = COUNTS[count] if count < len(COUNTS) else str(count)
    return f"{word.capitalize()} {'measure' if count == 1 else 'measures'} of work"


def _figure(changes: ShownChanges, numbers: Numbers) -> EvidenceSentence:
    change = changes[0]
    before = f"{numbers['before_days']} days from {_day(numbers['before_first'])} to {_day(numbers['before_last'])}"
    when = "before it began" if numbers["is_before"] else "its first; nothing was measured before it began"
    days = numbers["now_days"]
    now = f"the last {days} whole days" if days > 1 else f"{_day(numbers['now_last'])}"
    return EvidenceSentence(
        f"{change.name}: {change.course}, the medians of {before} ({when}) and of {now}; the change began on"
        f" {_day(numbers['begin'])}.",
        change.percent,
    )


def _nothing_before(changes: ShownChanges, numbers: Numbers) -> EvidenceSentence:
    return EvidenceSentence(
        f"Fewer than seven whole days were measured to compare {changes[0].name} with, so far."
    )


def _work_grew(changes: ShownChanges, numbers: Numbers) -> EvidenceSentence:
    return EvidenceSentence(f"The work grew with it: {_join([change.long for change in changes])}.")


def _work_grew_less(changes: ShownChanges, numbers: Numbers) -> EvidenceSentence:
    return EvidenceSentence(
        f"The work grew, but not in step with it: {_join([change.long for change in changes])}."
    )


def _work_flat(changes: ShownChanges, numbers: Numbers) -> EvidenceSentence:
    return EvidenceSentence(
        f"{_measures(changes)} changed by less than 10{figures.SPACE}%: {_join([change.short for change in changes])}."
    )


def _work_fell(changes: ShownChanges, numbers: Numbers) -> EvidenceSentence:
    return EvidenceSentence(f"{_measures(changes)} fell: {_join([change.short for change in changes])}.")


def _service(words: str) -> Sentence:
    def tell_service(changes: ShownChanges, numbers: Numbers) -> EvidenceSentence:
        average, count = changes
        return EvidenceSentence(
            f"{words}: {average.name} {average.course} ({average.percent}), {count.long}.", average.percent
        )

    return tell_service


def _appeared(changes: ShownChanges, numbers: Numbers) -> EvidenceSentence:
    average, count = changes
    return EvidenceSentence(
        f"It did not occur before: {average.amount(average.now)} each now, {count.amount(count.now)}."
    )


def _device(words: str) -> Sentence:
    def tell_device(changes: ShownChanges, numbers: Numbers) -> EvidenceSentence:
        return EvidenceSentence(f"{words}: {changes[0].name} {changes[0].course}.", changes[0].percent)

    return tell_device


def _growth(words: str) -> Sentence:
    def tell_growth(changes: ShownChanges, numbers: Numbers) -> EvidenceSentence:
        unit = f"{figures.SPACE}{numbers['unit']}"
        per_day = f"{figures.figure(numbers['per_day'])}{unit} a day"
        before = numbers["per_day_before"]
        earlier = "" if before is None else f" ({figures.figure(before)} before the change began)"
        return EvidenceSentence(
            f"{words}: {per_day} since {_day(numbers['first'])}{earlier}; it grew on {numbers['grew_days']} of"
            f" {numbers['days']} days, at most by {figures.figure(numbers['largest'])}{unit}, on"
            f" {_day(numbers['largest_on'])}.",
            per_day,
        )

    return tell_growth


def _things(changes: ShownChanges, numbers: Numbers) -> EvidenceSentence:
    return EvidenceSentence(
        f"What grew most in five weeks: {_join([f'{change.name} {change.course}' for change in changes])}."
    )


def _driver_grew(changes: ShownChanges, numbers: Numbers) -> EvidenceSentence:
    return EvidenceSentence(f"More is asked of it: {changes[0].long}.", changes[0].percent)


def _driver_flat(changes: ShownChanges, numbers: Numbers) -> EvidenceSentence:
    return EvidenceSentence(f"Not more is asked of it: {_join([change.long for change in changes])}.")


def _users(words: str) -> Sentence:
    def tell_users(changes: ShownChanges, numbers: Numbers) -> EvidenceSentence:
        return EvidenceSentence(f"{words}: {_join([change.long for change in changes])}.")

    return tell_users


def _user(words: str) -> Sentence:
    def tell_user(changes: ShownChanges, numbers: Numbers) -> EvidenceSentence:
        user, *work = changes
        reasons = f": {_join([change.short for change in work])}" if work else ""
        return EvidenceSentence(f"{user.name} takes {user.course}, {words}{reasons}.", user.percent)

    return tell_user


def _host(words: str) -> Sentence:
    def tell_host(changes: ShownChanges, numbers: Numbers) -> EvidenceSentence:
        value = figures.figure(numbers["value"], apart_from=numbers["limit"])
        number = f"{value}{figures.SPACE}{numbers['unit']}".rstrip()
        return EvidenceSentence(
            f"{words}: {numbers['name']} is {number} against {figures.figure(numbers['limit'])}.", number
        )

    return tell_host


def _day(text: str) -> str:
    return figures.long_day(date.fromisoformat(text))


_SENTENCES: Mapping[str, Sentence] = {
    "figure": _figure,
    "nothing_before": _nothing_before,
    "work_grew": _work_grew,
    "work_grew_less": _work_grew_less,
    "work_flat": _work_flat,
    "work_fell": _work_fell,
    "slower": _service("Each takes longer, and there are not more of them"),
    "more": _service("There are more of them, and each takes no longer than before"),
    "only_more": _service("There are more of them, and each takes no longer than before the change began"),
    "queue": _service("There are more of them, and each takes longer in step: they queue"),
    "slower_and_more": _service("There are more of them, but each takes longer by more than that"),
    "service_flat": _service("Neither how long one takes nor how many there are has grown"),
    "appeared": _appeared,
    "device_slower": _device("What it waits for answers slower too"),
    "device_as_before": _device("What it waits for answers as before"),
    "stored_steadily": _growth("More is stored day by day"),
    "stored_in_one_load": _growth("Most of what was added came on one day"),
    "stored_unevenly": _growth("More is stored, much of it on one day"),
    "stored_and_removed": _growth("What is stored is removed again for the most part"),
    "stored_no_more": _growth("It grew no more of late"),
    "things_grew": _things,
    "driver_grew": _driver_grew,
    "driver_flat": _driver_flat,
    "users": _users("Who uses it"),
    "users_flat": _users("Not the instances on it: they take what they took"),
    "user_does_more": _user("for more work"),
    "user_does_the_same": _user("for the same work"),
    "user_grew": _user("for work that does not explain it"),
    "host_ran_out": _host("The host ran out"),
    "host_had_room": _host("The host had room"),
}
