"""The two machine-readable documents as pages for people: `/protocol` and `/api`, without a script.

Law: the pages say nothing that is not in the documents. A program gets the document instead.
"""

from __future__ import annotations

import json
import re
from base64 import b64encode
from collections.abc import Iterable, Iterator
from functools import cache
from hashlib import sha256
from html import escape
from importlib import resources
from string import Template
from typing import Any

from aiohttp import web

from .openapi import document
from .pages import long_answer
from .web_client import Asset

Json = dict[str, Any]

_FRAME = resources.files("tablero_server.http").joinpath("reading_page.html").read_text("utf-8")
_STYLE = _FRAME.partition("<style>")[2].partition("</style>")[0]
_HASH = b64encode(sha256(_STYLE.encode()).digest()).decode()
_HEADERS = {
    "Content-Security-Policy": f"default-src 'none'; style-src 'sha256-{_HASH}'; base-uri 'none'; "
    "form-action 'none'; frame-ancestors 'none'",
    "Referrer-Policy": "no-referrer",
    "Cache-Control": "no-cache",
    "Vary": "Accept, Accept-Encoding",
}


def routes() -> list[web.RouteDef]:
    return [
        web.get("/protocol", _protocol),
        web.get("/api", _api),
        web.get("/api/openapi.json", _openapi),
    ]


async def _protocol(request: web.Request) -> web.Response:
    if _wants_to_read(request):
        return _protocol_page().answer(request, _HEADERS)
    return long_answer(asyncapi(), "application/json")


async def _api(request: web.Request) -> web.Response:
    return _api_page().answer(request, _HEADERS) if _wants_to_read(request) else await _openapi(request)


async def _openapi(request: web.Request) -> web.Response:
    return long_answer(document(), "application/json")


def _wants_to_read(request: web.Request) -> bool:
    return "text/html" in request.headers.get("Accept", "")


@cache
def asyncapi() -> bytes:
    return resources.files("tablero_protocol").joinpath("asyncapi.json").read_bytes()


@cache
def _protocol_page() -> Asset:
    return _asset(protocol_html(json.loads(asyncapi())))


@cache
def _api_page() -> Asset:
    return _asset(api_html(json.loads(document())))


def _asset(html: str) -> Asset:
    return Asset.of("text/html; charset=utf-8", html.encode())


def protocol_html(told: Json) -> str:
    """The page with every message by sender, then the types of their fields, then every code."""
    schemas, sent = told["components"]["schemas"], told["components"]["messages"]
    asked = [name for name, each in told["operations"].items() if each["action"] == "receive"]
    said = [name for name in sent if name not in asked]
    own = {each["payload"]["$ref"].rpartition("/")[2] for each in sent.values()}
    others = [name for name in schemas if name not in own]
    parts = [_paragraphs(told["info"]["description"])]
    for title, names in (("What clients send", asked), ("What servers send", said)):
        parts += [f"<h2>{title}</h2>", _links("message-", names)]
        parts += [_message(sent[name], schemas) for name in names]
    parts += ["<h2>Values within messages</h2>", _links("schema-", others)]
    parts += [_schema(name, schemas[name]) for name in others]
    codes = [(name, each["fault"], each["whatToDo"]) for name, each in told["x-refusal-codes"].items()]
    reasons = [(name, each["code"], each["sentence"]) for name, each in told["x-refusal-reasons"].items()]
    parts += ["<h2>Codes of refusals</h2>", _table(("code", "whose fault", "what to do"), codes)]
    parts += ["<h2>Reasons of refusals</h2>", _table(("reason", "code", "sentence"), reasons)]
    closed = list(told["x-close-codes"].items())
    parts += ["<h2>Codes of closed connections</h2>", _table(("code", "why"), closed)]
    return _page("Tablero: the protocol", parts)


def api_html(told: Json) -> str:
    """The page with every address for programs, then the types of their fields."""
    parts = [_paragraphs(told["info"]["description"])]
    for path, methods in told["paths"].items():
        for method, each in methods.items():
            parts.append(_operation(method, path, each))
    schemas = told["components"]["schemas"]
    parts += ["<h2>Values within answers</h2>", _links("schema-", schemas)]
    parts += [_schema(name, each) for name, each in schemas.items()]
    return _page("Tablero: pages for programs", parts)


def _page(title: str, parts: Iterable[str]) -> str:
    return Template(_FRAME).substitute(title=title, parts="\n".join(parts))


