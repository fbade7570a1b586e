"""Shell: whoever runs a client has all that it asks of the world."""

from __future__ import annotations

import pytest

from tablero.client.connection import Connection
from tablero.client.shell import Shell
from tests.harness.rig import FakeShell


@pytest.mark.parametrize("kind", [Connection, FakeShell])
def test_a_shell_has_all_that_a_client_needs(kind: type[Shell]) -> None:
    needed = {name for name in vars(Shell) if not name.startswith("_")}
    assert "promise" in needed
    assert needed <= {*dir(kind), *kind.__annotations__}
