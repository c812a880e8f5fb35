"""
The way to a Redis or Valkey broker, which tells a connection that is closed from a fault.

What kombu does last with the channel of a broker that went away, such as giving back what was taken, asks the closed
connection for its host. The AttributeError would end the worker; an error of the connection is what it lives through.
"""

from typing import Any

from kombu.transport.redis import Channel, Transport
from redis.exceptions import ConnectionError as BrokerLost

RedisTransport = Transport


class PatientChannel(Channel):
    def _connparams(self, asynchronous: bool = False) -> Any:
        if self.connection is None or self.connection.client is None:
            raise BrokerLost("The connection to the broker was closed.")
        return super()._connparams(asynchronous)


class PatientTransport(Transport):
    Channel = PatientChannel
