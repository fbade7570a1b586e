"""The optional services in docker-compose.yml keep their promises: a proxy, PostgreSQL, metrics."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
from ipaddress import ip_address, ip_network
from pathlib import Path
from typing import Any

import pytest
import yaml

from tablero_server.host.metrics import EXPORTED
from tablero_server.settings import Settings
from tests.harness.containers import compose, last, service
from tests.harness.tree import ROOT

SERVICES = list(compose()["services"])
PROFILES = {
    "game": None,
    "bots": None,
    "proxy": "proxy",
    "postgres-secret": "postgres",
    "postgres": "postgres",
    "prometheus": "metrics",
    "grafana": "metrics",
}
MONITORING = ROOT / "examples" / "monitoring"
FIXED = {
    "host": "all addresses of a container are inside",
    "lan": "no multicast leaves a container's own network",
    "port": "outside it is chosen by the port that is published",
    "tls": "the profile proxy does TLS, and the bots come in without",
    "tls_cert": "as tls",
    "tls_key": "as tls",
    "bots": "they are a service of their own",
    "bot_key": "both services know where it is",
    "admin": "it is beside the database, in a volume",
    "names": "the proxy's name goes without saying",
    "trusted_proxies": "so does its address",
    "database_password_file": "the profile postgres makes it",
}
"""Settings that Compose changes before the server gets them, with the reason."""


def test_nothing_but_the_game_and_its_bots_starts_unasked() -> None:
    assert {name: (service(name).get("profiles") or [None])[0] for name in SERVICES} == PROFILES


@pytest.mark.parametrize("name", SERVICES)
def test_every_service_is_as_careful_as_the_game(name: str) -> None:
    asked = service(name)
    assert asked["read_only"] is True
    assert asked["cap_drop"] == ["ALL"]
    assert asked.get("cap_add", []) == (["NET_BIND_SERVICE"] if name == "proxy" else [])
    assert asked["security_opt"] == ["no-new-privileges:true"]
    assert 0 < asked["pids_limit"] <= 200
    assert re.fullmatch(r"\d+m", asked["mem_limit"])
    assert not asked.keys() & {"privileged", "devices", "pid"}
    assert asked.get("network_mode") in (None, "none")


def test_only_these_ports_are_published() -> None:
    ports = {name: service(name)["ports"] for name in SERVICES if "ports" in service(name)}
    assert ports == {
        "game": ["${TABLERO_PORT:-8470}:8470"],
        "proxy": ["80:80", "443:443", "443:443/udp"],
        "grafana": ["127.0.0.1:${GRAFANA_PORT:-3000}:3000"],
    }


def test_every_setting_that_is_not_fixed_is_passed_through_as_it_is() -> None:
    passed = {name: text for name, text in service("game")["environment"].items() if text is None}
    wanted = {f"TABLERO_{name.upper()}" for name in Settings.model_fields.keys() - FIXED.keys()}
    assert set(passed) == wanted
    assert FIXED.keys() <= Settings.model_fields.keys()
    assert service("bots")["environment"].keys() <= passed.keys()


@pytest.mark.parametrize("name", [name for name in SERVICES if "build" not in service(name)])
def test_the_image_of_another_project_has_a_version(name: str) -> None:
    assert re.fullmatch(r"[a-z/]+:v?\d[\w.-]*(@sha256:[0-9a-f]{64})?", service(name)["image"])


def test_what_could_not_be_pinned_is_told_and_nothing_is_changed(tmp_path: Path) -> None:
    for name in ("docker-compose.yml", "Dockerfile"):
        shutil.copy(ROOT / name, tmp_path)
    shutil.copytree(ROOT / ".ci", tmp_path / ".ci")
    tmp_path.joinpath("docker").write_text("#!/bin/sh\necho 'no route to host' >&2\nexit 1\n")
    tmp_path.joinpath("docker").chmod(0o755)
    done = pin(tmp_path)
    assert done.returncode == 1
    assert len(re.findall(r"(?m)^\S+: not pinned, .*: no route to host$", done.stderr)) == 5
    for name in ("docker-compose.yml", "Dockerfile"):
        assert tmp_path.joinpath(name).read_text() == (ROOT / name).read_text()


def test_images_are_pinned_by_what_their_registry_answers_and_again(tmp_path: Path) -> None:
    for name in ("docker-compose.yml", "Dockerfile"):
        shutil.copy(ROOT / name, tmp_path)
    shutil.copytree(ROOT / ".ci", tmp_path / ".ci")
    digests = []
    for machines in ('"architecture": "amd64"', '"architecture": "amd64", "architecture":"arm64"'):
        tmp_path.joinpath("docker").write_text(f"#!/bin/sh\necho '{{{machines}}}'\n")
        tmp_path.joinpath("docker").chmod(0o755)
        done = pin(tmp_path)
        digests.append(set(re.findall(r"sha256:[0-9a-f]{64}", done.stdout)))
        assert done.returncode == (0 if "arm64" in machines else 1)
        assert ("none for arm64" in done.stderr) == ("arm64" not in machines)
    pinned = yaml.safe_load(tmp_path.joinpath("docker-compose.yml").read_text())["services"]
    [digest] = digests[1]
    assert digests[0] != digests[1]
    for name in SERVICES:
        assert pinned[name]["image"].endswith(f"@{digest}") == ("build" not in service(name))
    assert tmp_path.joinpath("Dockerfile").read_text().count(f"FROM python:${{PYTHON}}-slim@{digest}") == 2


def pin(folder: Path) -> subprocess.CompletedProcess[str]:
    """Runs the script in the folder, with that folder's `docker`."""
    path = os.pathsep.join([str(folder), os.environ["PATH"]])
    return subprocess.run(
        [folder / ".ci" / "pin-images"], env={"PATH": path}, capture_output=True, text=True, check=False
    )


