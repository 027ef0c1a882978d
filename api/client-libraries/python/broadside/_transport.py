"""Sends what the generated methods describe."""

from __future__ import annotations

import http.client
import json
import socket
import ssl
import threading
import uuid
from typing import Any, Callable, Dict, List, Mapping, NamedTuple, Optional, Tuple, Union

from ._address import Session, base_of, credentials_of, target_of
from ._errors import (
    BroadsideError,
    CancelledError,
    ConnectionLostError,
    RequestTimeoutError,
    error_of,
)
from ._pages import Items
from ._retries import Failure, is_repeatable, retry_after_of, wait_after


class Retry(NamedTuple):
    """``tries``: so far."""

    operation: str
    tries: int
    wait: float
    reason: str


class Form:
    """A body with files: ``Form({"title": "…"}, {"image_url": ("photo.jpg", data)})``."""

    def __init__(self, fields: Mapping[str, str], files: Mapping[str, Tuple[str, bytes]]) -> None:
        self._fields = fields
        self._files = files

    def encoded(self) -> Tuple[bytes, str]:
        boundary = uuid.uuid4().hex
        parts: List[bytes] = []
        for name, text in self._fields.items():
            parts.append(_part(boundary, name, "") + str(text).encode())
        for name, (file_name, data) in self._files.items():
            kind = f'; filename="{_quoted(file_name)}"\r\ncontent-type: application/octet-stream'
            parts.append(_part(boundary, name, kind) + data)
        end = f"\r\n--{boundary}--\r\n".encode()
        return b"\r\n".join(parts) + end, f"multipart/form-data; boundary={boundary}"


def _part(boundary: str, name: str, kind: str) -> bytes:
    return f'--{boundary}\r\ncontent-disposition: form-data; name="{_quoted(name)}"{kind}\r\n\r\n'.encode()


def _quoted(text: str) -> str:
    return text.replace('"', "%22").replace("\r", "%0D").replace("\n", "%0A")


