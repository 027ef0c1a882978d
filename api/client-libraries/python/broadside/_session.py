"""Logs a person in. Tokens, users and organizations are managed by people only."""

from __future__ import annotations

import json
from typing import Any

from ._address import Session
from ._errors import BroadsideError
from ._transport import Transport


def open_session(base_url: str, email: str, password: str, **options: Any) -> Session:
    """``options``: those of ``Broadside``."""
    answer = Transport(base_url, **options)._exchange(
        "logIn", "POST", "/api/v1/account/log-in", body={"email": email, "password": password}
    )
    for header in answer.cookies:
        cookie = header.split(";", 1)[0]
        if "broadside_session=" in cookie and not cookie.endswith("="):
            return Session(cookie, json.loads(answer.body)["data"]["csrf_token"])
    raise BroadsideError("logIn: the answer sets no session")
