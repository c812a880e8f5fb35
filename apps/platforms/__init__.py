"""
One folder per technology; apps.py plugs them in at start-up.

platform.py   Platform: what the core needs to know of a technology
oracle/       Oracle Database: v$ views through python-oracledb
linux/        Linux hosts: sysstat, /proc and /sys
"""
