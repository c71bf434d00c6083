"""The server: loopback only, a random token in every address, and no host name but this machine's.

A page on the web cannot guess the token, nor reach the server under a name of its own (the Host is
checked), nor post to it (JSON only, from these pages' origin only).
"""

from __future__ import annotations

import re
import secrets
import socket
import tempfile
from base64 import b64encode
from collections.abc import Awaitable, Callable, Sequence
from contextlib import suppress
from functools import lru_cache
from hashlib import sha256
from html import escape
from pathlib import Path
from typing import TYPE_CHECKING, Annotated
from urllib.parse import quote

import msgspec

from ..base.extras import extra
from ..base.files import BAD_JSON, inside, locked
from ..base.json_lines import encode
from ..errors import BenchwrightError, UserError
from ..pages import (
    Cell,
    Column,
    ReportTable,
    Section,
    history_folder,
    html_page,
    katex_script,
    script,
)
from .folders import Folder, folders_of, histories_of
from .made_pages import make_page, maker, pages
from .saving import Desk, PageDecision

if TYPE_CHECKING:
    from starlette.applications import Starlette
    from starlette.requests import Request
    from starlette.responses import Response

RUNS = (Column("run"), Column("accuracy"), Column("samples"))
PAGES = (Column("page"), Column("of"), Column("folder"))
HOSTS = ("127.0.0.1", "localhost")
SCRIPT = Path(__file__).parent / "templates" / "view.js"
# A script of a page's data: one call, whose argument is looked at as JSON alone.
_CALL = re.compile(rb"benchwright\.([a-z]+)\((.*)\);\s*", re.DOTALL)
LARGEST = 1_000_000  # bytes of a decision
SHOWN = {".html", ".js", ".css", ".md", ".json", ".jsonl", ".csv", ".tex", ".txt", ".pdf", ".svg",
         ".png", ".jpg", ".jpeg", ".gif", ".webp", ".bmp", ".woff2"}  # fmt: skip
SAFE = {
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",  # the token stays here
    "Cross-Origin-Resource-Policy": "same-origin",
    "X-Frame-Options": "DENY",
    "Cache-Control": "no-store",
}
PICTURE = {
    "Content-Security-Policy": "sandbox; default-src 'none'; style-src 'unsafe-inline'"
}


def view(
    folders: str | Path | Sequence[str | Path],
    *,
    name: str = "",
    decisions: str | Path = "decisions",
    port: Annotated[int, msgspec.Meta(ge=0, le=65535)] = 0,
    ready: Callable[[str], None] = lambda address: None,
) -> None:
    """Serve folders on this machine until Ctrl-C.

    Decisions on suggestions are saved beside them, all others as the files that stages read:
    duplicates.jsonl, errata.yaml, FIELD.adjudicated.jsonl, FOLDER.verdicts.jsonl.

    Args:
        folders: Releases, scores, duplicate evidence, suggestions, votes.
        name: Who decides; without it nothing can be saved.
        decisions: Folder of the files that stages read.
        port: Port on 127.0.0.1; 0 takes a free one.
        ready: Is given the address to open.

    Raises UserError where a folder is none, or
    the port is taken.

    Example: `view(["out/math-v-1.0.0", "scores/gpt"], name="ada")`
    """
    with extra("serve", "serving pages"):
        import uvicorn

    chosen = folders_of([folders] if isinstance(folders, str | Path) else folders)
    token = secrets.token_urlsafe(24)
    with tempfile.TemporaryDirectory(prefix="benchwright-view-") as made:
        app = application(chosen, token, Desk(Path(decisions), name), Path(made))
        listening = _listen(port)
        address = f"http://127.0.0.1:{listening.getsockname()[1]}/{token}/"
        ready(address)
        config = uvicorn.Config(
            app, log_level="warning", access_log=False, server_header=False
        )
        with suppress(KeyboardInterrupt):  # Ctrl-C is how it ends
            uvicorn.Server(config).run(sockets=[listening])


def _listen(port: int) -> socket.socket:
    listening = socket.socket()
    listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listening.bind(("127.0.0.1", port))
        listening.listen()
    except (OSError, OverflowError) as error:
        listening.close()
        raise UserError(
            f"cannot listen on port {port}: {error}", "take another --port"
        ) from error
    return listening


