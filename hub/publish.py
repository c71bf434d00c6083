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

PART_FILES, PART_BYTES = 1_000, 2_000_000_000  # of a commit, unless one file has more
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
        told = [
            f"{len(self.sends)} files {done} ({size:.1f} MB)",
            f"{self.same} there already",
        ]
        told += (
            [f"{len(self.removes)} of the version before removed"]
            if self.removes
            else []
        )
        told += [f"{len(self.leaves)} of no release left alone"] if self.leaves else []
        told += ["gated, since answers are withheld"] if self.gated else []
        if self.unproved:
            told.append(
                f"consistent, not proved: another version wrote {self.unproved[0]}"
            )
        return f"{self.repository} {self.tag}: {', '.join(told)}"

    def table(self) -> Table:
        rows = [["send", path, size] for path, size in self.sends.items()]
        return ["what", "path", "bytes"], rows + [
            ["remove", path, 0] for path in self.removes
        ]


class _There(msgspec.Struct, kw_only=True):
    """What lies on the hub."""

    head: str = ""  # "": no repository yet
    files: dict[
        str, str
    ] = {}  # path -> sha256 of a large file, else git's hash of a blob
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
    tag = f"v{manifest['version']}"
    sizes = {path: int(facts["bytes"]) for path, facts in manifest["files"].items()}
    others = [
        "manifest.json",
        "SHA256SUMS",
        *(n for n in ANCHORS if (release / n).is_file()),
    ]
    sizes |= {name: (release / name).stat().st_size for name in others}
    left = tuple(f"{folder.strip('/')}/" for folder in without)
    sizes = {path: size for path, size in sizes.items() if not path.startswith(left)}
    findings = [
        one
        for one in look_over(release, to)
        if not one.where.startswith(tuple(without))
    ]
    gated = any(split["withheld"] for split in manifest["splits"].values())
    plan = Published(
        repository=to, tag=tag, sends=sizes, gated=gated, findings=findings
    )
    if check:
        return plan
    for one in findings:
        if one.stops:
            raise UserError(
                f"{one.where}: {one.what}", "mend it; publish --check lists all"
            )
    if damages := verify(release):
        raise UserError(
            f"{release} is damaged: {damages[0].where}: {damages[0].what}",
            "run benchwright verify",
        )
    plan.unproved = damages.unproved
    if damages.unproved and not unproved and not dry_run:
        raise UserError(
            f"{release} is consistent, not proved: another version wrote {damages.unproved[0]}",
            "prove it with that version, or publish it as it is: --unproved",
        )
    with hub_client(f"publishing {to}") as api:
        if to.split("/")[0] not in (names := signed_in(api)):
            raise UserError(
                f"the key is not of {to.split('/')[0]!r}",
                f"it is of: {', '.join(names)}",
            )
        there = _there(api, to)
        _compare(plan, there, manifest, release)
        if not dry_run:
            _send(api, plan, there, release, private)
    return plan


def _there(api: Any, to: str) -> _There:
    """What lies at `to`, by the names and hashes of its files and what its manifest says."""
    from huggingface_hub.errors import RepositoryNotFoundError
    from huggingface_hub.hf_api import RepoFile

    try:
        info = api.dataset_info(to)
    except RepositoryNotFoundError:
        return _There()
    tree = api.list_repo_tree(
        to, recursive=True, revision=info.sha, repo_type="dataset"
    )
    files = {
        one.path: one.lfs.sha256 if one.lfs else one.blob_id
        for one in tree
        if isinstance(one, RepoFile)
    }
    tags = [tag.name for tag in api.list_repo_refs(to, repo_type="dataset").tags]
    manifest: dict[str, Any] = {}
    if "manifest.json" in files:
        path = api.hf_hub_download(
            to, "manifest.json", revision=info.sha, repo_type="dataset"
        )
        try:
            manifest = msgspec.convert(
                msgspec.json.decode(Path(path).read_bytes()), dict[str, Any]
            )
        except BAD_JSON:
            manifest = {"name": "manifest.json that cannot be read"}
    return _There(
        head=info.sha or "",
        files=files,
        tags=tags,
        manifest=manifest,
        gated=bool(info.gated),
    )


