"""
One folder per technology; apps.py plugs them in at start-up.

platform.py   Platform: what the core needs to know of a technology
registration.py   Registration: how people register its targets, as the pages ask for it
sessions.py       SessionSource: how sessions are read on demand
reads.py          Reads: what the page “What Headroom reads” lists
target_list.py    ProposedTarget: one line of a list of targets that are registered together
management/       commands; each is in the folder of its technology
add_target.py     AddTargetCommand: what the commands share that register a target
forms.py          SecretForm, StoredSecrets: what the forms of all technologies are made of
oracle/       Oracle Database: v$ views through python-oracledb
linux/        hosts: sysstat, /proc and /sys of Linux, and files of sar of Solaris, AIX and HP-UX as well
"""
