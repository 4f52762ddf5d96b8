"""What tables would allow, and this server does not: its choices about bots, chat and faces."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from ...game import NotUnderstood
from ...table import AddBot, Command, Say, Settings
from ...table.errors import refused
from ..bots.offered import checked_bot

FACE_SIZE: Final = 4096  # characters of a face that somebody drew


@dataclass(frozen=True)
class TablePolicy:
    """The commands and settings that a server offers; `free_chat` allows texts besides phrases."""

    free_chat: bool = False

    def check_command(self, command: Command) -> None:
        """Refuse a command that this server does not offer."""
        if isinstance(command, AddBot):
            checked_bot(command.level)
        elif isinstance(command, Say) and not command.preset and not self.free_chat:
            raise refused("table.chat", "phrases only, no texts")

    def check_settings(self, settings: Settings) -> None:
        """Refuse settings that are invalid, or that this server does not offer."""
        checked_bot(settings.cover)
        if settings.chat == "free" and not self.free_chat:
            raise NotUnderstood("input.settings", "chat: off or preset; no free texts here")
        if len(settings.face) > FACE_SIZE:
            raise NotUnderstood("input.settings", f"face: at most {FACE_SIZE} characters")
        settings.check()
