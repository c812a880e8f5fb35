"""The method's action plans: what comes along with the platforms, and what a host is read for."""

import pytest
from django.core.management import call_command

from apps.advisors.models import PlanTemplate
from apps.advisors.templates import install_templates, steps_in
from apps.catalog.registry import metrics_of

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def _installed() -> None:
    install_templates()


def steps(key: str) -> list[str]:
    return [text for text, _ in steps_in(PlanTemplate.objects.get(key=key).steps)]


def test_ACT3_typical_capacity_actions_are_offered_for_cpu_memory_storage_network_and_configuration():
    capacity = PlanTemplate.objects.filter(diagnosis="capacity", is_withdrawn=False)

    assert {"CPU", "Memory", "Space", "Network", ""} <= set(capacity.values_list("family", flat=True))
    configuration = " ".join(steps("configuration-capacity"))
    assert all(word in configuration for word in ("grid", "Version", "64-bit"))
    assert any("Add cores" in step for step in steps("cpu-capacity"))
    assert any("Add memory" in step for step in steps("memory-capacity"))
    assert any("order disks" in step for step in steps("storage-capacity"))
    assert any("Add links" in step for step in steps("network-capacity"))


def test_every_template_can_be_used_and_names_a_family_that_there_is():
    sections = {metric.section.title for key in ("oracle", "linux") for metric in metrics_of(key)} | {""}
    for template in PlanTemplate.objects.all():
        assert steps_in(template.steps)
        assert template.family in sections


def test_the_first_start_installs_them(monkeypatch):
    PlanTemplate.objects.all().delete()
    monkeypatch.setattr("apps.web.management.commands.first_start.collect_at_once", lambda *_, **__: None)
    monkeypatch.setattr("apps.web.management.commands.first_start.load_example.delay", lambda: None)

    call_command("first_start")

    assert PlanTemplate.objects.filter(key="redo-path").exists()
