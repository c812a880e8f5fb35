"""An Oracle-speaking server that takes its time: `python -m benchmarks.chaos.oracle SECONDS`, until its input ends."""

import json
import sys

ACCOUNT = ("HEADROOM", "drill")
SERVICE = "DRILL"


def serve(latency: float) -> None:
    """Serve one instance whose statements take at least so many seconds; its port is printed first."""
    from testing.oracle_server import OracleServer, instance

    server = OracleServer(instance(SERVICE), users=dict([ACCOUNT]), latency=latency).start()
    print(json.dumps({"port": server.port}), flush=True)
    sys.stdin.read()


if __name__ == "__main__":
    serve(float(sys.argv[1]))
