"""The case file of a violation: its states, diagnosis, plan, files, study and due days."""
