"""
Who may do what.

models.py    User
roles.py     reader, planner, administrator; what administrators do with people
passwords.py            which passwords may be chosen
sign_in_limits.py       how often a wrong password may be tried, by name, address and browser
client_address.py       where a request comes from, also behind proxies
retention.py            what is not kept of sign-ins
sessions.py  a session that cannot be saved, as on a full disk, is still good for its page
management/  ensure_administrator: the first account
"""
