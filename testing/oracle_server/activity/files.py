"""What is read and written: files, undo, segments, temporary space, disk groups."""

from collections.abc import Sequence
from datetime import datetime, timedelta

from ..database import Row, Rows, number_from
from ..storage import BLOCK, MB, File
from .setting import Setting, Views

UNDO_INTERVAL = timedelta(minutes=10)
UNDO_ROWS = 576

READS, WRITES = "physical read IO requests", "physical write IO requests"
TEMPORARY_READS = "physical reads direct temporary tablespace"
TEMPORARY_WRITES = "physical writes direct temporary tablespace"

SEGMENT_STATISTICS = {
    "logical reads": 9000.0,
    "buffer busy waits": 0.05,
    "db block changes": 500.0,
    "physical reads": 170.0,
    "physical writes": 40.0,
    "physical read requests": 90.0,
    "physical write requests": 24.0,
    "physical reads direct": 25.0,
    "ITL waits": 0.001,
    "row lock waits": 0.002,
    "space used": 900.0,
    "space allocated": 1000.0,
    "segment scans": 0.2,
}


class Files:
    """Input and output by file, segment and disk group."""

    def __init__(self, setting: Setting) -> None:
        self.setting = setting

    def views(self) -> Views:
        views: Views = {
            "v$filestat": self.filestat,
            "v$tempstat": self.tempstat,
            "v$undostat": self.undostat,
            "v$segstat": self.segstat,
            "v$segment_statistics": self.segment_statistics,
            "v$sort_segment": self.sort_segment,
        }
        groups: Views = {
            "v$asm_diskgroup_stat": self.diskgroups,
            "v$asm_diskgroup": self.diskgroups,
            "v$asm_disk_stat": self.disks,
        }
        return {**views, **groups} if self.setting.database.is_rac else views

    def filestat(self, now: datetime) -> Rows:
        files = self.setting.storage.files(now)
        reads, writes = (
            self.setting.rates[requests] - self.setting.rates[temporary]
            for requests, temporary in ((READS, TEMPORARY_READS), (WRITES, TEMPORARY_WRITES))
        )
        return [{**row, "optimized_phyblkrd": 0} for row in self._file_rows(files, reads, writes, now)]

    def tempstat(self, now: datetime) -> Rows:
        files = self.setting.storage.files(now, is_temporary=True)
        rates = self.setting.rates
        return self._file_rows(files, rates[TEMPORARY_READS], rates[TEMPORARY_WRITES], now)

    def _file_rows(self, files: Sequence[File], reads: float, writes: float, now: datetime) -> list[Row]:
        """So many requests in an average second, shared out by size; those of temp take a block each."""
        done = self.setting.done(now)
        total = sum(file.used for file in files) or 1
        rows: list[Row] = []
        for file in files:
            share = file.used / total
            read = self.setting.workload.count(READS, reads * share, done)
            written = self.setting.workload.count(WRITES, writes * share, done)
            single = int(read * 0.85)
            read_time, write_time = int(read * 0.075), int(written * 0.11)
            rows.append(
                {
                    "file#": file.number,
                    "phyrds": read,
                    "phywrts": written,
                    "phyblkrd": int(read * 1.7),
                    "phyblkwrt": int(written * 1.5),
                    "singleblkrds": single,
                    "readtim": read_time,
                    "writetim": write_time,
                    "singleblkrdtim": int(single * 0.06),
                    "avgiotim": 0,
                    "lstiotim": 0,
                    "miniotim": 0,
                    "maxiortm": 18,
                    "maxiowtm": 25,
                    "con_id": 0,
                }
            )
        return rows

    def undostat(self, now: datetime) -> Rows:
        rate = 64 * self.setting.scale
        last = now.replace(minute=now.minute // 10 * 10, second=0, microsecond=0)
        rows: list[Row] = []
        for back in range(UNDO_ROWS):
            begin = max(last - back * UNDO_INTERVAL, self.setting.instance.started_at)
            end = min(begin + UNDO_INTERVAL, now)
            if end <= begin:
                continue
            done = self.setting.workload.done(begin, end)
            blocks = self.setting.workload.count("undo blocks", rate, done)
            query = 300 + number_from(f"{self.setting.instance.name}/{begin:%m%d%H%M}", 900)
            rows.append(
                {
                    "begin_time": self.setting.database.local(begin),
                    "end_time": self.setting.database.local(end),
                    "undotsn": 2,
                    "undoblks": blocks,
                    "txncount": self.setting.workload.count(
                        "user commits", self.setting.rates["user commits"], done
                    ),
                    "maxquerylen": query,
                    "maxqueryid": "9babjv8yq8ru3",
                    "maxconcurrency": 4 + blocks % 9,
                    "unxpstealcnt": 0,
                    "unxpblkrelcnt": 0,
                    "unxpblkreucnt": 0,
                    "expstealcnt": 0,
                    "expblkrelcnt": 0,
                    "expblkreucnt": 0,
                    "ssolderrcnt": 0,
                    "nospaceerrcnt": 0,
                    "activeblks": 160,
                    "unexpiredblks": blocks * 2,
                    "expiredblks": 120_000,
                    "tuned_undoretention": max(900, query + 300),
                    "con_id": 0,
                }
            )
            if begin <= self.setting.instance.started_at:
                break
        return rows

    def segstat(self, now: datetime) -> Rows:
        done = self.setting.done(now)
        rows: list[Row] = []
        for segment in self.setting.storage.segments:
            for number, (name, rate) in enumerate(SEGMENT_STATISTICS.items()):
                value = self.setting.workload.count(
                    f"{segment.full_name}/{name}", rate * segment.heat * self.setting.scale, done
                )
                if value:
                    rows.append(
                        {
                            "ts#": segment.tablespace_number,
                            "obj#": segment.object_id,
                            "dataobj#": segment.object_id,
                            "statistic_name": name,
                            "statistic#": number,
                            "value": value,
                            "con_id": 1 if self.setting.database.is_cdb else 0,
                        }
                    )
        return rows

    def segment_statistics(self, now: datetime) -> Rows:
        segments = {segment.object_id: segment for segment in self.setting.storage.segments}
        rows: list[Row] = []
        for row in self.segstat(now):
            segment = segments[int(str(row["obj#"]))]
            words = {
                "owner": segment.owner,
                "object_name": segment.name,
                "subobject_name": segment.partition or None,
                "object_type": segment.kind,
                "tablespace_name": segment.tablespace,
            }
            rows.append({**row, **words})
        return rows

    def sort_segment(self, now: datetime) -> Rows:
        rows: list[Row] = []
        for tablespace in self.setting.storage.temporary:
            total = self.setting.storage.allocated(tablespace, now) // BLOCK
            rows.append(
                {
                    "tablespace_name": tablespace.name,
                    "current_users": int(2 * self.setting.workload.level(now)),
                    "total_blocks": total,
                    "used_blocks": int(min(total * 0.08 * self.setting.workload.level(now), total)),
                    "free_blocks": total - int(min(total * 0.08 * self.setting.workload.level(now), total)),
                    "max_blocks": total,
                    "max_used_blocks": int(min(total * 0.2 * self.setting.peak(now), total)),
                    "con_id": 0,
                }
            )
        return rows

    def disks(self, now: datetime) -> Rows:
        """Four disks of the data and one of the recovery area, which share the requests of all files evenly."""
        done = self.setting.done(now)
        data, recovery = self.diskgroups(now)
        disks = [(data, number, 4) for number in range(4)] + [(recovery, 0, 1)]
        rows: list[Row] = []
        for group, number, together in disks:
            of_group = 1.0 if group is data else 0.05
            name = str(group["name"])
            reads, writes = (
                self.setting.workload.count(
                    requests, self.setting.rates[requests] * of_group / together, done
                )
                for requests in (READS, WRITES)
            )
            rows.append(
                {
                    "group_number": group["group_number"],
                    "disk_number": number,
                    "mount_status": "CACHED",
                    "header_status": "MEMBER",
                    "mode_status": "ONLINE",
                    "state": "NORMAL",
                    "os_mb": int(str(group["total_mb"])) // together,
                    "total_mb": int(str(group["total_mb"])) // together,
                    "free_mb": int(str(group["free_mb"])) // together,
                    "name": f"{name}_{number:04}",
                    "failgroup": f"{name}_{number:04}",
                    "path": f"/dev/mapper/{name.lower()}{number + 1}",
                    "reads": reads,
                    "writes": writes,
                    "read_errs": 0,
                    "write_errs": 0,
                    "read_time": reads * 0.00075,
                    "write_time": writes * 0.0011,
                    "bytes_read": reads * 24 * 1024,
                    "bytes_written": writes * 20 * 1024,
                    "con_id": 0,
                }
            )
        return rows

    def diskgroups(self, now: datetime) -> Rows:
        data_mb = (
            sum(self.setting.storage.allocated(each, now) for each in self.setting.storage.tablespaces) // MB
        )
        return [
            {
                "group_number": number,
                "name": name,
                "sector_size": 512,
                "block_size": 4096,
                "allocation_unit_size": 4 * MB,
                "state": "CONNECTED",
                "type": "EXTERN",
                "total_mb": total,
                "free_mb": total - used_mb,
                "hot_used_mb": 0,
                "cold_used_mb": used_mb,
                "required_mirror_free_mb": 0,
                "usable_file_mb": total - used_mb,
                "offline_disks": 0,
                "con_id": 0,
            }
            for number, (name, total, used_mb) in enumerate(
                [("DATA", 1_048_576, data_mb), ("FRA", 409_600, 120_000)], start=1
            )
        ]
