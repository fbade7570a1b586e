"""The documents as pages: all that they say, to be read without the internet; programs get the documents."""

from __future__ import annotations

import json
import re
from html.parser import HTMLParser

import pytest

from tablero_server.http.openapi import document
from tablero_server.http.reading_pages import _kind, api_html, asyncapi, protocol_html
from tests.harness.pages import Browser
from tests.harness.wire import a_server

READER = {"Accept": "text/html,*/*"}


class Ids(HTMLParser):
    """What can be linked to, what is, and which elements there are."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.ids: list[str] = []
        self.links: set[str] = set()
        self.elements: set[str] = set()
        self.open: list[str] = []
        self.feed(html)

    def handle_starttag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        self.elements.add(tag)
        self.ids += [text for name, text in attributes if name == "id" and text]
        self.links |= {text for name, text in attributes if name in ("href", "src") and text}
        if tag not in ("meta", "br"):
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag


PAGES = {
    "/protocol": protocol_html(json.loads(asyncapi())),
    "/api": api_html(json.loads(document())),
}


@pytest.mark.parametrize("path", PAGES)
def test_every_link_leads_somewhere_on_the_page_itself(path: str) -> None:
    page = Ids(PAGES[path])
    assert page.open == []
    assert page.links
    assert page.links <= {f"#{id}" for id in page.ids}
    assert len(page.ids) == len(set(page.ids))
    assert not page.elements & {"script", "img", "link", "iframe", "form"}
    assert not re.search(r" (on\w+|style)=", PAGES[path])


def test_every_message_field_and_code_is_there() -> None:
    told, page = json.loads(asyncapi()), PAGES["/protocol"]
    for name in told["components"]["messages"]:
        assert f'<h3 id="message-{name}">' in page
    for schema in told["components"]["schemas"].values():
        assert all(f"<code>{field}</code>" in page for field in schema.get("properties", ()))
    for kind in ("x-refusal-codes", "x-refusal-reasons", "x-close-codes"):
        assert all(f"<td>{name}</td>" in page for name in told[kind])


def test_every_page_for_programs_is_there() -> None:
    told = json.loads(document())
    for path, methods in told["paths"].items():
        for method in methods:
            assert f"<code>{method.upper()} {path}</code>" in PAGES["/api"]


@pytest.mark.parametrize("path", PAGES)
async def test_people_get_the_page_and_programs_the_document(path: str) -> None:
    async with a_server() as server:
        browser = Browser(server)
        assert await browser.get(path, **READER) == (200, PAGES[path])
        status, text = await browser.get(path)
        assert (status, json.loads(text)["info"]["title"]) == (200, "Tablero")
        await browser.connect()
        await browser.ask(path, **READER)
        _, headers, _ = await browser.answer()
        browser.leave()
    policy = headers["content-security-policy"]
    assert "default-src 'none'" in policy
    assert "unsafe" not in policy
    assert "accept" in headers["vary"]


@pytest.mark.parametrize(
    ("schema", "words"),
    [
        ({"const": "x"}, "<code>&quot;x&quot;</code>"),
        ({"enum": [1, 2]}, "<code>1</code> or <code>2</code>"),
        ({"anyOf": [{"type": "string", "maxLength": 9}, {"type": "null"}]}, "string, ..9 or null"),
        ({"type": "array", "items": {"$ref": "#/a/Seat"}}, 'list of <a href="#schema-Seat">Seat</a>'),
        (
            {"type": "object", "additionalProperties": {"type": "integer", "minimum": 0}},
            "object of integer, 0..",
        ),
        ({"type": ["string", "null"]}, "string or null"),
        ({"prefixItems": [{"type": "integer"}, {}]}, "[integer, anything]"),
        ({}, "anything"),
    ],
)
def test_a_schema_is_told_in_a_few_words(schema: dict[str, object], words: str) -> None:
    assert _kind(schema) == words
