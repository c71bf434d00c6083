"""Relatives: problems of one origin, and problems that share a picture, form one cluster.

A cluster never straddles splits, and it is the unit of the statistics (its name is the `origin`).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import msgspec
from msgspec.structs import replace

from ..problem import Labels, Problem, Source, all_images


class Member(msgspec.Struct):
    """What splits are drawn by, of one problem."""

    id: str
    origin: str
    source: Source
    labels: Labels


def member_of(problem: Problem) -> Member:
    return Member(problem.id, problem.origin, problem.source, problem.labels)


def in_cluster(problem: Problem, names: dict[str, str]) -> Problem:
    """The problem and its samples with their cluster's name as `origin`."""
    origin = names[problem.origin]
    samples = [replace(sample, origin=origin) for sample in problem.samples]
    return replace(problem, origin=origin, samples=samples)


def cluster(problems: Sequence[Problem]) -> list[Problem]:
    """The problems, each with the name of its cluster as `origin`; samples follow."""
    names = clusters((problem.origin, pictures_of(problem)) for problem in problems)
    return [in_cluster(problem, names) for problem in problems]


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

    first_with: dict[str, str] = {}
    rank: dict[str, int] = {}
    for origin, pictures in members:
        rank.setdefault(origin, len(rank))
        for digest in pictures:
            one, other = root(origin), root(first_with.setdefault(digest, origin))
            older, newer = sorted((one, other), key=lambda name: rank.get(name, len(rank)))
            parent[newer] = older
    return {origin: root(origin) for origin in rank}


def pictures_of(problem: Problem) -> set[str]:
    """Hashes of all pictures of a problem, its steps and its versions."""
    return {image.sha256 for image in all_images(problem)}
