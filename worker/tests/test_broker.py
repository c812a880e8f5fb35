"""A broker that is lost leaves nothing that would end a worker: a real one."""

import pytest

from worker.celery import PatientConnection


def test_a_channel_that_outlives_its_connection_says_that_it_is_lost(broker):  # S3
    connection = PatientConnection(broker)
    channel, transport = connection.channel(), connection.transport

    transport.client = None  # as kombu leaves it where closing a channel of a lost broker failed

    with pytest.raises(connection.connection_errors, match="connection to the broker was closed"):
        channel.queue_purge("work")
    transport.client = connection
    connection.close()
    assert channel.closed


def test_what_was_taken_is_acknowledged_after_the_loss_without_an_error_of_ours(broker):  # S3
    connection = PatientConnection(broker)
    channel = connection.channel()

    connection.collect()

    with pytest.raises(connection.connection_errors):
        channel.basic_ack("taken before")
