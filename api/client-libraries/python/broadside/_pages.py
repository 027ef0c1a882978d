"""Lists, page by page."""

from __future__ import annotations

from typing import Any, Callable, Dict, Generic, Iterator, List, TypeVar

Item = TypeVar("Item")

# The most that the API returns at once.
_MOST_PER_PAGE = 100


class Page(Generic[Item]):
    """One page of a list. ``meta`` has ``current_page``, ``last_page``, ``per_page`` and ``total``."""

    def __init__(self, data: List[Item], meta: Dict[str, Any]) -> None:
        self.data = data
        self.meta = meta


class Items(Generic[Item]):
    """A list of the API. Nothing is requested until it is read::

    for delivery in broadside.list_deliveries(app): ...
    page = broadside.list_deliveries(app, page=2).page()
    """

    def __init__(self, query: Dict[str, Any], read: Callable[[Dict[str, Any]], Dict[str, Any]]) -> None:
        self._query = query
        self._read = read

    def page(self) -> Page[Item]:
        """The page that was asked for, otherwise the first."""
        return self._page(self._query)

    def pages(self) -> Iterator[Page[Item]]:
        """Pages, one request each, until the last one: of 100 items where no size was given."""
        query = dict(self._query)
        query["per_page"] = query.get("per_page") or _MOST_PER_PAGE
        number = query.get("page") or 1
        while True:
            # By number: an address that an answer names is not followed with the token.
            page = self._page({**query, "page": number})
            yield page
            if not page.data or page.meta["current_page"] >= page.meta["last_page"]:
                return
            number += 1

    def __iter__(self) -> Iterator[Item]:
        for page in self.pages():
            yield from page.data

    def _page(self, query: Dict[str, Any]) -> Page[Item]:
        found = self._read(query)
        return Page(found["data"], found["meta"])
