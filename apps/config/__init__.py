"""
How Headroom is put together and started: settings, addresses, and the servers that come with it.

env.py        reads settings from the environment, or from files; a wrong one stops with a sentence
settings.py   the only settings; what differs between installations is environment
urls.py       where the pages are
health.py     /healthz: is everything answering?
prepare.py    what has to be done before the first page
static_files.py  the files of the pages, collected once for each version of them
backup.py     the database in one file, and back
wsgi.py       the web application, as gunicorn loads it
embedded/     PostgreSQL, the broker and the supervisor of `make run`
"""
