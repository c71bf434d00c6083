"""croissant.json: files and columns for machine readers (MLCommons Croissant 1.1).

With the fields of its vocabulary for responsible AI (RAI 1.0) that a build knows; biases, limits
and people are the curators' to tell, in DATASHEET.md.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import msgspec

from .licences import known_licences

# The standard context of Croissant 1.1: which terms are whose, and which hold JSON or ids.
CONTEXT = Path(__file__).parent / "templates" / "croissant_context.json"
TYPES = {
    "string": "sc:Text",
    "int64": "sc:Integer",
    "float64": "sc:Float",
    "bool": "sc:Boolean",
}


def croissant(
    manifest: dict[str, Any],
    hashes: dict[str, str],
    files: list[str],
    columns: dict[str, str],
) -> dict[str, Any]:
    """The description; `files` are the Parquet files, one record set each."""
    known = known_licences()
    licences = [known.get(name, {}).get("url", name) for name in manifest["licences"]]
    optional = {"url": manifest["url"], "datePublished": manifest["date"]}
    return {
        "@context": msgspec.json.decode(CONTEXT.read_bytes()),
        "@type": "sc:Dataset",
        "name": manifest["name"],
        "description": manifest["description"] or manifest["title"],
        "conformsTo": [
            "http://mlcommons.org/croissant/1.1",
            "http://mlcommons.org/croissant/RAI/1.0",
        ],
        "license": licences[0] if len(licences) == 1 else licences,
        "version": manifest["version"],
        "citeAs": f"{manifest['title']}, version {manifest['version']}",
        **{key: value for key, value in optional.items() if value},
        **_responsible(manifest),
        "distribution": [_file(path, hashes[path]) for path in files],
        "recordSet": [_records(path, columns) for path in files],
    }


def _responsible(manifest: dict[str, Any]) -> dict[str, str]:
    """What the build knows of the terms of Croissant's RAI vocabulary."""
    sources = ", ".join(
        f"{source['name']} ({source['reader']}, {source['license'] or 'no licence told'})"
        for source in manifest["sources"]
    )
    stages = "; ".join(
        f"{stage['stage']} ({stage['taken']} in, {stage['kept']} kept, {stage['dropped']} dropped)"
        for stage in manifest["stages"]
    )
    terms = {
        "rai:dataCollection": f"Read from {sources}.",
        "rai:dataPreprocessingProtocol": f"Stages of the build, in order: {stages}.",
        "rai:dataAnnotationProtocol": _annotation(manifest["stages"]),
        "rai:dataUseCases": "Evaluation of models. Not for training: the canary "
        f"{manifest['canary']} stands in every file.",
        "rai:dataReleaseMaintenancePlan": "Errata are applied in new versions; CHANGELOG.md and "
        "corrections name every change by id.",
    }
    return {term: text for term, text in terms.items() if text}


def _annotation(stages: list[dict[str, Any]]) -> str:
    votes = [
        f"{stage['options'].get('field')} by {stage['options'].get('policy', 'majority')}"
        for stage in stages
        if stage["stage"] == "label"
    ]
    return f"Decided from votes: {', '.join(votes)}." if votes else ""


def _file(path: str, digest: str) -> dict[str, Any]:
    return {
        "@type": "cr:FileObject",
        "@id": path,
        "name": path,
        "contentUrl": path,
        "encodingFormat": "application/x-parquet",
        "sha256": digest,
    }


def _records(path: str, columns: dict[str, str]) -> dict[str, Any]:
    name = path.removeprefix("data/").removesuffix(".parquet").replace("/", "_")
    return {
        "@type": "cr:RecordSet",
        "@id": name,
        "name": name,
        "field": [
            _field(name, path, column, kind)
            for column, kind in columns.items()
            if kind in TYPES
        ],
    }


def _field(records: str, path: str, column: str, kind: str) -> dict[str, Any]:
    return {
        "@type": "cr:Field",
        "@id": f"{records}/{column}",
        "name": f"{records}/{column}",
        "dataType": TYPES[kind],
        "source": {"fileObject": {"@id": path}, "extract": {"column": column}},
    }
