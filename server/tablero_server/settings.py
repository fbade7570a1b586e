"""Settings of the server, by variable TABLERO_* or by option of `tablero serve`; all are optional."""

from __future__ import annotations

import re
from math import ceil
from pathlib import Path
from typing import Literal
from urllib.parse import quote, urlsplit

from pydantic import Field, ValidationInfo, field_validator
from pydantic_settings import BaseSettings, SettingsConfigDict

from tablero_protocol.phrases import ChatPolicy

from .core.limits.limits import Limits, Rate
from .core.people.entry_policy import EntryKind, EntryPolicy
from .wire.addresses import LOCAL_NETWORKS, AddressLimits, read_networks
from .wire.names import is_name

_PATH = re.compile(r"/([A-Za-z0-9_~-][A-Za-z0-9._~-]*/)*")


def as_path(text: str) -> str:
    """The path with a slash at both ends."""
    path = f"/{text.strip('/')}/".replace("//", "/")
    if not _PATH.fullmatch(path):
        raise ValueError(
            f"{text!r:.80} is not a path; write it as /games/, with only letters, digits and - . _ ~"
        )
    return path


def with_password(url: str, file: str | None) -> str:
    """The URL of a PostgreSQL database with the password from the file added, unless it has one."""
    if not file or not url.startswith("postgres"):
        return url
    parts = urlsplit(url)
    if parts.password is not None:
        return url
    try:
        password = read_first_line(file)
    except (OSError, UnicodeDecodeError) as error:
        why = getattr(error, "strerror", None) or error
        raise ValueError(f"Cannot read its password from {file}: {why}") from None
    user, _, where = parts.netloc.rpartition("@")
    return parts._replace(netloc=f"{user}:{quote(password, safe='')}@{where}").geturl()


def read_first_line(file: str) -> str:
    return Path(file).read_text("utf-8").partition("\n")[0].strip()


PREFIX = "TABLERO_"
FOR_OTHERS = ("SERVER", "NAME", "HOME", "LANG", "PASSPHRASE")
"""Variables of the clients, which may be set on a machine that also hosts."""


_ORIGIN = re.compile(r"https?://([a-z0-9._-]+|\[[0-9a-f:]+\])(:[0-9]{1,5})?")

_ADDRESS = re.compile(r"(?P<host>\[[0-9a-f:.]+\]|[A-Za-z0-9._-]+):(?P<port>[0-9]{1,5})")

_PACE = re.compile(r"([^=]+=)?[0-9]{1,3}(\.[0-9]{1,3})?")
"""A value of `tablero bot-host --pace`."""

_RENAMES_WITHOUT_CHAT = Rate(3_600_000, 1)
"""The rate of renames while chat is off: otherwise players could chat by names."""


