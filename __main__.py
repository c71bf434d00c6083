"""Where `benchwright` and `python -m benchwright` begin."""

from __future__ import annotations

import os
import sys

# Filters that run once for every file and take no option: they start without the command line.
FILTERS: dict[tuple[str, ...], str] = {
    ("convert", "mathml"): "convert.html.records:converted"
}


def main() -> None:
    """Answer the lines on stdin when a filter is asked for; all else is the command line's."""
    place = FILTERS.get(tuple(sys.argv[1:]))
    if place is None:
        from .cli import main as command_line

        command_line()
        return
    from .base.jsonl_tool import run
    from .base.lazy import imported

    try:
        run(imported(place))
    except (BrokenPipeError, KeyboardInterrupt):
        os._exit(1)  # nobody reads what is still in the buffers


if __name__ == "__main__":
    main()
