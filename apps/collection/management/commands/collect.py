"""Read one target now."""

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import CommandError

from apps.collection.collect import AlreadyUnderWay, collect_target
from apps.collection.command import OperatorCommand
from apps.snapshots.retention import NotKept


class Command(OperatorCommand):
    help = "Read one target and record what was read; the slot is the minute it was asked for."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("target")
        parser.add_argument(
            "--now", metavar="MOMENT", help="take this for the moment of reading (drills and tests)"
        )
        parser.add_argument(
            "--even-if-blocked",
            action="store_true",
            help="try a target that waits for a person, which may lock its account",
        )
        self.add_json(parser)

    def handle(self, *args: Any, **options: Any) -> None:
        target = self.target(options["target"])
        now = self.moment(options["now"])
        if target.retired_at is not None:
            raise CommandError(
                f"{target.name} was retired on {target.retired_at:%-d %B %Y}; it is not read any more."
            )
        if target.is_blocked and not options["even_if_blocked"]:
            raise CommandError(
                f"{target.name} waits for a person and was not tried: {target.blocked_because} Each further try may"
                " lock its account. Give a new password or address first, or add --even-if-blocked."
            )
        self.need_room()
        slot = now.replace(second=0, microsecond=0)
        try:
            run = collect_target(target, slot, now, captured_at=now if options["now"] else None)
        except (AlreadyUnderWay, NotKept) as error:
            raise CommandError(str(error)) from None
        if options["json"]:
            self.print_json(run.as_json())
        else:
            failed = [f"  {source['name']}: {source['error']}" for source in run.failed_sources]
            outcome = run.reason or f"{run.series:,} series in {run.seconds:.1f} s"
            self.stdout.write("\n".join([f"{target.name}: {run.state}. {outcome}", *failed]))
        if run.state == run.State.FAILED:
            raise SystemExit(1)
