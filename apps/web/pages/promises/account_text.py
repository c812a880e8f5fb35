"""The account in sentences: how many violations that were forecast came, and where the forecast is not to be trusted."""

from collections.abc import Mapping, Sequence

from apps.charts import figures
from apps.forecasting.account import count_reasons, quarter_until
from apps.forecasting.engine.account import LEAST, ForecastAccount
from apps.forecasting.models import KindRecord, Promise
from apps.web.pages.promises.promise_tables import KindRow, group_words
from apps.web.pages.promises.question import Question
from apps.web.sentences import Part, capital, day_in_words

CITED = 0.6  # the group of chances that the first line is about, where it has enough


def sentence_of(question: Question, account: ForecastAccount, early: ForecastAccount) -> list[Part]:
    """How many of those that were forecast came, by how much days were off, and what a straight line made of them."""
    if not account.own.predicted and early.own.predicted:
        return _sentence_before_the_first(early)
    if not account.count:
        return _sentence_without_any(question)
    own = account.own
    group = next((group for group in account.groups if group.least == CITED and group.count >= LEAST), None)
    if group is not None:
        answer = f"Of {_violations(group.count)} forecast at {group_words(group)}, {figures.whole(group.came)} came"
    elif own.predicted:
        answer = f"Of {_violations(own.predicted)} forecast, {figures.whole(own.came)} came"
    else:
        answer = f"No violation was forecast, and {'none' if not own.unforeseen else figures.whole(own.unforeseen)} came"
    if own.days_off is not None:
        answer += f"; the day was off by {figures.figure(own.days_off)} in the median"
    return [Part(f"{answer}.", True), *_line_of(account)]


def _line_of(account: ForecastAccount) -> list[Part]:
    """By how much the days of a straight line were off, beside ours."""
    off = account.line.days_off
    return (
        []
        if off is None or account.own.days_off is None
        else [Part(f" A straight line: {figures.figure(off)}.")]
    )


def _sentence_before_the_first(early: ForecastAccount) -> list[Part]:
    """What came already of violations that were forecast, before the first of them is due."""
    off = figures.figure(early.own.days_off)
    answer = f"No violation that was forecast is due yet; {figures.whole(early.own.came)} came already, off by {off} days in the median."
    return [Part(answer, True), *_line_of(early)]


def _sentence_without_any(question: Question) -> list[Part]:
    if question.promises.ended().exists():
        return [Part(f"No promise of {question.words} fell due in this quarter", True), Part(".")]
    first = question.first_due_on
    if first is None:
        return [
            Part("No promise has been made yet", True),
            Part(": what is forecast of a limit is kept from the night that ends a week."),
        ]
    return [Part("No promise has come due", True), Part(f"; the first does on {day_in_words(first)}.")]


def write_facts(
    question: Question, account: ForecastAccount, early: ForecastAccount
) -> list[tuple[str, str]]:
    """What stands below the first line: how many promises, of which days, and which are not among them."""
    facts = [
        ("promises", figures.whole(account.count)),
        ("due", figures.day_span(*quarter_until(question.until))),
    ]
    if account.chance_off is not None:
        facts.append(
            ("chance off by", f"{figures.figure(round(100 * account.chance_off, 1))} points in the mean")
        )
    if early.count:
        facts.append(("came before they are due", f"{figures.whole(early.count)}, in no share yet"))
    left_out = count_reasons(question.due)
    if left_out:
        words = ", ".join(
            f"{Promise.Reason(reason).label} {figures.whole(number)}" for reason, number in left_out
        )
        facts.append(("not counted", words))
    facts.append(
        (
            "of",
            "days that came by files alone"
            if question.is_imported
            else "the demo’s targets alone"
            if question.is_demo
            else "targets of your own, without those of the demo and days that came by files",
        )
    )
    return facts


def find_notices(kinds: Sequence[KindRow], records: Mapping[str, KindRecord]) -> list[list[Part]]:
    """Kinds of figures of which the line was nearer, or chances were not true, with enough of them to say so."""
    notices = []
    for row in kinds:
        account = row.account
        if account.is_line_nearer:
            line, own = figures.figure(account.line.days_off), figures.figure(account.own.days_off)
            notices.append(
                [
                    Part(
                        f"{capital(row.name)}: the straight line was nearer, {line} days against {own}", True
                    ),
                    Part(" in the median."),
                ]
            )
        if account.is_untrue and account.chance_off is not None:
            points = f"{100 * account.chance_off:.0f} points"
            notices.append(
                [
                    Part(f"{capital(row.name)}: chances were off by {points} in the mean", True),
                    Part(_direction(account)),
                ]
            )
        if row.width > 1:
            since = day_in_words(records[row.name].since)
            notices.append(
                [
                    Part(
                        f"{capital(row.name)}: bands are {figures.fixed(row.width, 1)} times as wide since {since}",
                        True,
                    ),
                    Part(
                        ", since too little of what came lay between soonest and latest; each such forecast says so."
                    ),
                ]
            )
    return notices


def _direction(account: ForecastAccount) -> str:
    """Whether more came than was forecast, or less."""
    expected = sum(group.count * group.chance for group in account.groups)
    came = sum(group.came for group in account.groups)
    return f": {figures.whole(came)} came, {figures.figure(round(expected))} were to be expected."


def _violations(number: int) -> str:
    return f"{figures.whole(number)} violation{'' if number == 1 else 's'}"
