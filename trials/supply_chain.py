"""List a server's packages with their licences, and check that two builds of the wheel are equal.

`python -m trials.supply_chain [--out FOLDER] [--offline] [--audit PROGRAM]`, or `make supply-chain`. It
writes `sbom.json` (CycloneDX) and `licences.md` for the packages in requirements.lock. It builds the wheel in
two places from files of different ages, and runs pip-audit for known weaknesses. The exit code is 1 if a
licence is unknown, the wheels differ or a weakness is known. It is 3 if that could not be checked: without
pip-audit, or without its advisories.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
import time
from argparse import ArgumentParser
from collections.abc import Sequence
from hashlib import sha256
from importlib.metadata import PackageNotFoundError, metadata
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Literal, NamedTuple

ROOT = Path(__file__).parents[1]
SOURCES = ("protocol", "games", "server", "clients", "pyproject.toml", "README.md", "CHANGELOG.md", "LICENSE")

ALLOWED = {
    "0BSD", "Apache-2.0", "BSD-2-Clause", "BSD-3-Clause", "CC0-1.0", "ISC", "MIT", "MPL-2.0", "PSF-2.0",
    "Zlib",
    "LGPL-2.1-or-later",  # the licence of zeroconf, which is installed unchanged
}  # fmt: skip
_WRITTEN = {
    "Apache 2.0": "Apache-2.0",
    "Apache Software License": "Apache-2.0",
    "BSD License": "BSD-3-Clause",
    "ISC License (ISCL)": "ISC",
    "MIT License": "MIT",
    "Python Software Foundation License": "PSF-2.0",
}
"""Old names of licences, with their present SPDX names."""
_ENTRY = re.compile(
    r"^([a-z0-9._-]+)==([^ ;\\\n]+)(?: ; ([^\\\n]+?))? ?\\?$((?:\n    --hash=sha256:[0-9a-f]+ ?\\?)*)", re.M
)

Verdict = Literal["nothing known", "weak", "not checked"]


class Package(NamedTuple):
    name: str
    version: str
    marker: str
    """The platforms on which the package is needed; empty: all."""
    hashes: tuple[str, ...]
    licence: str
    """The SPDX name of the licence; empty if the package is not installed here."""


def packages(lock: str) -> list[Package]:
    """The packages in the text of a lock."""
    found = []
    for name, version, marker, hashes in _ENTRY.findall(lock):
        digests = tuple(sorted(re.findall(r"sha256:([0-9a-f]+)", hashes)))
        found.append(Package(name, version, marker, digests, licence_of(name)))
    return found


def licence_of(name: str) -> str:
    try:
        told = metadata(name)
    except PackageNotFoundError:
        return ""
    if "License-Expression" in told:
        return str(told["License-Expression"])
    classified = [
        str(each).rpartition(" :: ")[2] for each in told.get_all("Classifier") or () if "License ::" in each
    ]
    written = classified or [str(told["License"]) if "License" in told else "?"]
    return _WRITTEN.get(written[0], written[0])


def unknown_licences(found: Sequence[Package]) -> list[str]:
    """The packages whose licence somebody has to check."""
    return [
        f"{each.name}: {each.licence or 'not installed here'}"
        for each in found
        if not (_is_known(each.licence) if each.licence else each.marker)
    ]


def _is_known(licence: str) -> bool:
    return {each for each in re.split(r" AND | OR |[() ]", licence) if each} <= ALLOWED


def sbom(found: Sequence[Package], version: str, made: int) -> dict[str, Any]:
    """An SBOM in CycloneDX 1.6; equal locks give equal bytes."""
    components = [
        {
            "type": "library",
            "bom-ref": f"pkg:pypi/{each.name}@{each.version}",
            "name": each.name,
            "version": each.version,
            "purl": f"pkg:pypi/{each.name}@{each.version}",
            "hashes": [{"alg": "SHA-256", "content": digest} for digest in each.hashes],
            **({"licenses": [{"expression": each.licence}]} if each.licence else {}),
            **({"properties": [{"name": "tablero:marker", "value": each.marker}]} if each.marker else {}),
        }
        for each in found
    ]
    when = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(made))
    root = {"type": "application", "bom-ref": "tablero", "name": "tablero", "version": version}
    return {
        "bomFormat": "CycloneDX",
        "specVersion": "1.6",
        "version": 1,
        "metadata": {"timestamp": when, "component": {**root, "licenses": [{"expression": "MIT"}]}},
        "components": components,
        "dependencies": [{"ref": "tablero", "dependsOn": sorted({each["bom-ref"] for each in components})}],
    }


def licences(found: Sequence[Package]) -> str:
    rows = [
        f"| {each.name} | {each.version} | {each.licence or 'not installed here'} | {each.marker} |"
        for each in found
    ]
    return "\n".join(["| package | version | licence | only where |", "|---|---|---|---|", *rows, ""])


def build(made: int, day: int) -> tuple[str, str, int]:
    """Builds a wheel in a separate place from files that many days old. Returns name, hash and bytes."""
    with TemporaryDirectory() as folder:
        copy, out = Path(folder) / f"source{day}", Path(folder) / "out"
        copy.mkdir()
        for name in SOURCES:
            source = ROOT / name
            if source.is_dir():
                shutil.copytree(source, copy / name, ignore=shutil.ignore_patterns("__pycache__"))
            else:
                shutil.copy(source, copy)
        for path in copy.rglob("*"):
            os.utime(path, (made - day * 86_400,) * 2)
        subprocess.run(
            [sys.executable, "-m", "hatchling", "build", "--target", "wheel", "--directory", str(out)],
            cwd=copy,
            env={**os.environ, "SOURCE_DATE_EPOCH": str(made), "TZ": f"XYZ{day % 12}"},
            check=True,
            capture_output=True,
        )
        [wheel] = out.glob("*.whl")
        return wheel.name, sha256(wheel.read_bytes()).hexdigest(), wheel.stat().st_size


def audit(program: str | None, lock: Path) -> tuple[Verdict, str]:
    """Runs pip-audit on a lock, with advisories from the internet. Returns its result and a sentence."""
    if program is None:
        return (
            "not checked",
            "pip-audit is not here (pip install pip-audit): nobody looked for known weaknesses.",
        )
    command = [program, "--requirement", str(lock), "--disable-pip", "--require-hashes", "--format", "json"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    try:
        told = json.loads(done.stdout)["dependencies"]
    except (ValueError, LookupError, TypeError):
        why = (done.stderr.strip().splitlines() or ["no answer"])[-1]
        return "not checked", f"The advisories could not be reached, so nothing is known: {why}"
    weak = [
        f"{each['name']} {each['version']}: {each_of['id']}"
        for each in told
        for each_of in each.get("vulns", ())
    ]
    if weak:
        return "weak", "\n".join(["Known weaknesses:", *weak])
    return "nothing known", f"No weakness is known of {len(told)} packages."


def source_date() -> int:
    """The time of the last commit, unless SOURCE_DATE_EPOCH is set."""
    if said := os.environ.get("SOURCE_DATE_EPOCH"):
        return int(said)
    command = ["git", "log", "-1", "--format=%ct"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    return int(done.stdout or 0) or int((ROOT / "pyproject.toml").stat().st_mtime)


def main(typed: Sequence[str] | None = None) -> int:
    parser = ArgumentParser(
        prog="python -m trials.supply_chain", description=(__doc__ or "").partition("\n")[0]
    )
    parser.add_argument("--out", type=Path, default=ROOT / "dist")
    parser.add_argument("--audit", default="pip-audit", help="the program that knows where advisories are")
    parser.add_argument("--offline", action="store_true", help="without the audit")
    chosen = parser.parse_args(typed)
    lock, made = ROOT / "requirements.lock", source_date()
    found = packages(lock.read_text())
    first, second = build(made, 1), build(made, 400)
    chosen.out.mkdir(parents=True, exist_ok=True)
    version = first[0].split("-")[1]
    (chosen.out / "sbom.json").write_text(json.dumps(sbom(found, version, made), indent=1) + "\n")
    (chosen.out / "licences.md").write_text(licences(found))
    print(f"{len(found)} packages, in {chosen.out}/sbom.json and licences.md")
    unknown = unknown_licences(found)
    print("\n".join(["Licences to look at:", *unknown]) if unknown else "Every licence is a known one.")
    same = first == second
    print(
        f"{first[0]}, {first[2]:,} bytes, built twice: {'alike' if same else 'DIFFERENT'} ({first[1][:16]})"
    )
    verdict, sentence = ("not checked", "The audit was left out.")
    if not chosen.offline:
        verdict, sentence = audit(shutil.which(chosen.audit), lock)
    print(sentence)
    if unknown or not same or verdict == "weak":
        return 1
    return 3 if verdict == "not checked" and not chosen.offline else 0


if __name__ == "__main__":
    sys.exit(main())
