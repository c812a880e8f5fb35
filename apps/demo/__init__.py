"""
A fictional estate to look around in: readings of targets that do not exist, recorded and judged like real ones.

estate.py     the cast: who is in it, and what holds for more than one
cast/         each member as data: its work, its waits, its space, its limits, what befalls it
parts.py      what a member is made of
trajectory.py  how a figure goes from day to day
rhythm.py     weekdays, month ends, hours, and noise that never changes
workload.py   what an instance counts per unit of work
machine.py    a host and its instances: whose processors, devices and memory are whose
work.py       what is asked of an instance, what it counts; traffic.py what it reads and writes
instance.py  events.py  levels.py  space.py  files.py  asm_disks.py  segments.py  host.py  processes.py  a member's days in numbers
sources.py  timeline.py                                    the same as sources that can be read at any moment
generator.py  read()                  a target, a moment → what would have been read
collector.py  DemoCollector           lets collection ask the generator
batches.py    send_batch_ends()       when the batches of an instance were through, as users were promised
drivers.py    add_drivers(), send_day(): what the business of an instance counts, from the same work
people.py     add_people()            owners without a password
example.py    DemoEstate              the demo as pages, worker and first start ask for it
progress.py   demo_progress()         how far it is loaded
load.py       load_demo()             everything up to yesterday, in steps that can be stopped
remarks.py    write_remarks()         what people noted on days
story.py      tell_story()            what people said of the violations
remove.py     remove_demo()
live_instances.py  two instances that are read through the real driver: serve_demo_oracle, where testing/ is there
"""
