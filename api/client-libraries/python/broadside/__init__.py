"""Client of Broadside, the web push engine for publishers."""

from ._address import Session
from ._client import Broadside
from ._errors import (
    ApiError,
    AuthenticationError,
    BroadsideError,
    CancelledError,
    ConnectionLostError,
    ForbiddenError,
    NotFoundError,
    RateLimitError,
    RequestTimeoutError,
    UnavailableError,
    ValidationError,
)
from ._pages import Items, Page
from ._session import open_session
from ._transport import Cancellation, Form, Retry
from ._version import VERSION as __version__

__all__ = [
    "ApiError",
    "AuthenticationError",
    "Broadside",
    "BroadsideError",
    "CancelledError",
    "Cancellation",
    "ConnectionLostError",
    "ForbiddenError",
    "Form",
    "Items",
    "NotFoundError",
    "Page",
    "RateLimitError",
    "RequestTimeoutError",
    "Retry",
    "Session",
    "UnavailableError",
    "ValidationError",
    "__version__",
    "open_session",
]
