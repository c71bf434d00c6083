"""The one client of the hub (huggingface_hub), and its errors in our words.

`HF_ENDPOINT` names another server. The key is the client's own business (`hf auth login`, or
`HF_TOKEN`): it is no option here, so that it stands in no history of a shell, and is taken out of
every message.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from ..base.extras import extra
from ..errors import MachineError, UserError

_LOGIN = "hf auth login, or set HF_TOKEN to a key that may write there"
# status -> (what it means, what to do); others are told as the hub tells them
_MEANINGS = {
    401: ("the hub does not know this key, or there is no such repository", _LOGIN),
    403: (
        "this key may not do that",
        "take a key with the right to write there, or another owner",
    ),
    404: (
        "there is no such repository, or this key may not see it",
        "check owner and name",
    ),
    409: ("somebody else has just made or changed it", "run the same command again"),
    412: ("somebody else has published there meanwhile", "run the same command again"),
    413: (
        "a file is larger than the hub takes",
        "benchwright publish --check names it",
    ),
    429: (
        "the hub asks for fewer requests",
        "wait some minutes, then run the same command again",
    ),
}


@contextmanager
def hub_client(what: str) -> Iterator[Any]:
    """A `huggingface_hub.HfApi` to do `what` with.

    Raises UserError for what a key, a name or a state forbids, and MachineError where the hub
    cannot be reached or fails.
    """
    with extra("hub", what):
        from huggingface_hub import HfApi, get_token
        from huggingface_hub.errors import (
            HfHubHTTPError,
            HFValidationError,
            HTTPError,
            LocalEntryNotFoundError,
            OfflineModeIsEnabled,
        )
    key = get_token()

    def message(error: BaseException) -> str:
        text = " ".join(str(error).split())[:300]
        return text.replace(key, "<key>") if key else text

    try:
        yield HfApi(library_name="benchwright")
    except HFValidationError as error:
        raise UserError(
            message(error), "write owner/name: letters, digits, '-', '_' and '.'"
        ) from None
    except HfHubHTTPError as error:
        status = error.response.status_code if error.response is not None else 0
        unknown = message(error), "run the same command again"
        meaning, remedy = _MEANINGS.get(status, unknown)
        kind = MachineError if status >= 500 else UserError
        raise kind(f"{what}: {meaning} ({status})", remedy) from None
    except (OfflineModeIsEnabled, LocalEntryNotFoundError, HTTPError) as error:
        raise MachineError(
            f"{what}: the hub cannot be reached ({message(error)})",
            "check the network, or read from a folder",
        ) from None


def signed_in(api: Any) -> list[str]:
    """The names that the key may write as: its user, then the user's organisations.

    Raises UserError where there is no key.
    """
    from huggingface_hub import get_token

    if not get_token():
        raise UserError("there is no key for the hub", _LOGIN)
    user = api.whoami()
    return [
        user["name"],
        *(organisation["name"] for organisation in user.get("orgs", [])),
    ]
