"""What a call raises. No message contains a token, a cookie or a body that was sent."""

from __future__ import annotations

import json
from typing import Dict, List, Optional, Tuple


class BroadsideError(Exception):
    """The base of all the others."""


class ApiError(BroadsideError):
    """The API refused the request, or a proxy before it did.

    request_id: as the API's log knows the request; None where the answer names none.
    errors: by field, a path such as ``action_buttons.0.title`` where it is nested. Empty but for a 422.
    retry_after: seconds, as the answer asks; None where it does not.
    """

    def __init__(
        self,
        message: str,
        *,
        operation: str,
        status: int,
        request_id: Optional[str],
        errors: Dict[str, List[str]],
        retry_after: Optional[int],
    ) -> None:
        super().__init__(f"{operation}: {status} {message}")
        self.operation = operation
        self.status = status
        self.request_id = request_id
        self.errors = errors
        self.retry_after = retry_after


class AuthenticationError(ApiError):
    """401: the token is missing, mistyped, expired or revoked."""


class ForbiddenError(ApiError):
    """403: the token lacks the ability that the message names."""


class NotFoundError(ApiError):
    """404: it does not exist, or is another organization's."""


class ValidationError(ApiError):
    """422: ``errors`` names each wrong field."""


class RateLimitError(ApiError):
    """429, after all retries."""


class UnavailableError(ApiError):
    """503, after all retries."""


class ConnectionLostError(BroadsideError):
    """No answer came: whether the request was carried out is unknown."""


class RequestTimeoutError(BroadsideError):
    """The answer was not complete in time: whether the request was carried out is unknown."""


class CancelledError(BroadsideError):
    """The call's ``Cancellation`` was cancelled."""


_BY_STATUS = {
    401: AuthenticationError,
    403: ForbiddenError,
    404: NotFoundError,
    422: ValidationError,
    429: RateLimitError,
    503: UnavailableError,
}


def error_of(
    operation: str, status: int, request_id: Optional[str], retry_after: Optional[int], body: bytes
) -> ApiError:
    message, errors = _problem_in(body)
    return _BY_STATUS.get(status, ApiError)(
        message,
        operation=operation,
        status=status,
        request_id=request_id,
        errors=errors,
        retry_after=retry_after,
    )


def _problem_in(body: bytes) -> Tuple[str, Dict[str, List[str]]]:
    """A proxy's answer may be anything, so only the API's own words are quoted."""
    try:
        problem = json.loads(body)
        if isinstance(problem["message"], str):
            return problem["message"], problem.get("errors") or {}
    except (ValueError, KeyError, TypeError):
        pass
    return "The answer is not one of Broadside’s: a proxy may have sent it.", {}
