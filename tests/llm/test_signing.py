"""Where requests go and how they are signed: as the official library says it."""

from __future__ import annotations

import openai
import pytest
from benchwright.llm import Endpoint, Model


@pytest.mark.parametrize("organisation", [None, "org-1"])
@pytest.mark.parametrize("variable", [None, "http://from.variable/v1/"])
@pytest.mark.parametrize(
    "given", [None, "http://given:8000/v1", "http://given:8000/v1/"]
)
def test_address_and_signature_are_the_librarys(
    given: str | None, variable: str | None, organisation: str | None,
    monkeypatch: pytest.MonkeyPatch,
) -> None:  # fmt: skip
    monkeypatch.setenv("OPENAI_API_KEY", "secret")
    for name, value in (("OPENAI_BASE_URL", variable), ("OPENAI_ORG_ID", organisation)):
        if value is None:
            monkeypatch.delenv(name, raising=False)
        else:
            monkeypatch.setenv(name, value)
    endpoint = Endpoint(Model(name="m", base_url=given))
    library = openai.OpenAI(base_url=given)
    assert endpoint._base == str(library.base_url).rstrip("/")
    theirs = {**library.default_headers, **library.auth_headers}
    assert (
        endpoint._headers["Authorization"] == theirs["Authorization"] == "Bearer secret"
    )
    assert endpoint._headers.get("OpenAI-Organization") == organisation
