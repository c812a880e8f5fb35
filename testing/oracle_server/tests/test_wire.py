from datetime import datetime
from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as some

from testing.oracle_server.packets import DATA, pack_data
from testing.oracle_server.wire import (
    BindType,
    Incomplete,
    OracleType,
    WireReader,
    WireWriter,
    decode,
    decode_number,
    encode,
    encode_number,
)


@pytest.mark.parametrize(
    ("number", "data"),
    [
        (0, "80"),
        (1, "c102"),
        (100, "c202"),
        (Decimal("123.45"), "c202182e"),
        (-1, "3e6466"),
        (Decimal("-123.45"), "3d644e3866"),
        (0.5, "c033"),
        (Decimal("0.001"), "bf0b"),
    ],
)
def test_numbers_are_written_in_base_100(number, data):
    assert encode_number(number).hex() == data
    assert decode_number(bytes.fromhex(data)) == number


@given(some.integers(-(10**38), 10**38))
def test_whole_numbers_survive(number):
    assert decode_number(encode_number(number)) == number


@given(some.decimals(allow_nan=False, allow_infinity=False, places=9, min_value=-(10**20), max_value=10**20))
def test_decimal_numbers_survive(number):
    assert decode_number(encode_number(number)) == number


@given(some.datetimes(min_value=datetime(1, 1, 1), max_value=datetime(9999, 12, 31)))  # noqa: DTZ001
def test_timestamps_survive(moment):
    bind = BindType(OracleType.TIMESTAMP, 11, is_national=False)

    assert decode(encode(moment, OracleType.TIMESTAMP), bind) == moment


@given(some.timedeltas())
def test_intervals_survive(length):
    bind = BindType(OracleType.INTERVAL, 11, is_national=False)

    assert decode(encode(length, OracleType.INTERVAL), bind) == length


@given(some.binary(max_size=100_000))
def test_strings_survive_in_pieces(data):
    writer = WireWriter()
    writer.string(data)

    assert WireReader(bytes(writer.data)).string() == data


@given(some.integers(0, 2**63))
def test_universal_integers_survive(number):
    writer = WireWriter()
    writer.uint(number)

    assert WireReader(bytes(writer.data)).uint() == number


def test_a_request_that_goes_on_is_incomplete():
    writer = WireWriter()
    writer.string(b"x" * 100)

    with pytest.raises(Incomplete):
        WireReader(bytes(writer.data[:50])).string()


def test_a_long_payload_is_cut_and_only_the_last_packet_carries_the_flags():
    data = pack_data(b"x" * 1000, 512, 0x2000)

    first = int.from_bytes(data[:4], "big")
    assert (first, data[4], data[8:10]) == (512, DATA, b"\0\0")
    assert data[first + 8 : first + 10] == b"\x20\x00"
