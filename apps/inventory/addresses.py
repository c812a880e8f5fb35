"""Addresses of pages, remembered by a process: a list of a thousand targets names each of them once."""

from functools import lru_cache

from django.urls import get_script_prefix, reverse


def address(name: str, *of: int | str) -> str:
    """The address of the page of this name for what its route asks for, below whatever path Headroom is served at."""
    return _address(name, of, get_script_prefix())


@lru_cache(maxsize=20_000)
def _address(name: str, of: tuple[int | str, ...], prefix: str) -> str:
    return reverse(name, args=of)
