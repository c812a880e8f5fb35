"""
How we measure: one reading of one target, told in full whether it succeeded or not.

collector.py   Collector, Reading, Collected, CollectionError, get_collector()
models.py      CollectionRun: when, how long, how many series, what failed; HostUpload, PushToken, ConnectionTest
file_readers.py  FileSource: how platforms read files of their hosts; UnreadableFile
file_text.py   HostText: the text of a file, unpacked, within bounds; json_stream.py reads large ones of JSON object by object
monitors/      what monitoring servers kept, by files of their answers
host_files.py  look_into(), store_file(): a file of a host, looked at, stored whole or not at all
history/       what a target remembers from before its first reading: shown, read by a worker, taken back
lost_days.py   make_up_days(): days that readings lost and a host kept itself
host_uploads.py  the same of files that were given on a page, by a worker
push.py        receive(): what a host sends by itself, with its token; sender_tokens.py has what tokens have in common
connection.py  ask_test(), run_test(): "Test connection", asked by a page and made by a worker
engine/       the arithmetic, pure: slots, disk, lines of figures and what their names mean
missed_slots.py  note_missed(): slots that nothing read in time
lease.py       at most one collection at a time for a target, renewed while it goes on
database.py    keep_trying(): our own database, waited for while it is away
moments.py     moments and days as operators type them
command.py     OperatorCommand: what the commands share
collect.py     collect_target()
record_run.py  record_run(): what was read, kept with its run; make_up_roll_ups()
tallies.py     count_tallies(): counters of what comes and goes, from one reading to the next
due_slots.py   due_collections(): what is put into the queue, and what is tried again
full_disk.py   what a nearly full disk means: nothing is read, what was due says why, pages warn
last_states.py  find_left_in()            how the newest run left each target
unread_targets.py  unread_targets(): those not read for two slots, since when, and why
retention.py   clear_runs(): how long it is kept what became of a reading
today.py       which day "today" is, and which is the last that is closed
"""
