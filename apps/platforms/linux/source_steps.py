"""What a test says of each source that it read."""

from collections.abc import Iterator

from apps.collection.collector import Collected, ConnectionStep, SourceRun


def source_steps(collected: Collected) -> Iterator[ConnectionStep]:
    """A step for each source, and for each note."""
    for source in collected.sources:
        sentence = source.error or _how_much(source)
        yield ConnectionStep(source.name, not source.error, sentence, source.seconds, is_source=True)
    for note in collected.notes:
        yield ConnectionStep("Note", False, note)


def _how_much(source: SourceRun) -> str:
    if source.tally is not None:
        return f"{len(source.tally.members)} processes."
    return f"{len(source.readings)} readings."
