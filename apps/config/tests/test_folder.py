"""The data folder keeps its secrets private, its sockets reachable and other supervisors out."""

import os
import shutil
import stat
from concurrent.futures import ThreadPoolExecutor

import pytest

from apps.config.embedded import CannotStart
from apps.config.embedded.folder import LONGEST_SOCKET_PATH, Folder


def test_a_private_file_is_written_once(tmp_path):
    folder = Folder(tmp_path)

    with ThreadPoolExecutor() as pool:
        read = set(pool.map(lambda number: folder.keep_private("key", str(number)), range(20)))

    assert len(read) == 1
    assert stat.S_IMODE((tmp_path / "key").stat().st_mode) == 0o600
    assert [path.name for path in tmp_path.iterdir()] == ["key"]


def test_a_folder_that_is_made_is_passable_as_far_as_needed_whatever_the_umask(tmp_path):
    before = os.umask(0o077)
    try:
        Folder(tmp_path / "new" / "data").make()
    finally:
        os.umask(before)

    expected = 0o711 if os.geteuid() == 0 else 0o700  # PostgreSQL is another user's where root runs us
    for folder in ("new", "new/data", "new/data/run"):
        assert stat.S_IMODE((tmp_path / folder).stat().st_mode) == expected


def test_sockets_are_in_the_data_folder_for_their_user_alone(tmp_path):
    folder = Folder(tmp_path)
    folder.make()

    made = folder.make_sockets("postgres")

    assert made == folder.sockets("postgres") == tmp_path / "run/postgres"
    assert stat.S_IMODE(made.stat().st_mode) == 0o700


def test_a_path_too_long_for_a_socket_moves_it_elsewhere(tmp_path):
    folder = Folder(tmp_path / ("long" * 25))
    folder.make()

    made = folder.make_sockets("postgres")

    assert len(str(made / ".s.PGSQL.5432")) <= LONGEST_SOCKET_PATH
    assert Folder(folder.root).sockets("postgres") == made == folder.make_sockets("postgres")
    folder.remove_moved_sockets()
    assert not made.parent.exists()


def test_moved_sockets_that_were_cleared_away_are_made_again(tmp_path):
    folder = Folder(tmp_path / ("long" * 25))
    folder.make()
    shutil.rmtree(folder.make_sockets("postgres").parent)

    assert folder.make_sockets("postgres").is_dir()
    folder.remove_moved_sockets()


def test_one_supervisor_at_a_time(tmp_path):
    folder = Folder(tmp_path)

    with folder.locked(), pytest.raises(CannotStart, match="Headroom is already running on the data in"):
        Folder(tmp_path).locked().__enter__()

    with folder.locked():
        pass


def test_a_place_it_may_not_write_to_gets_a_sentence(tmp_path):
    (tmp_path / "file").write_text("")

    with pytest.raises(CannotStart, match="set HEADROOM_DATA to a folder it may write to"):
        Folder(tmp_path / "file" / "var").make()


def test_what_killed_processes_left_is_cleared_away(tmp_path):
    folder = Folder(tmp_path)
    folder.make()
    folder.empty_temporary()
    (folder.temporary / "pymp-left").mkdir()

    folder.empty_temporary()

    assert list(folder.temporary.iterdir()) == []
    assert stat.S_IMODE(folder.temporary.stat().st_mode) == 0o700


def test_what_is_passing_is_in_the_data_folder_unless_sockets_would_not_fit(tmp_path):
    assert Folder("/data").temporary_setting == {"TMPDIR": "/data/tmp"}
    assert Folder(tmp_path / ("deep" * 30)).temporary_setting == {}
