"""The errors a database answers with, by their ORA number."""

TEXTS = {
    0: "normal, successful completion",
    1: "unique constraint violated",
    18: "maximum number of sessions exceeded",
    20: "maximum number of processes ({limit}) exceeded",
    28: "your session has been killed",
    600: "internal error code, arguments: [kcbgtcr_13], [], [], [], [], [], [], []",
    900: "invalid SQL statement",
    904: "{name}: invalid identifier",
    907: "missing right parenthesis",
    909: "invalid number of arguments",
    918: "column ambiguously defined",
    923: "FROM keyword not found where expected",
    932: "inconsistent datatypes: expected {expected} got {got}",
    933: "SQL command not properly ended",
    934: "group function is not allowed here",
    936: "missing expression",
    937: "not a single-group group function",
    942: "table or view does not exist",
    979: "not a GROUP BY expression",
    1000: "maximum open cursors exceeded",
    1001: "invalid cursor",
    1008: "not all variables bound",
    1012: "not logged on",
    1013: "user requested cancel of current operation",
    1017: "invalid username/password; logon denied",
    1031: "insufficient privileges",
    1033: "ORACLE initialization or shutdown in progress",
    1034: "ORACLE not available",
    1035: "ORACLE only available to users with RESTRICTED SESSION privilege",
    1045: "user {name} lacks CREATE SESSION privilege; logon denied",
    1219: "database or pluggable database not open: queries allowed on fixed tables or views only",
    1403: "no data found",
    1476: "divisor is equal to zero",
    1507: "database not mounted",
    1555: 'snapshot too old: rollback segment number 11 with name "_SYSSMU11_1$" too small',
    1722: "invalid number",
    1789: "query block has incorrect number of result columns",
    1821: "date format not recognized",
    1840: "input value not long enough for date format",
    1858: "a non-numeric character was found where a numeric was expected",
    1861: "literal does not match format string",
    1428: "argument '{name}' is out of range",
    2003: "invalid USERENV parameter",
    2030: "can only select from fixed tables/views",
    3001: "unimplemented feature",
    3113: "end-of-file on communication channel",
    16000: "database or pluggable database open for read-only access",
    28000: "The account is locked.",
    28001: "the password has expired",
}


class OraError(Exception):
    """
    An error with its ORA number.

    `offset` is the place in the statement; `fills` complete the text where it has room for a name.
    """

    def __init__(self, code: int, *, text: str = "", offset: int = 0, **fills: str | int) -> None:
        self.code = code
        self.offset = offset
        words = text or TEXTS.get(code, "error").format_map(fills)
        self.text = words if words.startswith("ORA-") else f"ORA-{code:05}: {words}"
        super().__init__(self.text)
