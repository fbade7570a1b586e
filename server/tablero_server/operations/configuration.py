"""`tablero config`: each setting with its value and its source.

Law: of a secret setting only its presence is shown, never its value.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Mapping
from difflib import get_close_matches
from typing import Any, NamedTuple
from urllib.parse import urlsplit, urlunsplit

from pydantic import ValidationError

from ..settings import FOR_OTHERS, PREFIX, Settings

HIDDEN = "(hidden)"
_FOR_TESTS = "TEST_"


class WrongSettings(Exception):
    """Raised for invalid settings, with a sentence for each."""


class Shown(NamedTuple):
    variable: str
    value: Any
    source: str
    """`default`, `environment` or `option`."""


def read_settings(environment: Mapping[str, str] = os.environ, **options: Any) -> Settings:
    """The settings from options, then from variables. An option of None is ignored. Raises WrongSettings."""
    if unknown := unknown_variables(environment):
        raise WrongSettings("\n".join(unknown))
    try:
        return Settings(**{name: value for name, value in options.items() if value is not None})
    except ValidationError as error:
        sentences = [
            f"TABLERO_{str(wrong['loc'][0]).upper()}: {wrong['msg'].removeprefix('Value error, ')}."
            for wrong in error.errors(include_url=False)
        ]
        raise WrongSettings("\n".join(sentences)) from None


def unknown_variables(names: Iterable[str]) -> list[str]:
    """A sentence for each variable that looks like a setting but isn't one."""
    known = [field.upper() for field in Settings.model_fields]
    sentences = []
    for name in sorted(names):
        setting = name.upper().removeprefix(PREFIX)
        if setting == name.upper() or setting in (*known, *FOR_OTHERS) or setting.startswith(_FOR_TESTS):
            continue
        close = get_close_matches(setting, known, 1)
        hint = f"Did you mean {PREFIX}{close[0]}?" if close else "docs/hosting.md lists all settings."
        sentences.append(f"{name}: there is no such setting. {hint}")
    return sentences


def in_force(settings: Settings, environment: Mapping[str, str] = os.environ) -> list[Shown]:
    """The settings in force, in the order of docs/hosting.md."""
    variables = {name.upper() for name in environment}
    shown = []
    for name, field in Settings.model_fields.items():
        variable, value = f"TABLERO_{name.upper()}", getattr(settings, name)
        source = "default"
        if variable in variables and name in settings.model_fields_set:
            source = "environment"
        elif name in settings.model_fields_set:
            source = "option"
        if isinstance(value, str):
            value = _without_secret(value, secret=not field.repr)
        shown.append(Shown(variable, value, source))
    return shown


def listed(shown: list[Shown]) -> str:
    """The settings as text: one line each, in columns."""
    texts = [(each.variable, _text(each.value), each.source) for each in shown]
    widths = [max(len(row[column]) for row in texts) for column in (0, 2)]
    return "\n".join(
        f"{variable:{widths[0]}}  {source:{widths[1]}}  {value}".rstrip() for variable, value, source in texts
    )


def show(*, as_json: bool, changed: bool, **options: Any) -> str:
    """The output of `tablero config`. Raises WrongSettings."""
    shown = in_force(read_settings(**options))
    if changed:
        shown = [each for each in shown if each.source != "default"]
    if as_json:
        return json.dumps({each.variable: {"value": each.value, "from": each.source} for each in shown})
    return listed(shown) if shown else "Every setting has its default."


def _without_secret(text: str, *, secret: bool) -> str:
    """The text without secrets, such as the password in a database URL."""
    if secret:
        return HIDDEN if text else ""
    if "://" not in text or "@" not in text:
        return text
    try:
        parts = urlsplit(text)
        if parts.password is None and "password" not in parts.query:
            return text
    except ValueError:
        return HIDDEN
    user, _, host = parts.netloc.rpartition("@")
    user = user.partition(":")[0]
    query = HIDDEN if "password" in parts.query else parts.query
    return urlunsplit(
        parts._replace(netloc=f"{user}:{HIDDEN}@{host}" if parts.password else parts.netloc, query=query)
    )


def _text(value: Any) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)
