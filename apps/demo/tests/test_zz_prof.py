import cProfile, pstats
from datetime import UTC, datetime
import pytest
from apps.demo.load import *
@pytest.mark.django_db
def test_full():
    NOW=datetime(2026, 2, 18, 9, 30, tzinfo=UTC)
    ts={t.address["member"]:t for t in set_up_demo(20, NOW)}
    for n in ("dbx-crm01","LOGPRD"):
        pr=cProfile.Profile(); pr.enable(); load_target(ts[n],NOW); pr.disable()
        pstats.Stats(pr).sort_stats("tottime").print_stats(28)
