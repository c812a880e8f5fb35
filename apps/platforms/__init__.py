"""
One folder per technology; apps.py plugs them in at start-up.

platform.py   Platform: what the core needs to know of a technology
registration.py   Registration: how people register its targets, as the pages ask for it
forms.py          SecretForm, StoredSecrets: what the forms of all technologies are made of
oracle/       Oracle Database: v$ views through python-oracledb
linux/        Linux hosts: sysstat, /proc and /sys
"""