def application(
    folders: Sequence[Folder], token: str, desk: Desk, made: Path
) -> Starlette:
    """The ASGI application; pages that are made on request are kept in `made`."""
    with extra("serve", "serving pages"):
        from starlette.applications import Starlette
        from starlette.concurrency import run_in_threadpool
        from starlette.middleware import Middleware
        from starlette.middleware.base import BaseHTTPMiddleware
        from starlette.responses import (
            FileResponse,
            HTMLResponse,
            JSONResponse,
            PlainTextResponse,
            Response,
        )
        from starlette.routing import Route

    known = {folder.name: folder for folder in [*histories_of(folders), *folders]}
    at = f"/{token}"

    async def guard(
        request: Request, answer: Callable[[Request], Awaitable[Response]]
    ) -> Response:
        if refusal := refused(request, token):
            return PlainTextResponse(refusal, 403, SAFE)
        try:
            response = await answer(request)
        except BenchwrightError as error:
            response = JSONResponse({"error": str(error)}, 400)
        response.headers.update(SAFE)
        return response

    def asked(request: Request) -> Folder | None:
        return known.get(request.path_params["folder"])

    def page(
        request: Request, html: str, folder: Folder | None, status: int = 200
    ) -> Response:
        nonce = secrets.token_urlsafe(16)
        policy = _policy(f"http://{request.headers['host']}{at}", folder, nonce)
        state = _state(known, folder, request.path_params.get("path", ""))
        shown = _served(html, folder, desk.name, state, nonce)
        return HTMLResponse(shown, status, {"Content-Security-Policy": policy})

    def overview(request: Request) -> Response:
        return page(request, _overview(folders, desk), None)

    def script(request: Request) -> Response:
        return FileResponse(SCRIPT, media_type="text/javascript")

    def state(request: Request) -> Response:
        shown = request.query_params.get("page", "")
        return JSONResponse({"state": _state(known, asked(request), shown)})

    def saved(request: Request) -> Response:
        folder = asked(request)
        return JSONResponse(desk.saved(folder) if folder else {})

    async def save(request: Request) -> Response:
        folder = asked(request)
        body = await request.body()
        if folder is None or len(body) > LARGEST:
            raise UserError("nothing to decide on", "load the page again")
        try:
            said = msgspec.json.decode(body, type=PageDecision)
        except msgspec.DecodeError as error:
            raise UserError(
                f"that is no decision: {error}", "load the page again"
            ) from error
        return JSONResponse({"file": await run_in_threadpool(desk.save, folder, said)})

    def file(request: Request) -> Response:
        folder = asked(request)
        name = request.path_params["path"]
        try:
            path = _found(folder, name, made, folders) if folder else None
        except BenchwrightError as error:
            # Half written, perhaps: the page follows what is written.
            html = html_page(
                "This cannot be shown", about=f"{error.message}: {error.remedy}."
            )
            return page(request, html, folder, 400)
        if path is None:
            return PlainTextResponse("there is no such file", 404)
        kind = path.suffix.lower()
        if kind == ".html":
            return page(request, path.read_text("utf-8", "replace"), folder)
        if kind == ".js":
            data = _data_script(path)
            return Response(data, 200 if data else 404, media_type="text/javascript")
        return FileResponse(path, headers=PICTURE if kind == ".svg" else None)

    return Starlette(
        routes=[
            Route(f"{at}/", overview),
            Route(f"{at}/view.js", script),
            Route(f"{at}/state/{{folder:path}}", state),
            Route(f"{at}/saved/{{folder}}", saved),
            Route(f"{at}/save/{{folder}}", save, methods=["POST"]),
            Route(f"{at}/at/{{folder}}/{{path:path}}", file),
        ],
        middleware=[Middleware(BaseHTTPMiddleware, dispatch=guard)],
    )


def refused(request: Request, token: str) -> str:
    """Why a request is not answered; "" when it is."""
    host = request.headers.get("host", "")
    if host.partition(":")[0] not in HOSTS:
        return "this server answers under its own address only"
    said = request.url.path.removeprefix("/").partition("/")[0]
    if not secrets.compare_digest(said.encode(), token.encode()):
        return (
            "the address lacks its token: take the one that 'benchwright view' printed"
        )
    if request.headers.get("origin", f"http://{host}") != f"http://{host}":
        return "a page of another origin may not ask"
    kind = request.headers.get("content-type", "").partition(";")[0]
    if request.method == "POST" and kind != "application/json":
        return "decisions come as JSON"
    return ""