# proxy


def test_the_game_trusts_the_proxy_and_nobody_beside_it() -> None:
    [(network, place)] = service("proxy")["networks"].items()
    assert network == "front", "by another one it would come from another address"
    own = place["ipv4_address"]
    assert service("game")["environment"]["TABLERO_TRUSTED_PROXIES"] == f"${{TABLERO_TRUSTED_PROXIES:-{own}}}"
    [net] = compose()["networks"]["front"]["ipam"]["config"]
    assert ip_address(own) in ip_network(net["subnet"])
    assert ip_address(own) not in ip_network(net["ip_range"]), "another service may have it first"
    others = [name for name in SERVICES if "front" in service(name).get("networks", [])]
    assert others == ["game", "proxy"]


def test_the_proxy_passes_everything_on_by_the_name_that_the_game_answers_to() -> None:
    file, place, mode = service("proxy")["volumes"][0].split(":")
    site = re.sub(r"(?m)^#.*\n", "", (ROOT / file).read_text())
    assert (site, place, mode) == (
        "{$SITE} {\n    reverse_proxy game:8470\n}\n",
        "/etc/caddy/Caddyfile",
        "ro",
    )
    assert service("proxy")["environment"] == {"SITE": "${SITE:-localhost}"}
    assert service("game")["environment"]["TABLERO_NAMES"] == "${TABLERO_NAMES:-${SITE:-}}"


def test_no_file_is_copied_into_a_root_that_cannot_be_written() -> None:
    """Compose would copy a file that is written inside docker-compose.yml."""
    assert "configs" not in compose()


# postgres


def test_the_password_of_the_database_is_made_once_and_known_to_two_services() -> None:
    file = service("game")["environment"]["TABLERO_DATABASE_PASSWORD_FILE"]
    assert service("postgres-secret")["entrypoint"] == [
        "python",
        "-m",
        "tablero_server.operations.new_secret",
        file,
    ]
    assert service("postgres")["environment"]["POSTGRES_PASSWORD_FILE"] == file
    mounts = {
        name: [each for each in service(name).get("volumes", []) if each.startswith("secrets:")]
        for name in SERVICES
    }
    assert {name: found for name, found in mounts.items() if found} == {
        "game": ["secrets:/secrets:ro"],
        "postgres-secret": ["secrets:/secrets"],
        "postgres": ["secrets:/secrets:ro"],
    }
    assert "/data /keys /secrets" in last("RUN")


