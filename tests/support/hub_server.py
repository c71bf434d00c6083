"""A small hub on this machine: what huggingface_hub, datasets and inspect ask of the real one.

Repositories of data sets with commits, tags, large files and settings, in memory. `Hub.asked` lists
the requests; `refuse` answers some of them with a status of one's own.
"""

from __future__ import annotations

import base64
import hashlib
import json
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import parse_qs, unquote, urlsplit

LARGE = (".parquet", ".png", ".jpg")
Answer = tuple[int, Any, dict[str, str]]


@dataclass
class Repository:
    """Commits (oid -> path -> content), the head of main, tags and settings."""

    commits: dict[str, dict[str, bytes]] = field(default_factory=dict)
    head: str = ""
    tags: dict[str, str] = field(default_factory=dict)
    private: bool = False
    gated: Any = False
    sent: list[str] = field(default_factory=list)  # paths of all commits

    def commit(self, files: dict[str, bytes]) -> str:
        self.head = hashlib.sha1(
            f"{len(self.commits)}{sorted(files)}".encode()
        ).hexdigest()
        self.commits[self.head] = files
        return self.head

    def at(self, revision: str) -> tuple[str, dict[str, bytes]]:
        oid = self.tags.get(revision, self.head if revision == "main" else revision)
        return oid, self.commits[oid]


@dataclass
class Hub:
    url: str = ""
    users: dict[str, dict[str, Any]] = field(default_factory=dict)  # key -> whoami
    repositories: dict[str, Repository] = field(default_factory=dict)
    large: dict[str, bytes] = field(default_factory=dict)  # sha256 -> content
    uploads: list[str] = field(
        default_factory=list
    )  # sha256 of each large file that came
    asked: list[str] = field(default_factory=list)
    refuse: Callable[[str], int] = lambda _: 0

    def files(self, name: str) -> dict[str, bytes]:
        repository = self.repositories[name]
        return repository.commits[repository.head]


def entry(path: str, data: bytes) -> dict[str, Any]:
    blob = hashlib.sha1(b"blob %d\0" % len(data) + data).hexdigest()
    found: dict[str, Any] = {
        "type": "file",
        "path": path,
        "size": len(data),
        "oid": blob,
    }
    if path.endswith(LARGE):
        sha = hashlib.sha256(data).hexdigest()
        found["lfs"] = {"oid": sha, "size": len(data), "pointerSize": 130}
    return found


