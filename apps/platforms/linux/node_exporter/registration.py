"""How people register a host that its node_exporter tells about."""

from apps.inventory.models import Target
from apps.platforms.registration import Registration

NODE_EXPORTER = "linux-node-exporter"
NODE_EXPORTER_REGISTRATION = Registration(
    key="host-by-node-exporter",
    thing="a host by node_exporter",
    lead="Headroom fetches the page that its node_exporter shows to Prometheus. Nobody signs in there.",
    platform="linux",
    kind=Target.Kind.HOST,
    collector=NODE_EXPORTER,
    form="apps.platforms.linux.node_exporter.forms.NodeExporterForm",
    address_form="apps.platforms.linux.node_exporter.forms.NodeExporterAddressForm",
    address_words="apps.platforms.linux.node_exporter.endpoint.address_in_words",
    interval_minutes=5,
    readings=2,
)