def test_the_database_is_reached_by_the_game_alone_and_reaches_nobody() -> None:
    assert compose()["networks"]["store"] == {"internal": True}
    assert service("postgres")["networks"] == ["store"]
    assert [name for name in SERVICES if "store" in service(name).get("networks", [])] == ["game", "postgres"]
    assert service("game")["depends_on"] == {"postgres": {"condition": "service_healthy", "required": False}}


# metrics


def test_prometheus_asks_the_game_and_has_the_alerts() -> None:
    told = yaml.safe_load(MONITORING.joinpath("prometheus.yml").read_text())
    [job] = told["scrape_configs"]
    port = str(Settings.model_fields["admin_address"].default).rpartition(":")[2]
    assert job["static_configs"] == [{"targets": [f"game:{port}"]}]
    assert all(MONITORING.joinpath(name).is_file() for name in told["rule_files"])
    assert service("prometheus")["volumes"][0] == "./examples/monitoring:/etc/prometheus:ro"


def dashboard() -> dict[str, Any]:
    read: dict[str, Any] = json.loads(MONITORING.joinpath("dashboards", "tablero.json").read_text())
    return read


def test_the_dashboard_shows_every_metric_of_the_server_and_no_other() -> None:
    texts = [target["expr"] for panel in dashboard()["panels"] for target in panel["targets"]]
    shown = {
        name.removesuffix("_bucket")
        for text in texts
        for name in re.findall(r"\b(?:tablero|process)_\w+", text)
    }
    known = {each.name for each in EXPORTED}
    assert shown <= known
    assert {name for name in known if name.startswith("tablero_")} - shown == {"tablero_outbox_bytes"}


def test_no_panel_of_the_dashboard_covers_another() -> None:
    fields = [
        (x, y)
        for place in (panel["gridPos"] for panel in dashboard()["panels"])
        for x in range(place["x"], place["x"] + place["w"])
        for y in range(place["y"], place["y"] + place["h"])
    ]
    assert len(fields) == len(set(fields))
    assert max(x for x, _ in fields) < 24


def test_grafana_finds_its_source_and_its_dashboard_and_lets_nobody_sign_in() -> None:
    [source] = yaml.safe_load(MONITORING.joinpath("grafana/datasources/prometheus.yml").read_text())[
        "datasources"
    ]
    assert {panel["datasource"]["uid"] for panel in dashboard()["panels"]} == {source["uid"]}
    [provider] = yaml.safe_load(MONITORING.joinpath("grafana/dashboards/tablero.yml").read_text())[
        "providers"
    ]
    assert (
        f"./examples/monitoring/dashboards:{provider['options']['path']}:ro" in service("grafana")["volumes"]
    )
    settings = service("grafana")["environment"]
    assert settings["GF_AUTH_DISABLE_LOGIN_FORM"] == "true"
    assert settings["GF_AUTH_ANONYMOUS_ORG_ROLE"] == "Viewer"
    assert settings["GF_ANALYTICS_REPORTING_ENABLED"] == "false"


@pytest.mark.skipif(shutil.which("promtool") is None, reason="needs promtool (Debian's prometheus)")
def test_promtool_takes_the_settings_and_every_question_of_the_dashboard(tmp_path: Path) -> None:
    subprocess.run(
        ["promtool", "check", "config", MONITORING / "prometheus.yml"], check=True, capture_output=True
    )
    rules = [
        {"record": f"panel:{panel['id']}:{target['refId']}", "expr": target["expr"]}
        for panel in dashboard()["panels"]
        for target in panel["targets"]
    ]
    file = tmp_path / "rules.yml"
    file.write_text(yaml.safe_dump({"groups": [{"name": "dashboard", "rules": rules}]}))
    subprocess.run(["promtool", "check", "rules", file], check=True, capture_output=True)
