"""The data folder: everything one installation keeps, and the lock that lets one supervisor at a time use it."""

import fcntl
import os
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from apps.config.embedded import CannotStart

LONGEST_SOCKET_PATH = 107
LONGEST_SOCKET_NAME = len("/postgres/.s.PGSQL.5432")
LONGEST_NAME_OF_LISTENER = len("/pymp-12345678/listener-12345678")  # as multiprocessing makes them


class Folder:
    """
    One installation's data. Private to the user who started Headroom.

    Root's is passable for others, since PostgreSQL then runs as another user; its files stay private.
    """

    def __init__(self, root: Path | str) -> None:
        self.root = Path(root).expanduser().absolute()
        self.logs = self.root / "log"
        self.run = self.root / "run"
        self.temporary = self.root / "tmp"
        self.static = self.root / "static"
        self._moved_sockets = self.run / "sockets"

    def make(self) -> None:
        """Create what is missing."""
        mode = 0o711 if os.geteuid() == 0 else 0o700
        try:
            self._make_root(mode)
            for folder, its_mode in ((self.logs, 0o700), (self.run, mode)):
                folder.mkdir(mode=its_mode, exist_ok=True)
                folder.chmod(its_mode)
        except OSError as error:
            raise CannotStart(
                f"Headroom cannot keep its data in {self.root} ({error.strerror}): "
                "set HEADROOM_DATA to a folder it may write to."
            ) from None

    def _make_root(self, mode: int) -> None:
        """Make it, and folders above it that are missing, with this mode whatever the umask."""
        missing = [folder for folder in (self.root, *self.root.parents) if not folder.exists()]
        for folder in reversed(missing):
            folder.mkdir(exist_ok=True)
            folder.chmod(mode)

    def empty_temporary(self) -> None:
        """Clear away what processes that were killed have left in their folder for passing things."""
        shutil.rmtree(self.temporary, ignore_errors=True)
        self.temporary.mkdir(mode=0o700, exist_ok=True)

    @property
    def temporary_setting(self) -> dict[str, str]:
        """Where processes put what is passing; elsewhere where the path is too long for a socket in it."""
        longest = len(os.fsencode(self.temporary)) + LONGEST_NAME_OF_LISTENER
        return {"TMPDIR": str(self.temporary)} if longest <= LONGEST_SOCKET_PATH else {}

    def sockets(self, name: str) -> Path:
        """The folder of one server's socket: in the data folder, or elsewhere when that path is too long for one."""
        if len(os.fsencode(self.run)) + LONGEST_SOCKET_NAME <= LONGEST_SOCKET_PATH:
            return self.run / name
        try:
            return Path(self._moved_sockets.read_text()) / name
        except FileNotFoundError:
            return self.run / name

    def make_sockets(self, name: str, owner: int | None = None) -> Path:
        """Create the folder of one server's socket, which only that server's user and root may enter."""
        if len(os.fsencode(self.run)) + LONGEST_SOCKET_NAME > LONGEST_SOCKET_PATH:
            self._move_sockets()
        folder = self.sockets(name)
        folder.mkdir(mode=0o700, exist_ok=True)
        folder.chmod(0o700)
        if owner is not None:
            os.chown(folder, owner, -1)
        return folder

    def _move_sockets(self) -> None:
        if self._moved_sockets.exists():
            moved = Path(self._moved_sockets.read_text())
            if moved.is_dir() and not moved.is_symlink() and moved.stat().st_uid == os.geteuid():
                return
        moved = Path(tempfile.mkdtemp(prefix="headroom-"))
        moved.chmod(0o711)
        self._moved_sockets.write_text(str(moved))

    def remove_moved_sockets(self) -> None:
        """Leave nothing behind outside the data folder."""
        if self._moved_sockets.exists():
            shutil.rmtree(self._moved_sockets.read_text(), ignore_errors=True)
            self._moved_sockets.unlink()

    def keep_private(self, name: str, text: str) -> str:
        """Write a private file unless it is there, whole or not at all; return what it holds."""
        path = self.root / name
        if not path.exists():
            descriptor, draft = tempfile.mkstemp(dir=self.root, prefix=f".{name}-")  # mode 0600
            try:
                with os.fdopen(descriptor, "w") as file:
                    file.write(text + "\n")
                    file.flush()
                    os.fsync(file.fileno())
                os.link(draft, path)
            except FileExistsError:
                pass  # another process was faster: its text counts
            finally:
                os.unlink(draft)
        return path.read_text().strip()

    @contextmanager
    def locked(self) -> Iterator[None]:
        """Hold the folder for one supervisor. Raises CannotStart when another has it."""
        with open(self.root / "lock", "a") as lock:
            try:
                fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                raise CannotStart(
                    f"Headroom is already running on the data in {self.root}: "
                    "stop that one first, or give this one another folder in HEADROOM_DATA."
                ) from None
            yield
