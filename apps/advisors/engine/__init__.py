"""
The arithmetic of advice, pure: no Django, no database, no clock.

diagnosis.py   performance problem or capacity constraint? what each number speaks for
windows.py     which days are compared, and how something grew
rules.py       rule(), advise(): what platforms advise on a statistic
rule_inputs.py   what rules that are tried each night ask for, and whose it is
finding_rules.py try_rule(): such a rule, its parameters and its trial; guards, and the registry
outcome.py     what a change made of a figure
ics.py         calendar_file()
"""
