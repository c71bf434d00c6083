"""Run inside inspect's own environment: `python in_inspect.py EXPORT REPLIES [EPOCHS] OUT`.

The exported task.py, or `hf/owner/name/task` of a hub in place of EXPORT, is run as it is, by a
model that gives the replies in order, and fails when there are no more.
"""

import json
import os
import sys
from pathlib import Path

from inspect_ai import eval as run
from inspect_ai.log import read_eval_log
from inspect_ai.model import ModelOutput, ModelUsage, get_model

replies, out = (Path(name).resolve() for name in (sys.argv[2], sys.argv[-1]))
task = sys.argv[1] if sys.argv[1].startswith("hf/") else "task.py"
epochs = int(sys.argv[3]) if len(sys.argv) > 4 else 1
said = [json.loads(line) for line in replies.read_text("utf-8").splitlines()]
outputs = []
for reply in [row["response"] for row in said] * epochs:
    outputs.append(ModelOutput.from_content("mock", reply))
    outputs[-1].usage = ModelUsage()  # else it fetches a tokenizer to count
model = get_model("mockllm/model", custom_outputs=outputs)
if task == "task.py":
    os.chdir(sys.argv[1])  # it takes no absolute name of a task
logs = run(
    task, model=model, log_dir=str(out), max_samples=1, display="none",
    epochs=epochs,
)  # fmt: skip
(log,) = [read_eval_log(log.location) for log in logs]
scores = log.results.scores if log.results else []
metrics = {m.name: m.value for s in scores for m in s.metrics.values()}
samples = {s.metadata["id"]: s for s in log.samples}
verdicts = {
    k: score.value in ("C", 1.0)
    for k, s in samples.items()
    for score in (s.scores or {}).values()
}
pictures = {
    k: sum(getattr(c, "type", "") == "image" for c in s.messages[0].content)
    for k, s in samples.items()
}
texts = {k: s.messages[0].text for k, s in samples.items()}
print(json.dumps({"status": log.status, "log": log.location, "metrics": metrics,
                  "verdicts": verdicts, "pictures": pictures, "texts": texts}))  # fmt: skip
