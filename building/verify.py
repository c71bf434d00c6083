"""The proof of a release, and of the recipe that it is said to be made from."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path

from ..base.files import path_or_none
from ..base.registry import plugged
from ..base.statement import STATEMENT, dependencies
from ..errors import UserError
from ..exports import ANCHORS, Damage, Damages, all_files, judged
from ..exports import verify as prove
from ..release import answers_file, private_folder, read_manifest
from .build import build_release


def verify(
    release: str | Path,
    answers: str | Path | None = None,
    quick: bool = False,
    expect: str = "",
    key: str | Path | None = None,
    identity: tuple[str, str] | None = None,
    from_: str | Path | None = None,
    plugins: Sequence[str | Path] = (),
) -> Damages:
    """Everything that is wrong with a release; where nothing is, it agrees with itself.

    Exports that lie beside the release are proved with it.

    Args:
        release: Folder of the release.
        answers: Private folder, or its answers.jsonl: its rows are proved against the manifest's
            commitments, and nothing of them may stand in the release or its exports.
        quick: Compare hashes alone, of the files that the manifest and SHA256SUMS list: nothing
            is made again, so that this proves a copy and not a release.
        expect: SHA-256 of manifest.json as its makers published it. Without an anchor (this, key,
            identity, from) another release under the same name would pass as well.
        key: File with the public key (Ed25519, PEM) of those who signed it.
        identity: Who signed manifest.json by sigstore, and who says so: an address and the URL of
            its issuer.
        from_: Recipe: the release is built again from it, and compared.
        plugins: Python file that adds what the recipe or an export needs: it is run.

    Raises UserError when there is no readable manifest, and for a recipe that cannot be built.

    Example: `assert not verify("out/math-v-mini-1.0.0")`
    """
    release = Path(release)
    with plugged(plugins):
        found = prove(release, answers, quick, expect, key, identity)
        if from_ is None:
            return found
        damages, unproved = _again(release, Path(from_), path_or_none(answers), plugins)
    told = " and ".join(filter(None, [found.anchor, f"made again from {from_}"]))
    return Damages([*found, *damages], [*found.unproved, *unproved], told)


def _again(
    release: Path, recipe: Path, answers: Path | None, plugins: Sequence[str | Path]
) -> tuple[list[Damage], list[str]]:
    """How the release differs from what its recipe comes to now."""
    private = private_folder(release) if answers is None else answers_file(answers).parent
    manifest = read_manifest(release)
    if manifest.get("answers") and not (private / "key").is_file():
        what = f"{release} withholds answers: without their key it cannot be built again"
        raise UserError(what, "give --answers PRIVATE, the folder that holds it")
    damages, unproved = list[Damage](), list[str]()
    with tempfile.TemporaryDirectory() as temporary:
        secret = private / "key" if manifest.get("answers") else None
        built = build_release(recipe, temporary, commitment_key=secret, plugins=plugins,
                              allow_unlicensed=True)  # fmt: skip
        again = built.release
        other = read_manifest(again)
        ours = all(manifest.get(name) == other[name] for name in ("tool", "libraries"))
        for path in sorted({*_files(release), *_files(again)}):
            what, proved = "its recipe makes no such file", True
            if (again / path).is_file():
                what, proved = judged(release / path, again / path, ours)
            if what and proved:
                damages.append(Damage("not-from-recipe", path, what))
            elif what:
                unproved.append(path)
        made_from = dependencies(again)
        if (release / STATEMENT).is_file() and (said := dependencies(release)) != made_from:
            odd = sorted({*said.items()} ^ {*made_from.items()})
            what = f"made from other materials: {', '.join(dict(odd))}"
            damages.append(Damage("not-from-recipe", STATEMENT, what))
    return damages, unproved


def _files(folder: Path) -> Iterator[str]:
    """What a build writes; names with a dot in front are of hubs, git and desktops."""
    for path in all_files(folder):
        if path not in ANCHORS and not any(part[0] == "." for part in path.split("/")):
            yield path
