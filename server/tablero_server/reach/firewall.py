"""Whether a firewall of this machine seems to keep a port closed, and the command that opens it.

What a firewall lets through only root may read; so this tells of one that is switched on, and claims no more.
"""

from __future__ import annotations

import sys
from pathlib import Path

_ROOT = Path("/")


def opened_by(port: int, root: Path = _ROOT, platform: str = sys.platform) -> str | None:
    """The command that lets others in. None: no firewall is known to be on."""
    if platform == "win32":
        rule = f"name=Tablero dir=in action=allow protocol=TCP localport={port}"
        return f"netsh advfirewall firewall add rule {rule}"
    try:
        settings = root.joinpath("etc/ufw/ufw.conf").read_text("utf-8", "replace").lower()
    except OSError:
        settings = ""
    if "enabled=yes" in settings.replace(" ", "").split():
        return f"sudo ufw allow {port}/tcp"
    if root.joinpath("run/firewalld.pid").exists():
        return f"sudo firewall-cmd --add-port={port}/tcp"
    return None
