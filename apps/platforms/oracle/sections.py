"""The sections of an instance's profile and of its full list."""

from apps.catalog.section import Section

WAITS = Section("Waits")
REDO = Section("Redo")
WORKLOAD = Section("Workload")
SPACE = Section("Space", subtitle="used")
MEMORY = Section("Memory")
SESSIONS = Section("Sessions")
IO = Section("I/O and files")
UNDO = Section("Undo")
PARALLEL = Section("Parallel")
LOCKS = Section("Locks")
TABLES = Section("Tables and indexes")
SEGMENTS = Section("Segments")
CONTAINERS = Section("Pluggable databases")
CONFIGURATION = Section("Configuration")
REST = Section("All statistics", is_rest=True)
