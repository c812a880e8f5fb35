"""import_history: read what a target remembers of the days before its first reading."""

import json
from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.utils import timezone

from apps.charts.words import capital, count
from apps.collection.history.imports import (
    NoHistory,
    ask_for_history,
    look_for_history,
    read_history,
    start_reading,
    take_back_history,
)
from apps.collection.history.models import HistoryImport
from apps.inventory.models import Target


class Command(BaseCommand):
    help = "Read what a target remembers of the days before its first reading, or take it back."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("target", help="the name of the target")
        parser.add_argument("--look", action="store_true", help="say what there is, and store nothing")
        parser.add_argument("--take-back", action="store_true", help="take back all days that came this way")
        parser.add_argument("--json", action="store_true", help="print what there is as JSON")

    def handle(self, *, target: str, look: bool, take_back: bool, json: bool, **_: Any) -> None:
        named = Target.objects.named(target).first()
        if named is None:
            raise CommandError(f"No target is called {target}.")
        if take_back:
            days = take_back_history(named, timezone.now())
            self.stdout.write(f"{capital(count(days, 'day'))} of {named.name} taken back.")
            return
        try:
            history = self._look(named, as_json=json)
            if not look:
                self._read(named, history)
        except NoHistory as error:
            raise CommandError(str(error)) from None

    def _look(self, target: Target, *, as_json: bool) -> HistoryImport:
        ask_for_history(target, None, timezone.now())
        history = look_for_history(target.pk, timezone.now())
        if history is None or history.state == HistoryImport.State.REFUSED:
            raise NoHistory(history.reason if history else f"{target.name} was not asked.")
        if as_json:
            self.stdout.write(json.dumps([reach.as_json() for reach in history.reaches], indent=2))
            return history
        for reach in history.reaches:
            span = f"{count(reach.days, 'day')} from {reach.first} to {reach.last}, {reach.rows} {reach.what}"
            self.stdout.write(f"{reach.title}: {span if reach.days else reach.reason}")
        return history

    def _read(self, target: Target, history: HistoryImport) -> None:
        start_reading(target, [reach.key for reach in history.reaches if reach.days], timezone.now())
        while read_history(target.pk, timezone.now):
            pass
        history.refresh_from_db()
        if history.state != HistoryImport.State.READ:
            raise CommandError(
                f"{capital(count(history.days_stored, 'day'))} stored, then it stopped: {history.reason}"
            )
        self.stdout.write(f"{capital(count(history.days_stored, 'day'))} of {target.name} stored.")
