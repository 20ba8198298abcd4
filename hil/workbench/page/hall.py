"""All pages that are open: what is told to every one of them, and what to one alone."""

import json
from contextlib import suppress
from typing import Any

from aiohttp import web


class Hall:
    """The open pages."""

    def __init__(self) -> None:
        self._pages: list[web.WebSocketResponse] = []

    @property
    def watched(self) -> bool:
        """Whether any page is open."""
        return bool(self._pages)

    def enter(self, page: web.WebSocketResponse) -> None:
        """Let a page hear what is told to all."""
        self._pages.append(page)

    def leave(self, page: web.WebSocketResponse) -> None:
        """Tell it nothing more."""
        self._pages.remove(page)

    async def tell(self, told: dict[str, Any]) -> None:
        """Tell all pages."""
        text = json.dumps(told)
        for page in list(self._pages):
            with suppress(ConnectionError):  # a page that goes is no event
                await page.send_str(text)
