"""Files and space."""

from functools import partial

from apps.advisors.engine.rule_inputs import DerivedInput, FigureInput, GrowthInput

_of_file = partial(FigureInput, is_each=True)
FILE_MS = _of_file(key="datafile_avg_ms", label="average response", unit="ms", metric="datafile_avg_ms")
FILE_IO = _of_file(key="datafile_io_day", label="I/O", unit="iops/day", metric="datafile_io_day")
FILE_MAX_MS = _of_file(
    key="datafile_max_ms", label="longest read", unit="ms", metric="datafile_max_ms", is_record=True
)
SPACE_PCT = FigureInput(
    key="ts_used_pct_max", label="used of maximum", unit="%", metric="ts_used_pct_max", is_each=True
)
_SPACE_ROOM = FigureInput(
    key="ts_room", label="room to the maximum", unit="MB", metric="ts_room_mb", is_each=True
)
SPACE_GROWTH = GrowthInput(
    key="ts_growth_mb_day",
    label="growth over 30 days",
    unit="MB/day",
    metric="ts_used_mb",
    needs="A week of days.",
    is_each=True,
)
SPACE_DAYS = DerivedInput(
    key="ts_days_to_full",
    label="days to full at that growth",
    unit="days",
    inputs=(SPACE_GROWTH, _SPACE_ROOM),
    compute=lambda growth, room: room / growth if growth > 0 else 99_999.0,
    is_each=True,
)
RECOVERY_PCT = FigureInput(
    key="fra_used_pct",
    label="recovery area used",
    unit="%",
    metric="fra_used_pct",
    needs="The database has no recovery area, or the account may not read v$recovery_file_dest.",
)
