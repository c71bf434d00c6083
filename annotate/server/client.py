"""Label Studio by its official SDK, patient with restarts.

The SDK's are the typed calls, the pagers and both kinds of token. Ours are patience, "look what
arrived", uploads, and errors that say what to do. The SDK is an extra, loaded when the first client
is made, and then only its core: what it has beside that brings pandas and pyarrow along, and three
times the time of the import.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack, contextmanager
from io import BytesIO
from typing import TYPE_CHECKING, Any, TypeVar
from urllib.parse import quote

import msgspec

from ...base.extras import extra
from ...errors import UserError

if TYPE_CHECKING:
    import httpx
    from label_studio_sdk.base_client import LabelStudioBase
    from label_studio_sdk.core.api_error import ApiError
    from label_studio_sdk.core.pagination import SyncPager

T = TypeVar("T")

PATIENCE = 90.0  # seconds that a server may be away, e.g. for a restart
TIMEOUT = 300.0  # seconds for one answer
INTERRUPTIONS = 10  # that one piece of work survives
AWAY = (502, 503, 504)
PAGE = 1000  # tasks per page of a listing
JSON = "application/json"


class Fault(UserError):
    """The connection broke, so nobody knows whether the request was carried out."""


class Missing(UserError):
    """The server answers 404: a project, a task or a file is not there."""


class Client:
    """Label Studio at `url`, as the person whose token it is: a personal one (JWT) or a legacy one.

    `read` repeats a call while the server is away. `write` makes it once: a request that breaks
    off raises `Fault`, and the caller looks what arrived. The methods below them are the calls that
    labelling needs, with tasks as plain dicts.
    """

    def __init__(self, url: str, token: str, patience: float = PATIENCE) -> None:
        self.url = url.rstrip("/")
        self.patience = patience
        self._token = token
        with self._named():
            self._sdk, self._http, self._headers = _sdk(self.url, token)

    def read(self, call: Callable[[LabelStudioBase], T]) -> T:
        """What a call that changes nothing gives, repeated for `patience` seconds."""
        return self._patiently(lambda: call(self._sdk))

    def write(self, call: Callable[[LabelStudioBase], T]) -> T:
        with self._named():
            return call(self._sdk)

    def whoami(self) -> str:
        """Whose token it is: an e-mail. Raises UserError when nobody or something else answers."""
        return str(self.read(lambda ls: ls.users.whoami()).email)

    def version(self) -> str:
        """Which Label Studio it is."""
        reply = self._patiently(lambda: self._request("GET", "/api/version"))
        return str(reply.json().get("release", "of an unknown version"))

    def users(self) -> dict[int, str]:
        """Everybody's number and e-mail."""
        return {int(u.id): str(u.email) for u in self.read(lambda ls: ls.users.list())}

    def projects(self) -> dict[int, str]:
        """Every project's number and description."""
        projects: list[Any] = self.read(
            lambda ls: _all(ls.projects.list(include="id,description", page_size=PAGE))
        )
        return {int(project.id): project.description or "" for project in projects}

    def project(self, number: int) -> dict[str, Any]:
        return dict(self.read(lambda ls: ls.projects.get(number)).model_dump())

    def check_interface(self, interface: str) -> None:
        """Raises UserError for an interface that Label Studio's own library finds wrong."""
        from label_studio_sdk.label_interface import LabelInterface

        try:
            LabelInterface(interface).validate()
        except Exception as error:  # the library has a dozen kinds of errors
            raise UserError(
                f"the interface is not valid: {error}", "report this"
            ) from error

    def create_project(self, **settings: Any) -> dict[str, Any]:
        return dict(self.write(lambda ls: ls.projects.create(**settings)).model_dump())

    def update_project(self, number: int, **settings: Any) -> None:
        self.write(lambda ls: ls.projects.update(number, **settings))

    def tasks(self, number: int) -> list[dict[str, Any]]:
        """The `id` and `data` of every task of a project."""
        rows: list[Any] = self.read(
            lambda ls: _all(
                ls.tasks.list(
                    project=number,
                    fields="task_only",
                    include="id,data",
                    page_size=PAGE,
                )
            )
        )
        return [{"id": row.id, "data": row.data} for row in rows]

    def task(self, number: int) -> dict[str, Any]:
        """One task with its `data` and `annotations`."""
        row = self.read(lambda ls: ls.tasks.get(str(number)))
        return {"id": row.id, "data": row.data, "annotations": row.annotations or []}

    def is_begun(self, number: int) -> bool:
        """Whether anybody has answered a task, passed it on, or left a draft of an answer.

        A task's own page has the drafts of whoever asks alone.
        """
        if self.task(number)["annotations"]:
            return True
        path = f"/api/tasks/{number}/drafts"
        drafts = self._patiently(lambda: self._request("GET", path))
        return bool(msgspec.json.decode(drafts.content))

    def newest(self, project: int) -> str:
        """Another text whenever an answer is given, changed or taken back: no call for it, too."""
        newest = '{"ordering":["-tasks:updated_at"]}'
        path = f"/api/tasks?project={project}&page_size=1&fields=task_only&query={quote(newest)}"
        with self._named():
            page = msgspec.json.decode(self._request("GET", path).content)
        task: dict[str, Any] = next(iter(page["tasks"]), {})
        return f"{project}:{page['total_annotations']}:{task.get('id')}:{task.get('updated_at')}"

    def import_tasks(self, project: int, tasks: list[dict[str, Any]]) -> None:
        """Beside the SDK, which copies the body value by value before it encodes it."""
        path = f"/api/projects/{project}/import"
        with self._named(), BytesIO(msgspec.json.encode(tasks)) as body:
            self._request("POST", path, content=body, headers={"Content-Type": JSON})

    def update_task(self, number: int, data: dict[str, Any]) -> None:
        self.write(lambda ls: ls.tasks.update(str(number), data=data))

    def want_answers(self, number: int, people: int) -> None:
        """Give one task out until so many have answered; the SDK has no call for it."""
        body = msgspec.json.encode({"overlap": people, "is_labeled": False})
        path = f"/api/tasks/{number}/"
        with self._named():
            self._request("PATCH", path, content=body, headers={"Content-Type": JSON})

    def delete_task(self, number: int) -> None:
        self.write(lambda ls: ls.tasks.delete(str(number)))

    def update_annotation(self, number: int, result: list[Any]) -> None:
        self.write(lambda ls: ls.annotations.update(number, result=result))

    def delete_annotation(self, number: int) -> None:
        self.write(lambda ls: ls.annotations.delete(number))

    def start_export(self, project: int) -> int:
        """Have the server write a snapshot of a project; returns its number."""
        export = self.write(
            lambda ls: ls.projects.exports.create(project, title="benchwright")
        )
        return int(export.id)

    def exported(self, project: int, number: int) -> bool | None:
        """Whether a snapshot is ready, or failed; None while it is being written."""
        status = self.read(lambda ls: ls.projects.exports.get(project, number)).status
        return {"completed": True, "failed": False}.get(str(status))

    def take_export(self, project: int, number: int) -> bytes:
        """A snapshot as JSON; it is deleted on the server."""
        data = self.read(
            lambda ls: b"".join(
                ls.projects.exports.download(project, number, export_type="JSON")
            )
        )
        self.write(lambda ls: ls.projects.exports.delete(project, number))
        return data

    def storages(self, project: int) -> list[str]:
        """The folders that the server shows pictures of to a project."""
        storages = self.read(lambda ls: ls.import_storage.local.list(project=project))
        return [str(storage.path) for storage in storages]

    def add_storage(self, project: int, path: str, title: str) -> None:
        self.write(
            lambda ls: ls.import_storage.local.create(
                project=project, path=path, title=title, use_blob_urls=True
            )
        )

    def uploads(self, project: int) -> list[str]:
        """The addresses below /data/ of all files uploaded to a project, oldest first."""
        uploads = self.read(lambda ls: ls.files.list(project, all_=True))
        in_order = sorted(uploads, key=lambda upload: int(upload.id))
        return [str(upload.file) for upload in in_order]

    def upload(self, project: int, files: Mapping[str, bytes]) -> None:
        """Files into a project, without making tasks of them: nothing of the SDK does that.

        What is sent is closed at once: httpx keeps requests in cycles, hundreds of megabytes long.
        """
        path = f"/api/projects/{project}/import?commit_to_project=false"
        with self._named(), ExitStack() as bodies:
            parts = [
                (f"file{k}", (name, bodies.enter_context(BytesIO(data))))
                for k, (name, data) in enumerate(files.items())
            ]
            self._request("POST", path, files=parts)

    def invitation(self) -> dict[str, Any]:
        return dict(self._patiently(lambda: self._request("GET", "/api/invite")).json())

    def picture(self, address: str) -> bytes:
        """What the page loads from an address of this server."""
        return self._patiently(lambda: self._request("GET", address)).content

    def wait(self) -> None:
        """Return when the server is there again, or raise after `patience` seconds."""
        self._patiently(lambda: self._request("GET", "/health"))

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
        raise UserError(
            f"{self.url} broke off {INTERRUPTIONS} times", "push when it is stable"
        )

    def _request(self, method: str, path: str, **more: Any) -> httpx.Response:
        """One request beside the SDK's own, with its token."""
        from label_studio_sdk.core.api_error import ApiError

        headers = self._headers() | more.pop("headers", {})
        response = self._http.request(method, self.url + path, headers=headers, **more)
        if response.status_code >= 300:
            raise ApiError(status_code=response.status_code, body=response.text)
        return response

    def _patiently(self, work: Callable[[], T]) -> T:
        end = time.monotonic() + self.patience
        pause = 0.2
        while True:
            try:
                with self._named():
                    return work()
            except Fault as fault:
                if time.monotonic() + pause > end:
                    raise UserError(
                        fault.message, "is Label Studio running? annotate serve"
                    ) from fault
                time.sleep(pause)
                pause = min(2 * pause, 2.0)

    @contextmanager
    def _named(self) -> Iterator[None]:
        """Errors of the SDK and of the connection as ours."""
        httpx, api_error = _errors()
        try:
            yield
        except (httpx.InvalidURL, httpx.UnsupportedProtocol) as error:
            raise UserError(
                f"{self.url} is not an address: {error}", "write http://..."
            ) from error
        except httpx.HTTPError as error:
            raise Fault(
                f"no answer from Label Studio at {self.url}: {_cause(error)}"
            ) from error
        except api_error as error:
            raise self._refusal(error) from error

    def _refusal(self, error: ApiError) -> UserError:
        status = error.status_code or 0
        body = str(error.body)[:300].replace("\n", " ")
        if status in AWAY:
            return Fault(f"Label Studio at {self.url} answers {status}")
        if status == 401:
            kind = "personal access" if self._token.count(".") == 2 else "legacy"
            return UserError(
                f"{self.url} refuses the {kind} token",
                "copy it again from Account settings; legacy tokens may be switched off there",
            )
        if status == 404:
            return Missing(f"{self.url}: it is not there: {body}", "was it deleted?")
        return UserError(
            f"{self.url} refuses a request ({status}): {body}", "see the server's log"
        )


