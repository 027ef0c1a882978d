"""When a request is sent again, and after which wait."""

from __future__ import annotations

import random
import re
from typing import NamedTuple, Optional

_FIRST_WAIT = 0.5
_LONGEST_WAIT = 30.0
# A longer Retry-After is the caller's to plan for.
_LONGEST_RETRY_AFTER = 120
# Clients that were refused together do not come back together.
_SPREAD = 0.5

_IDEMPOTENT = frozenset({"GET", "HEAD", "PUT", "DELETE"})


class Wait(NamedTuple):
    seconds: float
    reason: str


class Failure(NamedTuple):
    """How one try ended without success. ``status`` is None where no answer came.

    may_have_arrived: False where the request cannot have reached the API.
    passes: whether it may pass by itself: an unknown name or a wrong certificate does not.
    """

    reason: str
    status: Optional[int] = None
    retry_after: Optional[int] = None
    may_have_arrived: bool = True
    passes: bool = True


def is_repeatable(method: str, has_key: bool) -> bool:
    """Whether carrying the request out twice does no more than once."""
    return has_key or method in _IDEMPOTENT


def wait_after(failure: Failure, tries: int, repeatable: bool) -> Optional[Wait]:
    """None where the failure is final. ``tries``: so far."""
    back_off = min(_LONGEST_WAIT, _FIRST_WAIT * 2 ** (tries - 1))
    spread = back_off / 2 * (1 + random.random())
    if failure.status is None:
        safe = repeatable or not failure.may_have_arrived
        return Wait(spread, failure.reason) if safe and failure.passes else None
    if failure.status == 429:
        # The rate limit refuses before anything is done.
        reason = "rate limit"
    elif repeatable and failure.status in (502, 503, 504):
        # A proxy answers these, too, after it lost an API that may have done the work.
        reason = "unavailable"
    else:
        return None
    if failure.retry_after is None:
        return Wait(spread, reason)
    if failure.retry_after > _LONGEST_RETRY_AFTER:
        return None
    return Wait(failure.retry_after + _SPREAD * random.random(), reason)


def retry_after_of(header: Optional[str]) -> Optional[int]:
    """Seconds, as Broadside writes it."""
    return int(header) if header is not None and re.fullmatch(r"[0-9]{1,6}", header) else None
