"""What a test says of each source that it read."""

from collections.abc import Iterator

from apps.collection.collector import Collected, ConnectionStep


def source_steps(collected: Collected) -> Iterator[ConnectionStep]:
    """A step for each source, and for each note."""
    for source in collected.sources:
        sentence = source.error or f"{len(source.readings)} readings."
        yield ConnectionStep(source.name, not source.error, sentence, source.seconds, is_source=True)
    for note in collected.notes:
        yield ConnectionStep("Note", False, note)
