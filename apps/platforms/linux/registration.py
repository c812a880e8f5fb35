"""How people register a host."""

from apps.collection.file_readers import FileSource
from apps.inventory.models import Target
from apps.platforms.registration import Registration, ThisMachine

REGISTRATION = Registration(
    key="host",
    thing="a Linux host",
    lead="Headroom reads /proc and sysstat over SSH, as an ordinary user.",
    platform="linux",
    kind=Target.Kind.HOST,
    collector="linux-ssh",
    form="apps.platforms.linux.forms.HostForm",
    address_form="apps.platforms.linux.forms.HostAddressForm",
    address_words="apps.platforms.linux.forms.address_in_words",
    interval_minutes=5,
    readings=2,
)

FILES = "linux-files"
FILES_REGISTRATION = Registration(
    key="host-by-files",
    thing="a host by files",
    lead="Linux, Solaris, AIX or HP-UX: Headroom reads what sar wrote, from files given to it or sent to it. It never signs in.",
    platform="linux",
    kind=Target.Kind.HOST,
    collector=FILES,
    form="apps.platforms.linux.forms.FilesHostForm",
    interval_minutes=5,
    readings=0,
)

FILE_SOURCE = FileSource(
    reader="apps.platforms.linux.files.host_file.read_for",
    tools="sar and the like",
    formats="sar of Linux, Solaris, AIX or HP-UX; sadf -j, -x or -d; binary files of sysstat; iostat and mpstat in JSON;"
    " nmon; iostat -xn, vmstat, mpstat and kstat -p of Solaris with -T d, prstat with -d d, trapstat below dates; query_range of Prometheus; trend.get of Zabbix; metrics of Checkmk.",
    crontab=(
        ("*/30 * * * *", "LC_ALL=C sadf -j -- -A"),  # the day so far
        ("10 0 * * *", "LC_ALL=C sadf -j -1 -- -A"),  # the day before, whole
    ),
)

THIS_MACHINE = ThisMachine(
    platform="linux", collector="linux", interval_minutes=REGISTRATION.interval_minutes
)
