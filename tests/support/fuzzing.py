"""What is fuzzed: every reader and parser of text from outside, by name, and where to start.

A target takes bytes and may answer with a UserError, or with the named refusal of its parser.
Anything else is a find: another exception, an error that calls itself a bug, or more than SLOWEST
seconds of processor time. Readers, suffixes of tables and of predictions come from the tables
that the program itself uses, so that a new one is fuzzed, or a test asks for its seeds.
"""

from __future__ import annotations

import io
import json
import random
import shutil
import tempfile
import time
import zipfile
from collections.abc import Callable
from contextlib import redirect_stderr
from functools import cache, partial
from pathlib import Path
from typing import Any

from benchwright import build_release, docx_to_text, normalise, read_mmd
from benchwright.annotate.votes import read_votes
from benchwright.base.pictures import embedded, open_picture
from benchwright.base.statement import sign
from benchwright.convert.documents import read_recognised
from benchwright.convert.html import html_to_text
from benchwright.convert.mathml import Refusal, mathml_to_latex
from benchwright.convert.readers import READERS, glance, load_reader
from benchwright.convert.readers.exam import read_exam
from benchwright.errors import UserError
from benchwright.evaluate.predictions import read_rows
from benchwright.exports import read_errata, verify
from benchwright.grading.answers import LimitExceeded, ParseError, Symbolic, read
from benchwright.grading.extraction import extract, final_answer
from benchwright.pipeline import SourceSpec, read_recipe
from benchwright.render.figure import read_spec
from benchwright.tables import TABLES
from benchwright.taxonomy import load_tree
from small import dump, png
from workbooks import workbook

SLOWEST = 10.0  # seconds of processor time for one input of some kilobytes
LONGEST = 20_000  # bytes of an input
CASES = Path(__file__).parents[1] / "data" / "fuzz"
REFUSALS = (UserError, Refusal, ParseError, LimitExceeded, Symbolic)
Target = Callable[[bytes], Any]


class FoundError(Exception):
    """An answer that no input may provoke."""


def run(name: str, data: bytes) -> None:
    """Give `data` to a target. Raises FoundError, or whatever the target should not have raised."""
    started = time.process_time()
    try:
        targets()[name](data[:LONGEST])
    except REFUSALS as error:
        if "this is a bug in" in str(error):
            raise FoundError(str(error)) from error
    if (spent := time.process_time() - started) > SLOWEST:
        raise FoundError(f"{name} took {spent:.0f} s of processor time")


@cache
def targets() -> dict[str, Target]:
    """All of them by name."""
    readers = {f"reader-{entry.name}": partial(_read, entry.name) for entry in READERS}
    tables = {f"table{suffix}": partial(_read, "table", suffix) for suffix in TABLES}
    suffixes = (*TABLES, ".json", ".jsonl", ".eval")
    predictions = {
        f"predictions{suffix}": partial(_predictions, suffix) for suffix in suffixes
    }
    return {
        **readers, **tables, **predictions,
        "answers": lambda data: read(_text(data)),
        "docx": lambda data: list(docx_to_text(_file(data, ".docx"))),
        "errata": lambda data: read_errata(_file(data, ".yaml")),
        "exam": lambda data: read_exam(_file(data, ".mmd")),
        "extraction": lambda data: (extract(_text(data), list("ABCD")), final_answer(_text(data))),
        "html": lambda data: html_to_text(_text(data)),
        "mathml": lambda data: mathml_to_latex(_text(data)),
        "mmd": lambda data: read_mmd(_text(data)),
        "normalise": lambda data: normalise(_text(data)),
        "pictures": lambda data: (open_picture(data), embedded(_text(data))),
        "recipe": lambda data: read_recipe(_file(data, ".yaml")),
        "recognised": lambda data: read_recognised(_file(data, ".json"), _folder() / "out.md"),
        "spec": lambda data: read_spec(_text(data)),
        "tree": lambda data: load_tree(_file(data, ".yaml")),
        "verify": _verify,
        "votes": lambda data: read_votes(_file(data, ".jsonl")),
    }  # fmt: skip


@cache
def _folder() -> Path:
    """On the memory disk where there is one; one for each process."""
    memory = Path("/dev/shm")
    return Path(
        tempfile.mkdtemp(prefix="fuzz", dir=memory if memory.is_dir() else None)
    )


