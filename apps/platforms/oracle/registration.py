"""How people register an instance, many of them at once, and ask one for its sessions."""

from apps.collection.file_readers import FileSource
from apps.inventory.models import Credential, Target
from apps.platforms.registration import AccountUses, ListSource, Registration
from apps.platforms.sessions import SessionSource

COLUMNS = (  # of a list of instances
    "name", "host", "port", "service", "sid", "descriptor", "user", "password", "time_zone", "group", "environment",
)  # fmt: skip

REGISTRATION = Registration(
    key="instance",
    thing="an Oracle instance",
    lead="Headroom reads v$ views that need no licence; it writes nothing.",
    platform="oracle",
    kind=Target.Kind.INSTANCE,
    collector="oracle",
    form="apps.platforms.oracle.forms.InstanceForm",
    address_form="apps.platforms.oracle.forms.InstanceAddressForm",
    address_words="apps.platforms.oracle.address.address_in_words",
    host_source="v$instance",
    scripts="apps.platforms.oracle.grants.scripts",
    list_source=ListSource(
        read="apps.platforms.oracle.target_list.read_list",
        things="Oracle instances",
        files="A CSV with a line of column names, or a tnsnames.ora, up to a megabyte.",
        columns=COLUMNS,
    ),
    account_uses=AccountUses(
        choices=[
            (Credential.Use.COLLECT, "to read it"),
            (Credential.Use.STANDBY, "while it is a standby that is only mounted"),
        ],
        help_text="A standby that is not open lets in accounts with SYSDG alone: give it such a one besides.",
    ),
)

REPORTS = FileSource(
    reader="apps.platforms.oracle.instance_file.read_for",
    tools="Statspack, AWR and monitors",
    formats="Reports of one instance and a day at most: of Statspack (spreport.sql) as text, of AWR (awrrpt.sql) as text or HTML."
    " What Zabbix (item.get and trend.get) or Checkmk (metrics) kept of an instance.",
    kind=Target.Kind.INSTANCE,
    is_past=True,
    notice="Bringing an AWR report is your own act: making one needs the Diagnostics Pack. Headroom itself reads no view of AWR, whatever is brought here.",
)

SESSIONS = SessionSource(
    collector="oracle",
    read="apps.platforms.oracle.sessions.read_sessions",
    seconds=30.0,
    columns=[
        ("logical reads", "session logical reads"),
        ("physical reads", "physical reads"),
        ("redo, bytes", "redo size"),
        ("PGA, bytes", "session pga memory"),
        ("executions", "execute count"),
    ],
)
