"""
The inner layer, TTC: how numbers, strings, dates and columns are written inside a packet.

`Reader` takes a request apart, `Writer` puts a response together; neither knows what is asked.
"""

import struct
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from decimal import Decimal, InvalidOperation
from enum import IntEnum

UTF8 = 873
LONGEST_STRING = 32767
NATIONAL = 2

Value = int | float | Decimal | str | bytes | datetime | timedelta | None


class Incomplete(Exception):
    """The request goes on in a packet that has not been read yet."""


class OracleType(IntEnum):
    """Types of columns and binds, by the number they have on the wire."""

    VARCHAR2 = 1
    NUMBER = 2
    LONG = 8
    DATE = 12
    RAW = 23
    CHAR = 96
    BINARY_FLOAT = 100
    BINARY_DOUBLE = 101
    TIMESTAMP = 180
    TIMESTAMP_TZ = 181
    INTERVAL = 183
    TIMESTAMP_LTZ = 231
    BOOLEAN = 252


@dataclass(frozen=True)
class WireColumn:
    """A column of a result, as it is described to the client."""

    name: str
    type: OracleType
    size: int


@dataclass(frozen=True)
class BindType:
    """The type the client announces for a bind."""

    type: int
    size: int
    is_national: bool


class WireReader:
    """A request, read from left to right; raises `Incomplete` at its end."""

    def __init__(self, data: bytes) -> None:
        self.data = data
        self.position = 0

    def take(self, count: int) -> bytes:
        end = self.position + count
        if end > len(self.data):
            raise Incomplete
        piece = self.data[self.position : end]
        self.position = end
        return piece

    def u8(self) -> int:
        return self.take(1)[0]

    def u16(self) -> int:
        return int.from_bytes(self.take(2), "big")

    def u16_little(self) -> int:
        return int.from_bytes(self.take(2), "little")

    def uint(self) -> int:
        length = self.u8()
        number = int.from_bytes(self.take(length & 0x7F), "big")
        return -number if length & 0x80 else number

    def uints(self, count: int) -> list[int]:
        return [self.uint() for _ in range(count)]

    def string(self) -> bytes:
        """Read a string with its length in front; null is empty."""
        length = self.u8()
        if length in (0, 255):
            return b""
        if length != 254:
            return self.take(length)
        pieces = []
        while size := self.uint():
            pieces.append(self.take(size))
        return b"".join(pieces)

    def string2(self) -> bytes:
        """Read a string with two lengths in front."""
        return self.string() if self.uint() else b""

    def until_zero(self) -> bytes:
        end = self.data.find(0, self.position)
        if end < 0:
            raise Incomplete
        return self.take(end + 1 - self.position)[:-1]

    def bind_type(self) -> BindType:
        kind = self.u8()
        self.take(3)
        size = self.uint()
        self.uints(2)
        self.string2()
        self.uints(2)
        form = self.u8()
        self.uints(2)
        return BindType(kind, size, form == NATIONAL)

    def bind_row(self, types: Sequence[BindType]) -> list[Value]:
        """Read the values of one execution; very long ones come after all the others."""
        late = [bind.size > LONGEST_STRING for bind in types]
        values: dict[int, Value] = {}
        for is_late in (False, True):
            for number, bind in enumerate(types):
                if late[number] is is_late:
                    values[number] = self.bind_value(bind)
        return [values[number] for number in range(len(types))]

    def bind_value(self, bind: BindType) -> Value:
        if bind.type == OracleType.BOOLEAN:
            length = self.u8()
            if length == 253:
                self.u8()
                return None
            return int(self.take(length)[-1:] == b"\x01")
        data = self.string()
        return decode(data, bind) if data else None


