"""Where pictures lie so that the labelling page can load them.

A page shows only pictures of its own server. Beside our own server they are put into the folder
it serves; to a server elsewhere they are uploaded. A store is a function that takes file names with
ways to make their bytes, puts there what is not there yet, and gives each name's address, or why it
has none.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path

from ...errors import UserError
from .client import Client
from .server import PICTURES

PICTURES_MARK = "benchwright pictures "  # starts the description of picture projects
BATCH_FILES = 100  # of one upload; Label Studio takes no more
BATCH_BYTES = 16_000_000  # of one upload

Files = Mapping[str, Callable[[], bytes]]
Addresses = dict[str, str | UserError]
PictureStore = Callable[[Files], Addresses]


def local_store(served: Path) -> PictureStore:
    """Pictures in the folder that our own server serves."""
    folder = served / PICTURES

    def put(files: Files) -> Addresses:
        folder.mkdir(parents=True, exist_ok=True)
        existing = {path.name for path in folder.iterdir()}
        failed: Addresses = {}
        for name, data in _made(files, existing, failed):
            temporary = folder / f".{name}.{os.getpid()}.part"
            temporary.write_bytes(data)
            temporary.replace(folder / name)
        prefix = f"/data/local-files/?d={PICTURES}/"
        return {name: prefix + name for name in files} | failed

    return put


def upload_store(client: Client, key: str) -> PictureStore:
    """Pictures uploaded to a server elsewhere, a hundred in a request.

    They lie in a project of their own, marked with `key`: Label Studio refuses uploads to projects
    whose interface shows more than one thing. What an interrupted upload left is not sent again.
    """
    project = picture_project(client, key)

    def addresses() -> dict[str, str]:
        files = client.uploads(project)
        return {uploaded_name(file): f"/data/{file}" for file in files}

    def put(files: Files) -> Addresses:
        failed: Addresses = {}

        def send() -> None:
            for batch in _batches(_made(files, addresses(), failed)):
                client.upload(project, batch)

        client.persist(send)
        lost = UserError(
            "the server did not keep the picture", "give its file a plain name"
        )
        return dict.fromkeys(files, lost) | addresses() | failed

    return put


def _made(
    files: Files,
    existing: Mapping[str, str] | set[str],
    failed: Addresses,
) -> Iterator[tuple[str, bytes]]:
    """The bytes of what is not in `existing`; files that cannot be made are noted in `failed`."""
    for name, make in files.items():
        if name in existing:
            continue
        try:
            yield name, make()
        except UserError as error:
            failed[name] = error
        except OSError as error:
            failed[name] = UserError(
                f"a picture cannot be read: {error}", "mend the file"
            )


def _batches(files: Iterator[tuple[str, bytes]]) -> Iterator[dict[str, bytes]]:
    """Files in requests of bounded number and size."""
    batch: dict[str, bytes] = {}
    size = 0
    for name, data in files:
        if batch and (len(batch) == BATCH_FILES or size + len(data) > BATCH_BYTES):
            yield batch
            batch, size = {}, 0
        batch[name] = data
        size += len(data)
    if batch:
        yield batch


def picture_project(client: Client, key: str) -> int:
    """The number of the project whose uploads are pictures of the one marked with `key`."""
    mark = f"{PICTURES_MARK}{key}"
    for number, description in client.projects().items():
        if description == mark:
            return number
    interface = '<View><Image name="image" value="$image"/></View>'
    record = client.create_project(
        title="Pictures", description=mark, label_config=interface
    )
    return int(record["id"])


def uploaded_name(file: str) -> str:
    """The name under which a file was uploaded; Label Studio puts a mark of its own before it.

    >>> uploaded_name("upload/7/467c0707-abc.jpg")
    'abc.jpg'
    """
    return file.rpartition("/")[2].partition("-")[2]
