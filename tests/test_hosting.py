"""The image and the compose file keep the promises to a careful host; these tests read the files."""

from __future__ import annotations

import json
import re
import tomllib
from contextlib import AsyncExitStack
from typing import Any

import pytest
import yaml
from packaging.requirements import Requirement

from tablero_server.settings import Settings
from tests.harness.containers import compose, instructions, last, service, stages
from tests.harness.tree import ROOT
from tests.harness.wire import a_server, a_wire

SERVICES = ("game", "bots")


# The image


def test_every_stage_starts_from_the_slim_python_that_an_argument_names() -> None:
    assert ("ARG", "PYTHON=3.13") in instructions()
    assert [stage[0][1].split(" AS ")[0] for stage in stages()] == ["python:${PYTHON}-slim"] * 2


def test_the_final_stage_builds_nothing_and_copies_one_folder_and_what_dumps_a_database() -> None:
    copied = [rest for word, rest in stages()[-1] if word in ("COPY", "ADD")]
    assert copied[0] == "--from=build /opt/tablero /opt/tablero"
    [programs] = copied[1:]
    assert re.findall(r"(\w+) ", programs.removeprefix("--from=build ")) == ["pg_dump", "pg_restore"]
    assert "--no-install-recommends libpq5 " in last("RUN")
    assert "pip" not in last("RUN")


def test_whatever_the_image_installs_is_locked_by_hash_or_made_from_the_source() -> None:
    installs = re.findall(r"pip (?:install|wheel) [^&\n]+", "\n".join(rest for _, rest in stages()[0]))
    assert len(installs) == 4
    for install in installs:
        assert "--require-hashes" in install or "--no-index" in install


def test_the_image_runs_as_a_numbered_user_who_is_not_root() -> None:
    assert re.fullmatch(r"[1-9]\d{3,}:[1-9]\d{3,}", last("USER"))


def test_any_uid_may_write_the_one_folder_that_is_kept() -> None:
    assert last("VOLUME") == last("WORKDIR") == "/data"
    assert "install --directory --mode 1777 /data /keys" in last("RUN")
    assert "HOME=/data" in last("ENV").split()


def test_the_health_check_needs_no_other_program_than_python() -> None:
    options, _, command = last("HEALTHCHECK").partition("CMD ")
    assert json.loads(command) == ["python", "-m", "tablero_server.operations.healthcheck"]
    assert {"--interval", "--timeout", "--start-period", "--retries"} == {
        option.split("=")[0] for option in options.split()
    }


def test_the_image_serves_on_every_address_when_nothing_else_is_said() -> None:
    assert json.loads(last("ENTRYPOINT")) == ["tablero"]
    assert json.loads(last("CMD")) == ["serve"]
    assert {"TABLERO_HOST=0.0.0.0", f"TABLERO_PORT={last('EXPOSE')}"} <= set(last("ENV").split())


def test_only_what_the_wheel_needs_goes_to_the_builder() -> None:
    lines = (ROOT / ".dockerignore").read_text().splitlines()
    let_in = {line[1:] for line in lines if line.startswith("!")}
    assert "*" in lines
    assert let_in >= {"pyproject.toml", "requirements.lock", "protocol", "games", "server", "clients"}
    assert not let_in & {"tests", "bench", ".git", ".venv"}


# The two services


@pytest.mark.parametrize("name", SERVICES)
def test_a_service_can_do_nothing_but_its_work(name: str) -> None:
    asked = service(name)
    assert asked["read_only"] is True
    assert asked["cap_drop"] == ["ALL"]
    assert "no-new-privileges:true" in asked["security_opt"]
    assert not asked.keys() & {"privileged", "cap_add", "devices", "network_mode", "pid", "user"}


@pytest.mark.parametrize("name", SERVICES)
def test_a_service_has_bounds(name: str) -> None:
    asked = service(name)
    assert 0 < asked["pids_limit"] <= 200
    assert re.fullmatch(r"\d+m", asked["mem_limit"])


@pytest.mark.parametrize("name", SERVICES)
def test_a_service_stops_cleanly_and_comes_back(name: str) -> None:
    asked = service(name)
    assert asked["init"] is True
    assert asked["restart"] == "unless-stopped"
    assert 10 <= int(asked["stop_grace_period"].removesuffix("s")) <= 30


def test_the_game_keeps_what_is_kept_and_the_bots_keep_who_they_are() -> None:
    assert service("game")["volumes"] == ["data:/data", "keys:/keys", "secrets:/secrets:ro"]
    assert service("game")["tmpfs"] == ["/tmp"]
    kept = {each.partition(":")[0] for asked in compose()["services"].values() for each in asked["volumes"]}
    assert compose()["volumes"].keys() == {name for name in kept if not name.startswith(".")}
    assert service("bots")["volumes"] == ["keys:/keys:ro", "bots:/data"]
    assert service("bots")["tmpfs"] == ["/tmp"]


def test_only_the_game_is_reachable_from_outside() -> None:
    assert service("game")["ports"] == ["${TABLERO_PORT:-8470}:8470"]
    assert "ports" not in service("bots")


def test_the_bots_are_clients_of_a_game_that_is_well() -> None:
    assert service("game")["command"] == ["serve", "--no-bots"]
    assert service("bots")["command"][:3] == ["bot-host", "--server", "ws://game:8470/ws"]
    assert service("bots")["depends_on"] == {"game": {"condition": "service_healthy"}}


