"""Which mounts are worth watching, and how full they are."""

import os
import shlex
import subprocess
from threading import Event

import pytest
from hypothesis import given
from hypothesis import strategies as st

from apps.platforms.linux import filesystems
from apps.platforms.linux.filesystems import (
    Mount,
    Space,
    ask_each,
    parse_stat_output,
    readings_of,
    stat_command,
    worth_watching,
)
from apps.platforms.linux.tests.measured import value

MOUNTINFO = r"""22 27 0:21 / /proc rw - proc proc rw
24 27 0:6 / /dev rw - devtmpfs devtmpfs rw,size=12334524k
25 24 0:23 / /dev/shm rw - tmpfs tmpfs rw
27 1 253:0 / / rw,relatime shared:1 - xfs /dev/mapper/rhel-root rw
28 27 253:0 /srv /var/www rw - xfs /dev/mapper/rhel-root rw
29 27 253:4 / /u02/app\040data rw shared:7 master:3 - ext4 /dev/mapper/vg-data rw
30 27 8:1 / /boot rw - ext4 /dev/sda1 rw
31 27 7:0 / /snap/core/1 ro - squashfs /dev/loop0 ro
32 27 0:51 / /backup rw - nfs4 filer:/export/backup rw,vers=4.2
33 27 0:60 / /var/lib/docker/overlay2/x/merged rw - overlay overlay rw
34 27 0:40 / /btrfs rw - btrfs /dev/sdb rw,subvol=/
35 27 0:41 /home /btrfs/home rw - btrfs /dev/sdb rw,subvol=/home
36 27 0:61 / /run/user/0 rw - tmpfs tmpfs rw
"""


def test_hst11_real_filesystems_are_watched_once_and_by_their_own_mount_point():
    mounts = worth_watching(MOUNTINFO)

    assert [mount.point for mount in mounts] == ["/", "/backup", "/boot", "/btrfs", "/u02/app data"]
    assert [mount.point for mount in mounts if mount.is_remote] == ["/backup"]


def test_the_root_of_a_container_is_kept_and_the_files_of_its_engine_are_not():
    text = (
        "1 0 0:99 / / rw - overlay overlay rw,lowerdir=/x\n"
        "2 1 254:0 /docker/containers/x/hosts /etc/hosts rw - ext4 /dev/vda rw\n"
        "3 1 254:0 /docker/containers/x/resolv.conf /etc/resolv.conf rw - ext4 /dev/vda rw\n"
        "4 1 254:0 /data /data rw - ext4 /dev/vda rw\n"
    )

    assert [mount.point for mount in worth_watching(text)] == ["/", "/data"]


def test_hst11_use_is_told_as_df_tells_it():
    space = Space("/u02", 4096, blocks=1000, free=300, available=250, files=100, files_free=60)

    readings = readings_of([space])

    assert value(readings, "host_fs_used_pct", "/u02") == pytest.approx(100 * 700 / 950)
    assert value(readings, "host_fs_size_mb", "/u02") == pytest.approx(1000 * 4096 / 2**20)
    assert value(readings, "host_fs_free_mb", "/u02") == pytest.approx(250 * 4096 / 2**20)
    assert value(readings, "host_fs_inodes_pct", "/u02") == 40


@pytest.mark.parametrize(
    ("block_size", "blocks", "gigabytes"),
    [(1024, 15_728_640, 15), (8192, 655_360, 5)],
    ids=["STU8 of 1 KB", "STU8 of 8 KB"],
)
def test_the_size_of_a_filesystem_is_its_blocks_whatever_their_size(block_size, blocks, gigabytes):
    readings = readings_of([Space("/u02", block_size, blocks, free=0, available=0, files=0, files_free=0)])

    assert value(readings, "host_fs_size_mb", "/u02") == gigabytes * 1024


def test_a_filesystem_without_inodes_of_its_own_tells_none():
    readings = readings_of([Space("/btrfs", 4096, 1000, 300, 300, 0, 0)])

    assert value(readings, "host_fs_inodes_pct", "/btrfs") is None


def test_this_machine_and_its_df_agree(tmp_path):
    here = os.statvfs(tmp_path)

    spaces, notes = ask_each([Mount(str(tmp_path), "ext4"), Mount("/no/such/place", "ext4")])

    assert (spaces[0].block_size, spaces[0].blocks) == (here.f_frsize, here.f_blocks)
    assert notes == ["The filesystem /no/such/place could not be asked: No such file or directory."]


def test_the_command_for_another_machine_gives_what_statvfs_gives(tmp_path):
    (place := tmp_path / "a b'c").mkdir()

    output = subprocess.run(
        shlex.split(stat_command([Mount(str(place), "ext4")])), capture_output=True, text=True
    ).stdout

    space, here = parse_stat_output(output)[0], os.statvfs(place)
    assert (space.point, space.block_size, space.blocks, space.files) == (
        str(place),
        here.f_frsize,
        here.f_blocks,
        here.f_files,
    )


def test_a_server_that_is_gone_keeps_nobody_waiting_and_is_asked_once(monkeypatch):
    points, gone = [], Event()

    def hangs(point):
        points.append(point)
        gone.wait(60)
        raise OSError("too late")

    monkeypatch.setattr(os, "statvfs", hangs)
    mount = Mount("/backup", "nfs4", is_remote=True)

    first = filesystems._statvfs(mount, patience=0.05)
    second = filesystems._statvfs(mount, patience=0.05)
    gone.set()

    assert (first, second, points) == (None, None, ["/backup"])


@given(st.integers(0, 10**12), st.integers(0, 10**12), st.integers(0, 10**12))
def test_use_lies_between_nothing_and_all(used, available, reserved):
    space = Space("/x", 4096, used + available + reserved, available + reserved, available, 0, 0)

    share = value(readings_of([space]), "host_fs_used_pct", "/x")

    assert share is None or 0 <= share <= 100
