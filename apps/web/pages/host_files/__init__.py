"""Files of a host: given, looked at, stored."""
