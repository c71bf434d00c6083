"""What a release is compared with outside of itself: a published hash, a key, an identity."""

from __future__ import annotations

import hmac
from collections.abc import Iterator
from pathlib import Path

from ..base.extras import extra
from ..base.statement import ENVELOPE, STATEMENT, disagreement, signer
from ..base.statement import sign as sign
from ..errors import UserError
from ..release import fingerprint
from .compare import Damage

MANIFEST = "manifest.json"
BUNDLE = f"{MANIFEST}.sigstore.json"  # as `sigstore sign manifest.json` names it
ANCHORS = (STATEMENT, ENVELOPE, BUNDLE)  # of a release; its manifest cannot list them


class Anchor:
    """What a release was compared with: `told` says with what, `damages` what is not so."""

    def __init__(
        self,
        release: Path,
        expect: str = "",
        key: str | Path | None = None,
        identity: tuple[str, str] | None = None,
    ) -> None:
        said: list[str] = []
        self.damages: list[Damage] = []
        found = fingerprint(release)
        if expect:
            if not hmac.compare_digest(found.encode(), expect.strip().lower().encode()):
                what = f"sha256 is {found}, not {expect}: another release, or one made anew"
                self.damages.append(Damage("not-expected", MANIFEST, what))
            said.append("its manifest is the one that is expected")
        try:
            if key is not None:
                said.append(f"signed with the key {signer(release, key, MANIFEST)[:16]}")
        except UserError as error:
            self.damages.append(Damage("not-signed", ENVELOPE, error.message))
        try:
            if identity is not None:
                said.append(_identified(release, *identity))
        except UserError as error:
            self.damages.append(Damage("not-signed", BUNDLE, error.message))
        self.told = "" if self.damages else " and ".join(said)


def _identified(release: Path, identity: str, issuer: str) -> str:
    """Who signed the manifest, by its bundle; certificates, their times and the log are proved.

    Raises UserError where that is somebody else, or nobody.
    """
    with extra("identity", "an identity"):
        from sigstore.errors import Error
        from sigstore.models import Bundle
        from sigstore.verify import Verifier
        from sigstore.verify.policy import Identity
    try:
        bundle = Bundle.from_json((release / BUNDLE).read_bytes())
        policy = Identity(identity=identity, issuer=issuer)
        Verifier.production().verify_artifact((release / MANIFEST).read_bytes(), bundle, policy)
    except (OSError, ValueError, Error) as error:
        what = f"not proved to be signed by {identity} ({issuer}): {str(error)[:300]}"
        raise UserError(what, "sign it: sigstore sign manifest.json") from error
    return f"signed by {identity}, says {issuer}"


def statement_beside(release: Path) -> Iterator[Damage]:
    """The release's statement, where it has one, speaks of this very release."""
    if (release / STATEMENT).exists() and (why := disagreement(release, MANIFEST)):
        yield Damage("statement-differs", STATEMENT, why)
