"""README.md (the card) and DATASHEET.md, from templates and what the build knows."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import yaml

from ..base.templating import fill
from .asked import SCORERS, Asked, distances
from .licences import hub_licence
from .withdraw import withdrawals

TEMPLATES = Path(__file__).parent / "templates"
SIZES = [(1_000, "n<1K"), (10_000, "1K<n<10K"), (100_000, "10K<n<100K"), (1_000_000, "100K<n<1M")]


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
    everything = figures["all"]
    splits = manifest["splits"]
    public = next((s for s in splits if not splits[s]["withheld"]), next(iter(splits)))
    return fill(
        TEMPLATES / "README.md",
        front=_front(manifest, everything, configs | asked.configs),
        title=manifest["title"],
        description=manifest["description"] or "A benchmark of multimodal mathematics problems.",
        version=manifest["version"],
        folder=f"{manifest['name']}-{manifest['version']}",
        config="" if len(configs) == 1 else ', "default"',
        split=public,
        problems=everything["problems"],
        samples=everything["samples"],
        pictures=everything["unique"]["pictures"],
        splits=_table(
            ["split", "problems", "samples", "answers"],
            [
                [n, s["problems"], s["samples"], "withheld" if s["withheld"] else "public"]
                for n, s in splits.items()
            ],
        ),
        withheld=_withheld(manifest),
        tasks=_tasks(asked),
        types=_table(["type", "samples", "share"], _share_rows(everything["question_types"])),
        plots="".join(f"![{name}](figures/{name}.svg)\n\n" for name in plots),
        sources=_sources(manifest),
        labels="".join(
            f"| `{name}` | label: {_values(v)} |\n" for name, v in everything["labels"].items()
        ),
        stages=stage_table(manifest["stages"]) + _edition(manifest),
        labour=_labour(manifest["stages"]),
        glance=_glance(manifest.get("glance", [])),
        withdrawn=_withdrawn(manifest),
        canary=manifest["canary"],
    )


def datasheet(manifest: dict[str, Any], figures: dict[str, Any]) -> str:
    """DATASHEET.md with the machine-known parts filled in."""
    everything = figures["all"]
    return fill(
        TEMPLATES / "DATASHEET.md",
        title=manifest["title"],
        version=manifest["version"],
        problems=everything["problems"],
        samples=everything["samples"],
        pictures=everything["unique"]["pictures"],
        taken=manifest["stages"][0]["taken"],
        kept=sum(s["problems"] for s in manifest["splits"].values()),
        labels=", ".join(f"`{name}`" for name in everything["labels"]) or "(none)",
        splits=", ".join(f"{n} ({s['samples']})" for n, s in manifest["splits"].items()),
        findings=", ".join(f"{n} {code}" for code, n in manifest["findings"].items()) or "none",
        sources=_sources(manifest),
        stages=stage_table(manifest["stages"]),
        labour=_labour(manifest["stages"]) or "No votes of people.\n\n",
        canary=manifest["canary"],
        licences=", ".join(manifest["licences"]),
    )


def stage_table(stages: list[dict[str, Any]]) -> str:
    """The stage report as a Markdown table: in = kept + dropped, with reasons."""
    columns = {"stage": "stage", "in": "taken", "kept": "kept", "dropped": "dropped", "out": "out"}
    rows = [
        [s[key] for key in columns.values()]
        + [", ".join(f"{reason}: {n}" for reason, n in s["reasons"].items())]
        for s in stages
    ]
    return _table([*columns, "reasons"], rows)


def _labour(stages: list[dict[str, Any]]) -> str:
    """Who labelled what, by which policy, and how far they agreed; "" where nobody did."""
    rows = []
    for row in (row for stage in stages for row in stage.get("labour", [])):
        names, more = row["credited"], row["people"] - len(row["credited"])
        people = [*names, *([f"{more} more" if names else str(more)] if more else [])]
        groups = f" in {row['groups']} groups" if row["groups"] else ""
        alpha, low, high = (f"{v:.3f}" if v is not None else "" for v in (
            row["alpha"], row["low"], row["high"]))  # fmt: skip
        agreed = f"{alpha} ({low} to {high})" if low and high else alpha or "n/a"
        hours = "not measured" if row["hours"] is None else row["hours"]
        rows.append([f"`{row['field']}`", ", ".join(people) + groups, row["votes"], row["items"],
                     hours, row["policy"], agreed, f"{row['adjudicated']:.1%}"])  # fmt: skip
    header = ["label", "people", "votes", "problems", "hours", "policy",
              "Krippendorff's alpha (95 %)", "adjudicated"]  # fmt: skip
    return _table(header, rows) + "\n" if rows else ""


def _front(manifest: dict[str, Any], everything: dict[str, Any], configs: dict[str, Any]) -> str:
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
            | {"data_files": [{"split": split, "path": paths} for split, paths in files.items()]}
            for name, files in configs.items()
        ],
    }
    return yaml.safe_dump(front, sort_keys=False, allow_unicode=True, width=1000)


def _glance(lines: list[str]) -> str:
    """What is wrong with a source on the face of it, as a list."""
    return "".join(f"- {line}\n" for line in lines) + ("\n" if lines else "")


def _withheld(manifest: dict[str, Any]) -> str:
    names = ", ".join(name for name, split in manifest["splits"].items() if split["withheld"])
    if not names:
        return ""
    return (
        f"\nAnswers of {names} are withheld; `manifest.json` holds a commitment to each "
        "(HMAC-SHA256 with a key of its owner), so that none can change unseen.\n"
    )


def _tasks(asked: Asked) -> str:
    """The tasks of eval.yaml, and how far inspect's own scorers judge as `score` does."""
    if not asked.tasks:
        return ""
    measured = distances()
    rows = [
        [f"`{task.id}`", task.samples, SCORERS[task.way]["name"], *measured[task.way].told()]
        for task in asked.tasks
    ]
    header = ["task", "samples", "scorer", "replies", "agree", "only inspect", "only `score`"]
    return fill(TEMPLATES / "tasks.md", table=_table(header, rows), first=asked.tasks[0].id)


