"""The sections of a host's profile."""

from apps.catalog.section import Section

CPU = Section("CPU")
MEMORY = Section("Memory")
DISK = Section("Disk")
SPACE = Section("Space", subtitle="used")
NETWORK = Section("Network")
