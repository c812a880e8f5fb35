"""The scores the forecast must reach on series with a known future; `benchmarks/forecast.py` prints them beside other tools'."""

import pytest

from benchmarks.forecast import DATA, ask_as_review, ask_engine, ask_peer, main
from benchmarks.forecast_scores import MUST, scores
from benchmarks.forecast_tasks import read_tasks

needs_data = pytest.mark.skipif(
    not (DATA / "kinds.csv").is_file(), reason=f"SCORES NOT MEASURED: there are no daily series in {DATA}"
)


@needs_data
def test_every_score_is_reached_and_the_straight_line_is_beaten():
    tasks = read_tasks(DATA)

    got = scores(tasks, ask_as_review(tasks))
    alone, line = scores(tasks, ask_engine(tasks)), scores(tasks, ask_peer("line 30 d", tasks))

    missed = {name: got[name] for name, (least, most, _) in MUST.items() if not least <= got[name] <= most}
    assert missed == {}
    assert all(
        alone[name] < line[name] for name in ("MASE 7", "MASE 30", "MASE 90", "days off", "false alarms")
    )
    assert all(alone[name] > line[name] for name in ("precision", "recall", "F1", "inside soonest-latest"))


def test_without_data_the_benchmark_says_loudly_that_nothing_was_measured(tmp_path, capsys):
    assert main(["--data", str(tmp_path)]) == 0
    assert "SKIPPED" in capsys.readouterr().out