def test_the_game_knows_the_bots_by_a_key_that_it_makes_and_they_can_only_read() -> None:
    key = service("game")["environment"]["TABLERO_BOT_KEY"]
    assert key.startswith("/keys/")
    assert service("bots")["command"][-2:] == ["--key", key]
    assert "keys:/keys:ro" in service("bots")["volumes"]


def test_both_services_are_the_same_image() -> None:
    assert {service(name)["image"] for name in SERVICES} == {"tablero"}
    assert {service(name)["build"] for name in SERVICES} == {"."}


def test_no_setting_is_required() -> None:
    text = (ROOT / "docker-compose.yml").read_text()
    settings = re.findall(r"\$\{?\w+[^}]*\}?", text)
    assert settings
    assert all(":-" in setting for setting in settings)
    assert not any("env_file" in service(name) for name in SERVICES)


# The proxies of docs/hosting.md


def proxies() -> dict[str, str]:
    """The example of each documented proxy, by its heading."""
    page = (ROOT / "docs" / "hosting.md").read_text()
    [section] = re.findall(r"(?ms)^## Behind a reverse proxy\n(.*?)^## ", page)
    title, *parts = re.split(r"(?m)^### (.*)\n", section)
    assert "```" not in title, "an example without a heading"
    return dict(zip(parts[::2], parts[1::2], strict=True))


@pytest.mark.parametrize("name", proxies())
def test_every_documented_proxy_is_trusted_and_has_its_name_listed(name: str) -> None:
    said = dict(re.findall(r"(?m)\bTABLERO_(NAMES|TRUSTED_PROXIES)(?:=|: )(\S+)", proxies()[name]))
    settings = Settings(**{key.lower(): value for key, value in said.items()})
    assert settings.public_names == {"games.example.org"}
    assert settings.trusted_proxies


def test_every_example_of_a_proxy_is_a_file_and_every_file_is_told_of() -> None:
    examples = {path.name: path.read_text() for path in (ROOT / "examples" / "hosting").iterdir()}
    page = "\n".join(proxies().values())
    blocks = re.findall(r"(?ms)^```\w*\n(.*?)^```$", page)
    shown = {name for name, text in examples.items() if text in blocks}
    assert shown >= {"nginx.conf", "Caddyfile", "Caddyfile-below-a-path", "traefik.yml"}
    whole = (ROOT / "docs" / "hosting.md").read_text()
    assert all(f"examples/hosting/{name}" in whole for name in examples.keys() - shown)


def test_traefik_reaches_the_server_at_its_name_and_port() -> None:
    told = yaml.safe_load((ROOT / "examples" / "hosting" / "traefik.yml").read_text())["http"]
    [router] = told["routers"].values()
    assert router["rule"] == "Host(`games.example.org`)"
    [backend] = told["services"][router["service"]]["loadBalancer"]["servers"]
    assert backend["url"].endswith(f":{Settings.model_fields['port'].default}")


def test_nginx_says_for_whom_it_calls_by_which_name_and_over_what() -> None:
    for header in ("X-Forwarded-For", "X-Forwarded-Host", "X-Forwarded-Proto", "Host", "Upgrade"):
        assert f"proxy_set_header {header} " in proxies()["nginx"]


async def test_guests_from_one_address_behind_a_documented_proxy_are_limited() -> None:
    said = dict(re.findall(r"\bTABLERO_(NAMES|TRUSTED_PROXIES)=(\S+)", proxies()["nginx"]))
    settings: dict[str, Any] = {key.lower(): value for key, value in said.items()}
    outside = {"X-Forwarded-For": "203.0.113.9", "X-Forwarded-Host": "games.example.org"}
    async with a_server(**settings, guests_per_hour=2) as server, AsyncExitStack() as stack:
        answers = []
        for _ in range(3):
            guest = await stack.enter_async_context(a_wire(server, additional_headers=outside))
            answers.append((await guest.ask("hello", protocol=1, client="test"))["type"])
    assert answers == ["welcome", "welcome", "refused"]


# The lock


@pytest.mark.parametrize("name", ["requirements.lock", "requirements-dev.lock", "requirements-build.lock"])
def test_a_lock_has_a_hash_for_everything_and_an_address_for_nothing(name: str) -> None:
    text = (ROOT / name).read_text()
    entries = re.split(r"\n(?=[a-z])", re.sub(r"(?m)^\s*#.*\n", "", text))
    assert all("==" in entry and "--hash=sha256:" in entry for entry in entries if entry.strip())
    assert not re.search(r"https?:|--(extra-)?index|find-links| @ ", text)


def pinned(name: str) -> set[str]:
    """The versions in a lock file, each with the platforms that it is for."""
    return set(re.findall(r"(?m)^([a-z].*?) ?\\$", (ROOT / name).read_text()))


def test_the_three_locks_agree() -> None:
    everything = pinned("requirements-dev.lock")
    assert pinned("requirements.lock") < everything
    assert pinned("requirements-build.lock") < everything


def test_the_locks_hold_what_the_project_asks_for() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())
    extras = project["project"]["optional-dependencies"]
    runtime = project["project"]["dependencies"] + extras["server"] + extras["cluster"]
    everything = runtime + extras["dev"] + extras["oracle"] + project["dependency-groups"]["build"]
    for name, asked in [("requirements.lock", runtime), ("requirements-dev.lock", everything)]:
        locked = {entry.partition(" ")[0].partition("==")[::2] for entry in pinned(name)}
        for requirement in map(Requirement, asked):
            key = requirement.name.lower().replace("_", "-")
            versions = [version for locked_name, version in locked if locked_name == key]
            assert versions, f"{name} lacks {key}: make lock"
            assert all(version in requirement.specifier for version in versions), f"{key}: make lock"