class WireWriter:
    """A response in the making."""

    def __init__(self) -> None:
        self.data = bytearray()

    def u8(self, *numbers: int) -> None:
        self.data += bytes(numbers)

    def u16(self, number: int) -> None:
        self.data += number.to_bytes(2, "big")

    def u16_little(self, number: int) -> None:
        self.data += number.to_bytes(2, "little")

    def uint(self, *numbers: int) -> None:
        for number in numbers:
            length = (number.bit_length() + 7) // 8
            self.data.append(length)
            self.data += number.to_bytes(length, "big")

    def string(self, data: bytes) -> None:
        """Write a string with its length in front, in pieces if it is long."""
        if len(data) <= 252:
            self.data.append(len(data))
            self.data += data
            return
        self.data.append(254)
        for start in range(0, len(data), LONGEST_STRING):
            piece = data[start : start + LONGEST_STRING]
            self.uint(len(piece))
            self.data += piece
        self.uint(0)

    def string2(self, data: bytes) -> None:
        """Write a string with two lengths in front."""
        self.uint(len(data))
        if data:
            self.string(data)

    def column(self, column: WireColumn, position: int, field_version: int) -> None:
        """Describe one column of a result."""
        is_text = column.type in (OracleType.VARCHAR2, OracleType.CHAR)
        is_number = column.type is OracleType.NUMBER
        scale = 0x81 if is_number else 0  # -127 says that the number has no precision
        self.u8(column.type, 0, 0, scale)
        self.uint(column.size, 0, 0)
        self.string2(b"")
        self.uint(0, UTF8 if is_text else 0)
        self.u8(1 if is_text else 0)
        self.uint(column.size if is_text else 0, 0)
        self.u8(1, 0)
        self.string2(column.name.encode())
        self.string2(b"")
        self.string2(b"")
        self.uint(position, 0)
        if field_version >= 17:
            self.string2(b"")
            self.string2(b"")
        if field_version >= 20:
            self.uint(0)
        if field_version >= 24:
            self.uint(0)
            self.u8(0, 0)


def decode(data: bytes, bind: BindType) -> Value:
    """Return the value of a bind from its bytes."""
    match bind.type:
        case OracleType.NUMBER:
            return decode_number(data)
        case OracleType.DATE | OracleType.TIMESTAMP | OracleType.TIMESTAMP_LTZ:
            return decode_datetime(data)
        case OracleType.TIMESTAMP_TZ:
            return decode_datetime(data).replace(tzinfo=UTC)
        case OracleType.BINARY_DOUBLE:
            return decode_binary(data, ">d")
        case OracleType.BINARY_FLOAT:
            return decode_binary(data, ">f")
        case OracleType.INTERVAL:
            return decode_interval(data)
        case OracleType.RAW:
            return data
        case _:
            return data.decode("utf-16-be" if bind.is_national else "utf-8")


def encode(value: Value, kind: OracleType) -> bytes:
    """Return the bytes of a value in a column of type `kind`; null is empty."""
    if value is None:
        return b""
    match kind:
        case OracleType.NUMBER:
            return encode_number(value)
        case OracleType.DATE | OracleType.TIMESTAMP | OracleType.TIMESTAMP_TZ:
            return encode_datetime(value, kind)
        case OracleType.INTERVAL:
            return encode_interval(value)
        case OracleType.RAW:
            return value if isinstance(value, bytes) else bytes.fromhex(str(value))
    return value if isinstance(value, bytes) else str(value).encode()


def encode_number(value: Value) -> bytes:
    """
    Write a NUMBER: digits in base 100 after a byte with sign and exponent.

    Each digit is one more than itself, or 101 less itself and ended by 102 if the number is negative.
    """
    if isinstance(value, int):
        if value == 0:
            return b"\x80"
        digits, exponent, is_negative = str(abs(value)), 0, value < 0
    else:
        sign, figures, power = decimal_of(value).as_tuple()
        if not isinstance(power, int):
            raise ValueError(f"{value!r} is not a number")
        digits, exponent, is_negative = "".join(map(str, figures)), power, bool(sign)
        if not digits.strip("0"):
            return b"\x80"
    stripped = digits.rstrip("0")
    exponent += len(digits) - len(stripped)
    if exponent % 2:
        stripped += "0"
        exponent -= 1
    if len(stripped) % 2:
        stripped = "0" + stripped
    pairs = [int(stripped[start : start + 2]) for start in range(0, len(stripped), 2)]
    while pairs[0] == 0:
        pairs.pop(0)
    power = len(pairs) + exponent // 2 - 1
    pairs = pairs[:20]
    while pairs[-1] == 0:
        pairs.pop()
    if not is_negative:
        return bytes([193 + power, *(pair + 1 for pair in pairs)])
    ending = [102] if len(pairs) < 20 else []
    return bytes([62 - power, *(101 - pair for pair in pairs), *ending])