def _compare(
    plan: Published, there: _There, manifest: Mapping[str, Any], release: Path
) -> None:
    """Leave in the plan what has to be sent. Raises UserError where something is in the way."""
    hashes = {path: one["sha256"] for path, one in manifest["files"].items()}
    known = {name: digest for name, digest in there.files.items() if name in plan.sends}
    same = {
        path
        for path, digest in known.items()
        if digest in _digests(release / path, hashes.get(path))
    }
    theirs, to = there.manifest, plan.repository
    other, before = theirs.get("name"), str(theirs.get("version", ""))
    if other not in (None, manifest["name"]):
        raise UserError(
            f"{to} holds another benchmark: {other}", "publish under another name"
        )
    if _order(before) > _order(manifest["version"]):
        raise UserError(
            f"{to} is ahead: {before} lies there, this is {manifest['version']}",
            "build a later version, with the published one as previous:",
        )
    changed = sorted(known.keys() - same)
    first = not theirs and changed
    if plan.tag in there.tags or before == manifest["version"] or first:
        if plan.tag in there.tags:
            changed = sorted(set(plan.sends) - same)
        if changed:
            raise UserError(
                f"{to} has {changed[0]} already, and it is another"
                + (f" ({len(changed)} files differ)" if len(changed) > 1 else ""),
                "nothing is overwritten: raise the version, or remove what lies there",
            )
    listed = set(theirs.get("files", ())) - set(plan.sends)
    plan.removes = (
        sorted(listed & set(there.files)) if before != manifest["version"] else []
    )
    plan.leaves = sorted(
        set(there.files) - set(plan.sends) - set(plan.removes) - set(THEIRS)
    )
    if plan.leaves and not theirs:
        raise UserError(
            f"{to} holds {plan.leaves[0]}, which is of no release",
            "publish under another name",
        )
    plan.same, plan.sends = (
        len(same),
        {k: v for k, v in plan.sends.items() if k not in same},
    )


def _digests(path: Path, sha256: str | None) -> set[str]:
    """The hashes by which the hub may know a file: as a large one, and as git's blob."""
    data = path.read_bytes()
    blob = hashlib.sha1(b"blob %d\0" % len(data) + data, usedforsecurity=False)
    return {sha256 or hashlib.sha256(data).hexdigest(), blob.hexdigest()}


def _order(version: str) -> tuple[list[int], bool, str]:
    """1.2.3 above 1.2.3-rc1 above 1.2.2; "" below all."""
    numbers, _, early = version.partition("+")[0].partition("-")
    return [int(n) for n in numbers.split(".") if n.isdecimal()], not early, early


def _send(
    api: Any, plan: Published, there: _There, release: Path, private: bool
) -> None:
    from huggingface_hub import CommitOperationAdd, CommitOperationDelete

    to, head = plan.repository, there.head
    if not head:
        api.create_repo(to, repo_type="dataset", private=private)
        head = api.dataset_info(to).sha
    if plan.gated and not there.gated:
        api.update_repo_settings(to, gated="auto", repo_type="dataset")
    parts = list(_parts(plan.sends)) or ([[]] if plan.removes else [])
    for number, part in enumerate(parts, 1):
        operations: list[Any] = [
            CommitOperationAdd(path_in_repo=path, path_or_fileobj=release / path)
            for path in part
        ]
        if number == len(parts):
            operations += [
                CommitOperationDelete(path_in_repo=path) for path in plan.removes
            ]
        of = f", part {number} of {len(parts)}" if len(parts) > 1 else ""
        say(f"{to}: {len(part)} files{of}")
        commit = api.create_commit(
            to,
            operations,
            commit_message=f"{release.name}{of}",
            parent_commit=head,
            repo_type="dataset",
        )
        head = commit.oid
    if plan.tag not in there.tags:
        api.create_tag(to, tag=plan.tag, revision=head, repo_type="dataset")
    plan.revision = head


def _parts(sends: Mapping[str, int]) -> Iterator[list[str]]:
    """The files of each commit; those that make a release of a folder are in the last one."""
    part, size = list[str](), 0
    for path in sorted(sends, key=lambda path: (path in LAST, path)):
        if part and (len(part) == PART_FILES or size + sends[path] > PART_BYTES):
            yield part
            part, size = [], 0
        part.append(path)
        size += sends[path]
    if part:
        yield part
