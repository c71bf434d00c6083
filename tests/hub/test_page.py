"""The page on the hub, typed as it stands: commands ask the stand-in of the hub on this machine."""

from __future__ import annotations

import os
import shlex
import subprocess
import sys
from pathlib import Path

from consoles import blocks, differences, sessions, write_files
from hub_server import Hub

PAGE = Path(__file__).parents[2] / "docs/hub.md"


def test_the_page_shows_what_is_printed(hub: Hub, tmp_path: Path) -> None:
    text = PAGE.read_text("utf-8")
    write_files(text, tmp_path)
    settings = {"HF_ENDPOINT": hub.url, "HF_TOKEN": "hf_secret", "HF_HOME": str(tmp_path / "home"),
                "HF_HUB_DISABLE_XET": "1", "HF_HUB_OFFLINE": "0"}  # fmt: skip
    for language, _, block in blocks(text):
        for command, shown in sessions(block) if language == "console" else ():
            done = subprocess.run(
                [sys.executable, "-m", *shlex.split(command)],
                cwd=tmp_path, env={**os.environ, **settings}, capture_output=True,
                encoding="utf-8", check=False,
            )  # fmt: skip
            assert done.returncode == 0, f"$ {command}\n{done.stderr}"
            assert differences(shown, done.stderr + done.stdout) == [], (
                f"$ {command}\n{done.stdout}"
            )
    assert [*hub.repositories] == ["me/we-math"]
