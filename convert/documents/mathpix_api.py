"""PDFs and scans through the Mathpix API, by its official client `mpxpy` (extra `mathpix`).

Each document leaves `<name>.mmd`, `<name>.lines.json`, its cropped pictures in `<name>-images/`,
and `<name>.mathpix.json`, which remembers what was sent: an interrupted run goes on without
paying twice. The keys come from MATHPIX_APP_ID and MATHPIX_APP_KEY and are never written.
"""

from __future__ import annotations

import os
import re
import time
from collections.abc import Iterable
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import msgspec

from ...base.extras import extra
from ...base.files import pretty, sha256_file, write_bytes, write_text
from ...base.pictures import open_picture
from ...base.terminal import say
from ...errors import UserError
from .markdown import PICTURE, TextPicture, figure

SCANS = (".png", ".jpg", ".jpeg")
_NOT_IN_NAMES = re.compile("[^A-Za-z0-9._-]")
MAX_PICTURE = 50_000_000  # bytes


class Sent(msgspec.Struct, kw_only=True):
    """<name>.mathpix.json: which file was sent, under which number, and what is still missing."""

    file: str
    sha256: str
    pdf_id: str = ""
    done: bool = False
    missing_pictures: list[str] = []


def send_to_mathpix(
    paths: str | Path | Iterable[str | Path],
    out: str | Path = "mathpix",
    url: str | None = None,
    patience: float = 1800.0,
    interval: float = 2.0,
) -> list[Sent]:
    """Convert documents into `out`; finished ones are left as they are.

    Args:
        paths: PDFs and scans.
        out: Folder to write.
        url: Address of the API [default: MATHPIX_URL, else Mathpix's own].
        patience: Longest wait for one document, in seconds.
        interval: Seconds between two questions whether it is done.

    Raises UserError when keys are missing, or Mathpix refuses or fails.

    Example: `send_to_mathpix("exam.pdf")[0].missing_pictures`
    """
    client = _client(url)
    out = Path(out)
    files = [paths] if isinstance(paths, str | Path) else paths
    return [_document(client, Path(path), out, patience, interval) for path in files]


def _client(url: str | None) -> Any:
    with extra("mathpix", "Mathpix"):
        from mpxpy.mathpix_client import MathpixClient
    if not (os.environ.get("MATHPIX_APP_ID") and os.environ.get("MATHPIX_APP_KEY")):
        raise UserError(
            "no Mathpix keys in the environment",
            "set MATHPIX_APP_ID and MATHPIX_APP_KEY",
        )
    return MathpixClient(
        api_url=url, improve_mathpix=False, request_options={"timeout": 120}
    )


def _document(
    client: Any, path: Path, out: Path, patience: float, interval: float
) -> Sent:
    from mpxpy.errors import MathpixClientError

    if not path.is_file():
        raise UserError(f"{path} is not a file", "give PDFs, PNGs or JPEGs")
    note = out / f"{path.stem}.mathpix.json"
    sent = _remembered(note, path)
    if sent.done and not sent.missing_pictures:
        return sent
    try:
        if not sent.done:
            if path.suffix.lower() in SCANS:
                _scan(client, path, out)
            else:
                _pdf(client, path, out, sent, note, patience, interval)
            sent.done = True
            write_bytes(note, pretty(sent))
    except (MathpixClientError, ValueError, KeyError, TypeError) as error:
        raise UserError(
            f"Mathpix failed on {path}: {error}", "run again to go on"
        ) from error
    places = out / f"{path.stem}.mmd", out / f"{path.stem}-images"
    sent.missing_pictures = fetch_pictures(*places, client.auth.api_url)
    write_bytes(note, pretty(sent))
    return sent


def _remembered(note: Path, path: Path) -> Sent:
    """What is known of this very file; a changed file starts anew."""
    digest = sha256_file(path)
    try:
        old = msgspec.json.decode(note.read_bytes(), type=Sent)
    except (OSError, msgspec.DecodeError):
        old = None
    results = [note.with_name(f"{path.stem}.{kind}") for kind in ("mmd", "lines.json")]
    if old is None or old.sha256 != digest:
        return Sent(file=path.name, sha256=digest)
    if old.done and not all(result.exists() for result in results):
        old.done = False
    return old


def _pdf(
    client: Any,
    path: Path,
    out: Path,
    sent: Sent,
    note: Path,
    patience: float,
    interval: float,
) -> None:
    from mpxpy.pdf import Pdf

    if sent.pdf_id:
        pdf = Pdf(
            auth=client.auth, pdf_id=sent.pdf_id, request_options=client.request_options
        )
    else:
        pdf = client.pdf_new(file_path=str(path), improve_mathpix=False)
        sent.pdf_id = pdf.pdf_id
        write_bytes(note, pretty(sent))  # from here on an interruption costs nothing
    _wait(pdf, path, sent, note, patience, interval)
    for kind in ("mmd", "lines.json"):
        write_bytes(out / f"{path.stem}.{kind}", _result(client, sent.pdf_id, kind))


