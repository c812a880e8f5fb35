"""
What we watch: targets (instances, databases, hosts), their groups, addresses and credentials.

models.py    Target, Group, Credential; Deed, one line of the record
scope.py     Scoped: of one target, of a group, or of all
places.py    fingerprint_of(): which place an address leads to, whatever its spelling
secrets.py   EncryptedTextField: secrets at rest, bound to their row and their address, with key rotation
zones.py     time_zones()             the names of those that there are
host_names.py   wrong_host(): names and addresses of machines as people type them
form_errors.py  OurVoice: what is wrong with what was typed into a form, in our words
register.py  register_target(), register_database(), point_at(), set_password(): the deeds behind forms and commands
example.py   get_example(): an estate to look around in, where an app brings one
record.py    record_deed(): who did what, when and to which target
"""
