"""README.md (the card) and DATASHEET.md, from templates and what the build knows."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import yaml

from ..base.templating import fill
from .hub_eval import SCORERS, HubEval, distances
from .licences import hub_licence
from .withdraw import withdrawals

TEMPLATES = Path(__file__).parent / "templates"
SIZES = [
    (1_000, "n<1K"),
    (10_000, "1K<n<10K"),
    (100_000, "10K<n<100K"),
    (1_000_000, "100K<n<1M"),
]


def card(
    manifest: dict[str, Any],
    figures: dict[str, Any],
    configs: dict[str, Any],
    hub_eval: HubEval,
    plots: list[str],
) -> str:
    """The card. `configs` maps config -> split -> list of Parquet paths; `default` comes first.

    `hub_eval` are the tasks of eval.yaml with their configs, `plots` names of files in figures/.
    """
    everything = figures["all"]
    splits = manifest["splits"]
    stages = manifest["stages"]
    withheld = [name for name, split in splits.items() if split["withheld"]]
    public = [name for name in splits if name not in withheld]
    withdrawn = {
        name: " ".join(reason.replace("|", "\\|").split())
        for name, reason in withdrawals(stages).items()
    }
    return fill(
        TEMPLATES / "README.md",
        **_common(manifest, everything),
        front=_front_matter(manifest, everything, configs | hub_eval.configs),
        configs=configs,
        public=next(iter(public or splits)),
        withheld=withheld,
        tasks=_tasks(hub_eval),
        plots=plots,
        values={name: _values(shares) for name, shares in everything["labels"].items()},
        editions=[stage["options"] for stage in stages if stage["stage"] == "vary"],
        withdrawn=withdrawn,
    )


def datasheet(manifest: dict[str, Any], figures: dict[str, Any]) -> str:
    """DATASHEET.md with the machine-known parts filled in."""
    return fill(TEMPLATES / "DATASHEET.md", **_common(manifest, figures["all"]))


def _common(manifest: dict[str, Any], everything: dict[str, Any]) -> dict[str, Any]:
    """What both say: the manifest, the figures of all samples, and who labelled what."""
    return {
        "release": manifest,
        "figures": everything,
        "labour": _labour(manifest["stages"]),
    }


def _labour(stages: list[dict[str, Any]]) -> list[list[Any]]:
    """Who labelled what, by which policy, and how far they agreed."""
    return [
        [
            f"`{row['field']}`",
            _people(row),
            row["votes"],
            row["items"],
            "not measured" if row["hours"] is None else row["hours"],
            row["policy"],
            _agreement(row),
            f"{row['adjudicated']:.1%}",
        ]
        for stage in stages
        for row in stage.get("labour", [])
    ]


def _people(row: dict[str, Any]) -> str:
    """Who is credited by name, how many more there were, and their groups."""
    names = row["credited"]
    people = list(names)
    if more := row["people"] - len(names):
        people.append(f"{more} more" if names else str(more))
    groups = f" in {row['groups']} groups" if row["groups"] else ""
    left_out = row.get("left_out") or []
    without = f"; {len(left_out)} left out: {'; '.join(left_out)}" if left_out else ""
    return ", ".join(people) + groups + without


def _agreement(row: dict[str, Any]) -> str:
    """Alpha with its interval, as far as there are any."""
    alpha, low, high = (
        "" if row[name] is None else f"{row[name]:.3f}"
        for name in ("alpha", "low", "high")
    )
    if low and high:
        return f"{alpha} ({low} to {high})"
    return alpha or "n/a"


def _front_matter(
    manifest: dict[str, Any], everything: dict[str, Any], configs: dict[str, Any]
) -> str:
    count = everything["samples"]
    size = next((name for limit, name in SIZES if count < limit), "n>1M")
    front = {
        **hub_licence(manifest["licences"]),
        "pretty_name": manifest["title"],
        "language": sorted(everything["languages"]),
        "task_categories": ["visual-question-answering", "question-answering"],
        "tags": ["mathematics", "multimodal", "benchmark"],
        "size_categories": [size],
        "configs": [_config(name, files) for name, files in configs.items()],
    }
    return yaml.safe_dump(front, sort_keys=False, allow_unicode=True, width=1000)


def _config(name: str, files: dict[str, list[str]]) -> dict[str, Any]:
    """A configuration as the card's front matter declares it."""
    config: dict[str, Any] = {"config_name": name}
    if name == "default":
        config["default"] = True
    config["data_files"] = [
        {"split": split, "path": paths} for split, paths in files.items()
    ]
    return config


def _tasks(hub_eval: HubEval) -> list[list[Any]]:
    """The tasks of eval.yaml, and how far inspect's own scorers judge as `score` does."""
    measured = distances() if hub_eval.tasks else {}
    return [
        [task.id, task.samples, SCORERS[task.way]["name"], *measured[task.way].cells()]
        for task in hub_eval.tasks
    ]


def _values(shares: dict[str, Any]) -> str:
    """The first values of a label as a cell of a table."""
    names = list(shares)
    more = f", … ({len(names)} values)" if len(names) > 6 else ""
    listed = ", ".join(names[:6]) + more
    return listed.replace("|", "\\|").replace("\n", " ")
