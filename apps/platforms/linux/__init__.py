"""
Linux hosts: what a machine has left, from sysstat where it collects, from /proc and /sys, and from node_exporter.

platform.py      PLATFORM: the metrics, the collectors and the storage categories
metrics/         the catalogue, one module a subject
sections.py      the sections of the profile
not_measurable.py  what the tools of each system cannot give, and what would
splits.py        reads and writes that a limit names together
subjects.py      what a host says on the subjects that are read beside the statistics of others
collector.py     LocalCollector: this machine
ssh.py           SshCollector: another machine, over one SSH connection
address.py       receiver_of(): what of an address decides who receives a password
registration.py  how people register a host: its page and forms
forms.py         HostForm, HostAddressForm
files/           files that the tools of Linux, Solaris, AIX and HP-UX wrote, as records and days
node_exporter/   hosts by the page of their node_exporter
add_host.py      the command that registers one
keys.py          host keys as people have them, and their fingerprints
proof.py         proof_of(): who signs in to a host
clock.py         the clock of a host beside this machine's
source_steps.py  what a test says of each source
preflight.py     test_connection(): network, host key, sign-in, what can be read, step by step
sources.py       read_sources(): texts of /proc and /sys → readings, source by source; which files are wanted
proc.py          the files of the kernel: stat, meminfo, vmstat, loadavg, pressure, processors and memory nodes
devices.py       block devices and network interfaces
filesystems.py   which mounts are worth watching, and how full they are
processes.py     what each process used of the processors, by name and by account
switches.py      voluntary and involuntary switches of threads, read twice within a reading
history.py       the days that sysstat keeps, from before the first reading
sadf.py          sysstat's own records, as sadf -j prints them
facts.py         text about the machine: names, versions, start-up
"""
