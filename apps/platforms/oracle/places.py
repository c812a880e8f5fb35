"""Where a file of the database lies: disk group or directory."""

from collections.abc import Iterable

LIES_ON = "lies_on"  # the fact that says where the files of a tablespace lie
LOGS_LIE_ON = "logs_lie_on"  # the fact that says where the members of the online logs lie
STORED_IN = "stored_in"  # the fact that says which tablespace a segment is in; of a partitioned one the first and the last

DISK_PATH = "disk_path"  # the fact that says under which path this instance finds a disk of ASM; blank where it finds none
DISK_STATUS = "disk_status"  # the fact that says in which state a disk is: "MEMBER, ONLINE"


def disk_name(group: str, disk: str) -> str:
    """A disk by its group, for its own name need not be the only one."""
    return f"{group}/{disk}"


def place_of_disk(name: str) -> str:
    """The disk group of a disk, as names of files have it."""
    return f"+{name.partition('/')[0].upper()}"


def place_of_file(path: str) -> str:
    """The disk group of an ASM name, else the directory of a path on Unix or Windows."""
    if path.startswith("+"):
        return path.split("/", 1)[0].upper()
    cut = max(path.rfind("/"), path.rfind("\\"))
    return path[:cut] if cut > 0 else path


def places_as_text(places: Iterable[str]) -> str:
    """Places in order, one a line; nothing where one of them is not known, for then none can be counted on."""
    ordered = sorted(set(places))
    return "" if "" in ordered else "\n".join(ordered)
