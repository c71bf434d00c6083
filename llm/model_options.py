"""The options with which commands name a model."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any, TypeVar

import click

from .model import Model

F = TypeVar("F", bound=Callable[..., Any])


def model_options(option_name: str, several: bool = False) -> Callable[[F], F]:
    """`--<option_name>` and how to reach it; the key comes from the environment."""
    told = "A model's name; may be given again, for a panel." if several else "The model's name."

    def decorate(command: F) -> F:
        for option in (
            click.option("--body", callback=_body, metavar="JSON",
                         help='More parameters, such as {"top_p": 0.9}; null takes one out.'),
            click.option("--reasoning-effort", help="How long a reasoning model shall think."),
            click.option("--system", help="A system prompt before every question."),
            click.option("--budget", type=float, help="Ask nothing more once this is spent."),
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
            click.option(f"--{option_name}", "model_name", multiple=several, help=told),
        ):  # fmt: skip
            command = option(command)
        return command

    return decorate


def _body(context: click.Context, option: click.Parameter, text: str | None) -> dict[str, Any]:
    """--body as a JSON object."""
    try:
        value = json.loads(text or "{}")
    except ValueError as error:
        raise click.BadParameter(f"not JSON: {error}") from error
    if not isinstance(value, dict):
        raise click.BadParameter('give a JSON object, such as {"top_p": 0.9}')
    return value


def model_from(options: dict[str, Any]) -> Model | None:
    """Take the model's options out of a command's options; None when no model was named."""
    names = Model.__struct_fields__
    own = {name: options.pop(name) for name in names if name in options}
    name, effort = options.pop("model_name"), options.pop("reasoning_effort")
    if effort:
        own["body"] = own["body"] | {"reasoning_effort": effort}
    return Model(name=name, **own) if name else None
