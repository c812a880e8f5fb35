"""
What we watch: targets (instances, databases, hosts), their groups, addresses and credentials.

models.py    Target, Group, Credential
scope.py     Scoped: of one target, of a group, or of all
secrets.py   EncryptedTextField: secrets at rest, bound to their row, with key rotation
register.py  register_target(), register_database(), set_password(): the deeds behind forms and commands
"""
