"""Tables as they are shown, read back from their page: figures as numbers, days as days, forms and drawings left out."""

import csv
import io
from datetime import date

import pytest
from django.urls import reverse

from apps.people.models import User
from apps.web.shown_tables import table_in
from apps.web.tests.scenes import FORMULA

PAGE = """
<table id="others"><thead><tr><th>a</th></tr></thead><tbody><tr><td>not this</td></tr></tbody></table>
<table id="figures"><caption>Figures</caption>
<thead><tr><th data-sorts="no">take</th><th>name</th><th>used,<br>MB</th><th>day</th><th>state</th><th data-sorts="no">30 days</th>
<th><span class="unseen">remove</span></th></tr></thead>
<tbody><tr class="group-row"><th colspan="7">New <span>2</span></th></tr>
<tr><td><input type="checkbox" value="7"></td><th><a href="/x">DATA</a></th><td data-v="1662.25">1,662</td>
<td data-v="2026-02-17">17 Feb</td><td><span class="state" data-v="4"><svg><title>!</title></svg>violated</span></td>
<td><svg><text>9</text></svg></td><td><form><button>Remove</button></form></td></tr>
<tr><td></td><th>in<br>two</th><td>−1,204.5</td><td>–</td><td><input value="&lt;1.5"><table><thead><tr><th>inner</th></tr></thead>
<tbody><tr><td>nested</td></tr></tbody></table><select><option>open</option></select></td><td></td><td></td></tr></tbody>
<tbody><tr class="group-row"><th colspan="7">Old</th></tr><tr><td></td><th>a &amp; b</th><td>25 d</td><td></td><td></td><td></td><td></td></tr></tbody>
</table>"""


def test_a_table_of_a_page_is_read_with_its_groups_exact_figures_and_days():
    found = table_in(PAGE, "figures")

    assert found is not None
    assert list(found.heads) == ["group", "name", "used, MB", "day", "state"]
    assert list(found.rows) == [
        ["New 2", "DATA", 1662.25, date(2026, 2, 17), "violated"],
        ["New 2", "in two", -1204.5, None, "<1.5"],
        ["Old", "a & b", "25 d", None, None],
    ]


def test_a_table_that_is_not_there_is_no_file():
    assert table_in(PAGE, "other") is None
    assert table_in("", "figures") is None


@pytest.mark.django_db
def test_a_list_that_no_view_writes_is_a_file_all_the_same(planner):
    User.objects.create_user("mallory", first_name=FORMULA, email="m@example.com")
    User.objects.filter(username="planner").update(is_staff=True)
    planner.force_login(User.objects.create_user("root", is_staff=True))

    answer = planner.get(f"{reverse('people')}?format=csv&table=people")
    rows = list(csv.reader(io.StringIO(answer.text)))

    assert answer["Content-Disposition"] == 'attachment; filename="people.csv"'
    assert rows[0][:2] == ["person", "signs in as"]
    assert [f"'{FORMULA}", "mallory"] in [row[:2] for row in rows]
    assert planner.get(f"{reverse('people')}?format=csv&table=nothing")["Content-Type"].startswith(
        "text/html"
    )
    assert planner.get(f"{reverse('people')}?format=xlsx&table=people").content[:2] == b"PK"


@pytest.mark.django_db
def test_nobody_gets_a_table_without_signing_in(client):
    answer = client.get(f"{reverse('people')}?format=csv&table=people")

    assert answer.status_code == 302