def _edition(manifest: dict[str, Any]) -> str:
    """Which edition of a living set this is."""
    lines = [
        f"\nThis is an edition of living problems: {stage['options'].get('n', 10)} variants of "
        f"each seed by seed number {stage['options'].get('seed', 0)}. The label `numbers` parts "
        "new ones from those that are published; an id names its seed and its parameters.\n"
        for stage in manifest["stages"]
        if stage["stage"] == "vary"
    ]
    return "".join(lines)


def _withdrawn(manifest: dict[str, Any]) -> str:
    reasons = withdrawals(manifest["stages"])
    rows = [
        [f"`{name}`", " ".join(why.replace("|", "\\|").split())] for name, why in reasons.items()
    ]
    return f"\n## Withdrawn\n\n{_table(['problem', 'why'], rows)}" if rows else ""


def _sources(manifest: dict[str, Any]) -> str:
    rows = [
        [s["name"], s["reader"], s["license"] or "none declared", s["url"] or ""]
        for s in manifest["sources"]
    ]
    return _table(["source", "format", "licence", "address"], rows)


def _values(shares: dict[str, Any]) -> str:
    names = list(shares)
    listed = ", ".join(names[:6]) + (f", … ({len(names)} values)" if len(names) > 6 else "")
    return listed.replace("|", "\\|").replace("\n", " ")


def _share_rows(shares: dict[str, Any]) -> list[list[Any]]:
    return [[name, s["n"], f"{100 * s['share']:.1f} %"] for name, s in shares.items()]


def _table(header: list[str], rows: list[list[Any]]) -> str:
    lines = [header, ["---"] * len(header), *rows]
    return "".join("| " + " | ".join(str(c) for c in line) + " |\n" for line in lines)
