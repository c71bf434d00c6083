"""Run a step of MathVerse's evaluation: `python in_mathverse.py SCRIPT [ARGUMENTS]`.

The step calls openai.ChatCompletion, which left the package in 2023, and imports a class that came
with its successor; no version has both. Here the old call goes to the new client.
"""

import runpy
import sys
from pathlib import Path

import openai


class ChatCompletion:
    @staticmethod
    def create(api_key, **request):
        return (
            openai.OpenAI(api_key=api_key)
            .chat.completions.create(**request)
            .model_dump()
        )


openai.ChatCompletion = ChatCompletion
script = Path(sys.argv[1])
sys.argv = sys.argv[1:]
sys.path.insert(0, str(script.parent))
runpy.run_path(str(script), run_name="__main__")
