"""
The kill drill, `make chaos`: Headroom as it runs, all its processes killed at random, its disk filled twice.

__main__.py       sets up, drills, checks, and prints what became of it
plan.py           what is killed and when, drawn from a seed (arithmetic)
drill.py          the kills, how long each part was away, the full disk
installation.py   Headroom's processes by what they are, and whether each is back
estate.py         what is watched meanwhile, and what has to be true of it afterwards
oracle.py         the Oracle-speaking server that answers slowly, so that kills fall into readings
mailbox.py        the mail server that counts what arrives
"""
