"""A release goes to the hub whole, once, and to nobody else's place."""

from __future__ import annotations

import shutil
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
import yaml
from benchwright import build_release, publish
from benchwright.errors import UserError
from benchwright.exports import all_files
from benchwright.hub import publish as publishing  # the module
from click.testing import CliRunner
from hub_server import Hub
from small import dump, write_recipe


@pytest.fixture(scope="module")
def small(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("small")
    return build_release(dump(folder), folder / "out").release


def contents(release: Path) -> dict[str, bytes]:
    return {path: (release / path).read_bytes() for path in all_files(release)}


def lies(hub: Hub, name: str = "me/small") -> dict[str, bytes]:
    return {
        path: data for path, data in hub.files(name).items() if path != ".gitattributes"
    }


def test_a_release_lies_there_as_it_is_here_and_is_tagged(
    hub: Hub, small: Path
) -> None:
    done = publish(small, to="me/small")
    assert lies(hub) == contents(small)
    repository = hub.repositories["me/small"]
    assert repository.tags == {"v1.0.0": repository.head} == {done.tag: done.revision}
    assert (repository.private, repository.gated) == (False, False)
    assert len(repository.commits) == 2, "that of the new repository, and one of ours"
    hub.asked.clear()
    again = publish(small, to="me/small")
    assert (again.sends, again.same) == ({}, len(contents(small)))
    assert not [asked for asked in hub.asked if not asked.startswith(("GET", "HEAD"))]


def test_a_release_that_withholds_is_gated_and_no_key_or_answer_goes_along(
    hub: Hub, tmp_path: Path
) -> None:
    release = build_release(
        dump(tmp_path, withhold_answers=["test"]), tmp_path / "out"
    ).release
    private = release.with_name(f"{release.name}-private")
    done = publish(release, to="team/small", private=True)
    repository = hub.repositories["team/small"]
    assert (repository.private, repository.gated, done.gated) == (True, "auto", True)
    assert lies(hub, "team/small") == contents(release)
    secret = (
        (private / "commitment.key").read_bytes().strip()
        if (private / "commitment.key").exists()
        else next(private.glob("*key*")).read_bytes().strip()
    )
    assert not any(secret in data for data in hub.files("team/small").values())
    (release / "answers.jsonl").write_bytes((private / "answers.jsonl").read_bytes())
    with pytest.raises(UserError, match="damaged"):
        publish(release, to="me/other")
    with pytest.raises(UserError, match="not a release"):
        publish(private, to="me/other")
    assert list(hub.repositories) == ["team/small"]


def test_a_dry_run_lists_and_sends_nothing(hub: Hub, small: Path) -> None:
    plan = publish(small, to="me/small", dry_run=True)
    assert plan.sends == {path: len(data) for path, data in contents(small).items()}
    assert hub.repositories == {}
    assert all(asked.startswith("GET") for asked in hub.asked)


def test_a_release_that_is_not_proved_says_so_and_waits_for_a_word(
    hub: Hub, small: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from benchwright.exports import UNPROVED, Damage, Damages

    found = Damages([Damage(UNPROVED, "figures/a.svg", "")])
    monkeypatch.setattr("benchwright.hub.publish.verify", lambda release: found)
    assert "not proved" in publish(small, to="me/small", dry_run=True).headline()
    with pytest.raises(
        UserError, match=r"consistent, not proved: another version wrote figures/a"
    ):
        publish(small, to="me/small")
    assert hub.repositories == {}
    assert "not proved" in publish(small, to="me/small", unproved=True).headline()
    assert [*hub.repositories] == ["me/small"]


class Cut(BaseException):
    """The process ends here."""


def cut_at(monkeypatch: pytest.MonkeyPatch, moment: int, answered: bool) -> list[int]:
    """The client ends at the request of this number, which was answered or not even sent."""
    from huggingface_hub.utils import _http

    count = [0]
    client = type(_http.get_session())
    send = client.send

    def counted(self: Any, request: Any, **options: Any) -> Any:
        count[0] += 1
        if 0 < moment < count[0] or (count[0] == moment and not answered):
            raise Cut
        return send(self, request, **options)

    monkeypatch.setattr(client, "send", counted)
    return count


def test_what_was_cut_off_at_any_moment_is_gone_on_with_and_nothing_comes_twice(
    hub: Hub, small: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(publishing, "PART_FILES", 7)
    with monkeypatch.context() as inner:
        count = cut_at(inner, 0, answered=False)
        publish(small, to="me/whole")
    commits = len(hub.repositories["me/whole"].commits)
    assert commits > 4, "in several parts"
    moments = [1 + k * (count[0] - 1) // 9 for k in range(10)]
    cuts = 0  # threads may ask a little less often than the first time
    for k, moment in enumerate(moments):
        name = f"me/cut-{k}"
        hub.large.clear(), hub.uploads.clear()
        with monkeypatch.context() as inner:
            cut_at(inner, moment, answered=k % 2 == 0)
            try:
                publish(small, to=name)
            except (Cut, RuntimeError):  # of a thread that uploads
                cuts += 1
        publish(small, to=name)
        repository = hub.repositories[name]
        assert lies(hub, name) == contents(small)
        assert repository.tags == {"v1.0.0": repository.head}
        assert set(Counter(repository.sent).values()) == {1}, moment
        assert set(Counter(hub.uploads).values()) == {1}, moment
    assert cuts >= 8


def newer(release: Path, folder: Path, **changes: Any) -> Path:
    """The next version of a release, with a problem less."""
    folder.mkdir(exist_ok=True)
    dump(folder, count=11)
    recipe = yaml.safe_load((folder / "recipe.yaml").read_text("utf-8"))
    recipe |= {"version": "1.1.0", "previous": str(release)}
    recipe["splits"]["testmini"]["size"] = 3
    return build_release(
        write_recipe(folder / "r.yaml", recipe | changes), folder / "out"
    ).release


def test_a_new_version_takes_the_place_of_the_old_one_which_its_tag_keeps(
    hub: Hub, small: Path, tmp_path: Path
) -> None:
    publish(small, to="me/small")
    hub.repositories["me/small"].commits[hub.repositories["me/small"].head][
        "NOTES.md"
    ] = b"mine"
    second = newer(small, tmp_path)
    done = publish(second, to="me/small")
    assert lies(hub) == contents(second) | {"NOTES.md": b"mine"}
    assert done.removes
    assert done.leaves == ["NOTES.md"]
    repository = hub.repositories["me/small"]
    assert repository.commits[repository.tags["v1.0.0"]]["manifest.json"] == (
        small / "manifest.json").read_bytes()  # fmt: skip
    with pytest.raises(
        UserError, match=r"is ahead: 1\.1\.0 lies there, this is 1\.0\.0"
    ):
        publish(small, to="me/small")


def test_what_is_in_the_way_is_named_and_nothing_is_sent(
    hub: Hub, small: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    publish(small, to="me/small")
    other = newer(small, tmp_path / "a", version="1.0.0", previous=None)
    named = newer(small, tmp_path / "b", name="else", previous=None)
    hub.repositories["me/foreign"] = type(hub.repositories["me/small"])()
    hub.repositories["me/foreign"].commit({"README.md": b"# Another\n"})
    hub.repositories["you/small"] = hub.repositories["me/foreign"]
    before = {name: dict(r.commits) for name, r in hub.repositories.items()}
    for release, to, what in [
        (other, "me/small", r"has .* already, and it is another \(\d+ files differ\)"),
        (named, "me/small", "holds another benchmark: small"),
        (small, "me/foreign", r"README\.md already, and it is another"),
        (small, "you/small", "the key is not of 'you'"),
        (small, "nobody", "no name of a repository"),
        (small, "me/a--b", "no name of a repository"),
    ]:
        with pytest.raises(UserError, match=what):
            publish(release, to=to)
    monkeypatch.setenv("HF_TOKEN", "hf_wrong")
    with pytest.raises(UserError, match="does not know this key") as error:
        publish(small, to="me/new")
    assert "hf_wrong" not in str(error.value)
    monkeypatch.delenv("HF_TOKEN")
    with pytest.raises(UserError, match="no key for the hub"):
        publish(small, to="me/new")
    assert {name: dict(r.commits) for name, r in hub.repositories.items()} == before


def test_two_publishers_do_not_overwrite_each_other(hub: Hub, small: Path) -> None:
    """Between looking and sending somebody else commits: the hub refuses our parent."""

    def meanwhile(asked: str) -> int:
        if "/commit/" in asked and not hub.repositories["me/small"].gated:
            repository = hub.repositories["me/small"]
            repository.gated = "once"
            repository.commit(repository.commits[repository.head] | {"THEIRS.md": b"x"})
        return 0

    hub.refuse = meanwhile
    with pytest.raises(UserError, match="published there meanwhile"):
        publish(small, to="me/small")
    assert hub.files("me/small").keys() == {".gitattributes", "THEIRS.md"}


def test_limits_of_the_hub_are_named_before_anything_is_asked(
    hub: Hub, small: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from benchwright.hub import check

    monkeypatch.setattr(check, "IN_FOLDER", 11)
    with pytest.raises(
        UserError, match="files in one folder, of 11 at most: --without images"
    ):
        publish(small, to="me/small")
    assert hub.asked == []
    publish(small, to="me/small", without=["images"])
    assert lies(hub).keys() == {
        p for p in contents(small) if not p.startswith("images/")
    }


def test_check_asks_no_network_and_says_what_readers_would_miss(
    hub: Hub, small: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from benchwright.cli import cli

    ran = CliRunner().invoke(
        cli, ["publish", str(small), "--to", "me/small", "--check"]
    )
    assert (ran.exit_code, hub.asked) == (0, [])
    assert "says nothing of what it is" in ran.stdout
    bare = shutil.copytree(small, tmp_path / "bare")
    card = (bare / "README.md").read_text("utf-8")
    (bare / "README.md").write_text(
        card.replace("data/default/test-", "data/default/gone-"), "utf-8"
    )
    source = (
        (bare / "manifest.json").read_text("utf-8").replace('"MIT"', '"CC-BY-ND-4.0"')
    )
    (bare / "manifest.json").write_text(source, "utf-8")
    ran = CliRunner().invoke(cli, ["publish", str(bare), "--to", "me/a b", "--check"])
    assert ran.exit_code == 1
    for told in ("gone-", "forbids to publish", "no name of a repository"):
        assert told in ran.stdout
