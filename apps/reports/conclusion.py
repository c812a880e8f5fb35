"""The conclusion: up to three sentences, written from the facts and from nothing else."""

from datetime import date

from apps.charts.figures import figure, long_day
from apps.charts.words import capital, in_words
from apps.reports.facts import Facts, Item

LONGEST = 60  # characters of a name in a sentence


def write_sentences(facts: Facts) -> list[str]:
    """What is broken; what comes next, or is worst; what was not read or came back."""
    if not facts.targets:
        return ["No target is registered yet."]
    candidates = [_what_is_over(facts), _what_comes_next(facts), _what_else(facts)]
    return [sentence for sentence in candidates if sentence]


def _what_is_over(facts: Facts) -> str:
    over = len(facts.over)
    if facts.closing:
        return f"{_broken(facts).removesuffix('.')}; {_closing(facts, over)}."
    return _broken(facts)


def _closing(facts: Facts, over: int) -> str:
    number = len(facts.closing)
    more = " more" if over else ""
    return f"{in_words(number)}{more} {'is' if number == 1 else 'are'} inside again, closing"


def _broken(facts: Facts) -> str:
    over, new = len(facts.over), len(facts.new)
    if not over:
        return (
            "Nothing broke its limit."
            if not facts.resolved and not facts.closing
            else "Nothing is over its limit any more."
        )
    if over == 1:
        return f"One limit is broken, {'new this week' if new else 'as the week before'}."
    novelty = "none of them new"
    if new:
        novelty = f"{'all' if new == over else in_words(new)} of them new"
    return f"{capital(in_words(over))} limits are broken, {novelty}."


def _what_comes_next(facts: Facts) -> str:
    coming = [item for item in facts.predicted if item.likely_on]
    if coming:
        following = min(coming, key=lambda item: (item.likely_on or "", item.violation))
        soonest = f" (soonest {day(following.soonest_on)})" if following.soonest_on else ""
        return (
            f"{subject(following)} is the next to go, around {day(following.likely_on)}{soonest}"
            f"{_time_to_act(following, facts)}."
        )
    if facts.over:
        return _worst(facts.over[0])
    if facts.closest is not None:
        closest = facts.closest
        return f"The closest is {short(closest.what)} on {short(closest.target)}, around {day(closest.likely_on)}."
    if facts.forecasts:
        return "No limit is predicted to be reached within 90 days."
    return ""


def _time_to_act(item: Item, facts: Facts) -> str:
    if item.act_by is None:
        return ""
    if item.act_by < facts.known_at[:10]:
        return f"; the time to act ended on {day(item.act_by)}"
    return f", and must be acted on by {day(item.act_by)}"


def _worst(item: Item) -> str:
    value = f" at {figure(item.value)} {item.unit}".rstrip() if item.value is not None else ""
    owner = f"owned by {short(item.owner)}" if item.owner else "and nobody owns it yet"
    due = f", due {day(item.due_on)}" if item.due_on and item.owner else ""
    return f"Worst is {subject(item)}{value} against {item.limit}, {owner}{due}."


def _what_else(facts: Facts) -> str:
    if facts.not_collected:
        return _not_read(facts)
    ended = [item for item in facts.resolved if item.opened_on]
    if len(ended) == 1:
        return f"{subject(ended[0])} is no longer violated since {day(ended[0].closed_on)}."
    if ended:
        return f"{capital(in_words(len(ended)))} violations ended, {subject(ended[0])} among them."
    return ""


def _not_read(facts: Facts) -> str:
    first, more = facts.not_collected[0], len(facts.not_collected) - 1
    name, nights = short(first["target"]), int(first["nights"])
    if more:
        return f"{name} and {in_words(more)} {'other' if more == 1 else 'others'} were not read every night."
    if not nights:
        return f"The Sunday of {name} is not closed yet."
    return f"{name} was not read on {in_words(nights)} night{'' if nights == 1 else 's'}."


def subject(item: Item) -> str:
    return f"{short(item.what)} on {short(item.target)}"


def day(text: str | None) -> str:
    """`14 March` of ISO text."""
    return long_day(date.fromisoformat(text)) if text else ""


def short(name: str) -> str:
    """A name that leaves room for the sentence."""
    return name if len(name) <= LONGEST else f"{name[: LONGEST - 1]}…"
