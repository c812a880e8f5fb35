"""Oracle's errors as sentences: what it means, what to do, and whether another try makes sense."""

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeVar

import oracledb

from apps.collection.collector import CollectionError
from apps.platforms.oracle.wallet import BadWallet


@dataclass(frozen=True)
class Meaning:
    """
    What an error says of a target, in words that follow its name, and the remedy in a sentence of its own.

    `is_passing`: the same try may soon succeed. `locks_accounts`: further tries do harm. `is_lost`: there was a connection.
    """

    words: str
    remedy: str = ""
    is_passing: bool = False
    locks_accounts: bool = False
    is_lost: bool = False


MEANINGS = {
    # signing in
    "ORA-01017": Meaning(
        "its user name or password is wrong",
        "Correct them on its page; until then no further try is made, since tries lock the account.",
        locks_accounts=True,
    ),
    "ORA-28000": Meaning(
        "its account is locked",
        "Have it unlocked (ALTER USER … ACCOUNT UNLOCK), then save its page again.",
        locks_accounts=True,
    ),
    "ORA-28001": Meaning("its password has expired", "Give a new one on its page.", locks_accounts=True),
    "ORA-01005": Meaning("no password was given", "Give one on its page.", locks_accounts=True),
    "ORA-01045": Meaning("its account may not sign in", "Grant it: GRANT CREATE SESSION TO the account."),
    "ORA-01035": Meaning(
        "it is open to administrators only", "Wait until its maintenance is over.", is_passing=True
    ),
    "ORA-01031": Meaning("its account lacks a privilege", "Run the grants script of “What Headroom reads”."),
    # the listener
    "ORA-12514": Meaning(
        "the listener does not know this service", "Compare the service with `lsnrctl services`."
    ),
    "ORA-12505": Meaning("the listener does not know this SID", "Compare the SID with `lsnrctl services`."),
    "ORA-12521": Meaning("the listener does not know this instance", "Compare it with `lsnrctl services`."),
    "ORA-12516": Meaning("the listener has no free server process", "Look at PROCESSES.", is_passing=True),
    "ORA-12518": Meaning("the listener could not hand the connection over", is_passing=True),
    "ORA-12519": Meaning("the listener has no free server process", "Look at PROCESSES.", is_passing=True),
    "ORA-12520": Meaning("the listener has no free server process", "Look at PROCESSES.", is_passing=True),
    "ORA-12528": Meaning(
        "the listener admits nobody while the instance starts", "It is tried again shortly.", is_passing=True
    ),
    "ORA-12537": Meaning(
        "the listener closed the connection", "Look at PROCESSES and valid-node checking.", is_passing=True
    ),
    "ORA-12541": Meaning(
        "no listener answers there", "Is it started, and are host and port right?", is_passing=True
    ),
    # the instance
    "ORA-00018": Meaning(
        "all its sessions are taken", "Raise SESSIONS, or find who holds them.", is_passing=True
    ),
    "ORA-00020": Meaning(
        "all its processes are taken", "Raise PROCESSES, or find who holds them.", is_passing=True
    ),
    "ORA-01033": Meaning(
        "it is starting, stopping or only mounted",
        "A standby that stays mounted is read with a second account, one with SYSDG: give it under “New password”.",
        is_passing=True,
    ),
    "ORA-01034": Meaning(
        "the instance is down", "Start it, or pause it here while it is meant to be down.", is_passing=True
    ),
    "ORA-01089": Meaning(
        "it is shutting down", "Pause it here while it is meant to be down.", is_passing=True
    ),
    "ORA-01109": Meaning("the pluggable database is not open", "Open it, or pause it here.", is_passing=True),
    "ORA-00028": Meaning("the session was killed", is_passing=True),
    "ORA-01012": Meaning("the session was ended by the server", is_passing=True),
    "ORA-02396": Meaning("the session was ended for being idle", is_passing=True),
    "ORA-00600": Meaning(
        "the server met an internal error",
        "Its alert log has the details, for Oracle Support.",
        is_passing=True,
    ),
    "ORA-01092": Meaning("the instance was ended", "Look at its alert log.", is_passing=True),
    "ORA-03113": Meaning("the connection was lost", is_passing=True, is_lost=True),
    "ORA-03114": Meaning("the connection was lost", is_passing=True, is_lost=True),
    "ORA-03135": Meaning("the connection was lost", is_passing=True, is_lost=True),
    # the driver
    "DPY-4011": Meaning(
        "the connection was lost",
        "A listener that wants TCPS, or a client's certificate, hangs up like this, and so does one that admits certain"
        " machines alone.",
        is_passing=True,
        is_lost=True,
    ),
    "DPY-1001": Meaning("the connection was lost", is_passing=True, is_lost=True),
    "DPI-1080": Meaning("the connection was lost", is_passing=True, is_lost=True),
    "DPY-4024": Meaning("it did not answer in time", is_passing=True),
    "DPI-1067": Meaning("it did not answer in time", is_passing=True),
    "DPY-3010": Meaning(
        "its release is too old to be reached without Oracle Client",
        "Name a Client 19 in HEADROOM_ORACLE_CLIENT.",
    ),
    "DPY-3001": Meaning(
        "it demands Native Network Encryption, which needs Oracle Client",
        "Name a client in HEADROOM_ORACLE_CLIENT, or let the server use TLS.",
    ),
    "DPY-3015": Meaning(
        "the password is kept in an old form that needs Oracle Client",
        "Have the password set again, or name a client in HEADROOM_ORACLE_CLIENT.",
    ),
    "DPI-1047": Meaning(
        "Oracle Client cannot be loaded from the directory that HEADROOM_ORACLE_CLIENT names",
        "Correct the setting.",
    ),
    "DPY-4000": Meaning("its descriptor is not understood", "Correct it on its page."),
    "DPY-2018": Meaning(
        "its wallet cannot be read on this machine",
        "The directory must hold ewallet.pem; correct it on its page.",
    ),
    "DPY-6002": Meaning(
        "its certificate is made out to another distinguished name than the one given",
        "Compare it with the certificate, as “Test connection” shows it; somebody else may be answering.",
    ),
    "DPY-6006": Meaning(
        "its certificate is made out to another name than the host's",
        "Give the distinguished name of the certificate, as “Test connection” shows it; somebody else may be answering.",
    ),
}
MEANINGS["DPY-4026"] = MEANINGS["DPY-4027"] = MEANINGS["DPY-4000"]

