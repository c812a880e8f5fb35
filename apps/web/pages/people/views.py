"""People and what they may do; for administrators."""

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST, require_safe

from apps.charts import figures
from apps.people.models import User
from apps.people.roles import CannotChangePerson, Role, add_person, change_person, new_password, role_of
from apps.web.cells import link, marked
from apps.web.pages.people.forms import PersonForm
from apps.web.rights import administrator_required
from apps.web.sentences import Part, capital, count
from apps.web.tables import Column, RowHead, Table, page_or_file

MAY = {
    Role.ADMINISTRATOR: "look after people, change and read",
    Role.PLANNER: "change and read",
    Role.READER: "read",
}


@require_safe
@administrator_required
def people(request: HttpRequest) -> HttpResponse:
    """Everybody with an account, those who may sign in first."""
    everybody = User.objects.order_by("-is_active", "first_name", "username")
    able = sum(_can_sign_in(person) for person in everybody)
    sentence = [Part(f"{capital(count(able, 'person', 'people'))} may sign in", True), Part(".")]
    context = {"people": PEOPLE.fill(everybody), "sentence": sentence}
    return page_or_file(request, "pages/people/people.html", context)


def _can_sign_in(person: User) -> bool:
    return person.is_active and person.has_usable_password()


def _last_sign_in(person: User) -> str:
    return f"{figures.moment(person.last_login)} UTC" if person.last_login else "never"


def _note(person: User) -> str:
    return "closed" if not person.is_active else "" if person.has_usable_password() else "has no password"


PEOPLE: Table[User] = Table(
    "people",
    "People with an account",
    (
        RowHead("person", str, lambda person: link(reverse("person", args=[person.pk]), person)),
        Column("signs in as", lambda person: person.username),
        Column("may", lambda person: MAY[role_of(person)]),
        Column("mail address", lambda person: person.email or "none", css="quiet-text"),
        Column("last sign-in", lambda person: person.last_login, _last_sign_in, css="quiet-text nowrap"),
        Column(
            "note", _note, lambda person: marked("quiet-text" if person.is_active else "tag", _note(person))
        ),
    ),
    title="People",
    css="folds two-facts",
)


@never_cache
@administrator_required
def add(request: HttpRequest) -> HttpResponse:
    """A new person; the first password is shown once, on the page that follows."""
    form = PersonForm(request.POST or None)
    if form.is_valid():
        person, password = add_person(role=Role(form.cleaned_data["role"]), **form.person_fields)
        return _password_page(request, person, password)
    return render(request, "pages/people/person.html", {"form": form})


@administrator_required
def edit(request: HttpRequest, pk: int) -> HttpResponse:
    """Who somebody is, what they may do, whether they may sign in."""
    person = get_object_or_404(User, pk=pk)
    form = PersonForm(request.POST or None, instance=get_object_or_404(User, pk=pk))
    if form.is_valid() and isinstance(request.user, User):
        fields = form.cleaned_data
        try:
            change_person(
                person,
                Role(fields["role"]),
                is_active=fields["is_active"],
                by=request.user,
                **form.person_fields,
            )
        except CannotChangePerson as error:
            form.add_error(None, str(error))
        else:
            messages.success(request, "Saved.")
            return redirect("people")
    return render(request, "pages/people/person.html", {"form": form, "person": person})


@never_cache
@require_POST
@administrator_required
def reset_password(request: HttpRequest, pk: int) -> HttpResponse:
    """A new password, shown once."""
    person = get_object_or_404(User, pk=pk)
    if person == request.user:
        messages.error(request, "Change your own password on its page.")
        return redirect("account")
    return _password_page(request, person, new_password(person))


def _password_page(request: HttpRequest, person: User, password: str) -> HttpResponse:
    return render(request, "pages/people/password.html", {"person": person, "password": password})
