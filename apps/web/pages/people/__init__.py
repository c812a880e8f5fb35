"""Accounts and their rights; for administrators."""
