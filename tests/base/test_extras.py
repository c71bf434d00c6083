"""Extras: what is missing names its extra, and nothing else needs it."""

from __future__ import annotations

import re
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
USERS = {  # extra -> a module that it brings, and a call that needs it
    "serve": ("starlette", "benchwright.view('.')"),
    "excel": ("openpyxl", "workbook._opened('', None, values=False)"),
    "scale": ("distributed", "dask_cluster.connected(None, 1, 1)"),
    "store": ("fsspec", "stores.brought('s3://bucket/x.jsonl')"),
    "annotate": ("label_studio_sdk", "client.Client('http://localhost', 'token')"),
    "hub": ("huggingface_hub", "hub.hub_client('reading').__enter__()"),
    "warc": ("fastwarc", "next(archives.records(None, 'x.warc'))"),
    "sign": ("cryptography", "statement.signer('', '', '')"),
    "identity": ("sigstore", "anchor._identified('', '')"),
    "documents": ("pypandoc", "pandoc.syntax_tree(Path('x.rst'), 'rst', b'x')"),
    "mathpix": ("mpxpy", "benchwright.send_to_mathpix('exam.pdf')"),
}
ROLES = {"curate", "evaluate"}  # those of a role, together
MODULES = """
import benchwright
from pathlib import Path
from benchwright.annotate.server import client
from benchwright.base import statement, stores
from benchwright.convert.documents import pandoc
from benchwright.dedup.contamination import archives
from benchwright.exports import anchor
from benchwright.hub import client as hub
from benchwright.llm import endpoint
from benchwright.pipeline import dask_cluster
from benchwright.tables import workbook
"""


def run(script: str) -> subprocess.CompletedProcess[str]:
    environment = {"OPENAI_API_KEY": "key", "OPENAI_ORG_ID": "us", "PATH": ""}
    return subprocess.run(
        [sys.executable, "-c", script],
        capture_output=True,
        text=True,
        check=False,
        env=environment,
    )


def test_every_extra_is_tried_here() -> None:
    assert set(PROJECT["optional-dependencies"]) - {"docs", "test", *ROLES} == set(
        USERS
    )


@pytest.mark.parametrize("extra", USERS)
def test_what_is_missing_names_its_extra(extra: str) -> None:
    module, call = USERS[extra]
    done = run(
        f"import sys; sys.modules[{module!r}] = None\n{MODULES}"
        f"try:\n    {call}\nexcept benchwright.UserError as error:\n    print(error)"
    )
    message = rf".+ needs {module}\S*, which is not installed: pip install 'benchwright\[{extra}\]'"
    assert re.fullmatch(message, done.stdout.strip()), done


def test_the_front_door_and_every_module_need_no_extra() -> None:
    hidden = [module for module, _ in USERS.values()] + ["uvicorn", "dask"]
    script = f"""
import importlib, pkgutil, sys
sys.modules.update(dict.fromkeys({hidden}))
import benchwright
for name in benchwright.__all__:
    getattr(benchwright, name)
for module in pkgutil.walk_packages(benchwright.__path__, "benchwright."):
    if module.name.split(".")[1] in ("tests", "bench", "examples", "docs", "__main__"):
        continue
    try:
        importlib.import_module(module.name)
    except ImportError as error:
        print(module.name, error.name)
"""
    done = run(script)
    assert not done.stdout, done.stderr


def test_grading_loads_nothing_but_msgspec() -> None:
    """The third-party modules that a graded reply has loaded; msgspec itself may load two more."""
    script = """
import sys
before = set(sys.modules)
from benchwright import grade_response
assert grade_response("So it is (B), that is 0.5.", r"\\frac12").equal
loaded = {name.split(".")[0] for name in set(sys.modules) - before}
print(*sorted(loaded - sys.stdlib_module_names - {"benchwright"}))
"""
    done = run(script)
    assert set(done.stdout.split()) - {"attr", "typing_extensions"} == {"msgspec"}, (
        done.stderr
    )
