"""Run inside lmms-eval's own environment: `python in_lmms_eval.py EXPORT REPLIES OUT`.

The exported task is loaded by lmms-eval's task manager and run by its evaluator; the model gives
the reply that belongs to each document.
"""

import json
import sys
from pathlib import Path

import datasets  # noqa: F401 - before the stand-ins, so that it knows of no torch
from stand_ins import STOOD_IN, stand_in

stand_in("torch", "accelerate", "transformers")

from lmms_eval.api.model import lmms  # noqa: E402
from lmms_eval.evaluator import simple_evaluate  # noqa: E402
from lmms_eval.loggers import EvaluationTracker  # noqa: E402
from lmms_eval.tasks import TaskManager  # noqa: E402

export, replies, out = map(Path, sys.argv[1:4])
said = {
    r["id"]: r["response"]
    for r in map(json.loads, replies.read_text("utf-8").splitlines())
}
(task,) = [path.stem for path in export.glob("*.yaml")]
pictures, texts = {}, {}


class Parrot(lmms):
    """Says to each document what the file of replies says."""

    def generate_until(self, requests):
        answers = []
        for request in requests:
            context, _, doc_to_visual, doc_id, task_name, split = request.args
            doc = self.task_dict[task_name][split][doc_id]
            pictures[doc["id"]] = len(doc_to_visual(doc))
            texts[doc["id"]] = context
            answers.append(said[doc["id"]])
        return answers

    def loglikelihood(self, requests):
        raise NotImplementedError

    def generate_until_multi_round(self, requests):
        raise NotImplementedError


tracker = EvaluationTracker(output_path=str(out))
results = simple_evaluate(
    model=Parrot(), tasks=[task], task_manager=TaskManager(include_path=str(export)),
    log_samples=True, evaluation_tracker=tracker, bootstrap_iters=0, cli_args=None,
)  # fmt: skip
samples = results.pop("samples")[task]
tracker.save_results_aggregated(
    results=results, samples={task: samples}, datetime_str="now"
)
tracker.save_results_samples(task_name=task, samples=samples)
print(json.dumps({
    "metrics": {k: v for k, v in results["results"][task].items() if isinstance(v, float)},
    "verdicts": {s["accuracy"]["id"]: s["accuracy"]["score"] == 1.0 for s in samples},
    "log": str(next(out.rglob(f"*samples_{task}.jsonl"))),
    "pictures": pictures, "texts": texts, "stood_in": sorted(STOOD_IN),
}))  # fmt: skip