def _message(told: Json, schemas: Json) -> str:
    name, model = told["name"], told["payload"]["$ref"].rpartition("/")[2]
    examples = [
        json.dumps(each["payload"], ensure_ascii=False, indent=1) for each in told.get("examples", ())
    ]
    shown = "".join(f"<pre><code>{escape(each)}</code></pre>" for each in examples)
    title = f'<h3 id="message-{name}"><span id="schema-{model}"></span><code>{name}</code></h3>'
    return f"{title}{_paragraphs(told.get('summary', ''))}{_fields(schemas[model])}{shown}"


def _operation(method: str, path: str, told: Json) -> str:
    asked = [
        (each["name"], each["in"], _kind(each["schema"]), _presence(each["required"], each["schema"]))
        for each in told.get("parameters", ())
    ]
    answers = [
        (status, _marked(each["description"]), " ".join(_contents(each)))
        for status, each in told["responses"].items()
    ]
    about = _paragraphs(f"{told['summary']}\n\n{told.get('description', '')}")
    title = f"<h2><code>{method.upper()} {escape(path)}</code></h2>{about}"
    fields = _raw_table(("name", "in", "kind", ""), asked) if asked else ""
    return f"{title}{fields}{_raw_table(('status', 'when', 'answer'), answers)}"


def _contents(answer: Json) -> Iterator[str]:
    for kind, each in answer.get("content", {}).items():
        yield f"{_kind(each['schema'])} as <code>{escape(kind)}</code>"


def _schema(name: str, told: Json) -> str:
    about = _paragraphs(told.get("description", ""))
    shape = _fields(told) if "properties" in told else f"<p>{_kind(told)}</p>"
    return f'<h3 id="schema-{name}">{name}</h3>{about}{shape}'


def _fields(told: Json) -> str:
    required = told.get("required", ())
    rows = [
        (f"<code>{escape(name)}</code>", _kind(each), _presence(name in required, each), _about(each))
        for name, each in told.get("properties", {}).items()
    ]
    return _raw_table(("field", "kind", "", ""), rows) if rows else ""


def _about(told: Json) -> str:
    return _marked(told.get("description", ""))


def _presence(required: bool, told: Json) -> str:
    if required:
        return "always"
    default = told.get("default")
    return "" if default is None else f"else <code>{escape(json.dumps(default))}</code>"


def _kind(told: Json) -> str:
    """A schema in a few words, with a link if it has a name."""
    if "$ref" in told:
        name = told["$ref"].rpartition("/")[2]
        return f'<a href="#schema-{name}">{name}</a>'
    if "const" in told:
        return f"<code>{escape(json.dumps(told['const']))}</code>"
    if "enum" in told:
        return " or ".join(f"<code>{escape(json.dumps(each))}</code>" for each in told["enum"])
    for several in ("anyOf", "oneOf"):
        if several in told:
            return " or ".join(_kind(each) for each in told[several])
    if "prefixItems" in told:
        return f"[{', '.join(map(_kind, told['prefixItems']))}]"
    kind = told.get("type", "anything")
    if isinstance(kind, list):
        return " or ".join(kind)
    if kind == "array":
        return f"list of {_kind(told.get('items', {}))}"
    if kind == "object" and isinstance(told.get("additionalProperties"), dict):
        return f"object of {_kind(told['additionalProperties'])}"
    bounds = ((told.get("minimum"), told.get("maximum")), (told.get("minLength"), told.get("maxLength")))
    return f"{kind}{''.join(map(_bounds, bounds))}"


def _bounds(bounds: tuple[Any, Any]) -> str:
    least, most = bounds
    if least is None and most is None:
        return ""
    return f", {'' if least is None else least}..{'' if most is None else most}"


def _links(before: str, names: Iterable[str]) -> str:
    return "<nav>" + "<br>".join(f'<a href="#{before}{name}">{name}</a>' for name in names) + "</nav>"


def _table(head: Iterable[str], rows: Iterable[Iterable[str]]) -> str:
    return _raw_table(head, ([_marked(cell) for cell in row] for row in rows))


def _raw_table(head: Iterable[str], rows: Iterable[Iterable[str]]) -> str:
    """A table whose cells are already HTML."""
    top = "".join(f'<th scope="col">{name}</th>' for name in head)
    lines = ("<tr>" + "".join(f"<td>{cell}</td>" for cell in row) + "</tr>" for row in rows)
    return f"<table><tr>{top}</tr>\n" + "\n".join(lines) + "</table>"


def _paragraphs(text: str) -> str:
    return "".join(f"<p>{_marked(each)}</p>" for each in text.split("\n\n") if each)


def _marked(text: str) -> str:
    return re.sub(r"`([^`]+)`", r"<code>\1</code>", escape(text))
