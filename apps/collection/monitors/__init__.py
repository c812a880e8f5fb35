"""
What monitoring servers kept, as files of their answers: items with their means by interval. Nothing here knows what they are of.

items.py         KeptItem, KeptItems      what answers have
item_mapping.py  ItemMapping              which item is which of a platform's statistics, by a file in JSON
item_statistics.py  statistics_of()          items as statistics, those that several items make among them
statistic_days.py  days_of()              statistics as readings of days
zabbix.py        read_zabbix()            the answers of item.get and trend.get
checkmk.py       read_checkmk()           the answers about metrics, with their questions
"""
