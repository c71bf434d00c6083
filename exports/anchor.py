"""What a release is compared with outside of itself: a published hash, a key, an identity."""

from __future__ import annotations

import hmac
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from ..base.extras import extra
from ..base.statement import ENVELOPE, STATEMENT, disagreement, signer
from ..base.statement import sign as sign
from ..errors import UserError
from ..release import fingerprint
from .compare import Damage

MANIFEST = "manifest.json"
BUNDLE = f"{MANIFEST}.sigstore.json"  # as `sigstore sign manifest.json` names it
ANCHORS = (STATEMENT, ENVELOPE, BUNDLE)  # of a release; its manifest cannot list them


def anchored(
    release: Path, expect: str, key: str | Path | None, identity: tuple[str, str] | None
) -> tuple[list[Damage], str]:
    """What is not as the anchors say, and with what the release was compared."""
    confirmed = list[str]()
    damages = list[Damage]()
    digest = fingerprint(release)
    if expect:
        if not hmac.compare_digest(digest.encode(), expect.strip().lower().encode()):
            what = (
                f"sha256 is {digest}, not {expect}: another release, or one made anew"
            )
            damages.append(Damage("not-expected", MANIFEST, what))
        confirmed.append("its manifest is the one that is expected")
    signatures: list[tuple[str, Any, Callable[[Path, Any], str]]] = [
        (ENVELOPE, key, _signed),
        (BUNDLE, identity, _identified),
    ]
    for place, trusted, prove in signatures:
        if trusted is None:
            continue
        try:
            confirmed.append(prove(release, trusted))
        except UserError as error:
            if isinstance(error.__cause__, ModuleNotFoundError):
                raise
            damages.append(Damage("not-signed", place, error.message))
    return damages, " and ".join(confirmed)


def _signed(release: Path, key: Any) -> str:
    return f"signed with the key {signer(release, key, MANIFEST)[:16]}"


def _identified(release: Path, identity: Any) -> str:
    """Who signed the manifest, by its bundle; certificates, their times and the log are proved.

    Raises UserError where that is somebody else, or nobody.
    """
    with extra("identity", "an identity"):
        from sigstore.errors import Error
        from sigstore.models import Bundle
        from sigstore.verify import Verifier
        from sigstore.verify.policy import Identity
    who, issuer = identity
    try:
        bundle = Bundle.from_json((release / BUNDLE).read_bytes())
        policy = Identity(identity=who, issuer=issuer)
        Verifier.production().verify_artifact(
            (release / MANIFEST).read_bytes(), bundle, policy
        )
    except (OSError, ValueError, Error) as error:
        what = f"not proved to be signed by {who} ({issuer}): {str(error)[:300]}"
        raise UserError(what, "sign it: sigstore sign manifest.json") from error
    return f"signed by {who}, says {issuer}"


def statement_beside(release: Path) -> Iterator[Damage]:
    """The release's statement, where it has one, speaks of this very release."""
    if (release / STATEMENT).exists() and (why := disagreement(release, MANIFEST)):
        yield Damage("statement-differs", STATEMENT, why)
