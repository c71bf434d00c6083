"""A thin client of Label Studio's HTTP API: either kind of token, patient with restarts.

Ten endpoints are all we need; the official SDK is five hundred megabytes of dependencies and
takes a second to import.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping
from typing import TYPE_CHECKING, Any

from ...errors import UserError

if TYPE_CHECKING:
    import httpx

PATIENCE = 90.0  # seconds that a server may be away, e.g. for a restart
TIMEOUT = 300.0  # seconds for one answer
INTERRUPTIONS = 10  # that one piece of work survives
AWAY = (502, 503, 504)
PAGE = 1000  # tasks per page of a listing


class Fault(UserError):
    """The connection broke, so nobody knows whether the request was carried out."""


class Missing(UserError):
    """The server answers 404: a project, a task or a file is not there."""


class Client:
    """Label Studio at `url`, as the person whose token it is.

    A personal access token (a JWT) is exchanged for short-lived ones; a legacy token (40 hex
    digits) is sent as it is. Reading requests are repeated while the server is away; writing
    requests raise `Fault`, and the caller looks what arrived.
    """

    def __init__(self, url: str, token: str, patience: float = PATIENCE) -> None:
        import httpx

        self.url = url.rstrip("/")
        self.patience = patience
        self._token = token
        self._http = httpx.Client(base_url=self.url, timeout=TIMEOUT, trust_env=False)
        if not self._is_personal:
            self._http.headers["Authorization"] = f"Token {token}"

    @property
    def _is_personal(self) -> bool:
        return self._token.count(".") == 2  # a JWT

    def get(self, path: str, **params: Any) -> Any:
        return self._patiently("GET", path, params=params or None).json()

    def get_bytes(self, path: str, **params: Any) -> bytes:
        return self._patiently("GET", path, params=params or None).content

    def post(self, path: str, body: Any, **params: Any) -> Any:
        return self._once("POST", path, json=body, params=params or None).json()

    def upload(self, path: str, files: Mapping[str, bytes]) -> Any:
        parts = [(f"file{k}", (name, data)) for k, (name, data) in enumerate(files.items())]
        return self._once("POST", path, files=parts).json()

    def patch(self, path: str, body: Any) -> Any:
        return self._once("PATCH", path, json=body).json()

    def delete(self, path: str) -> None:
        self._once("DELETE", path)

    def pages(self, path: str, **params: Any) -> Iterator[dict[str, Any]]:
        """All items of a paged listing."""
        page = 1
        while True:
            answer = self.get(path, page=page, page_size=PAGE, **params)
            items = (
                answer if isinstance(answer, list) else answer.get("results", answer.get("tasks"))
            )
            yield from items
            total = (
                len(items) if isinstance(answer, list) else answer.get("count", answer.get("total"))
            )
            if page * PAGE >= total:
                return
            page += 1

    def whoami(self) -> dict[str, Any]:
        """Who the token belongs to. Raises UserError when nobody or something else answers."""
        who: dict[str, Any] = self.get("/api/current-user/whoami")
        return who

    def wait(self) -> None:
        """Return when the server is there again, or raise after `patience` seconds."""
        self._patiently("GET", "/health")

    def persist(self, work: Callable[[], None]) -> int:
        """Do `work`, again whenever the connection breaks; returns how often it did.

        `work` has to look what is there already. Raises UserError when it never gets through.
        """
        for interruptions in range(INTERRUPTIONS):
            try:
                work()
            except Fault:
                self.wait()
            else:
                return interruptions
        raise UserError(f"{self.url} broke off {INTERRUPTIONS} times", "push when it is stable")

    def _patiently(self, method: str, path: str, **more: Any) -> httpx.Response:
        end = time.monotonic() + self.patience
        pause = 0.2
        while True:
            try:
                return self._once(method, path, **more)
            except Fault as fault:
                if time.monotonic() + pause > end:
                    raise UserError(
                        fault.message, "is Label Studio running? annotate serve"
                    ) from fault
                time.sleep(pause)
                pause = min(2 * pause, 2.0)

    def _once(self, method: str, path: str, **more: Any) -> httpx.Response:
        """One request; the token is renewed once when it has run out."""
        import httpx

        try:
            response = self._http.request(method, path, **more)
            if response.status_code == 401 and self._is_personal:
                self._http.headers["Authorization"] = self._renewed()
                response = self._http.request(method, path, **more)
        except httpx.InvalidURL as error:
            raise UserError(f"{self.url} is not an address: {error}", "write http://...") from error
        except httpx.UnsupportedProtocol as error:
            raise UserError(f"{self.url} is not an address", "write http://...") from error
        except httpx.HTTPError as error:
            raise Fault(f"no answer from Label Studio at {self.url}: {_cause(error)}") from error
        return self._checked(response, f"{method} {path}")

    def _renewed(self) -> str:
        """A short-lived token for the personal access token."""
        response = self._http.post("/api/token/refresh", json={"refresh": self._token})
        if response.status_code != 200:
            raise UserError(
                f"{self.url} refuses the personal access token",
                "make a new one in Account settings",
            )
        return f"Bearer {response.json()['access']}"

    def _checked(self, response: httpx.Response, what: str) -> httpx.Response:
        status = response.status_code
        if status < 300:
            return response
        if status in AWAY:
            raise Fault(f"Label Studio at {self.url} answers {status}")
        if status == 401:
            kind = "personal access" if self._is_personal else "legacy"
            raise UserError(
                f"{self.url} refuses the {kind} token",
                "copy it again from Account settings; legacy tokens may be switched off there",
            )
        text = response.text[:300].replace("\n", " ")
        if status == 404:
            raise Missing(f"{self.url}: {what} is not there", "was it deleted?")
        raise UserError(f"{self.url}: {what} failed ({status}): {text}", "see the server's log")


def _cause(error: Exception) -> str:
    return f"{type(error).__name__} {error}".strip()
