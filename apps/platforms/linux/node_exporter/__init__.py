"""
Hosts that node_exporter tells about: its page is fetched, and read as the files of the kernel that it was made from.

registration.py  how people register such a host
forms.py         NodeExporterForm, NodeExporterAddressForm: where its page is
endpoint.py      Endpoint: where a page is and who may fetch it; which parts of an address decide who receives a password
fetch.py         fetch_page(): one page over HTTP or HTTPS, bounded in time and size
metrics_page.py  MetricsPage: the series of a page
kernel_files.py  kernel_files(): the files of the kernel that a page was made from
spaces.py        mounts and how full they are
collector.py     NodeExporterCollector
preflight.py     test_endpoint(): network, TLS, answer and what can be read, step by step
"""
