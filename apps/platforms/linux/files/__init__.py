"""
Files that the tools of a host wrote: text in, intervals in the catalogue's ingredients out. Nothing here knows a database.

read_file.py   read_host_text(): recognises the format by content and reads the file
records.py     HostRecords: what a file says of a host, interval by interval
sar_tables.py  the tables of sar by their columns, and what is read of each
sar_text.py    what sar prints: Linux, Solaris, AIX and HP-UX
sar_clock.py   SarClock: moments of clocks without a date
sadf_table.py  sadf -d
sadf_json.py   sadf -j, statistics by statistics
sadf_xml.py    sadf -x
monitor_items.py  what monitoring servers kept: zabbix_items.json and checkmk_items.json say which item is which statistic
prometheus.py  query_range of Prometheus: the pages of node_exporter of each step
tool_reports.py    iostat and mpstat of Linux in JSON
nmon.py        NmonFile: what nmon writes; nmon_sections.py has what is read of each section
solaris_reports.py  SolarisReports: iostat, vmstat, mpstat, kstat, prstat and trapstat of Solaris, behind their moments
solaris_tables.py   their tables by columns
process_reports.py  ProcessReports: what prstat says of each process
kernel_statistics.py  what kstat counts, as rates
device_values.py   what a row of iostat says of a device
binary_records.py  a binary file of sysstat's, through sadf where it is installed
day_shots.py   intervals → the readings of each day, as the core takes them
host_file.py   read_for(): a file of a target, as apps/collection/host_files.py takes it
"""
