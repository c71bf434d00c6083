"""Says which of the YAML and TOML files named on the line cannot be read."""

import sys
import tomllib
from pathlib import Path

import yaml


def main() -> int:
    faults = 0
    for name in sys.argv[1:]:
        try:
            text = Path(name).read_text("utf-8")
            if name.endswith(".toml"):
                tomllib.loads(text)
            else:
                list(
                    yaml.parse(text, yaml.SafeLoader)
                )  # the syntax alone: tags are the readers' own
        except (ValueError, yaml.YAMLError) as error:
            faults += 1
            print(f"{name}: {error}", file=sys.stderr)
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
