"""Addresses of pages, remembered by a process: a list of a thousand targets names each of them once."""

from functools import lru_cache

from django.urls import get_script_prefix, reverse


def address(name: str, pk: int) -> str:
    """The address of the page of this name for one record, below whatever path Headroom is served at."""
    return _address(name, pk, get_script_prefix())


@lru_cache(maxsize=20_000)
def _address(name: str, pk: int, prefix: str) -> str:
    return reverse(name, args=[pk])
