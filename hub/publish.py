"""A release to the hub: what is there is compared, what is missing is sent, then it is tagged.

Only the files that the manifest lists and its statement are sent, after `verify` has proved them
and that there is no other: no private folder, key or history can go along. A commit names its
parent, so that nobody else's is overwritten. What was cut off is gone on with by the same command:
it sends what is not there yet. The files that make a release of a folder go last.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import msgspec

from ..base.display import Display, Table
from ..base.files import BAD_JSON
from ..base.terminal import say
from ..errors import UserError
from ..exports import ANCHORS, verify
from ..release import read_manifest
from .check import Finding, look_over
from .client import hub_client, signed_in

# Of a commit, unless one file has more.
PART_FILES = 1_000
PART_BYTES = 2_000_000_000
LAST = ("README.md", "eval.yaml", "croissant.json", "SHA256SUMS", "manifest.json")
THEIRS = (".gitattributes",)  # the hub's own


class Published(Display, msgspec.Struct, kw_only=True):
    """What was published, or with a dry run what would be."""

    repository: str
    tag: str
    sends: dict[str, int]  # path -> bytes
    same: int = 0  # files that lie there as they are here
    removes: list[str] = []  # of the version before
    leaves: list[str] = []  # there, and of no release
    gated: bool = False
    revision: str = ""  # the commit; "" where nothing was sent
    findings: list[Finding] = []
    unproved: list[str] = []  # files that another version wrote: consistent, not proved

    def headline(self) -> str:
        size = sum(self.sends.values()) / 1e6
        done = "sent" if self.revision else "to send"
        parts = [
            f"{len(self.sends)} files {done} ({size:.1f} MB)",
            f"{self.same} there already",
        ]
        if self.removes:
            parts.append(f"{len(self.removes)} of the version before removed")
        if self.leaves:
            parts.append(f"{len(self.leaves)} of no release left alone")
        if self.gated:
            parts.append("gated, since answers are withheld")
        if self.unproved:
            parts.append(
                f"consistent, not proved: another version wrote {self.unproved[0]}"
            )
        return f"{self.repository} {self.tag}: {', '.join(parts)}"

    def table(self) -> Table:
        rows: list[list[Any]] = [
            ["send", path, size] for path, size in self.sends.items()
        ]
        rows += [["remove", path, 0] for path in self.removes]
        return ["what", "path", "bytes"], rows


class _Remote(msgspec.Struct, kw_only=True):
    """What lies on the hub.

    `head` is "" where there is no repository yet; `files` has the sha256 of a large file, else
    git's hash of a blob.
    """

    head: str = ""
    files: dict[str, str] = {}
    tags: list[str] = []
    manifest: dict[str, Any] = {}
    gated: bool = False


def publish(
    release: str | Path,
    *,
    to: str,
    private: bool = False,
    check: bool = False,
    dry_run: bool = False,
    without: Sequence[str] = (),
    unproved: bool = False,
) -> Published:
    """Publish a release as the data set `to` on the hub, tagged with its version.

    A release that withholds answers is gated. A version that is published already is compared and
    never changed; the same command goes on where one was cut off.

    Args:
        release: Folder of the release.
        to: Where it shall lie: owner/name.
        private: A new repository is seen by its owner only.
        check: Look at card, licences, sizes, the viewer's limits and names; ask no network.
        dry_run: Compare with what is there, and list what would be sent.
        without: Folder of the release that is not sent (images, where it has too many files: they
            stand in data, too).
        unproved: Send a release that is consistent, not proved: another version made it.

    Raises UserError, before anything is sent, for a damaged release, one that is not proved, what
    the hub would refuse, no key, an owner that is not the key's, another benchmark of that name, a
    newer version there, and a version that lies there with other files.

    Example: `publish("out/mine-1.0.0", to="me/mine", dry_run=True).sends`
    """
    release = Path(release)
    manifest = read_manifest(release)
    left = tuple(without)
    plan = Published(
        repository=to,
        tag=f"v{manifest['version']}",
        sends=_files(release, manifest, without),
        gated=any(split["withheld"] for split in manifest["splits"].values()),
        findings=[
            finding
            for finding in look_over(release, to)
            if not finding.where.startswith(left)
        ],
    )
    if check:
        return plan
    for finding in plan.findings:
        if finding.stops:
            raise UserError(
                f"{finding.where}: {finding.what}", "mend it; publish --check lists all"
            )
    plan.unproved = _prove(release)
    if plan.unproved and not unproved and not dry_run:
        raise UserError(
            f"{release} is consistent, not proved: another version wrote {plan.unproved[0]}",
            "prove it with that version, or publish it as it is: --unproved",
        )
    with hub_client(f"publishing {to}") as api:
        owner, _, _ = to.partition("/")
        names = signed_in(api)
        if owner not in names:
            raise UserError(
                f"the key is not of {owner!r}", f"it is of: {', '.join(names)}"
            )
        remote = _remote(api, to)
        _compare(plan, remote, manifest, release)
        if not dry_run:
            _send(api, plan, remote, release, private)
    return plan


def _files(
    release: Path, manifest: Mapping[str, Any], without: Sequence[str]
) -> dict[str, int]:
    """The files that are sent, with their bytes: those of the manifest, itself and its anchors."""
    sizes = {path: int(facts["bytes"]) for path, facts in manifest["files"].items()}
    anchors = [name for name in ANCHORS if (release / name).is_file()]
    for name in ["manifest.json", "SHA256SUMS", *anchors]:
        sizes[name] = (release / name).stat().st_size
    folders = tuple(f"{folder.strip('/')}/" for folder in without)
    return {path: size for path, size in sizes.items() if not path.startswith(folders)}


def _prove(release: Path) -> list[str]:
    """Which files are consistent, and not proved. Raises UserError for a damaged release."""
    damages = verify(release)
    if damages:
        raise UserError(
            f"{release} is damaged: {damages[0].where}: {damages[0].what}",
            "run benchwright verify",
        )
    return damages.unproved


def _remote(api: Any, to: str) -> _Remote:
    """What lies at `to`, by the names and hashes of its files and what its manifest says."""
    from huggingface_hub.errors import RepositoryNotFoundError
    from huggingface_hub.hf_api import RepoFile

    try:
        info = api.dataset_info(to)
    except RepositoryNotFoundError:
        return _Remote()
    place = {"revision": info.sha, "repo_type": "dataset"}
    files = {
        entry.path: entry.lfs.sha256 if entry.lfs else entry.blob_id
        for entry in api.list_repo_tree(to, recursive=True, **place)
        if isinstance(entry, RepoFile)
    }
    tags = [tag.name for tag in api.list_repo_refs(to, repo_type="dataset").tags]
    manifest: dict[str, Any] = {}
    if "manifest.json" in files:
        path = api.hf_hub_download(to, "manifest.json", **place)
        try:
            data = msgspec.json.decode(Path(path).read_bytes())
            manifest = msgspec.convert(data, dict[str, Any])
        except BAD_JSON:
            manifest = {"name": "manifest.json that cannot be read"}
    return _Remote(
        head=info.sha or "",
        files=files,
        tags=tags,
        manifest=manifest,
        gated=bool(info.gated),
    )


def _compare(
    plan: Published, remote: _Remote, manifest: Mapping[str, Any], release: Path
) -> None:
    """Leave in the plan what has to be sent. Raises UserError where something is in the way."""
    to = plan.repository
    version = manifest["version"]
    hashes = {path: facts["sha256"] for path, facts in manifest["files"].items()}
    present = plan.sends.keys() & remote.files.keys()
    same = {
        path
        for path in present
        if remote.files[path] in _digests(release / path, hashes.get(path))
    }
    name = remote.manifest.get("name")
    remote_version = str(remote.manifest.get("version", ""))
    if name not in (None, manifest["name"]):
        raise UserError(
            f"{to} holds another benchmark: {name}", "publish under another name"
        )
    if _order(remote_version) > _order(version):
        raise UserError(
            f"{to} is ahead: {remote_version} lies there, this is {version}",
            "build a later version, with the published one as previous:",
        )
    changed: list[str] = []
    if plan.tag in remote.tags:  # a published version never changes
        changed = sorted(plan.sends.keys() - same)
    elif remote_version == version or not remote.manifest:
        changed = sorted(present - same)
    if changed:
        count = f" ({len(changed)} files differ)" if len(changed) > 1 else ""
        raise UserError(
            f"{to} has {changed[0]} already, and it is another{count}",
            "nothing is overwritten: raise the version, or remove what lies there",
        )
    others = remote.files.keys() - plan.sends.keys()
    if remote_version != version:
        plan.removes = sorted(others & set(remote.manifest.get("files", ())))
    plan.leaves = sorted(others - set(plan.removes) - set(THEIRS))
    if plan.leaves and not remote.manifest:
        raise UserError(
            f"{to} holds {plan.leaves[0]}, which is of no release",
            "publish under another name",
        )
    plan.same = len(same)
    plan.sends = {path: size for path, size in plan.sends.items() if path not in same}


def _digests(path: Path, sha256: str | None) -> set[str]:
    """The hashes by which the hub may know a file: as a large one, and as git's blob."""
    data = path.read_bytes()
    blob = hashlib.sha1(b"blob %d\0" % len(data) + data, usedforsecurity=False)
    return {sha256 or hashlib.sha256(data).hexdigest(), blob.hexdigest()}