SILENT = Meaning(
    "the listener took the connection and did not answer",
    "Look at the listener and at the load of its host.",
    is_passing=True,
)
LOST_LATER = Meaning("the connection was lost", "Look at the alert log, and at the network.", is_passing=True)
WRAPPERS = frozenset({"DPY-6005", "DPY-4011", "DPI-1080"})  # of which another number says why
TIMEOUTS = frozenset({"DPY-4024", "DPI-1067"})
LOST = frozenset(code for code, meaning in MEANINGS.items() if meaning.is_lost) | {
    "ORA-00028",
    "ORA-01012",
    "ORA-01092",
    "ORA-02396",
    "ORA-01089",
}
UNREADABLE = frozenset({"ORA-00942", "ORA-01031", "ORA-02030"})
Row = TypeVar("Row")


def if_readable(read: Callable[[], list[Row]]) -> list[Row]:
    """What is read; nothing where the account may not read it, or the release has no such view."""
    try:
        return read()
    except oracledb.Error as error:
        if code_of(error) in UNREADABLE:
            return []
        raise


def is_silence(error: BaseException) -> bool:
    """Whether nothing came back in time; where even the break was not answered, the driver calls the connection lost."""
    return code_of(error) in TIMEOUTS or "timed out" in str(error)


def is_loss(error: BaseException) -> bool:
    """Whether the connection is of no more use."""
    return isinstance(error, OSError) or not LOST.isdisjoint(_codes_of(error))


def code_of(error: BaseException) -> str:
    """
    The number of the error that says most, such as ORA-12514; empty where there is none.

    The driver wraps what a listener refuses into errors of its own and names Oracle's number at their end.
    """
    if not isinstance(error, oracledb.Error):
        return ""
    if wrapped := re.search(r"[Ss]imilar to (ORA-\d{5})", str(error)):
        return wrapped[1]
    codes = _codes_of(error)
    return next((code for code in codes if code not in WRAPPERS), codes[-1] if codes else "")


