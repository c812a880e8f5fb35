"""Host keys as people have them: lines of known_hosts, of ssh-keyscan, of public key files."""

import re

import asyncssh

_KEY = re.compile(r"\b((?:ssh|ecdsa|sk-ssh|sk-ecdsa)-[\w.@\-]+)[ \t]+([A-Za-z0-9+/]{20,}={0,2})")


def key_line(text: str) -> str:
    """The first host key of a text, as kind and key alone; empty where there is none that can be used."""
    for kind, key in _KEY.findall(text):
        line = f"{kind} {key}"
        if fingerprint_of(line):
            return line
    return ""


def fingerprint_of(line: str) -> str:
    """The fingerprint of a key, as ssh-keygen -l prints it; empty where the line is no key."""
    try:
        return str(asyncssh.import_public_key(line).get_fingerprint())
    except asyncssh.KeyImportError:
        return ""
