"""
How every limited figure stands, said once: pages, reports, notices, files and commands ask here and compute nothing.

figure.py     Outlook: one figure under a limit: its state, room, days, slack, plan; State in the order of urgency
crossing_text.py  crossing_words()   what a figure does at its limit: it is full, reaches it, or may
case_text.py  state_of_case()    what a case says of its figure: state, days inside, plan
outlooks.py   outlooks_of()      of targets as their last reviews left them, by a constant number of queries
profile.py    read_profile_outlook()   a judged profile whose rows say how they stand
counts.py     Counts             how many are over, closing, predicted, not known: what sentences count
command_output.py  profile_as_json()  profiles and outlooks as commands print them
forecast_json.py  a forecast as `manage.py forecast` prints it
room.py       true_rooms()       true headroom: tablespaces on what they share, and whether a limit is all there is
mounts.py     Mounts             the filesystems they lie on, as the hosts see them
track_record.py  read_track_record()     how past forecasts of a figure fared

The day of an outlook is the last one of its target that was reviewed: days left, slack and days over are counted from there.
"""
