"""The supply chain is told whole, and what could not be checked is never told as well."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest

from trials import supply_chain
from trials.supply_chain import Package, audit, build, licences, main, packages, sbom, unknown_licences

LOCK = (supply_chain.ROOT / "requirements.lock").read_text()


def program(folder: Path, text: str, *, says: str = "", code: int = 0) -> str:
    """A pip-audit that prints `text`, and complains with `says`."""
    file = folder / "pip-audit"
    prints = f"sys.stdout.write({text!r})\nsys.stderr.write({says!r})"
    file.write_text(f"#!{sys.executable}\nimport sys\n{prints}\nsys.exit({code})\n")
    file.chmod(0o700)
    return str(file)


def test_every_package_of_the_lock_is_told_with_its_hashes() -> None:
    found = packages(LOCK)
    assert len(found) == sum(line[:1].islower() and "==" in line for line in LOCK.splitlines())
    assert sum(len(each.hashes) for each in found) == LOCK.count("--hash=sha256:")
    assert {each.name for each in found} >= {"aiohttp", "colorama", "pydantic", "prometheus-client"}
    assert next(each.marker for each in found if each.name == "colorama") == "sys_platform == 'win32'"


def test_every_licence_is_a_known_one() -> None:
    assert unknown_licences(packages(LOCK)) == []


@pytest.mark.parametrize(
    ("licence", "marker", "known"),
    [
        ("MIT", "", True),
        ("BSD-3-Clause AND (MIT OR Apache-2.0)", "", True),
        ("MIT AND GPL-3.0-only", "", False),
        ("?", "", False),
        ("", "", False),
        ("", "sys_platform == 'win32'", True),
    ],
)
def test_a_licence_that_nobody_has_looked_at_is_told(licence: str, marker: str, known: bool) -> None:
    assert (unknown_licences([Package("x", "1", marker, (), licence)]) == []) is known


def test_the_bill_of_materials_is_the_same_every_time_and_has_what_is_asked_of_one() -> None:
    found = packages(LOCK)
    told = sbom(found, "0.1.0", 1_700_000_000)
    assert json.dumps(told) == json.dumps(sbom(packages(LOCK), "0.1.0", 1_700_000_000))
    assert (told["bomFormat"], told["specVersion"]) == ("CycloneDX", "1.6")
    assert told["metadata"]["timestamp"] == "2023-11-14T22:13:20Z"
    assert all(each["purl"].startswith("pkg:pypi/") and each["hashes"] for each in told["components"])
    references = [each["bom-ref"] for each in told["components"]]
    assert len(set(references)) == len(references)
    assert told["dependencies"][0]["dependsOn"] == sorted(references)
    assert licences(found).count("\n| ") == len(found)


def test_a_wheel_is_the_same_wherever_and_whenever_it_is_built() -> None:
    first, second = build(1_700_000_000, 1), build(1_700_000_000, 400)
    assert first == second
    assert build(1_800_000_000, 1)[1] != first[1]


def test_what_pip_audit_says_is_told(tmp_path: Path) -> None:
    weak = {"dependencies": [{"name": "x", "version": "1", "vulns": [{"id": "CVE-1"}]}, {"name": "y"}]}
    verdict, sentence = audit(program(tmp_path, json.dumps(weak), code=1), Path("lock"))
    assert (verdict, sentence) == ("weak", "Known weaknesses:\nx 1: CVE-1")
    well = {"dependencies": [{"name": "x", "version": "1", "vulns": []}]}
    verdict, sentence = audit(program(tmp_path, json.dumps(well)), Path("lock"))
    assert (verdict, sentence) == ("nothing known", "No weakness is known of 1 packages.")


def test_advisories_that_could_not_be_reached_are_told_and_not_taken_for_good_news(tmp_path: Path) -> None:
    away = program(tmp_path, "", says="Traceback\nConnectionError: no route", code=1)
    verdict, sentence = audit(away, Path("lock"))
    assert verdict == "not checked"
    assert sentence.startswith("The advisories could not be reached, so nothing is known: ConnectionError")
    assert audit(None, Path("lock"))[0] == "not checked"


def test_the_exit_code_tells_not_checked_from_well(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(supply_chain, "build", lambda made, day: ("tablero-0.1.0-py3-none-any.whl", "a", 1))
    out = ["--out", str(tmp_path)]
    assert main([*out, "--offline"]) == 0
    assert main([*out, "--audit", str(tmp_path / "none")]) == 3
    assert "nobody looked for known weaknesses" in capsys.readouterr().out
    weak = json.dumps({"dependencies": [{"name": "x", "version": "1", "vulns": [{"id": "CVE-1"}]}]})
    assert main([*out, "--audit", program(tmp_path, weak)]) == 1
    monkeypatch.setattr(
        supply_chain, "build", lambda made, day: ("tablero-0.1.0-py3-none-any.whl", str(day), 1)
    )
    assert main([*out, "--offline"]) == 1
    assert "DIFFERENT" in capsys.readouterr().out
    assert json.loads((tmp_path / "sbom.json").read_text())["components"]
