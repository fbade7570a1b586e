"""What a host may set, by variable TABLERO_* or by option of `tablero serve`; nothing is required."""

from __future__ import annotations

from typing import Literal

from pydantic import Field
from pydantic_settings import BaseSettings, SettingsConfigDict

from .limits import Limits


class Settings(BaseSettings):
    model_config = SettingsConfigDict(env_prefix="TABLERO_", extra="ignore", frozen=True)

    host: str = Field("127.0.0.1", description="Address to listen on; 0.0.0.0 lets others in.")
    port: int = Field(8470, ge=0, le=65_535, description="The one port for everything; 0 takes a free one.")
    bots: bool = Field(True, description="Start a bot host beside the server.")
    log: Literal["auto", "json", "pretty"] = Field(
        "auto", description="Log format; auto: pretty on a terminal."
    )
    log_level: Literal["debug", "info", "warning"] = Field(
        "info", description="What is logged; debug also has every connection and room."
    )
    origins: str = Field(
        "",
        description="Web pages that may connect from elsewhere, as https://HOST, separated by commas. "
        "Pages of this server always may.",
    )
    hello_seconds: float = Field(
        5, gt=0, description="How long a new connection has for its headers and hello."
    )
    silence_seconds: float = Field(20, gt=0, description="How long a connection may be silent.")
    session_seconds: float = Field(120, gt=0, description="How long a lost connection may take to come back.")
    absence_seconds: float = Field(
        300, gt=0, description="After this long away a player's seats in running games are given up."
    )
    rooms_per_person: int = Field(16, ge=1, description="Rooms that one person may be in.")
    watchers: int = Field(100, ge=0, description="Watchers in one room.")
    rooms: int = Field(5_000, ge=1, description="Rooms on this server.")
    connections: int = Field(5_000, ge=1, description="Connections to this server; more get HTTP 503.")
    outbox_messages: int = Field(64, ge=1, description="Unread messages before a slow connection is closed.")
    outbox_bytes: int = Field(
        262_144, ge=1_024, description="Unread bytes before a slow connection is closed."
    )

    @property
    def allowed_origins(self) -> frozenset[str]:
        return frozenset(origin for part in self.origins.split(",") if (origin := part.strip()))

    @property
    def limits(self) -> Limits:
        return Limits(
            rooms=self.rooms_per_person,
            all_rooms=self.rooms,
            watchers=self.watchers,
            silence_ms=int(self.silence_seconds * 1000),
            session_memory_ms=int(self.session_seconds * 1000),
            absence_ms=int(self.absence_seconds * 1000),
        )
