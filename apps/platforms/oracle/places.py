"""Where a file of the database lies: disk group or directory."""


def place_of_file(path: str) -> str:
    """The disk group of an ASM name, else the directory of a path on Unix or Windows."""
    if path.startswith("+"):
        return path.split("/", 1)[0].upper()
    cut = max(path.rfind("/"), path.rfind("\\"))
    return path[:cut] if cut > 0 else path