def decimal_of(value: Value) -> Decimal:
    if isinstance(value, Decimal):
        return value
    try:
        return Decimal(repr(value) if isinstance(value, float) else str(value))
    except InvalidOperation:
        raise ValueError(f"{value!r} is not a number") from None


def decode_number(data: bytes) -> int | Decimal:
    if data == b"\x80":
        return 0
    if data[0] & 0x80:
        power, pairs, sign = data[0] - 193, [byte - 1 for byte in data[1:]], 1
    else:
        digits = data[1:-1] if data[-1] == 102 else data[1:]
        power, pairs, sign = 62 - data[0], [101 - byte for byte in digits], -1
    whole = 0
    for pair in pairs:
        whole = whole * 100 + pair
    exponent = power - len(pairs) + 1
    if exponent >= 0:
        return int(sign * whole * 100**exponent)
    figures = tuple(int(digit) for digit in str(whole))
    return Decimal((int(sign < 0), figures, 2 * exponent))


def encode_datetime(value: Value, kind: OracleType) -> bytes:
    """Write a DATE or a TIMESTAMP; one with a time zone is written in UTC, followed by its offset."""
    if not isinstance(value, datetime):
        raise ValueError(f"{value!r} is not a date")
    offset = value.utcoffset() or timedelta()
    moment = value.replace(tzinfo=None) - offset if kind is OracleType.TIMESTAMP_TZ else value
    century, year = divmod(moment.year, 100)
    data = bytes(
        [
            century + 100,
            year + 100,
            moment.month,
            moment.day,
            moment.hour + 1,
            moment.minute + 1,
            moment.second + 1,
        ]
    )
    if kind is OracleType.DATE:
        return data
    if kind is OracleType.TIMESTAMP and not moment.microsecond:
        return data
    data += (moment.microsecond * 1000).to_bytes(4, "big")
    if kind is OracleType.TIMESTAMP_TZ:
        minutes = int(offset.total_seconds()) // 60
        hours = int(minutes / 60)
        data += bytes([hours + 20, minutes - hours * 60 + 60])
    return data


def decode_datetime(data: bytes) -> datetime:
    year = (data[0] - 100) * 100 + data[1] - 100
    nanoseconds = int.from_bytes(data[7:11], "big")
    day_and_time = (data[2], data[3], data[4] - 1, data[5] - 1, data[6] - 1)
    return datetime(year, *day_and_time, nanoseconds // 1000)  # noqa: DTZ001 - the bytes carry no zone


def encode_interval(value: Value) -> bytes:
    if not isinstance(value, timedelta):
        raise ValueError(f"{value!r} is not an interval")
    sign = -1 if value < timedelta() else 1
    value = abs(value)
    minutes, seconds = divmod(value.seconds, 60)
    hours, minutes = divmod(minutes, 60)
    return struct.pack(
        ">IBBBI",
        2**31 + sign * value.days,
        60 + sign * hours,
        60 + sign * minutes,
        60 + sign * seconds,
        2**31 + sign * value.microseconds * 1000,
    )


def decode_interval(data: bytes) -> timedelta:
    days, hours, minutes, seconds, nanoseconds = struct.unpack(">IBBBI", data)
    return timedelta(
        days=days - 2**31,
        hours=hours - 60,
        minutes=minutes - 60,
        seconds=seconds - 60,
        microseconds=(nanoseconds - 2**31) // 1000,
    )


def decode_binary(data: bytes, layout: str) -> float:
    """Undo the sorting order of IEEE numbers: the sign bit is flipped, or all bits if negative."""
    flipped = bytes([data[0] & 0x7F]) + data[1:] if data[0] & 0x80 else bytes(byte ^ 0xFF for byte in data)
    (number,) = struct.unpack(layout, flipped)
    return float(number)