def _codes_of(error: BaseException) -> list[str]:
    """All numbers that an error names, in their order; the driver leaves leading zeros out at times."""
    if not isinstance(error, oracledb.Error):
        return []
    pairs = re.findall(r"\b(ORA|DPY|DPI)-(\d{3,5})\b", str(error))
    return [f"{prefix}-{int(number):0{5 if prefix == 'ORA' else 4}}" for prefix, number in pairs]


def meaning_of(error: BaseException, *, is_signed_in: bool = False) -> tuple[Meaning, str]:
    """What an error means, before or after signing in, and the number to print behind it."""
    code = code_of(error)
    if is_signed_in and code in MEANINGS and MEANINGS[code].words == LOST_LATER.words:
        return LOST_LATER, code
    if code in MEANINGS:
        return MEANINGS[code], code
    text = str(error)
    if isinstance(error, TimeoutError) and not text:
        return SILENT, ""
    if isinstance(error, BadWallet):
        return Meaning(f"its wallet {error}", error.remedy), ""
    if encryption := _meaning_of_tls(text):
        return encryption, ""
    if isinstance(error, OSError) and not isinstance(error, TimeoutError | ConnectionError):
        return Meaning("its host name is not known to this machine", "Correct it on its page."), ""
    if "Connection refused" in text:
        return MEANINGS["ORA-12541"], "connection refused"
    if "timed out" in text or isinstance(error, TimeoutError):
        return Meaning("its host did not answer", "Look at network and firewall.", is_passing=True), ""
    if "unreachable" in text or "No route to host" in text:
        return Meaning("there is no way to its host", "Look at network and firewall.", is_passing=True), ""
    if isinstance(error, ConnectionError) or code == "DPY-6005":
        return Meaning(
            "the connection could not be made", "Look at network and firewall.", is_passing=True
        ), code
    return Meaning(line_of(error, code)), ""


def _meaning_of_tls(text: str) -> Meaning | None:
    """What OpenSSL says of an encrypted connection that it would not make."""
    if "certificate has expired" in text:
        return Meaning("its certificate has expired", "Have it renewed.")
    if "certificate is not yet valid" in text:
        return Meaning("its certificate is not valid yet", "Compare the clocks of both machines.")
    if "CERTIFICATE_VERIFY_FAILED" in text:
        return Meaning(
            "its certificate is signed by nobody whom the wallet trusts",
            "Put the certificate of its authority into ewallet.pem; somebody else may be answering.",
        )
    if "WRONG_VERSION_NUMBER" in text or "RECORD_LAYER_FAILURE" in text:
        return Meaning("what answers there does not speak TCPS", "Correct the port, or choose TCP.")
    if "SSL:" in text or "X509:" in text or "certificate" in text.lower():
        return Meaning(
            f"the encrypted connection could not be made ({_last_line(text)})",
            "Compare its certificate and its versions of TLS with what this machine accepts.",
        )
    return None


def _last_line(text: str) -> str:
    return re.sub(r" \(_ssl\.c:\d+\)", "", text.strip().rpartition("\n")[2])


def first_line(error: BaseException) -> str:
    """What Oracle says, without the driver's link to its manual."""
    return str(error).partition("\n")[0].rstrip(".")


def line_of(error: BaseException, code: str) -> str:
    """The line of an error that has this number; the first where none has it."""
    lines = [line for line in str(error).splitlines() if code and line.startswith(code)]
    return lines[0].rstrip(".") if lines else first_line(error)


def cause_of_loss(error: BaseException) -> str:
    """Why a connection was lost, with its number, as far as the server said so."""
    code = code_of(error)
    words = MEANINGS[code].words if code in MEANINGS else line_of(error, code).removeprefix(f"{code}: ")
    return f"({code})" if words == LOST_LATER.words else f"because {words} ({code})" if code else f"({words})"


def explain_error(target: str, error: BaseException, *, is_signed_in: bool = False) -> CollectionError:
    """The error as the reason why a target was not read."""
    meaning, code = meaning_of(error, is_signed_in=is_signed_in)
    because = f"{meaning.words} ({code})" if code else meaning.words
    return CollectionError(
        f"{target} was not read: {because}. {meaning.remedy}".rstrip(),
        is_worth_retrying=meaning.is_passing,
        needs_a_person=meaning.locks_accounts,
    )
