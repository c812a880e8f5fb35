"""
Misbehaviour on order: what the server does wrong while a test, or the demo, wants it to.

Each order returns a `Fault`, which is lifted by `lift()`, at the end of a `with` block, or after so many `times`.
"""

import threading
from dataclasses import dataclass
from enum import Enum
from types import TracebackType


class FaultKind(Enum):
    """What can go wrong."""

    REFUSE = "refuse the connection"
    SILENCE = "accept the connection and never answer"
    DENY = "refuse the sign-in"
    FAIL = "answer a statement with an error"
    HANG = "never answer a statement"
    DELAY = "answer a statement late"
    DELAY_LOGON = "let a sign-in take long"
    DROP = "close the connection in the middle of a row"


@dataclass(eq=False)
class Fault:
    """One order to misbehave; `about` is a piece of the statements it is for, in any case."""

    owner: "Faults"
    kind: FaultKind
    about: str = ""
    code: int = 0
    text: str = ""
    seconds: float = 0.0
    after_rows: int = 0
    times: int | None = None

    def lift(self) -> None:
        self.owner.lift(self)

    def __enter__(self) -> "Fault":
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.lift()


class Faults:
    """All orders in force; they may be given from any thread."""

    def __init__(self) -> None:
        self._faults: list[Fault] = []
        self._lock = threading.Lock()

    def refuse(self, code: int = 12514, *, times: int | None = None) -> Fault:
        """Let the listener refuse connections with a TNS number: 12514, 12516, 12518, 12528 ..."""
        return self._add(Fault(self, FaultKind.REFUSE, code=code, times=times))

    def fall_silent(self, *, times: int | None = None) -> Fault:
        """Accept connections and never answer them."""
        return self._add(Fault(self, FaultKind.SILENCE, times=times))

    def deny(self, code: int, *, text: str = "", times: int | None = None) -> Fault:
        """Refuse sign-ins with an ORA number: 18, 20, 1033, 1034, 28000, 28001 ..."""
        return self._add(Fault(self, FaultKind.DENY, code=code, text=text, times=times))

    def run_out_of_sessions(self, *, times: int | None = None) -> Fault:
        return self.deny(18, times=times)

    def run_out_of_processes(self, *, times: int | None = None) -> Fault:
        return self.deny(20, times=times)

    def fail(self, about: str, code: int, *, text: str = "", times: int | None = None) -> Fault:
        """Answer statements about a view (or any other words) with an ORA number."""
        return self._add(Fault(self, FaultKind.FAIL, about, code, text, times=times))

    def hang(self, about: str = "", *, times: int | None = None) -> Fault:
        """Never answer statements about a view, until the client breaks off."""
        return self._add(Fault(self, FaultKind.HANG, about, times=times))

    def delay(self, about: str, seconds: float, *, times: int | None = None) -> Fault:
        """Answer statements about a view some seconds late."""
        return self._add(Fault(self, FaultKind.DELAY, about, seconds=seconds, times=times))

    def delay_logons(self, seconds: float, *, times: int | None = None) -> Fault:
        """Take some seconds to let somebody in, as a server process that touches every page of a large SGA does."""
        return self._add(Fault(self, FaultKind.DELAY_LOGON, seconds=seconds, times=times))

    def drop(self, about: str, *, after_rows: int = 0, times: int | None = None) -> Fault:
        """Close the connection in the middle of the row that follows `after_rows` of a statement about a view."""
        return self._add(Fault(self, FaultKind.DROP, about, after_rows=after_rows, times=times))

    def lift(self, fault: Fault) -> None:
        with self._lock:
            self._faults = [each for each in self._faults if each is not fault]

    def clear(self) -> None:
        """Behave again."""
        with self._lock:
            self._faults = []

    def find(self, kind: FaultKind, sql: str = "") -> Fault | None:
        """Return the order in force for a statement, and count it as carried out."""
        with self._lock:
            for fault in self._faults:
                if fault.kind is kind and fault.about.lower() in sql.lower():
                    if fault.times is not None:
                        fault.times -= 1
                        if fault.times <= 0:
                            self._faults.remove(fault)
                    return fault
        return None

    def _add(self, fault: Fault) -> Fault:
        with self._lock:
            self._faults.append(fault)
        return fault
