"""Statements in the in-toto form on what a folder holds and what it was made from, and signatures.

`statement.json` names files of its folder by hash (the subject) and what they come from (SLSA's
resolvedDependencies). `statement.dsse.json` holds the same statement signed: a DSSE envelope with
Ed25519 by `cryptography` (extra `sign`). Formats: in-toto Statement v1, SLSA provenance v1 and
DSSE v1 (github.com/in-toto/attestation, slsa.dev, github.com/secure-systems-lab/dsse).
"""

from __future__ import annotations

import base64
import binascii
import hashlib
import importlib.metadata
import os
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

import msgspec

from ..errors import UserError
from .extras import extra
from .files import BAD_JSON, pretty, sha256_file, write_bytes

STATEMENT, ENVELOPE = "statement.json", "statement.dsse.json"
KEY_VARIABLE = "BENCHWRIGHT_SIGNING_KEY"
PAYLOAD_TYPE = "application/vnd.in-toto+json"
HOME = "https://github.com/benchwright/benchwright"
LARGEST = 10_000_000  # bytes of a statement, an envelope or a key
SIGNERS = 20  # signatures of an envelope: each is tried on the whole statement
MAKE_A_KEY = "make one: openssl genpkey -algorithm ed25519 -out key.pem"


class Subject(msgspec.Struct):
    """A file by its hash; what stands for it may be keyed (`hmac-sha256`)."""

    name: str
    digest: dict[str, str]


class Statement(msgspec.Struct, kw_only=True):
    """What of an in-toto statement is looked at."""

    kind: str = msgspec.field(name="_type")
    subject: list[Subject]
    predicate: dict[str, Any]


class Signature(msgspec.Struct):
    """One signature of an envelope: the hash of its public key, and base64."""

    keyid: str
    sig: str


class Envelope(msgspec.Struct, kw_only=True):
    """A DSSE envelope."""

    payload: str
    payload_type: str = msgspec.field(name="payloadType")
    signatures: list[Signature]


def write_statement(
    folder: Path,
    what: str,
    files: list[str],
    parameters: Mapping[str, Any],
    materials: Mapping[str, str],
    digest: str = "sha256",
) -> None:
    """Write statement.json: `files` of the folder were made by `what` from `materials`."""
    dependencies = [
        {"name": name, "digest": {digest: sha}} for name, sha in materials.items()
    ]
    version = importlib.metadata.version("benchwright")
    said = {
        "_type": "https://in-toto.io/Statement/v1",
        "subject": [
            {"name": n, "digest": {"sha256": sha256_file(folder / n)}} for n in files
        ],
        "predicateType": "https://slsa.dev/provenance/v1",
        "predicate": {
            "buildDefinition": {
                "buildType": f"{HOME}/{what}/v1",
                "externalParameters": dict(parameters),
                "resolvedDependencies": dependencies,
            },
            "runDetails": {
                "builder": {"id": HOME, "version": {"benchwright": version}}
            },
        },
    }
    write_bytes(folder / STATEMENT, pretty(said))


def sign(folder: str | Path, *, key: str | Path | None = None) -> str:
    """Sign the statement of a release or of a folder of scores; returns the id of the key.

    Args:
        folder: Folder that `build-release` or `score` wrote.
        key: File with an Ed25519 private key (PEM) [default: the key itself is in the environment,
            in BENCHWRIGHT_SIGNING_KEY].

    Raises UserError for a folder without a statement, for one whose files are not as it says, and
    for what is no such key.

    Example: `sign("out/math-v-mini-1.0.0", key="key.pem")`
    """
    folder = Path(folder)
    payload = _bytes(
        folder / STATEMENT, "build the release, or score the replies, again"
    )
    _require_subject(folder, _statement(folder / STATEMENT, payload))
    with extra("sign", "a signature"):
        from cryptography.hazmat.primitives import serialization
        from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
    where = Path(key) if key is not None else Path(f"${KEY_VARIABLE}")
    data = (
        _bytes(where, MAKE_A_KEY) if key else os.environ.get(KEY_VARIABLE, "").encode()
    )
    if not data:
        raise UserError(
            "no key to sign with", f"give --key FILE, or set {KEY_VARIABLE}"
        )
    try:
        private = serialization.load_pem_private_key(data, None)
    except (ValueError, TypeError) as error:  # TypeError: it has a password
        raise UserError(
            f"{where} holds no private key without a password", MAKE_A_KEY
        ) from error
    if not isinstance(private, Ed25519PrivateKey):
        raise UserError(f"{where} is no Ed25519 key", MAKE_A_KEY)
    name = _key_id(private.public_key())
    one = Signature(name, base64.b64encode(private.sign(_signed(payload))).decode())
    text = base64.b64encode(payload).decode()
    envelope = Envelope(payload=text, payload_type=PAYLOAD_TYPE, signatures=[one])
    write_bytes(folder / ENVELOPE, pretty(envelope))
    return name


