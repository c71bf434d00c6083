"""The options with which commands name a model."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

import click

from ...llm import Model

F = TypeVar("F", bound=Callable[..., Any])


def model_options(option_name: str) -> Callable[[F], F]:
    """`--<option_name>` and how to reach it; the key comes from the environment."""

    def decorate(command: F) -> F:
        for option in (
            click.option("--price-out", default=0.0, help="Price of a million reply tokens."),
            click.option("--price-in", default=0.0, help="Price of a million prompt tokens."),
            click.option("--per-minute", type=float, help="Most requests a minute."),
            click.option("--timeout", default=600.0, show_default=True, help="Seconds a request."),
            click.option("--retries", default=6, show_default=True),
            click.option("--concurrency", default=8, show_default=True),
            click.option(
                "--key-variable", default="OPENAI_API_KEY", show_default=True,
                help="Environment variable with the endpoint's key.",
            ),
            click.option("--base-url", help="An OpenAI-compatible endpoint [default: OpenAI's]."),
            click.option(f"--{option_name}", "model_name", help="The model's name."),
        ):  # fmt: skip
            command = option(command)
        return command

    return decorate


def model_from(options: dict[str, Any]) -> Model | None:
    """Take the model's options out of a command's options; None when no model was named."""
    names = Model.__struct_fields__
    own = {name: options.pop(name) for name in names if name in options}
    name = options.pop("model_name")
    return Model(name=name, **own) if name else None
