"""Relatives: problems of one origin, and problems that share a picture, form one cluster.

A cluster never straddles splits, and it is the unit of the statistics (its name is the `origin`).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import msgspec
from msgspec.structs import replace

from ..base.about import about, why_stale
from ..base.files import encode
from ..problem import Labels, Problem, Source, all_images


class Member(msgspec.Struct, array_like=True):
    """What splits are drawn by, of one problem; `stale` says why it is in none."""

    id: str
    origin: str
    source: Source
    labels: Labels
    pictures: list[str]  # hashes
    stale: str
    shown: str  # the hash of what it shows


def members_of(lines: Sequence[bytes]) -> list[Member]:
    """The members of problems as a stage has written them."""
    problems = (msgspec.json.decode(line, type=Problem) for line in lines)
    return [
        Member(
            p.id,
            p.origin,
            p.source,
            p.labels,
            sorted(pictures_of(p)),
            "" if p.samples else why_stale(p),
            about(p),
        )
        for p in problems
    ]


def line_in_cluster(line: bytes, name: str | None = None) -> bytes:
    """A problem's line with its cluster's `name` as `origin`, where it has another; samples too."""
    if name is None and b'"samples":[]' in line:
        return line
    problem = msgspec.json.decode(line, type=Problem)
    origin = problem.origin if name is None else name
    samples = [replace(sample, origin=origin) for sample in problem.samples]
    return encode(replace(problem, origin=origin, samples=samples))


def clusters(members: Iterable[tuple[str, Iterable[str]]]) -> dict[str, str]:
    """Origin -> its cluster's name, from each problem's origin and hashes of pictures.

    Problems are linked when they have the same origin or any identical picture; clusters are the
    connected groups (union-find), named by their first member's origin.
    """
    parent: dict[str, str] = {}

    def root(name: str) -> str:
        while parent.setdefault(name, name) != name:
            parent[name] = parent[parent[name]]
            name = parent[name]
        return name

    first_with: dict[str, str] = {}  # picture -> origin
    rank: dict[str, int] = {}  # of origins, by first appearance
    for origin, pictures in members:
        rank.setdefault(origin, len(rank))
        for digest in pictures:
            roots = root(origin), root(first_with.setdefault(digest, origin))
            older, newer = sorted(roots, key=rank.__getitem__)
            parent[newer] = older
    return {origin: root(origin) for origin in rank}


def pictures_of(problem: Problem) -> set[str]:
    """Hashes of all pictures of a problem, its steps and its versions."""
    return {image.sha256 for image in all_images(problem)}
