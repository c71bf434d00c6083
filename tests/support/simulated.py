"""Clustered verdicts with a known truth, for coverage and error rates."""

from __future__ import annotations

from typing import Any

import numpy as np

SEED = 20_261
Rng = np.random.Generator
Counts = Any  # integer arrays


def sizes(rng: Rng, kind: str, groups: int) -> Counts:
    """Cluster sizes: all 1, all 6, 1 to 6, or rarely ("rare": one in ten) 6."""
    if kind == "1-6":
        return rng.integers(1, 7, groups)
    if kind == "rare":
        return np.where(rng.random(groups) < 0.9, 1, 6)
    return np.full(groups, int(kind))


def verdicts(rng: Rng, size: Counts, p: float, rho: float) -> Counts:
    """Right answers of each cluster: mean p, correlation rho within a cluster."""
    followers = rng.binomial(size, np.sqrt(rho))  # verdicts that are their cluster's
    return followers * (rng.random(len(size)) < p) + rng.binomial(size - followers, p)


def equal_pair(rng: Rng, size: Counts, p: float, rho: float) -> tuple[Counts, Counts]:
    """Two models that are favoured on no cluster: each draws for itself, with the same chances."""
    return verdicts(rng, size, p, rho), verdicts(rng, size, p, rho)
