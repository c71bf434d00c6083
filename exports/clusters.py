"""Relatives: problems of one origin, and problems that share a picture, form one cluster.

A cluster never straddles splits, and it is the unit of the statistics (its name is the `origin`).
"""

from __future__ import annotations

from ..problem import Problem, all_images


def cluster(problems: list[Problem]) -> list[Problem]:
    """The problems with `origin` set to their cluster's name, its first member's origin.

    Samples follow their problem. Problems are linked when they have the same origin or any
    identical picture, and clusters are the connected groups (union-find).
    """
    parent: dict[str, str] = {}

    def root(name: str) -> str:
        while parent.setdefault(name, name) != name:
            parent[name] = parent[parent[name]]
            name = parent[name]
        return name

    first_with: dict[str, str] = {}
    rank: dict[str, int] = {}
    for problem in problems:
        rank.setdefault(problem.origin, len(rank))
        for digest in pictures_of(problem):
            one, other = root(problem.origin), root(first_with.setdefault(digest, problem.origin))
            older, newer = sorted((one, other), key=lambda name: rank.get(name, len(rank)))
            parent[newer] = older
    for problem in problems:
        problem.origin = root(problem.origin)
        for sample in problem.samples:
            sample.origin = problem.origin
    return problems


def pictures_of(problem: Problem) -> set[str]:
    """Hashes of all pictures of a problem, its steps and its versions."""
    return {image.sha256 for image in all_images(problem)}