def _sdk(
    url: str, token: str
) -> tuple[LabelStudioBase, httpx.Client, Callable[[], dict[str, str]]]:
    """The SDK's client, the connection under it, and what signs other requests.

    The SDK never sends a request twice by itself.
    """
    import httpx
    from label_studio_sdk.base_client import LabelStudioBase
    from label_studio_sdk.core.client_wrapper import SyncClientWrapper

    http = httpx.Client(timeout=TIMEOUT, trust_env=False, follow_redirects=True)
    sdk = LabelStudioBase(
        base_url=url, api_key=token, httpx_client=http, timeout=TIMEOUT, max_retries=0
    )
    signer = SyncClientWrapper(
        base_url=url, api_key=token, httpx_client=http, timeout=TIMEOUT
    )
    return sdk, http, signer.get_headers


def _all(pager: SyncPager[T, Any]) -> list[T]:
    """What is on all pages; Label Studio answers 404 behind the last one."""
    from label_studio_sdk.core.api_error import ApiError

    items: list[T] = []
    try:
        for item in pager:
            items.append(item)  # those before the error stay
    except ApiError as error:
        if error.status_code != 404:
            raise
    return items


def _errors() -> tuple[Any, type[ApiError]]:
    with extra("annotate", "Label Studio"):
        import httpx
        from label_studio_sdk.core.api_error import ApiError
    return httpx, ApiError


def _cause(error: Exception) -> str:
    return f"{type(error).__name__} {error}".strip()