def signer(folder: Path, key: str | Path, of: str) -> str:
    """The id of the public key that signed a folder's statement on its file `of`.

    Raises UserError where the signature is missing, cut, of another key, or of other files.
    """
    with extra("sign", "a signature"):
        from cryptography.exceptions import InvalidSignature
        from cryptography.hazmat.primitives import serialization
        from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey
    pem = _bytes(Path(key), "openssl pkey -in key.pem -pubout -out key.pub")
    try:
        public = serialization.load_pem_public_key(pem)
    except ValueError as error:
        remedy = "openssl pkey -in key.pem -pubout -out key.pub"
        raise UserError(f"{key} holds no public key", remedy) from error
    if not isinstance(public, Ed25519PublicKey):
        raise UserError(f"{key} is no Ed25519 key", MAKE_A_KEY)
    place = folder / ENVELOPE
    envelope, payload = _envelope(place)
    name = _key_id(public)
    for one in envelope.signatures:
        try:
            public.verify(base64.b64decode(one.sig, validate=True), _signed(payload))
        except (InvalidSignature, ValueError):
            continue
        _require_subject(folder, _statement(place, payload), of)
        return name
    by = ", ".join(one.keyid[:16] for one in envelope.signatures) or "nobody"
    raise UserError(
        f"{place} is not signed by {name[:16]}, but says {by}", "ask for their key"
    )


def signed_by(folder: Path, keys: Iterable[str | Path], of: str) -> str:
    """In a word: by which of the public keys (their files' names), or why that is not known."""
    if not (folder / ENVELOPE).exists():
        return "no"
    why = "not checked"
    for key in keys:
        try:
            signer(folder, key, of)
            return f"by {Path(key).stem}"
        except UserError as error:
            why = error.message
    return why


def signs(folder: Path, digest: str) -> bool:
    """Does the folder hold a signed statement on a file of this hash? Nothing is proved."""
    try:
        _, payload = _envelope(folder / ENVELOPE)
        said = _statement(folder / ENVELOPE, payload)
    except UserError:
        return False
    return digest in {one.digest.get("sha256") for one in said.subject}


def disagreement(folder: Path, of: str) -> str:
    """Why statement.json does not speak of the file `of` of its folder; "" where it does."""
    try:
        payload = _bytes(folder / STATEMENT, "")
        _require_subject(folder, _statement(folder / STATEMENT, payload), of)
    except UserError as error:
        return error.message
    return ""


def dependencies(folder: Path) -> dict[str, str]:
    """What statement.json says its folder was made from. Raises UserError where it is none."""
    said = _statement(
        folder / STATEMENT, _bytes(folder / STATEMENT, "build the release again")
    )
    try:
        made_from = said.predicate["buildDefinition"]["resolvedDependencies"]
        found = msgspec.convert(made_from, list[Subject])
    except (KeyError, TypeError, msgspec.ValidationError) as error:
        what = f"{folder / STATEMENT} does not say what it was made from"
        raise UserError(what, "build the release again") from error
    return {one.name: " ".join(one.digest.values()) for one in found}


def _envelope(place: Path) -> tuple[Envelope, bytes]:
    data = _bytes(place, "sign it: benchwright sign FOLDER --key FILE")
    try:
        envelope = msgspec.json.decode(data, type=Envelope)
        payload = base64.b64decode(envelope.payload, validate=True)
    except (*BAD_JSON, binascii.Error, ValueError) as error:
        raise UserError(f"{place} is no envelope ({error})", "sign it again") from error
    if envelope.payload_type != PAYLOAD_TYPE:
        raise UserError(
            f"{place} holds {envelope.payload_type[:60]!r}", f"not {PAYLOAD_TYPE}"
        )
    if len(envelope.signatures) > SIGNERS:
        raise UserError(f"{place} has more than {SIGNERS} signatures", "sign it again")
    return envelope, payload


def _statement(place: Path, payload: bytes) -> Statement:
    try:
        return msgspec.json.decode(payload, type=Statement)
    except BAD_JSON as error:
        raise UserError(
            f"{place} is no statement ({error})", "build or sign it again"
        ) from error


def _require_subject(folder: Path, said: Statement, of: str = "") -> None:
    """The folder's files are those of the statement, `of` among them; others are not touched."""
    names = {one.name for one in said.subject}
    if not names or (of and of not in names) or len(names) < len(said.subject):
        what = f"{folder}: its statement does not speak of {of or 'any file'} once"
        raise UserError(what, "build or sign it again")
    for one in said.subject:
        path = folder / one.name
        plain = (
            Path(one.name).name == one.name and path.is_file() and not path.is_symlink()
        )
        if not plain or sha256_file(path) != one.digest.get("sha256"):
            what = f"{folder}: its statement speaks of another {one.name[:60]}"
            raise UserError(what, "get the whole folder again")


def _bytes(path: Path, remedy: str) -> bytes:
    try:
        if path.is_file() and path.stat().st_size > LARGEST:
            raise UserError(f"{path} is larger than {LARGEST:,} bytes", remedy)
        if path.exists() and not path.is_file():
            raise UserError(f"{path} is no file", remedy)
        return path.read_bytes()
    except OSError as error:
        raise UserError(f"cannot read {path}: {error.strerror}", remedy) from error


def _signed(payload: bytes) -> bytes:
    """What is signed of a payload (DSSE's pre-authentication encoding)."""
    kind = PAYLOAD_TYPE.encode()
    return b"DSSEv1 %d %s %d %s" % (len(kind), kind, len(payload), payload)


def _key_id(public: Any) -> str:
    """The hash of a public key as it stands in its file (SubjectPublicKeyInfo)."""
    from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

    raw = public.public_bytes(Encoding.DER, PublicFormat.SubjectPublicKeyInfo)
    return hashlib.sha256(raw).hexdigest()
