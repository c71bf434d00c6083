"""README.md (the card) and DATASHEET.md, from templates and what the build knows."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import yaml

from ..base.templating import fill
from .hub_eval import SCORERS, Asked, distances
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
    asked: Asked,
    plots: list[str],
) -> str:
    """The card. `configs` maps config -> split -> list of Parquet paths; `default` comes first.

    `asked` are the tasks of eval.yaml with their configs, `plots` names of files in figures/.
    """
    everything, splits = figures["all"], manifest["splits"]
    return fill(
        TEMPLATES / "README.md",
        **_told(manifest, everything),
        front=_front(manifest, everything, configs | asked.configs),
        configs=configs,
        public=next(
            (s for s in splits if not splits[s]["withheld"]), next(iter(splits))
        ),
        withheld=[name for name, split in splits.items() if split["withheld"]],
        tasks=_tasks(asked),
        plots=plots,
        values={name: _values(shares) for name, shares in everything["labels"].items()},
        editions=[s["options"] for s in manifest["stages"] if s["stage"] == "vary"],
        withdrawn={
            name: " ".join(why.replace("|", "\\|").split())
            for name, why in withdrawals(manifest["stages"]).items()
        },
    )


def datasheet(manifest: dict[str, Any], figures: dict[str, Any]) -> str:
    """DATASHEET.md with the machine-known parts filled in."""
    return fill(TEMPLATES / "DATASHEET.md", **_told(manifest, figures["all"]))


def _told(manifest: dict[str, Any], everything: dict[str, Any]) -> dict[str, Any]:
    """What both say: the manifest, the figures of all samples, and who labelled what."""
    return {
        "release": manifest,
        "figures": everything,
        "labour": _labour(manifest["stages"]),
    }


def _labour(stages: list[dict[str, Any]]) -> list[list[Any]]:
    """Who labelled what, by which policy, and how far they agreed."""
    rows = []
    for row in (row for stage in stages for row in stage.get("labour", [])):
        names, more = row["credited"], row["people"] - len(row["credited"])
        people = [*names, *([f"{more} more" if names else str(more)] if more else [])]
        groups = f" in {row['groups']} groups" if row["groups"] else ""
        alpha, low, high = (
            f"{v:.3f}" if v is not None else ""
            for v in (row["alpha"], row["low"], row["high"])
        )
        agreed = f"{alpha} ({low} to {high})" if low and high else alpha or "n/a"
        hours = "not measured" if row["hours"] is None else row["hours"]
        rows.append(
            [
                f"`{row['field']}`",
                ", ".join(people) + groups,
                row["votes"],
                row["items"],
                hours,
                row["policy"],
                agreed,
                f"{row['adjudicated']:.1%}",
            ]
        )
    return rows


def _front(
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
        "configs": [
            {"config_name": name}
            | ({"default": True} if name == "default" else {})
            | {
                "data_files": [
                    {"split": split, "path": paths} for split, paths in files.items()
                ]
            }
            for name, files in configs.items()
        ],
    }
    return yaml.safe_dump(front, sort_keys=False, allow_unicode=True, width=1000)


def _tasks(asked: Asked) -> list[list[Any]]:
    """The tasks of eval.yaml, and how far inspect's own scorers judge as `score` does."""
    measured = distances() if asked.tasks else {}
    return [
        [task.id, task.samples, SCORERS[task.way]["name"], *measured[task.way].told()]
        for task in asked.tasks
    ]


def _values(shares: dict[str, Any]) -> str:
    names = list(shares)
    listed = ", ".join(names[:6]) + (
        f", … ({len(names)} values)" if len(names) > 6 else ""
    )
    return listed.replace("|", "\\|").replace("\n", " ")
