"""Annotators' accounts, made without a browser by Label Studio's invitation page.

(The API's own way to create users drops the password.)
"""

from __future__ import annotations

import re
import secrets
from collections.abc import Callable
from urllib.parse import parse_qs, urlsplit

from ...errors import UserError
from .client import Client
from .server import DOMAIN, Account

# A short name that can stand before the @ of an address.
NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]*")
# Django's token in the form of the invitation page.
HIDDEN = re.compile(r'name="csrfmiddlewaretoken" value="([^"]+)"')


def names(client: Client) -> dict[int, str]:
    """User id -> annotator name, as votes carry it: our people's short names, else the e-mail."""
    return {number: name_of(email) for number, email in client.users().items()}


def name_of(email: str) -> str:
    """
    >>> name_of("anna@annotators.example"), name_of("ben@uni.edu")
    ('anna', 'ben@uni.edu')
    """
    return email.removesuffix(f"@{DOMAIN}")


def add_people(
    client: Client,
    people: list[str],
    accounts: list[Account],
    keep: Callable[[Account], None] = lambda account: None,
) -> list[Account]:
    """Accounts for `people`, names or e-mail addresses; those that exist already are left alone.

    Returns the new ones with their passwords; `keep` is given each as soon as it is made, so that
    no password is lost where the next account cannot be made.
    Raises UserError for a name that is none, before the first account.
    """
    for name in people:
        if "@" not in name and not NAME.fullmatch(name):
            raise UserError(
                f"annotator {name!r}: no account is made yet",
                "use letters, digits, '.', '_', '-', or an e-mail",
            )
    existing = {email.casefold() for email in client.users().values()}
    existing |= {account.email for account in accounts}
    created = []
    for name in people:
        email = (name if "@" in name else f"{name}@{DOMAIN}").casefold()
        if email in existing:
            continue
        account = Account(
            name=name_of(email), email=email, password=secrets.token_urlsafe(9)
        )
        _sign_up(client, account)
        existing.add(email)
        created.append(account)
        keep(account)
    return created


def _sign_up(client: Client, account: Account) -> None:
    import httpx

    invitation = client.invitation()
    token = invitation.get("token")
    if not token:
        query = parse_qs(urlsplit(invitation["invite_url"]).query)
        token = query["token"][0]
    with httpx.Client(base_url=client.url, timeout=60, trust_env=False) as browser:
        path = f"/user/signup/?token={token}"
        page = browser.get(path)
        hidden = HIDDEN.search(page.text)
        csrf = hidden[1] if hidden else browser.cookies.get("csrftoken", "")
        form = {
            "csrfmiddlewaretoken": csrf,
            "email": account.email,
            "password": account.password,
            "first_name": account.name,
            "allow_newsletters": "false",
            "how_find_us": "",
        }
        reply = browser.post(path, data=form, headers={"Referer": client.url + path})
    if reply.status_code != 302:
        raise UserError(
            f"{client.url} did not take the annotator {account.email} ({reply.status_code})",
            "create the account in the browser: Organization, Invite people",
        )
