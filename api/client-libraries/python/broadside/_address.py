"""Addresses and credentials. Nothing that may be secret is in an error."""

from __future__ import annotations

import re
from typing import Any, Dict, Iterator, Mapping, NamedTuple, Optional, Tuple
from urllib.parse import quote, urlsplit

from ._errors import BroadsideError


class Session(NamedTuple):
    """What ``open_session`` returns. It acts as the person who logged in: keep it as secret as a token."""

    cookie: str
    csrf_token: str

    def __repr__(self) -> str:
        return "Session(…)"


class Base(NamedTuple):
    secure: bool
    host: str
    port: Optional[int]
    path: str


def base_of(text: str) -> Base:
    try:
        url = urlsplit(text)
        port = url.port
    except ValueError:
        raise BroadsideError("base_url must be an address such as https://push.example.com") from None
    if url.scheme not in ("http", "https") or not url.hostname:
        raise BroadsideError("base_url must be an address such as https://push.example.com")
    if url.username is not None or url.password is not None:
        raise BroadsideError("base_url must contain no user and no password: give a token")
    return Base(url.scheme == "https", url.hostname, port, url.path.rstrip("/"))


def credentials_of(token: Optional[str], session: Optional[Session]) -> Dict[str, str]:
    """http.client's own error about a header quotes its value: one with a line end is refused before."""
    secrets = [token] if token is not None else list(session or ())
    if not all(re.fullmatch(r"[\x21-\x7e]+", each) for each in secrets):
        raise BroadsideError("The token or the session is empty, or has a character that none has.")
    if token is not None:
        return {"authorization": f"Bearer {token}"}
    return {} if session is None else {"cookie": session.cookie, "x-csrf-token": session.csrf_token}


def target_of(base: Base, path: str, values: Mapping[str, Any], query: Mapping[str, Any]) -> str:
    filled = re.sub(r"\{(\w+)\}", lambda found: _segment(found[1], values[found[1]]), path)
    pairs = [f"{_encoded(name)}={_encoded(value)}" for name, value in _pairs(query)]
    return base.path + filled + ("?" + "&".join(pairs) if pairs else "")


def _segment(name: str, value: Any) -> str:
    """A dot would lead to another address: ``..`` for a segment's id would name its app."""
    text = "" if value is None else str(value)
    if text in ("", ".", ".."):
        raise BroadsideError(f"{name} must be an id")
    return _encoded(text)


def _encoded(text: str) -> str:
    return quote(text, safe="!*'()")


def _pairs(query: Mapping[str, Any]) -> Iterator[Tuple[str, str]]:
    """A mapping is written as ``name[key]=value``, for each of its values."""
    for name, value in query.items():
        if isinstance(value, Mapping):
            yield from _pairs({f"{name}[{key}]": inner for key, inner in value.items()})
        elif isinstance(value, (list, tuple)):
            for each in value:
                yield name, str(each)
        elif isinstance(value, bool):
            yield name, "true" if value else "false"
        elif value is not None:
            yield name, str(value)