class Settings(BaseSettings):
    model_config = SettingsConfigDict(env_prefix=PREFIX, extra="ignore", frozen=True)

    host: str = Field("127.0.0.1", description="Address to listen on; 0.0.0.0 lets others in.")
    lan: bool = Field(
        False, description="Listen on every address of this machine, and let others in your network find it."
    )
    port: int = Field(
        8470,
        ge=0,
        le=65_535,
        description="The one port for players; 0 takes a free one. Unset: 8470, or the next free port.",
    )
    tls: Literal["off", "auto"] = Field(
        "off",
        description="Speak TLS without a proxy; auto: with a certificate of this server's own, of which "
        "browsers warn. Files of yours need no word here.",
    )
    tls_cert: str = Field(
        "",
        description="File with the certificate and those that vouch for it, in PEM; read again when renewed.",
    )
    tls_key: str = Field("", validate_default=True, description="File with the key of that certificate.")
    insecure: bool = Field(
        False, description="Start without TLS although the internet reaches this server, and warn of nothing."
    )
    bots: bool = Field(True, description="Start a bot host beside the server.")
    bot_pace: str = Field(
        "1",
        description="How slow its bots are against people: 1 as usual, 0 at once, 2 twice as slow, or by "
        "level, as in 1 expert=0.5.",
    )
    bot_greetings: bool = Field(True, description="Its bots wish people good luck, and say good game.")
    bot_key: str = Field(
        "",
        description="File with the key by which the host's own bots are known, and asked first; "
        "made if it is not there, otherwise bot-key in the user's data folder.",
    )
    log: Literal["auto", "json", "pretty"] = Field(
        "auto", description="Log format; auto: pretty on a terminal."
    )
    log_level: Literal["debug", "info", "warning"] = Field(
        "info", description="What is logged; debug also has every connection and room."
    )
    public_pages: Literal["on", "off"] = Field(
        "on",
        description="Who may read pages with ratings, results and records: all (on), or only "
        "players with a token (off).",
    )
    database_password_file: str = Field(
        "",
        description="File with the password of TABLERO_DATABASE, if that is PostgreSQL and has none in it.",
    )
    database: str = Field(
        "",
        description="Where games are kept: sqlite:///PATH, postgresql://USER@HOST/NAME or memory; "
        "otherwise tablero.db in the user's data folder.",
    )
    admin: str = Field(
        "",
        description="Socket by which `tablero admin` talks to the running server, only for your user; "
        "otherwise beside the database.",
    )
    admin_address: str = Field(
        "127.0.0.1:8471",
        description="Where the host's own pages are, metrics too, apart from all others; off for none. "
        "Unset: this port or the next free one.",
    )
    origins: str = Field(
        "",
        description="Web pages that may connect from elsewhere, as https://HOST, separated by commas. "
        "Pages of this server always may.",
    )
    passphrase: str = Field(
        "",
        repr=False,
        description="Passphrase that new players need if TABLERO_ENTRY is passphrase.",
    )
    passphrase_file: str = Field("", description="File with the passphrase, in place of TABLERO_PASSPHRASE.")
    entry: EntryKind = Field(
        "open",
        description="New players that may connect: all (open), those with the passphrase (passphrase), "
        "or none (closed). Players with a token and this server's own bots may always connect.",
    )
    names: str = Field(
        "",
        description="Public names of this server, as games.example.org, separated by commas. It answers to "
        "addresses and to names of your own network anyway.",
    )
    base_path: str = Field(
        "/",
        description="Path of a public site below which this server is, as /games/. A proxy may pass it on or "
        "take it away.",
    )
    hello_seconds: float = Field(
        5, gt=0, description="How long a new connection has for its headers and hello."
    )
    silence_seconds: float = Field(20, gt=0, description="How long a connection may be silent.")
    session_seconds: float = Field(120, gt=0, description="How long a lost connection may take to come back.")
    absence_seconds: float = Field(
        300,
        gt=0,
        description="Maximum wait for a player who is away from a running game, all absences "
        "together. Then the others may claim the game. Fast games have a shorter wait.",
    )
    waiting_minutes: float = Field(
        30,
        gt=0,
        description="How long a waiting table is kept for its absent players.",
    )
    idle_minutes: float = Field(
        60, gt=0, description="Minutes without activity after which a room with a finished game closes."
    )
    token_days: float = Field(
        90, gt=0, description="Days that a player's token is good for after it was last used."
    )
    name_days: float = Field(
        90, gt=0, description="Days that a name is kept for its player after the last visit."
    )
    rooms_per_person: int = Field(16, ge=1, description="Rooms that one person may be in.")
    correspondence_per_person: int = Field(
        100, ge=0, description="Correspondence games of one person, in addition to other rooms."
    )
    watchers: int = Field(100, ge=0, description="Watchers in one room.")
    room_entries: int = Field(
        5_000,
        ge=100,
        description="Joins, chat lines and offers in one room: a quarter for each seated player, "
        "half for all watchers, a twentieth for each watcher. Then members can only "
        "play to the end.",
    )
    # Games with turns end by their rules before the least value that is allowed here.
    room_turns: int = Field(
        10_000, ge=400, description="Turns of one game; then players agree on a draw, or one resigns."
    )
    entries: int = Field(
        300_000,
        ge=1_000,
        description="Turns, joins, chat lines and so on in all open rooms; each takes 0.5 to 0.9 "
        "KiB of memory. Then no room is opened, and players with over 500 have to end "
        "games.",
    )
    entries_per_player: int = Field(
        20_000, ge=1_000, description="The same for one player, except the host's own bots."
    )
    players: int = Field(
        50_000,
        ge=1,
        description="Players that the server knows; one more newcomer replaces the player who used "
        "the server least.",
    )
    rooms: int = Field(5_000, ge=1, description="Rooms on this server.")
    correspondence: int = Field(
        10_000, ge=0, description="Correspondence games on this server, in addition to other rooms."
    )
    connections: int = Field(5_000, ge=1, description="WebSockets of this server; more get HTTP 503.")
    outbox_messages: int = Field(64, ge=1, description="Unread messages before a slow connection is closed.")
    outbox_bytes: int = Field(
        262_144, ge=1_024, description="Unread bytes before a slow connection is closed."
    )

    first_move_seconds: float = Field(
        30,
        ge=0,
        description="How long each side has for its first move, before its clock runs; without one in "
        "time, the game is aborted. 0: clocks run at once.",
    )
    countdown_seconds: float = Field(3, ge=0, le=30, description="The countdown before a race.")
    grace_seconds: float = Field(20, ge=0, description="After a restart no clock runs for this long.")
    replay_events: int = Field(
        200, ge=0, description="Missed events that are sent one by one; for more, the client gets a snapshot."
    )
    replay_bytes: int = Field(
        65_536, ge=0, description="Bytes of missed events that are sent one by one; for more, a snapshot."
    )
    turns_per_second: float = Field(20, gt=0, description="Turns of one seat.")
    turns_burst: int = Field(60, ge=1, description="Turns of one seat at once.")
    messages_per_second: float = Field(
        10, gt=0, description="Other messages of one connection; in several rooms as many times."
    )
    messages_burst: int = Field(40, ge=1, description="Other messages of one connection at once.")
    chat: ChatPolicy = Field(
        "on",
        description="What is said at tables: anything (on), phrases of a list (phrases), or nothing (off). "
        "Without `on` a name changes once an hour, and guests' bots have levels of bundled ones only.",
    )
    chat_seconds: float = Field(2, gt=0, description="Seconds between two chat lines of one player.")
    chat_burst: int = Field(5, ge=1, description="Chat lines of one player at once.")
    patience: int = Field(
        200, ge=1, description="Times that a connection is told to slow down before it is closed."
    )
    sockets_per_player: int = Field(8, ge=1, description="Connections of one player.")
    sockets_per_address: int = Field(50, ge=1, description="Connections from one address, whatever for.")
    handshakes_per_minute: float = Field(60, gt=0, description="New WebSockets from one address.")
    guests_per_hour: float = Field(30, gt=0, description="New players from one address.")
    all_guests_per_minute: float = Field(
        6_000,
        gt=0,
        description="New players from all addresses together that brought one in the last ten minutes.",
    )
    new_rooms_per_minute: float = Field(5, gt=0, description="Rooms opened from one address.")
    own_rooms_per_minute: float = Field(
        30, gt=0, description="Rooms opened by one person, even from unlimited networks."
    )
    codes_per_minute: float = Field(10, gt=0, description="Wrong codes from one address, and by one player.")
    wrong_codes_per_minute: float = Field(
        300,
        gt=0,
        description="Wrong codes of all senders of the last ten minutes together. Passphrases, "
        "device codes and host tokens have the same limit each.",
    )
    unlimited_nets: str = Field(
        LOCAL_NETWORKS,
        description="Networks whose addresses are not limited, by commas: a games night sits behind "
        "one address.",
    )
    trusted_proxies: str = Field(
        "", description="Networks or addresses of proxies whose X-Forwarded-For is believed."
    )

    @field_validator("unlimited_nets", "trusted_proxies")
    @classmethod
    def _names_networks(cls, text: str) -> str:
        read_networks(text)
        return text

    @field_validator("tls_key")
    @classmethod
    def _goes_with_a_certificate(cls, key: str, info: ValidationInfo) -> str:
        if bool(key) != bool(info.data.get("tls_cert")):
            raise ValueError("a certificate and its key are two files; say both, TABLERO_TLS_CERT and this")
        return key

    @field_validator("admin_address")
    @classmethod
    def _names_an_address(cls, text: str) -> str:
        if text != "off" and not _ADDRESS.fullmatch(text):
            raise ValueError(f"{text!r:.80} is no address; write HOST:PORT as 127.0.0.1:8471, or off")
        return text

    @field_validator("database")
    @classmethod
    def _has_its_password(cls, url: str, info: ValidationInfo) -> str:
        return with_password(url, info.data.get("database_password_file"))

    @field_validator("passphrase_file")
    @classmethod
    def _has_a_passphrase(cls, file: str) -> str:
        try:
            if file and not read_first_line(file):
                raise ValueError(f"{file} is empty")
        except (OSError, UnicodeDecodeError) as error:
            raise ValueError(f"Cannot read {file}: {getattr(error, 'strerror', None) or error}") from None
        return file

    @field_validator("entry")
    @classmethod
    def _knows_the_passphrase(cls, entry: EntryKind, info: ValidationInfo) -> EntryKind:
        if entry == "passphrase" and not (info.data.get("passphrase") or info.data.get("passphrase_file")):
            raise ValueError("say which, by TABLERO_PASSPHRASE or TABLERO_PASSPHRASE_FILE")
        return entry

    @field_validator("bot_pace")
    @classmethod
    def _says_paces(cls, text: str) -> str:
        for word in text.split():
            if not _PACE.fullmatch(word):
                raise ValueError(
                    f"{word!r:.80} is no pace; write a factor as 1, 0 or 0.5, or LEVEL=FACTOR as expert=0.5"
                )
        return text

    @field_validator("base_path")
    @classmethod
    def _is_a_path(cls, text: str) -> str:
        return as_path(text)

    @field_validator("origins")
    @classmethod
    def _names_origins(cls, text: str) -> str:
        for origin in _listed(text):
            if not _ORIGIN.fullmatch(origin):
                raise ValueError(
                    f"{origin!r:.80} is no origin; write it as a browser does, in small letters and "
                    "without a path: https://HOST or https://HOST:PORT"
                )
        return text

    @field_validator("names")
    @classmethod
    def _names_hosts(cls, text: str) -> str:
        for name in _listed(text):
            if not is_name(name):
                raise ValueError(
                    f"{name!r:.80} is no name; write it in small letters, without https:// and without a port"
                )
        return text

    @property
    def entry_policy(self) -> EntryPolicy:
        file = self.passphrase_file
        return EntryPolicy(self.entry, read_first_line(file) if file else self.passphrase)

    @property
    def listen_on(self) -> str:
        """The address to listen on: all addresses with `lan`, unless the host chose one."""
        return "0.0.0.0" if self.lan and "host" not in self.model_fields_set else self.host  # noqa: S104 - asked for by name

    @property
    def speaks_tls(self) -> bool:
        return self.tls == "auto" or bool(self.tls_cert)

    @property
    def host_pages(self) -> tuple[str, int] | None:
        """The address and port of the host's own pages."""
        found = _ADDRESS.fullmatch(self.admin_address)
        return None if found is None else (found["host"].strip("[]"), int(found["port"]))

    @property
    def public_names(self) -> frozenset[str]:
        return frozenset(_listed(self.names))

    @property
    def allowed_origins(self) -> frozenset[str]:
        return frozenset(_listed(self.origins))

    @property
    def limits(self) -> Limits:
        return Limits(
            talk=self.chat,
            rooms=self.rooms_per_person,
            all_rooms=self.rooms,
            correspondence=self.correspondence_per_person,
            all_correspondence=self.correspondence,
            watchers=self.watchers,
            room_entries=self.room_entries,
            room_turns=self.room_turns,
            entries=self.entries,
            entries_per_player=self.entries_per_player,
            silence_ms=int(self.silence_seconds * 1000),
            session_memory_ms=int(self.session_seconds * 1000),
            idle_ms=int(self.idle_minutes * 60_000),
            absence_ms=int(self.absence_seconds * 1000),
            waiting_ms=int(self.waiting_minutes * 60_000),
            first_move_ms=int(self.first_move_seconds * 1000),
            countdown_ms=int(self.countdown_seconds * 1000),
            grace_ms=int(self.grace_seconds * 1000),
            token_ms=int(self.token_days * 24 * 3_600_000),
            name_ms=int(self.name_days * 24 * 3_600_000),
            replay_events=self.replay_events,
            replay_bytes=self.replay_bytes,
            sessions=self.sockets_per_player,
            turns=Rate(1000 / self.turns_per_second, self.turns_burst),
            messages=Rate(1000 / self.messages_per_second, self.messages_burst),
            chat=Rate(1000 * self.chat_seconds, self.chat_burst),
            renames=Limits().renames if self.chat == "on" else _RENAMES_WITHOUT_CHAT,
            wrong_codes=Rate(60_000 / self.wrong_codes_per_minute, ceil(self.wrong_codes_per_minute)),
            players=self.players,
            patience=Rate(100, self.patience),
            all_guests=Rate(60_000 / self.all_guests_per_minute, ceil(self.all_guests_per_minute)),
            guests=Rate(3_600_000 / self.guests_per_hour, ceil(self.guests_per_hour)),
            new_rooms=Rate(60_000 / self.new_rooms_per_minute, ceil(self.new_rooms_per_minute)),
            own_rooms=Rate(60_000 / self.own_rooms_per_minute, ceil(self.own_rooms_per_minute)),
            codes=Rate(60_000 / self.codes_per_minute, ceil(self.codes_per_minute)),
        )

    def address_limits(self) -> AddressLimits:
        handshakes = Rate(60_000 / self.handshakes_per_minute, ceil(self.handshakes_per_minute))
        return AddressLimits(read_networks(self.unlimited_nets), self.sockets_per_address, handshakes)


def _listed(text: str) -> list[str]:
    return [part.strip() for part in text.split(",") if part.strip()]