def _file(data: bytes, suffix: str) -> Path:
    path = _folder() / f"input{suffix}"
    path.write_bytes(data)
    return path


def _text(data: bytes) -> str:
    return data.decode("utf-8", "replace")


def _read(reader: str, data: bytes | str, more: bytes | None = None) -> None:
    """A dump through a reader, as the check of a recipe reads it."""
    suffix, content = (data, more) if isinstance(data, str) else (_suffix(reader), data)
    assert isinstance(content, bytes)
    path = _file(content, suffix)
    spec = SourceSpec(name="s", reader=reader, path=path.name)
    work = _folder() / "work"
    load_reader(reader)
    glance(spec, _folder(), work, 50)
    shutil.rmtree(work, ignore_errors=True)


def _suffix(reader: str) -> str:
    return {
        "csv": ".csv",
        "table": ".csv",
        "exam": ".mmd",
        "moodle": ".xml",
        "qti": ".xml",
    }.get(reader, ".json")


def _predictions(suffix: str, data: bytes) -> None:
    for _ in read_rows(_file(data, suffix)):
        pass


@cache
def _published() -> Path:
    """A signed release of every kind of file, with its private folder and its exports."""
    folder = _folder() / "published"
    changes = {"withhold_answers": ["test"], "exports": ["inspect", "vlmevalkit"]}
    with redirect_stderr(io.StringIO()):
        release = build_release(
            dump(folder, 3, splits=SPLITS, **changes), folder / "out"
        ).release
    key = folder / "key.pem"
    key.write_text(PRIVATE_KEY)
    sign(release, key=key)
    (folder / "key.pub").write_text(PUBLIC_KEY)
    return release


def _read_by_verify() -> list[Path]:
    """Every file that `verify` reads; of a folder's pictures the first."""
    place = _published().parent
    paths = [p for p in sorted(place.glob("small-1.0.0*/**/*")) if p.is_file()]
    paths = [p for p in paths if "history" not in p.relative_to(place).parts[0]]
    kinds = {p.parent if p.suffix == ".png" else p: p for p in reversed(paths)}
    return sorted(kinds.values())


def _verify(data: bytes) -> None:
    """The first line says which file is another one, the rest is its content."""
    name, _, content = data.partition(b"\n")
    number = int.from_bytes(name[:1]) % len(files := _read_by_verify())
    path = files[number]
    whole = path.read_bytes()
    try:
        path.write_bytes(content)
        private = _published().with_name("small-1.0.0-private")
        with redirect_stderr(io.StringIO()):
            verify(_published(), private, key=_published().parents[1] / "key.pub")
    finally:
        path.write_bytes(whole)


def clean() -> None:
    """Take away what targets wrote."""
    shutil.rmtree(_folder(), ignore_errors=True)


# What to start from.

SPLITS = {"testmini": {"size": 1}, "test": "rest"}
# made for these tests
PRIVATE_KEY = """-----BEGIN PRIVATE KEY-----
MC4CAQAwBQYDK2VwBCIEIAJmvvHFrdTPCexItqjkTuuQjkvqTN33xRtFadKkSrpO
-----END PRIVATE KEY-----
"""
PUBLIC_KEY = """-----BEGIN PUBLIC KEY-----
MCowBQYDK2VwAyEA+ztcr++58kj5Eif3S1nkEU9NMhrPustz/YlDSDbnn4Y=
-----END PUBLIC KEY-----
"""

