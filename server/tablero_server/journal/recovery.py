"""Recovery after a restart: loads all saved data into the hub."""

from __future__ import annotations

from contextlib import suppress

from ..core.effects import Effects
from ..core.entry import Damaged, Saved
from ..core.hub import Hub
from ..core.room.replay import fold


def restore(hub: Hub, saved: Saved, now: int) -> Effects:
    """Loads all saved data into an empty hub. Returns the entries that this start adds."""
    effects = Effects()
    limits = hub.limits
    for player in saved.players:
        account = hub.accounts.admit(player, now)
        hub.alarms.set(("absent", account.id), now + limits.session_memory_ms)
        forget_at = max(player.seen + limits.memory_ms(kept=account.kept), now + limits.absence_ms + 1)
        hub.alarms.set(("guest", account.id), forget_at)
    for token in saved.tokens:
        if token.player in hub.accounts.by_id:
            hub.accounts.tokens.admit(token)
    for mute in saved.mutes:
        if mute.player in hub.accounts.by_id and mute.muted in hub.accounts.by_id:
            hub.accounts.by_id[mute.player].muted[mute.muted] = mute.what
    for sanction in saved.sanctions:
        hub.sanctions.add(sanction)
    hub.rooms.ratings.load(saved.rated, saved.rivals)
    hub.rooms.damaged.update(saved.damaged)
    seen = max((log[-1].at for log in saved.logs), default=0)
    for log in saved.logs:
        if not saved.restored and hub.rooms.packed.pack_log(log, seen, now):
            hub.rooms.lobby.room_changed(log[0].room)
            continue
        try:
            views = hub.rooms.load(fold(log))
        except Damaged as error:
            hub.rooms.damaged[log[0].room] = str(error)
            continue
        room = views.room
        tell = hub.rooms.listener(views, effects)
        hub.rooms.absences.look_again(views, now, effects)
        room.revive(limits.grace_ms, limits.countdown_ms, now, tell)
        if saved.restored:
            hub.rooms.begin_epoch(room, now, tell)
        for player_id in [player for player in room.members if player not in hub.accounts.by_id]:
            room.leave(None, player_id, "gone", now, tell)
        hub.rooms.rematch_if_agreed(views, now, effects)
    for log in saved.closed:
        with suppress(Damaged):  # a request for its record reports the damage
            hub.rooms.adopt_closed(log, now)
    return effects
