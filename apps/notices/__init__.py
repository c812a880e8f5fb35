"""
Who is told what: the weekly report by mail, and what happened by mail or webhook.

models.py    RecipientList, Subscriber, Notice (what happened), Delivery (the ledger: a row per recipient)
events.py    find_events(): violations opened, predicted within their lead time, late steps, collection that fails
digest.py    prepare_digests(): what happened since, gathered for each subscriber outside of quiet hours
report_delivery.py  send_weekly_report(), send_due_reports()
handover.py  hand_over(): one delivery to SMTP or a webhook, never twice where the first was sure
mail.py      the mail of a delivery
smtp.py      the way to the mail server: a password goes over TLS alone
webhook.py   the body of a delivery in each shape, and its posting
address.py   which addresses a webhook may have
"""
