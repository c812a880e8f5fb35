"""
A technology that nobody has, as small as one can be: what a folder beside oracle/ and linux/ takes to appear everywhere.

platform.py      PLATFORM: what the core and the pages are told
registration.py  how people register one
forms.py         ServerForm, ServerAddressForm
metrics.py       its statistics
collector.py     ServerCollector: one reading; test_account(): “Test connection”
"""
