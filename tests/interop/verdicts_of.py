"""A harness's own verdicts on MATH-V: `python verdicts_of.py HARNESS ROWS PACKAGES`.

Its functions are called as they are, without what else their packages load. ROWS are JSON lines
with id, response, gold, options and `read`, the answer that whoever stands in for VLMEvalKit's
judge extracts where its own rules find none.
"""

import importlib.util
import json
import sys
import types
from pathlib import Path

sys.path.append(sys.argv[3])  # behind what this environment has itself

import numpy  # noqa: F401 - before the stand-ins
from stand_ins import stand_in

stand_in(
    "accelerate", "av", "cv2", "datasets", "decord", "evaluate", "imageio", "jieba", "joblib",
    "Levenshtein", "loguru", "matplotlib", "nltk", "openai", "qwen_vl_utils", "rouge",
    "rouge_score", "sacrebleu", "scipy", "sklearn", "torch", "torchvision", "transformers",
)  # fmt: skip


def bare(package):
    """A package without what its own `__init__` loads."""
    spec = importlib.util.find_spec(package)
    sys.modules[package] = types.ModuleType(package)
    sys.modules[package].__path__ = list(spec.submodule_search_locations)


def by_lmms_eval(row):
    if "lmms_eval" not in sys.modules:
        bare("lmms_eval")
        bare("lmms_eval.tasks")
    from lmms_eval.tasks.mathvision.utils import mathvision_process_results

    doc = {"answer": row["gold"], "options": row["options"]}
    (said,) = mathvision_process_results(doc, [row["response"]]).values()
    return said["scores"][0]


def by_vlmevalkit(row):
    from vlmeval.dataset.utils.mathv import MATH_V_auxeval, post_check

    class Judge:
        def generate(self, prompt, **settings):
            return row["read"] or ""

    line = {"question": "", "prediction": row["response"], "answer": row["gold"],
            "choices": repr(row["options"])}  # fmt: skip
    return bool(post_check(line | MATH_V_auxeval(Judge(), line)))


verdict = {"lmms-eval": by_lmms_eval, "vlmevalkit": by_vlmevalkit}[sys.argv[1]]
rows = map(json.loads, Path(sys.argv[2]).read_text("utf-8").splitlines())
print(json.dumps({row["id"]: bool(verdict(row)) for row in rows}))