ROW = {
    "id": "1", "question": "Find $x$. <image1>", "options": ["1", "2"], "answer": "A",
    "images": ["p.png"], "image": "images/1.jpg", "level": 1, "subject": "algebra",
}  # fmt: skip
EXAM = (
    "# Test\n\n1. Find $x^2$.\n(A) 1 (B) 2\n\n![](p.png)\n\n2．计算 $\\frac12$ 的值。\n"
    "A．1；B．2\n答案：A\n【解析】\\(x\\)\n| a | b |\n|---|---|\n"
)
MATHML = (
    '<math xmlns="http://www.w3.org/1998/Math/MathML"><mfrac><mi>x</mi><msup><mn>2</mn>'
    "<mi>n</mi></msup></mfrac><mtable><mtr><mtd><mo>&#8721;</mo></mtd></mtr></mtable></math>"
)
MOODLE = (
    '<?xml version="1.0"?><quiz><question type="multichoice"><name><text>n</text></name>'
    '<questiontext format="html"><text><![CDATA[<p>\\(x\\)</p>]]></text></questiontext>'
    '<answer fraction="100"><text>1</text></answer><answer fraction="0"><text>2</text></answer>'
    '</question><question type="numerical"><questiontext><text>q</text></questiontext>'
    '<answer fraction="100"><text>3</text><tolerance>0.1</tolerance></answer></question></quiz>'
)
QTI = (
    '<assessmentItem xmlns="http://www.imsglobal.org/xsd/imsqti_v2p1" identifier="i"><response'
    'Declaration identifier="R" cardinality="single"><correctResponse><value>A</value>'
    '</correctResponse></responseDeclaration><itemBody><choiceInteraction responseIdentifier="R">'
    '<prompt>q</prompt><simpleChoice identifier="A">1</simpleChoice><simpleChoice identifier="B">'
    "2</simpleChoice></choiceInteraction></itemBody></assessmentItem>"
)
RECIPE = (
    "name: small\nversion: 1.0.0\nseed: 3\nsources:\n- {name: a, reader: jsonl, path: d.jsonl}\n"
    "stages:\n- check: {on_gold: drop}\nsplits:\n  test: rest\n"
)
SPEC = (
    "points: {A: [0, 0], B: [4, 0], C: {intersection: [AB, AC]}}\n"
    "draw: [triangle ABC]\nlabels: {A: A}\n"
)
OCR = '[{"type": "text", "text": "1. $x$", "bbox": [1, 2, 3, 4], "page_idx": 0}]'
REPLY = "So \\(x=\\frac{\\sqrt2}{3}\\). The answer is **B**. \\boxed{\\frac12,\\ [1,2)\\cup\\{3\\}}"
TREE = "name: t\nfield: subject\nlevels: [topic, skill]\ntree:\n  Numbers: [Sums, Powers]\n"
ERRATA = "- {id: a-1, field: answer, old: '1', new: '2', reason: wrong}\n"


def seeds(name: str) -> list[bytes]:
    """Sound inputs of a target, from which fuzzing starts. Raises KeyError for one without any."""
    if name.startswith(("table", "predictions")):
        return [_table_seed("." + name.partition(".")[2])]
    if name.startswith("reader-"):
        reader = name.removeprefix("reader-")
        rows = json.dumps(ROW).encode()
        known = {"exam": EXAM, "moodle": MOODLE, "qti": QTI, "csv": "id,question\n1,q\n",
                 "table": "id;question\n1;é\n"}  # fmt: skip
        if reader in known:
            return [known[reader].encode()]
        return [b"[" + rows + b"]", rows + b"\n" + rows + b"\n"]
    texts = {
        "answers": "\\frac{1}{2}+\\sqrt[3]{x^2}, x\\in[0,1)\\cup\\{2\\}", "errata": ERRATA,
        "exam": EXAM, "extraction": REPLY, "html": f"<p>a<b>c</b>{MATHML}<table><tr><td>1</table>",
        "mathml": MATHML, "mmd": EXAM, "normalise": EXAM, "recipe": RECIPE, "recognised": OCR,
        "spec": SPEC, "tree": TREE,
        "votes": '{"id": "a-1", "field": "subject", "value": "x", "voter": "anna"}\n',
    }  # fmt: skip
    if name == "verify":
        return [
            bytes([number]) + b"\n" + path.read_bytes()
            for number, path in enumerate(_read_by_verify())
        ]
    if name == "pictures":
        return [png(), png(kind="JPEG"), png(mode="P", kind="GIF")]
    return [_docx()] if name == "docx" else [texts[name].encode()]


