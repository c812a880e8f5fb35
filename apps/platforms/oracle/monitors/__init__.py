"""
What monitoring servers kept of an instance, by files of their answers: only what has the meaning and unit of a statistic of ours.

monitor_file.py    read_monitor()   the items of one instance as days
surroundings.py    Surroundings     what is known of the instance that their names are held against
zabbix_names.py, checkmk_names.py   its items, under names that know one instance and one container
zabbix_items.json, checkmk_items.json  which items are which statistic, and which are none, and why
"""
