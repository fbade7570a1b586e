"""The health check says yes to a healthy server alone."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, HTTPServer

import pytest

from tablero_server.operations.healthcheck import answers, main


@contextmanager
def a_server_that_says(status: int) -> Iterator[int]:
    """A web server on a free port whose /healthz answers `status`."""

    class Page(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self.send_response(status if self.path == "/healthz" else 404)
            self.end_headers()

        def log_message(self, format: str, *args: object) -> None:
            pass

    with HTTPServer(("127.0.0.1", 0), Page) as server:
        thread = threading.Thread(target=server.handle_request)
        thread.start()
        yield server.server_port
        thread.join()


@pytest.mark.parametrize(("status", "well"), [(200, True), (503, False), (404, False)])
def test_only_200_is_well(status: int, well: bool) -> None:
    with a_server_that_says(status) as port:
        assert answers("127.0.0.1", port) is well


def test_nobody_there_is_not_well() -> None:
    with HTTPServer(("127.0.0.1", 0), BaseHTTPRequestHandler) as server:
        free = server.server_port
    assert not answers("127.0.0.1", free)


@pytest.mark.parametrize(("status", "exit_code"), [(200, 0), (503, 1)])
def test_it_asks_the_port_that_the_server_was_given(
    monkeypatch: pytest.MonkeyPatch, status: int, exit_code: int
) -> None:
    with a_server_that_says(status) as port:
        monkeypatch.setenv("TABLERO_HOST", "0.0.0.0")
        monkeypatch.setenv("TABLERO_PORT", str(port))
        assert main() == exit_code
