"""What models are asked, and how their replies are read."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec

from ...base.files import inside
from ...errors import UserError
from ...llm import Answer, Request
from ...problem import Vote

# From the first brace to the last one: models write sentences around their JSON.
OBJECT = re.compile(r"\{.*\}", re.DOTALL)


class Questionnaire(msgspec.Struct, kw_only=True):
    """The same for every model: requests by id, what each shows, and the reader of a reply."""

    request: Callable[[str], Request]
    about: dict[str, str]  # hash of what a request shows, by its id, in their order
    # A reply's votes, {field: value}; raises UserError for a reply that is none.
    votes_of: Callable[[Answer], dict[str, Any]]
    prompt: str
    doubts: Callable[[Vote], list[str]] = lambda vote: []

    @property
    def version(self) -> str:
        """Hash of the prompt, as votes carry it."""
        return hashlib.sha256(self.prompt.encode()).hexdigest()[:16]


def object_of(text: str) -> Any:
    """The JSON object in a reply, None where there is none. Raises UserError for a broken one."""
    match = OBJECT.search(text)
    try:
        return msgspec.json.decode(match[0]) if match else None
    except msgspec.DecodeError as error:
        raise UserError(
            f"the reply is no JSON: {error}", "ask another model"
        ) from error


def strict_object(properties: dict[str, Any]) -> dict[str, Any]:
    """The JSON schema of an object with these properties, all of them, and no other."""
    return {
        "type": "object",
        "properties": properties,
        "required": list(properties),
        "additionalProperties": False,
    }


def picture_file(root: Path | None, path: str) -> Path:
    """A picture's file. Raises UserError where there is none."""
    if root is None:
        raise UserError(
            f"there is a picture {path}", "say by --images where their folder is"
        )
    file = inside(root, path)
    if not file.is_file():
        raise UserError(f"no picture {file}", "say by --images where pictures are")
    return file