class Handler(BaseHTTPRequestHandler):
    hub: Hub
    protocol_version = "HTTP/1.1"

    def log_message(self, *_: Any) -> None:
        pass

    def _serve(self) -> None:
        size = int(self.headers.get("Content-Length") or 0)
        if self.headers.get("Transfer-Encoding") == "chunked":
            body = b"".join(iter(self._chunk, b""))
        else:
            body = self.rfile.read(size)
        asked = f"{self.command} {self.path}"
        self.hub.asked.append(asked)
        status = self.hub.refuse(asked)
        answer = (status, {"error": "refused"}, {}) if status else self._answer(body)
        status, data, headers = answer
        content = data if isinstance(data, bytes) else json.dumps(data).encode()
        self.send_response(status)
        for name, value in headers.items():
            self.send_header(name, value)
        self.send_header(
            "Content-Length", headers.get("X-Linked-Size") or str(len(content))
        )
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(content)

    do_GET = do_POST = do_PUT = do_HEAD = do_DELETE = _serve  # noqa: N815

    def _chunk(self) -> bytes:
        size = int(self.rfile.readline(), 16)
        data = self.rfile.read(size)
        self.rfile.readline()
        return data

    def _answer(self, body: bytes) -> Answer:
        url = urlsplit(self.path)
        parts = [unquote(part) for part in url.path.strip("/").split("/")]
        me = self.hub.users.get(
            (self.headers.get("Authorization") or "").removeprefix("Bearer ")
        )
        if parts[0] == "lfs":
            self.hub.uploads.append(parts[1])
            self.hub.large[parts[1]] = body
            return 200, {}, {}
        if parts[:2] == ["api", "validate-yaml"]:
            return 200, {"errors": [], "warnings": []}, {}
        if parts[:2] == ["api", "whoami-v2"]:
            return (200, me, {}) if me else (401, {"error": "Invalid credentials"}, {})
        if parts[:3] == ["api", "repos", "create"]:
            return self._create(json.loads(body), me)
        start = 2 if parts[0] == "api" else 1
        name = "/".join(parts[start : start + 2]).removesuffix(".git")
        repository = self.hub.repositories.get(name)
        allowed = me is not None and name.split("/")[0] in [
            me["name"],
            *(o["name"] for o in me["orgs"]),
        ]
        if repository is None or (repository.private and not allowed):
            return 404, {}, {"X-Error-Code": "RepoNotFound"}
        if (
            self.command in ("POST", "PUT")
            and "paths-info" not in parts
            and not allowed
        ):
            return 403, {"error": "Forbidden"}, {}
        rest = parts[start + 2 :]
        if rest[:1] == ["resolve"]:
            return self._file(repository, rest[1], "/".join(rest[2:]))
        if rest[:3] == ["info", "lfs", "objects"]:
            return self._batch(json.loads(body))
        try:
            return self._api(repository, name, rest, body, parse_qs(url.query))
        except KeyError:
            return 404, {}, {"X-Error-Code": "RevisionNotFound"}

    def _create(self, asked: dict[str, Any], me: dict[str, Any] | None) -> Answer:
        owner = asked.get("organization") or (me or {}).get("name")
        name = f"{owner}/{asked['name']}"
        if name in self.hub.repositories:
            return (
                409,
                {"error": "You already created this dataset repo", "url": name},
                {},
            )
        self.hub.repositories[name] = made = Repository(
            private=asked.get("visibility") == "private"
        )
        made.commit({".gitattributes": b"*.parquet filter=lfs\n"})
        return (
            200,
            {"url": f"{self.hub.url}/datasets/{name}", "id": "1", "name": name},
            {},
        )

    def _file(self, repository: Repository, revision: str, path: str) -> Answer:
        try:
            oid, files = repository.at(revision)
        except KeyError:
            return 404, {}, {"X-Error-Code": "RevisionNotFound"}
        if path not in files:
            return 404, {}, {"X-Error-Code": "EntryNotFound"}
        told = entry(path, files[path])
        etag = told["lfs"]["oid"] if "lfs" in told else told["oid"]
        return (
            200,
            files[path],
            {
                "X-Repo-Commit": oid,
                "ETag": f'"{etag}"',
                "X-Linked-Size": str(told["size"]),
            },
        )

    def _batch(self, asked: dict[str, Any]) -> Answer:
        objects: list[dict[str, Any]] = []
        for one in asked["objects"]:
            href = {"href": f"{self.hub.url}/lfs/{one['oid']}"}
            more = {} if one["oid"] in self.hub.large else {"actions": {"upload": href}}
            objects.append({"oid": one["oid"], "size": one["size"], **more})
        return 200, {"transfer": "basic", "objects": objects}, {}

    def _api(
        self,
        repository: Repository,
        name: str,
        rest: list[str],
        body: bytes,
        query: dict[str, Any],
    ) -> Answer:
        what = rest[0] if rest else ""
        if what == "preupload":
            files = json.loads(body)["files"]
            _, now = repository.at(rest[1])
            for one in files:
                one["shouldIgnore"] = False
                one["uploadMode"] = "lfs" if one["path"].endswith(LARGE) else "regular"
                told = (
                    entry(one["path"], now[one["path"]]) if one["path"] in now else {}
                )
                one["oid"] = told.get("lfs", {}).get("oid") or told.get("oid")
            return 200, {"files": files}, {}
        if what == "commit":
            return self._commit(repository, name, body)
        if what == "tag":
            tag = json.loads(body)["tag"]
            if tag in repository.tags:
                return 409, {"error": "exists"}, {}
            repository.tags[tag] = repository.at(rest[1])[0]
            return 200, {}, {}
        if what == "settings":
            repository.gated = json.loads(body)["gated"]
            return 200, {}, {}
        if what == "refs":
            tags = [
                {"name": t, "ref": f"refs/tags/{t}", "targetCommit": o}
                for t, o in repository.tags.items()
            ]
            main = {
                "name": "main",
                "ref": "refs/heads/main",
                "targetCommit": repository.head,
            }
            return 200, {"branches": [main], "tags": tags, "converts": []}, {}
        revision = rest[1] if len(rest) > 1 else "main"
        oid, now = repository.at(revision)
        if what == "tree":
            below = "/".join(rest[2:])
            return (
                200,
                list(
                    listing(
                        now,
                        below,
                        "recursive" in query and query["recursive"] != ["False"],
                    )
                ),
                {},
            )
        if what == "paths-info":
            asked = (
                parse_qs(body.decode())["paths"]
                if body[:1] != b"{"
                else json.loads(body)["paths"]
            )
            found = [entry(path, now[path]) for path in asked if path in now]
            found += [{"type": "directory", "path": p, "oid": "0"} for p in asked
                      if any(f.startswith(f"{p}/") for f in now)]  # fmt: skip
            return 200, found, {}
        siblings = [{"rfilename": path} for path in now]
        told = {
            "id": name,
            "sha": oid,
            "private": repository.private,
            "gated": repository.gated,
        }
        return 200, told | {"siblings": siblings, "tags": [], "cardData": {}}, {}

    def _commit(self, repository: Repository, name: str, body: bytes) -> Answer:
        header, *lines = [json.loads(line) for line in body.splitlines()]
        if header["value"].get("parentCommit") not in (None, repository.head):
            return 412, {"error": "A commit has happened since"}, {}
        files = dict(repository.commits[repository.head])
        for line in lines:
            value = line["value"]
            if line["key"] == "file":
                files[value["path"]] = base64.b64decode(value["content"])
            elif line["key"] == "lfsFile":
                files[value["path"]] = self.hub.large[value["oid"]]
            else:
                del files[value["path"]]
                continue
            repository.sent.append(value["path"])
        oid = repository.commit(files)
        return (
            200,
            {
                "commitUrl": f"{self.hub.url}/datasets/{name}/commit/{oid}",
                "commitOid": oid,
            },
            {},
        )


def listing(
    files: dict[str, bytes], below: str, deep: bool
) -> Iterator[dict[str, Any]]:
    seen = set[str]()
    for path, data in sorted(files.items()):
        inner = path.removeprefix(f"{below}/") if below else path
        if below and inner == path:
            continue
        folders = inner.split("/")[:-1]
        for k in range(len(folders) if deep else min(1, len(folders))):
            folder = "/".join(
                [*below.split("/"), *folders[: k + 1]] if below else folders[: k + 1]
            )
            if folder not in seen:
                seen.add(folder)
                yield {"type": "directory", "path": folder, "oid": "0", "size": 0}
        if deep or not folders:
            yield entry(path, data)


@contextmanager
def serving() -> Iterator[Hub]:
    """A hub that is there within the block; `me` may write as me and as team."""
    hub = Hub(
        users={"hf_secret": {"name": "me", "orgs": [{"name": "team"}], "auth": {}}}
    )
    server = ThreadingHTTPServer(
        ("127.0.0.1", 0), type("Bound", (Handler,), {"hub": hub})
    )
    hub.url = f"http://127.0.0.1:{server.server_port}"
    thread = threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True)
    thread.start()
    try:
        yield hub
    finally:
        server.shutdown()
        server.server_close()
        thread.join()