class Cancellation:
    """Ends calls from another thread, their waits included."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._cancelled = threading.Event()
        self._sockets: List[socket.socket] = []

    def cancel(self) -> None:
        self._cancelled.set()
        with self._lock:
            for each in self._sockets:
                _shut(each)

    @property
    def is_cancelled(self) -> bool:
        return self._cancelled.is_set()

    def _wait(self, seconds: float) -> None:
        self._cancelled.wait(seconds)

    def _add(self, connected: socket.socket) -> None:
        with self._lock:
            self._sockets.append(connected)
            if self.is_cancelled:
                _shut(connected)

    def _remove(self, connected: socket.socket) -> None:
        with self._lock:
            self._sockets.remove(connected)


def _shut(connected: socket.socket) -> None:
    """What reads from it returns at once, which closing alone would not do."""
    try:
        connected.shutdown(socket.SHUT_RDWR)
    except OSError:
        pass


class Answer(NamedTuple):
    status: int
    body: bytes
    request_id: Optional[str]
    retry_after: Optional[int]
    cookies: List[str]


class _Lost(Exception):
    def __init__(self, failure: Failure, cause: BaseException) -> None:
        super().__init__(failure.reason)
        self.failure = failure
        self.cause = cause


class Transport:
    """The options of every client.

    base_url: such as ``https://push.example.com``.
    token: ``<token_id>|<secret>``, as ``broadside token create`` prints it.
    session: instead of a token, for operations that only people may call: see ``open_session``.
    timeout: seconds for the connection, and for each part of the answer.
    max_retries: after the first try; 0 for none.
    on_retry: called before each wait.
    """

    def __init__(
        self,
        base_url: str,
        token: Optional[str] = None,
        *,
        session: Optional[Session] = None,
        timeout: float = 30.0,
        max_retries: int = 4,
        on_retry: Optional[Callable[[Retry], None]] = None,
        ssl_context: Optional[ssl.SSLContext] = None,
    ) -> None:
        self._base = base_of(base_url)
        self._credentials = credentials_of(token, session)
        self._timeout = timeout
        self._max_retries = max_retries
        self._on_retry = on_retry
        self._ssl_context = ssl_context

    def _send(self, operation: str, method: str, path: str, **parts: Any) -> Any:
        answer = self._exchange(operation, method, path, **parts)
        return json.loads(answer.body) if answer.body else None

    def _send_for_data(self, operation: str, method: str, path: str, **parts: Any) -> Any:
        return self._send(operation, method, path, **parts)["data"]

    def _items(
        self, operation: str, method: str, path: str, *, query: Dict[str, Any], **parts: Any
    ) -> Items[Any]:
        return Items(query, lambda page: self._send(operation, method, path, query=page, **parts))

    def _exchange(
        self,
        operation: str,
        method: str,
        path: str,
        *,
        ids: Mapping[str, Union[str, int]] = {},
        query: Mapping[str, Any] = {},
        headers: Mapping[str, str] = {},
        body: Any = None,
        takes_key: bool = False,
        idempotency_key: Optional[str] = None,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
        cancellation: Optional[Cancellation] = None,
    ) -> Answer:
        address = target_of(self._base, path, ids, query)
        sent, own_headers = _encoded(body)
        all_headers = {"accept": "application/json", **self._credentials, **headers, **own_headers}
        if takes_key:
            all_headers["idempotency-key"] = idempotency_key or str(uuid.uuid4())
        repeatable = is_repeatable(method, takes_key)
        cancellation = cancellation or Cancellation()
        seconds = self._timeout if timeout is None else timeout
        retries = self._max_retries if max_retries is None else max_retries
        may_be_done = False
        tries = 0
        while True:
            tries += 1
            if cancellation.is_cancelled:
                raise CancelledError(f"{operation}: cancelled")
            try:
                answer = self._attempt(method, address, sent, all_headers, seconds, cancellation)
            except _Lost as lost:
                failure, error, cause = lost.failure, _lost_error(operation, lost, seconds), lost.cause
            else:
                if 200 <= answer.status < 300 and _is_json(answer.body):
                    return answer
                # The try before it has deleted it, and its answer was lost.
                if method == "DELETE" and may_be_done and answer.status == 404:
                    return answer._replace(body=b"")
                failure = Failure("refused", answer.status, answer.retry_after)
                error = error_of(
                    operation, answer.status, answer.request_id, answer.retry_after, answer.body
                )
                cause = None
            if cancellation.is_cancelled:
                raise CancelledError(f"{operation}: cancelled")
            may_be_done = may_be_done or (
                failure.may_have_arrived if failure.status is None else failure.status > 500
            )
            wait = None if tries > retries else wait_after(failure, tries, repeatable)
            if wait is None:
                raise error from cause
            if self._on_retry is not None:
                self._on_retry(Retry(operation, tries, wait.seconds, wait.reason))
            cancellation._wait(wait.seconds)

    def _attempt(
        self,
        method: str,
        address: str,
        body: Optional[bytes],
        headers: Mapping[str, str],
        timeout: float,
        cancellation: Cancellation,
    ) -> Answer:
        connection = self._connect(timeout)
        connected = connection.sock
        cancellation._add(connected)
        try:
            connection.request(method, address, body=body, headers=dict(headers))
            response = connection.getresponse()
            return Answer(
                response.status,
                response.read(),
                response.getheader("x-request-id"),
                retry_after_of(response.getheader("retry-after")),
                response.headers.get_all("set-cookie") or [],
            )
        except socket.timeout as late:
            raise _Lost(Failure("timeout"), late) from None
        except (OSError, http.client.HTTPException) as broken:
            raise _Lost(Failure("connection"), broken) from None
        finally:
            cancellation._remove(connected)
            connection.close()

    def _connect(self, timeout: float) -> http.client.HTTPConnection:
        base = self._base
        connection: http.client.HTTPConnection
        if base.secure:
            connection = http.client.HTTPSConnection(
                base.host, base.port, timeout=timeout, context=self._ssl_context
            )
        else:
            connection = http.client.HTTPConnection(base.host, base.port, timeout=timeout)
        try:
            connection.connect()
        except OSError as refused:
            # An unknown name and a wrong certificate need a person.
            unknown = isinstance(refused, socket.gaierror) and refused.errno != socket.EAI_AGAIN
            passes = not unknown and not isinstance(refused, ssl.SSLCertVerificationError)
            reason = "timeout" if isinstance(refused, socket.timeout) else "connection"
            failure = Failure(reason, may_have_arrived=False, passes=passes)
            raise _Lost(failure, refused) from None
        return connection


def _encoded(body: Any) -> Tuple[Optional[bytes], Dict[str, str]]:
    if body is None:
        return None, {}
    if isinstance(body, Form):
        encoded, kind = body.encoded()
        return encoded, {"content-type": kind}
    return json.dumps(body).encode(), {"content-type": "application/json"}


def _is_json(body: bytes) -> bool:
    try:
        return body == b"" or json.loads(body) is not ...
    except ValueError:
        return False


def _lost_error(operation: str, lost: _Lost, timeout: float) -> BroadsideError:
    if lost.failure.reason == "timeout":
        return RequestTimeoutError(f"{operation}: no complete answer within {timeout:g} s")
    return ConnectionLostError(f"{operation}: no answer ({type(lost.cause).__name__})")
