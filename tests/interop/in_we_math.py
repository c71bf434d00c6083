"""Run We-Math's two scripts: `python in_we_math.py REPOSITORY ROWS`, which prints their tables.

They are called by their functions, since on the command line they lose the file for their table.
"""

import csv
import json
import runpy
import sys
from pathlib import Path

repository, rows = map(Path, sys.argv[1:])
nodes = repository / "data/knowledge_structure_nodes.json"
table = {}
for name, more in (("accuracy", [str(nodes)]), ("four_dimensional_metrics", [])):
    script = runpy.run_path(str(repository / f"evaluation/{name}.py"))
    script["evaluate_models"]("made", str(rows), *more, f"{name}.csv")
    with Path(f"{name}.csv").open(encoding="utf-8", newline="") as file:
        table |= next(csv.DictReader(file))
print(json.dumps(table))