def _table_seed(suffix: str) -> bytes:
    path = _folder() / f"seed{suffix}"
    rows = [ROW | {"response": "B", "index": 1}]
    if suffix == ".parquet":
        import pyarrow as pa
        from pyarrow import parquet

        parquet.write_table(pa.Table.from_pylist(rows), path)
        return path.read_bytes()
    if suffix in (".xlsx", ".xlsm"):
        return workbook(path, [["id", "question"], [1, "q"]], shared=True).read_bytes()
    if suffix == ".eval":
        return _zip(
            {"samples/1_epoch_1.json": '{"id": 1, "output": {"completion": "x"}}'}
        )
    cut = "\t" if suffix == ".tsv" else ","
    header = cut.join(["id", "question", "response"])
    table = f'{header}\n1{cut}"two\nlines"{cut}x\n'
    return (json.dumps(rows) if suffix.startswith(".json") else table).encode()


def _docx() -> bytes:
    word = "http://schemas.openxmlformats.org/wordprocessingml/2006/main"
    maths = "http://schemas.openxmlformats.org/officeDocument/2006/math"
    body = (
        f'<w:document xmlns:w="{word}" xmlns:m="{maths}"><w:body><w:p><w:r><w:t>Find</w:t></w:r>'
        "<m:oMath><m:f><m:num><m:r><m:t>x</m:t></m:r></m:num><m:den><m:r><m:t>2</m:t></m:r>"
        "</m:den></m:f></m:oMath></w:p></w:body></w:document>"
    )
    return _zip({"word/document.xml": body})


def _zip(parts: dict[str, str]) -> bytes:
    data = io.BytesIO()
    with zipfile.ZipFile(data, "w") as book:
        for name, text in parts.items():
            book.writestr(name, text)
    return data.getvalue()


PIECES = (
    *(bytes([byte]) for byte in b"\0\xff\"',;|\n\r{}[]()$\\^_&<>*!~"),
    b"\xef\xbb\xbf", b"\xff\xfe", b"\xed\xa0\x80", b"\\ud800", b"&#0;", b"&#xD800;", b"$$",
    b"\\frac", b"\\boxed{", b"</", b"<!--", b"<![CDATA[", b"-1", b"1e999", b"9" * 400, b"NaN",
    b"null",
    b"? ", b": ", b"- ", b"!!python/object", b"../", b"%00", b"{{" * 50,
)  # fmt: skip


STRANGE = (None, True, -1, 2**63, 10**400, 1e308, "", "\ud800", "x" * 5000, "../../x", [], {},
           [[]], {"a": None}, "1", [None])  # fmt: skip


def restructured(data: bytes, chance: random.Random) -> bytes:
    """With one value of one JSON text in it exchanged for a strange one; else as it was."""
    lines = data.split(b"\n")
    for first, last in ((1, len(lines)), (chance.randrange(len(lines)),) * 2):
        try:
            value = json.loads(b"\n".join(lines[first : max(last, first + 1)]))
        except (ValueError, RecursionError):
            continue
        places: list[tuple[Any, Any]] = []
        left = [value]
        while left:
            node = left.pop()
            if not isinstance(node, dict | list):
                continue
            inner = node.items() if isinstance(node, dict) else enumerate(node)
            for name, one in list(inner):
                places.append((node, name))
                left += [one] if isinstance(one, dict | list) else []
        if places:
            node, name = chance.choice(places)
            node[name] = chance.choice(STRANGE)
            lines[first : max(last, first + 1)] = [json.dumps(value).encode()]
            return b"\n".join(lines)
    return data


def mutated(name: str, chance: random.Random) -> bytes:
    """A seed of a target with a few changes: bits, meaningful pieces, doubled stretches, values."""
    seed = chance.choice(seeds(name))
    if name == "verify" and chance.randrange(2):
        return restructured(seed, chance)
    data = bytearray(seed)
    for _ in range(chance.choice((1, 1, 2, 4, 8))):
        at = chance.randrange(len(data) + 1)
        kind = chance.randrange(4)
        if kind == 0 and at < len(data):
            data[at] ^= 1 << chance.randrange(8)
        elif kind == 1:
            data[at:at] = chance.choice(PIECES)
        elif kind == 2:
            del data[at : at + chance.choice((1, 4, 16, 64))]
        else:
            start = chance.randrange(len(data) + 1)
            data[at:at] = data[start : start + 32] * chance.choice((1, 2, 20))
    return bytes(data)


def case_file(name: str, data: bytes) -> Path:
    """Where a find is kept, to be read again by every test run."""
    from hashlib import sha256

    return CASES / name / sha256(data).hexdigest()[:12]
