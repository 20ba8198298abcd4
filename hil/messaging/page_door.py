"""The door of a page's server: what every answer says, and who gets none."""

from collections.abc import Awaitable, Callable

from aiohttp import web

from hil.messaging.page_access import Access

HEADERS = {
    "Cache-Control": "no-store",
    "Referrer-Policy": "no-referrer",  # the address may hold the token
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "SAMEORIGIN",
    "Cross-Origin-Resource-Policy": "same-origin",
}
OWN_PAGE = "default-src 'self'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'"
Handler = Callable[[web.Request], Awaitable[web.StreamResponse]]


class PageDoor:
    """Lets in who may come in, for one server."""

    def __init__(self, access: Access) -> None:
        self._access = access

    @web.middleware
    async def guard(self, request: web.Request, handler: Handler) -> web.StreamResponse:
        """Refuse a stranger with one line, else answer with the headers of our pages."""
        # what changes something is asked by a page: its origin must be told
        asks = request.method != "GET" or request.headers.get("Upgrade", "").lower() == "websocket"
        refusal = self._access.refusal(request.headers, from_page=asks)
        by_address = request.path == "/" and self._access.knows(request.query.get("token"))
        if (
            not refusal
            and not by_address
            and not self._access.knows(request.cookies.get(self._access.cookie))
        ):
            refusal = self._access.stranger
        if refusal:
            return web.Response(status=403, text=f"refused: {refusal}\n", headers=HEADERS)
        response = await handler(request)
        if not response.prepared:
            response.headers.update(HEADERS)
        return response

    def page(self, request: web.Request, text: str) -> web.Response:
        """Return a page, with the cookie for whoever came by the address."""
        response = web.Response(text=text, content_type="text/html")
        response.headers["Content-Security-Policy"] = OWN_PAGE
        token = request.query.get("token")
        if token is not None:  # from now on the cookie tells; the page takes it out of its address
            response.set_cookie(self._access.cookie, token, httponly=True, samesite="Strict", path="/")
        return response
