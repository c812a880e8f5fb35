"""
What people type, read and understood; pure: no Django, no database, no clock.

notation.py   parse_notation(), Limit, LimitSide   what people type in one box
day_notation.py  parse_days()              the days of a calendar as people type them
proposed_limit.py  propose_limit()         a limit from a steady period
plain_yaml.py  read_yaml()                 YAML that people give, bounded
"""