def _order(version: str) -> tuple[list[int], bool, str]:
    """1.2.3 above 1.2.3-rc1 above 1.2.2; "" below all."""
    release, _, _ = version.partition("+")
    numbers, _, early = release.partition("-")
    return [int(n) for n in numbers.split(".") if n.isdecimal()], not early, early


def _send(
    api: Any, plan: Published, remote: _Remote, release: Path, private: bool
) -> None:
    from huggingface_hub import CommitOperationAdd, CommitOperationDelete

    to = plan.repository
    head = remote.head
    if not head:
        api.create_repo(to, repo_type="dataset", private=private)
        head = api.dataset_info(to).sha
    if plan.gated and not remote.gated:
        api.update_repo_settings(to, gated="auto", repo_type="dataset")
    parts = list(_parts(plan.sends))
    if plan.removes and not parts:
        parts = [[]]
    for number, part in enumerate(parts, 1):
        operations: list[Any] = [
            CommitOperationAdd(path_in_repo=path, path_or_fileobj=release / path)
            for path in part
        ]
        if number == len(parts):
            operations += [
                CommitOperationDelete(path_in_repo=path) for path in plan.removes
            ]
        which = f", part {number} of {len(parts)}" if len(parts) > 1 else ""
        say(f"{to}: {len(part)} files{which}")
        commit = api.create_commit(
            to,
            operations,
            commit_message=f"{release.name}{which}",
            parent_commit=head,
            repo_type="dataset",
        )
        head = commit.oid
    if plan.tag not in remote.tags:
        api.create_tag(to, tag=plan.tag, revision=head, repo_type="dataset")
    plan.revision = head


def _parts(sends: Mapping[str, int]) -> Iterator[list[str]]:
    """The files of each commit; those that make a release of a folder are in the last one."""
    part = list[str]()
    size = 0
    for path in sorted(sends, key=lambda path: (path in LAST, path)):
        is_full = len(part) == PART_FILES or size + sends[path] > PART_BYTES
        if part and is_full:
            yield part
            part, size = [], 0
        part.append(path)
        size += sends[path]
    if part:
        yield part