def _result(client: Any, pdf_id: str, kind: str) -> bytes:
    """One result of a document; the client's own methods would save an error page as text."""
    from mpxpy.request_handler import get

    address = f"{client.auth.api_url}/v3/pdf/{pdf_id}.{kind}"
    reply = get(address, headers=client.auth.headers, **client.request_options)
    if reply.status_code != 200:
        raise ValueError(f"{kind}: HTTP status {reply.status_code}")
    content: bytes = reply.content
    return content


def _wait(
    pdf: Any, path: Path, sent: Sent, note: Path, patience: float, interval: float
) -> None:
    end = time.monotonic() + patience
    while True:
        status = pdf.pdf_status()
        state = status.get("status", "error" if "error" in status else "")
        if state == "completed":
            return
        if state == "error":
            sent.pdf_id = ""  # send it anew next time
            write_bytes(note, pretty(sent))
            raise UserError(
                f"Mathpix could not convert {path}: {status.get('error', status)}",
                "check the file",
            )
        if time.monotonic() > end:
            raise UserError(
                f"{path} is not ready after {patience:.0f} s",
                "run again later: it is not sent twice",
            )
        say(f"{path.name}: {state or 'waiting'} {status.get('percent_done', '')}")
        time.sleep(interval)


def _scan(client: Any, path: Path, out: Path) -> None:
    """One picture: text at once, and its lines as a single page."""
    image = client.image_new(
        file_path=str(path), include_line_data=True, improve_mathpix=False
    )
    write_text(out / f"{path.stem}.mmd", image.mmd())
    lines = [_line(line) for line in image.lines_json()]
    write_bytes(
        out / f"{path.stem}.lines.json",
        pretty({"pages": [{"page": 1, "lines": lines}]}),
    )


def _line(line: dict[str, Any]) -> dict[str, Any]:
    """A line of v3/text has a contour of points instead of a region."""
    xs, ys = zip(*(point[:2] for point in line.get("cnt") or [[0, 0]]), strict=True)
    region = {
        "top_left_x": min(xs),
        "top_left_y": min(ys),
        "width": max(xs) - min(xs),
        "height": max(ys) - min(ys),
    }
    return {"text": line.get("text", ""), "region": region}


def crop_name(picture: TextPicture) -> str:
    """The file name of a figure: that of its address, with its place on the page.

    >>> crop_name(figure(PICTURE.match("![](https://h/c/a-09.jpg?height=2&width=3&top_left_y=4&top_left_x=5)")))
    'a-09_5_4_3_2.jpg'
    """
    path, _, _ = picture.url.partition("?")
    name = _NOT_IN_NAMES.sub("_", path.rstrip("/").rpartition("/")[2])
    if picture.box is None:
        return name
    stem, dot, suffix = name.rpartition(".")
    box = picture.box
    place = f"{box.left}_{box.top}_{box.width}_{box.height}"
    return f"{stem}_{place}{dot}{suffix}" if dot else f"{name}_{place}"


def fetch_pictures(mmd: Path, folder: Path, service: str = "") -> list[str]:
    """Download the pictures a Mathpix text names; returns the addresses that failed.

    A text may name any address: only the service's are asked, and only pictures are kept.
    """
    import requests

    missing: list[str] = []
    for match in PICTURE.finditer(mmd.read_text(encoding="utf-8")):
        picture = figure(match)
        target = folder / crop_name(picture)
        if target.exists() or not picture.url.startswith(("https://", "http://")):
            continue
        try:
            if not is_of_service(picture.url, service):
                raise UserError(
                    f"{picture.url} is no address of Mathpix", "fetch it yourself"
                )
            reply = requests.get(
                picture.url, timeout=60, stream=True, allow_redirects=False
            )
            if reply.status_code != requests.codes.ok:
                raise requests.RequestException("no picture, or elsewhere")
            data = reply.raw.read(MAX_PICTURE + 1, decode_content=True)
            if len(data) > MAX_PICTURE:
                raise requests.RequestException("too large")
            open_picture(data, target.name)
            write_bytes(target, data)
        except (requests.RequestException, UserError):
            missing.append(picture.url)
    return missing


def is_of_service(url: str, service: str = "") -> bool:
    """Is an address one of Mathpix's by https, or one of the service that was asked?

    >>> is_of_service("https://cdn.mathpix.com/cropped/a.jpg"), is_of_service("http://10.0.0.1/a")
    (True, False)
    >>> is_of_service("https://mathpix.com.example.org/a"), is_of_service("http://h:1/a", "http://h:1")
    (False, True)
    """
    try:
        address = urlsplit(url)
        api = urlsplit(service)
        if service and (address.scheme, address.netloc) == (api.scheme, api.netloc):
            return True
        is_safe = address.scheme == "https" and address.port is None
        return is_safe and f".{address.hostname or ''}".endswith(".mathpix.com")
    except ValueError:
        return False
