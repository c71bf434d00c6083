"""Run inside inspect's own environment: `python in_inspect.py EXPORT REPLIES [EPOCHS] OUT`.

The exported task.py is run as it is, by a model that gives the replies in order, and fails when
there are no more.
"""

import json
import os
import sys
from pathlib import Path

from inspect_ai import eval as run
from inspect_ai.log import read_eval_log
from inspect_ai.model import ModelOutput, ModelUsage, get_model

export, replies, out = (Path(name).resolve() for name in (*sys.argv[1:3], sys.argv[-1]))
epochs = int(sys.argv[3]) if len(sys.argv) > 4 else 1
said = [json.loads(line) for line in replies.read_text("utf-8").splitlines()]
outputs = []
for reply in [row["response"] for row in said] * epochs:
    outputs.append(ModelOutput.from_content("mock", reply))
    outputs[-1].usage = ModelUsage()  # else it fetches a tokenizer to count
model = get_model("mockllm/model", custom_outputs=outputs)
os.chdir(export)  # it takes no absolute name of a task
logs = run(
    "task.py", model=model, log_dir=str(out), max_samples=1, display="none",
    epochs=epochs,
)  # fmt: skip
(log,) = [read_eval_log(log.location) for log in logs]
scores = log.results.scores if log.results else []
metrics = {m.name: m.value for s in scores for m in s.metrics.values()}
verdicts = {s.id: s.scores["graded"].value in ("C", 1.0) for s in log.samples if s.scores}
pictures = {
    s.id: sum(getattr(c, "type", "") == "image" for c in s.messages[0].content) for s in log.samples
}
texts = {s.id: s.messages[0].text for s in log.samples}
print(json.dumps({"status": log.status, "log": log.location, "metrics": metrics,
                  "verdicts": verdicts, "pictures": pictures, "texts": texts}))  # fmt: skip
