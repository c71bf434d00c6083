"""Run inside VLMEvalKit's own environment: `python in_vlmevalkit.py EXPORT REPLIES OUT`.

Each exported table is built, asked and evaluated by VLMEvalKit's own code; the model gives the
reply that belongs to each row.
"""

import json
import os
import sys
from pathlib import Path

import pandas  # noqa: F401 - before the stand-ins
from stand_ins import STOOD_IN, stand_in

export, replies, out = map(Path, sys.argv[1:4])
os.environ["LMUData"] = str(export.resolve())  # noqa: SIM112 - so it is called
stand_in(
    "torch", "torchvision", "transformers", "accelerate", "datasets", "sklearn", "scipy", "joblib",
    "cv2", "decord", "imageio", "nltk", "jieba", "rouge", "rouge_score", "Levenshtein",
    "qwen_vl_utils",
)  # fmt: skip

from vlmeval.dataset import build_dataset  # noqa: E402
from vlmeval.inference import infer_data_job  # noqa: E402

said = {
    r["id"]: r["response"]
    for r in map(json.loads, replies.read_text("utf-8").splitlines())
}
report = {"tables": {}, "stood_in": sorted(STOOD_IN)}


class Parrot:
    is_api = False

    def __init__(self, dataset):
        self.names = {}
        for _, row in dataset.data.iterrows():
            self.names[repr(dataset.build_prompt(row))] = str(row["id"]).strip()

    def set_dump_image(self, dump):
        pass

    def use_custom_prompt(self, dataset):
        return False

    def generate(self, message, dataset=None):
        return said[self.names[repr(message)]]


for path in sorted(export.glob("*.tsv")):
    dataset = build_dataset(path.stem)
    model = Parrot(dataset)
    pictures = [
        sum(m["type"] == "image" for m in dataset.build_prompt(row))
        for _, row in dataset.data.iterrows()
    ]
    infer_data_job(model, work_dir=str(out), model_name="parrot", dataset=dataset)
    (log,) = out.glob(f"parrot_{path.stem}.*")
    rows = dataset.data
    letters = [c for c in rows.columns if len(c) == 1]
    table = {
        "class": type(dataset).__name__, "log": str(log),
        "ids": [str(x).strip() for x in rows["id"]],
        "questions": list(rows["question"]),
        "options": [
            [x for x in row if isinstance(x, str)] for row in rows[letters].values.tolist()
        ],
        "pictures": pictures,
    }  # fmt: skip
    if "_choice" in path.stem:
        score = dataset.evaluate(str(log), model="exact_matching", nproc=1)
        table["overall"] = float(score["Overall"].iloc[0])
        table["columns"] = [str(c) for c in score.columns]
    report["tables"][path.stem] = table
print(json.dumps(report))