def _found(
    folder: Folder, name: str, made: Path, folders: Sequence[Folder]
) -> Path | None:
    """The file of an address; a page that a folder lacks is made of its data.

    Hidden files, other kinds of files and what lies outside (symbolic links, too) are not found.
    """
    if any(part.startswith(".") for part in name.split("/")):
        return None
    here = made / folder.name
    top = name.partition("/")[0]
    roots = [folder.path]
    if maker(folder, top):
        roots = [here, folder.path]
        if name.endswith(".html"):
            with locked(here / ".lock"):
                _renew(folder, top, here, folders)
    for root in roots:
        try:
            path = inside(root, name)
        except (UserError, OSError):
            return None
        if path.is_file() and path.suffix.lower() in SHOWN:
            return path
    return None


def _renew(folder: Folder, name: str, here: Path, folders: Sequence[Folder]) -> None:
    """Make a page that is not there yet, or whose data have changed since."""
    mark = here / f"{name}.state"
    state = " ".join(f.state(name * (f is folder)) for f in [folder, *folders])
    if not mark.exists() or mark.read_text("utf-8") != state:
        make_page(folder, here / name, folders)
        mark.write_text(state, "utf-8")


def _state(known: dict[str, Folder], folder: Folder | None, page: str) -> str:
    if folder:
        return folder.state(page)
    return " ".join(folder.state() for folder in known.values())


@lru_cache(maxsize=1)
def _own_scripts() -> str:
    """The hashes of the scripts that stand in pages which benchwright writes."""
    texts = re.findall("<script>(.*?)</script>", html_page("", data="data"), re.DOTALL)
    return " ".join(
        f"'sha256-{b64encode(sha256(t.encode()).digest()).decode()}'" for t in texts
    )


def _policy(at: str, folder: Folder | None, nonce: str) -> str:
    """What a page may do: run benchwright's scripts, and load what its own folder holds.

    A page may have been written by anybody: its scripts have neither hash nor nonce, and no other
    folder's files are within its reach.
    """
    own = ""
    connect = f"{at}/state/ {at}/saved/"
    if folder is not None:
        name = quote(folder.name)
        own = " ".join(
            f"{at}/at/{n}/" for n in (name, quote(history_folder(folder.path).name))
        )
        connect = " ".join(f"{at}/{what}/{name}" for what in ("saved", "save", "state"))
    return (
        f"default-src 'none'; img-src {own} data:; font-src data:; "
        f"style-src {own} 'unsafe-inline'; "
        f"script-src 'nonce-{nonce}' {_own_scripts()} {own}; connect-src {connect}; "
        "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
    )


def _data_script(path: Path) -> bytes:
    """A script of a folder as data alone: a call of the page's with one JSON value; else nothing.

    What draws formulas is benchwright's own, whatever stands there.
    """
    if path.name == "katex.js":
        return katex_script()
    call = _CALL.fullmatch(path.read_bytes())
    if call is None:
        return b""
    try:
        return script(call[1].decode(), encode(msgspec.json.decode(call[2])))
    except BAD_JSON:
        return b""


def _served(html: str, folder: Folder | None, name: str, state: str, nonce: str) -> str:
    """The page with the script that knows the server, before any other."""
    facts = {
        "folder": folder.name if folder else "",
        "kind": folder.kind() if folder else "",
        "name": name,
        "state": state,
    }
    data = " ".join(f'data-{key}="{escape(value)}"' for key, value in facts.items())
    up = "../../" if folder else ""
    tag = f'<script nonce="{nonce}" src="{up}view.js" {data}></script>'
    return html.replace("<head>", f"<head>\n{tag}", 1)


def _overview(folders: Sequence[Folder], desk: Desk) -> str:
    """What is served: the runs with their figures, the best first, and every page a link."""
    runs = sorted(
        ((f, f.figures()) for f in folders if f.kind() == "scores"),
        key=lambda run: -float(run[1][1].rstrip(" %") or 0),
    )
    scored = [
        {
            "run": Cell(name, address=f"at/{folder.name}/report.html"),
            "accuracy": accuracy,
            "samples": n,
        }
        for folder, (name, accuracy, n) in runs
        if (folder.path / "report.html").exists()
    ]
    records = [
        {
            "page": Cell(f"{folder.name} / {name}", address=f"at/{folder.name}/{name}"),
            "of": folder.kind(),
            "folder": str(folder.path),
        }
        for folder in folders
        for name in pages(folder) or [""]
    ]
    sections = [Section("Pages", [], [ReportTable.of(PAGES, records)])]
    if scored:
        sections.insert(0, Section("Runs", [], [ReportTable.of(RUNS, scored)]))
    who = "Nobody decides: --name is not given."
    if desk.name:
        who = f"{desk.name} decides."
    about = f"{len(folders)} folders on this machine alone. {who} Pages follow what is written."
    return html_page("benchwright view", sections, about=about)
