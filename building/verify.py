"""The proof of a release, and of the recipe that it is said to be made from."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path

from ..base.registry import plugged
from ..base.statement import STATEMENT, dependencies
from ..errors import UserError
from ..exports import ANCHORS, UNPROVED, Damage, Damages, as_written, compared, tree_of
from ..exports import verify as prove
from ..pipeline import Engine
from ..release import answers_file, private_folder, read_manifest


def verify(
    release: str | Path,
    answers: str | Path | None = None,
    quick: bool = False,
    expect: str = "",
    key: str | Path | None = None,
    identity: tuple[str, str] | None = None,
    from_: str | Path | None = None,
    plugins: Sequence[str | Path] = (),
    engine: Engine = Engine(),  # noqa: B008 (frozen)
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
        engine: Where the work runs.

    Raises UserError when there is no readable manifest, and for a recipe that cannot be built.

    Example: `assert not verify("out/math-v-mini-1.0.0")`
    """
    release = Path(release)
    with plugged(plugins):
        found = prove(release, answers, quick, expect, key, identity, engine)
        if from_ is None:
            return found
        private = answers_file(answers).parent if answers else private_folder(release)
        with as_written(release) as place:
            again = list(_again(place, Path(from_), private, plugins, engine))
    told = " and ".join(filter(None, [found.anchor, f"made again from {from_}"]))
    unproved = (Damage(UNPROVED, path, "") for path in found.unproved)
    return Damages([*found, *unproved, *again], told)


def _again(
    release: Path,
    recipe: Path,
    private: Path,
    plugins: Sequence[str | Path],
    engine: Engine,
) -> Iterator[Damage]:
    """How the release differs from what its recipe comes to now."""
    from .build import build_release

    manifest = read_manifest(release)
    secret = private / "key" if manifest.get("answers") else None
    if secret and not secret.is_file():
        what = (
            f"{release} withholds answers: without their key it cannot be built again"
        )
        raise UserError(what, "give --answers PRIVATE, the folder that holds it")
    with tempfile.TemporaryDirectory() as temporary:
        made = build_release(
            recipe,
            temporary,
            commitment_key=secret,
            plugins=plugins,
            allow_unlicensed=True,
            engine=engine,
        ).release
        other = read_manifest(made)
        tree = tree_of(release)
        tool, libraries = (
            manifest.get(name) == other[name] for name in ("tool", "libraries")
        )
        paths = {*tree.files, *tree_of(made).files} - {*ANCHORS}
        yield from compared(tree, made, paths, tool, libraries, "not-from-recipe")
        made_from = dependencies(made)
        if STATEMENT in tree.files and (said := dependencies(release)) != made_from:
            odd = sorted({*said.items()} ^ {*made_from.items()})
            what = f"made from other materials: {', '.join(dict(odd))}"
            yield Damage("not-from-recipe", STATEMENT, what)
