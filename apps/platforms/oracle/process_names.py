"""How the processes of an instance are called on its machine: ora_lgwr_PROD, oraclePROD, asm_dbw0_+ASM1."""

from apps.catalog.process_names import ProcessName

_OF = r"(?P<of>[+\-]?[\w$#\-]{1,30})"
_BACKGROUND = {
    r"lgwr|lg\d\d": "log writer",
    r"dbw[0-9a-z]|bw\d\d": "database writer",
    r"ckpt": "checkpoint",
    r"arc[0-9a-z]|ar\d\d": "archiver",
    r"lms[0-9a-z]|lmd\d|lmon|lck\d|lmhb": "global cache",
    r"mrp\d|pr\d\d|rfs\d?": "recovery",
    r"p[0-9a-z]\d\d|ppa\d": "parallel server",
    r"j[0-9a-z]\d\d|cjq\d": "job",
    r"[sd]\d{3}": "shared server",
    r"\w{4}": "background",
}

PROCESS_NAMES = [
    *(ProcessName(rf"(?:ora|asm|mdb)_(?:{names})_{_OF}", called) for names, called in _BACKGROUND.items()),
    ProcessName(rf"oracle{_OF}", "shadow"),
    ProcessName(r"(?:/\S*/)?tnslsnr(?P<of>)", "listener"),
]
