"""
Oracle Database: v$ views through python-oracledb, no licensed view among them.

platform.py     PLATFORM: what the core is told
address.py      what is wrong with an address, and who receives a password there
registration.py how people register an instance: its page, forms and account
forms.py        InstanceForm, InstanceAddressForm
target_list.py  lists of instances: a CSV, a tnsnames.ora
add_instance.py the command that registers one
categories.py   where readings are stored: one number per source
metrics/        every statistic, a subject per file
process_names.py  what its processes are called on their machine
sections.py     the sections of the profile
splits.py       reads and writes that a limit names together
subjects.py     what the method reads beside a wait, on the instance and its host
rules/          what Headroom advises, a subject per file
queries.py      every statement that is ever sent, and what each one reads
history_queries.py  the statements about the days before the first reading
guard.py        refuses a statement that names a licensed view, before it is sent
versions.py     releases: which columns and views one has
connect.py      signing in, with a deadline for everything
wallet.py       what is wrong with the wallet of an encrypted connection
errors.py       Oracle's errors as sentences
identity.py     who answered: instance, database, containers, clock
read.py         rows of a query as readings, a function per source; read_space.py those of tablespaces and temp,
                read_segments.py those of segments
instance_file.py  read_for(): files that people bring; reports/ those of Statspack and AWR, monitors/ what monitoring servers kept
history/        what a database remembers of the days before its first reading
before.py       what was read and told before: rhythms of dear sources, changes worth a note
host_boot.py    since when the host's counters count
places.py       where a file lies: disk group or directory
collector.py    OracleCollector: one reading of an instance
preflight.py    test_connection(): what works and which grant is missing, step by step
lacking.py      tell_missing_grants(): the views an account may not read, in one sentence
grants.py       grants script and the page "what Headroom reads"
"""
