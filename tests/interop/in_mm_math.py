"""Run MM-MATH's eval.py, and say its verdict on each row: `python in_mm_math.py SCRIPT ROWS`.

The script declares its options as `..._soluation` and reads `..._solution`, so that it finds no
text and counts nothing as right: the spelling is mended here.
"""

import json
import sys
from pathlib import Path

script, path = sys.argv[1:]
code = Path(script).read_text("utf-8").replace("_soluation", "_solution")
sys.argv = [script, "--model_out_path", path, "--ground_solution", "solution",
            "--model_solution", "prediction"]  # fmt: skip
made = {"__name__": "__main__"}
exec(compile(code, script, "exec"), made)
rows = json.loads(Path(path).read_text("utf-8"))
verdicts = {}
for row in rows.values():
    gold, reply = row["solution"], row["prediction"]
    boxed = "\\boxed{" in gold and "\\boxed{" in reply
    try:
        verdicts[row["id"]] = boxed and bool(
            made["scorer"].judge(gold, reply, made["precision"])
        )
    except Exception:
        verdicts[row["id"]] = False  # as the script takes it
print(json.dumps(verdicts))
