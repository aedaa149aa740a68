"""Tests Python programs against the health-lab-sdk mock server. Uses only the standard library."""

from __future__ import annotations

import base64
import hashlib
import hmac
import json
import os
import shlex
import subprocess
import threading
import time
import urllib.error
import urllib.request
import uuid
from datetime import datetime
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from types import TracebackType
from typing import Any, Mapping, NamedTuple, Optional, Sequence, Union

__all__ = ["Delivery", "InvalidSignature", "Mock", "MockError", "Receiver", "Response", "Team", "verify_event"]

#: The maximum difference between a delivery's timestamp and the receiver's clock, in seconds.
TOLERANCE = 300


class MockError(Exception):
    """Raised when the mock does not start, or when its control API rejects a request."""


class InvalidSignature(Exception):
    """Raised if a delivery's headers or signature are missing or invalid, or if its timestamp is too old or too new."""


class Response(NamedTuple):
    """A response from the service."""

    status: int
    headers: Mapping[str, str]
    #: The parsed JSON body. A string if the body is not JSON, or None if it is empty.
    body: Any


class Delivery(NamedTuple):
    """A request that the service sent to a receiver."""

    headers: Mapping[str, str]
    body: bytes


def verify_event(
    body: bytes,
    headers: Mapping[str, str],
    secrets: Union[str, Sequence[str]],
) -> Any:
    """Verifies a delivery and returns its event. Raises InvalidSignature if the delivery is not valid."""
    sent = {name.lower(): value for name, value in headers.items()}
    message, timestamp, signatures = (sent.get(f"webhook-{name}", "") for name in ("id", "timestamp", "signature"))
    if not (message and timestamp.isascii() and timestamp.isdecimal() and len(timestamp) < 16):
        raise InvalidSignature("The header webhook-id or webhook-timestamp is missing or invalid.")
    if abs(time.time() - int(timestamp)) > TOLERANCE:
        raise InvalidSignature(f"The timestamp differs from the current time by more than {TOLERANCE} seconds.")
    content = f"{message}.{timestamp}.".encode() + body
    expected = [_signature(content, secret) for secret in ([secrets] if isinstance(secrets, str) else secrets)]
    found = [signature.encode() for signature in signatures.split(" ")]
    if not any(hmac.compare_digest(ours, theirs) for ours in expected for theirs in found):
        raise InvalidSignature("No signature matches the body. Check the secret, and pass the body as it arrived.")
    return json.loads(body)


def _signature(content: bytes, secret: str) -> bytes:
    key = base64.b64decode(secret[len("whsec_") :] if secret.startswith("whsec_") else secret)
    return b"v1," + base64.b64encode(hmac.new(key, content, hashlib.sha256).digest())


class Team:
    """A mock team with its own API key, records, clock, faults and webhooks."""

    def __init__(self, url: str, key: Optional[str] = None, token: Optional[str] = None) -> None:
        self.url = url.rstrip("/")
        self.key = key or f"test-{uuid.uuid4()}"
        self._token = token or os.environ.get("HEALTH_LAB_MOCK_TOKEN")

    @property
    def headers(self) -> dict[str, str]:
        """The headers that your program must send to the service."""
        return {"x-service-api-key": self.key}

    def call(self, method: str, path: str, body: Any = None) -> Response:
        """Calls the service and returns its response, whatever its status."""
        headers = {**self.headers, "content-type": "application/json"}
        if self._token:
            headers["x-mock-token"] = self._token
        data = None if body is None else json.dumps(body).encode()
        request = urllib.request.Request(self.url + path, data, headers, method=method)
        try:
            with urllib.request.urlopen(request) as response:
                return Response(response.status, dict(response.headers), _content(response.read()))
        except urllib.error.HTTPError as error:
            with error:
                return Response(error.code, dict(error.headers), _content(error.read()))

    def control(self, method: str, path: str, body: Any = None) -> Any:
        """Calls the mock's control API for this team. Raises MockError if the status is not 2xx."""
        response = self.call(method, "/__mock__/api" + path, body)
        if response.status >= 300:
            raise MockError(f"{method} {path} failed with status {response.status}: {response.body}")
        return response.body

    def seed(self, fixture: Mapping[str, Any]) -> Any:
        """Creates records and returns them, as in `{"users": [...], "orders": [...]}`. Omitted fields are generated."""
        return self.control("POST", "/seed", fixture)

    def set_clock(self, mode: str) -> None:
        """Sets how virtual time passes: `auto`, `manual` or `realtime`."""
        self.control("PATCH", "/clock", {"mode": mode})

    def advance(self, by: str) -> None:
        """Advances the virtual clock by a time span, such as `49h`, and runs all events scheduled in it."""
        self.control("POST", "/clock/advance", {"by": by})

    def now(self) -> datetime:
        """Returns the virtual time."""
        return datetime.fromisoformat(self.control("GET", "/clock")["now"].replace("Z", "+00:00"))

    def fault(self, fault: Mapping[str, Any]) -> Any:
        """Injects a fault, such as `{"on": "orders.*", "when": {"first": 1}, "then": {"status": 503}}`."""
        return self.control("POST", "/faults", fault)

    def requests(self, on: str = "*") -> list[Any]:
        """Returns the team's requests and their responses, optionally only for operations such as `orders.*`."""
        return list(self.control("GET", f"/journal?on={on}")["requests"])

    def trigger(self, event_type: str, **overrides: Any) -> Any:
        """Triggers an event, waits until all due deliveries are complete, and returns the event."""
        event = self.control("POST", "/events", {"event_type": event_type, **overrides})
        self.settle()
        return event

    def settle(self) -> None:
        """Waits until all due deliveries are complete."""
        self.control("POST", "/webhooks/idle")

    def receive(self) -> Receiver:
        """Returns a receiver for the team's events. Use it in a `with` statement."""
        return Receiver(self)


class Receiver:
    """An HTTP server on the loopback interface that records deliveries of the team's events."""

    def __init__(self, team: Team) -> None:
        self.deliveries: list[Delivery] = []
        #: The status of its responses.
        self.status = 204
        self.secret = ""
        self._team = team
        self._server = ThreadingHTTPServer(("127.0.0.1", 0), _handler(self))

    def __enter__(self) -> Receiver:
        threading.Thread(target=self._server.serve_forever, daemon=True).start()
        url = f"http://127.0.0.1:{self._server.server_port}/"
        self.secret = self._team.control("POST", "/webhooks", {"url": url})["secret"]
        return self

    def __exit__(self, *_: Any) -> None:
        self._server.shutdown()
        self._server.server_close()

    def events(self) -> list[Any]:
        """Verifies all deliveries and returns their events. Raises InvalidSignature if a delivery is not valid."""
        return [verify_event(body, headers, self.secret) for headers, body in self.deliveries]


def _handler(receiver: Receiver) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["content-length"]))
            receiver.deliveries.append(Delivery(dict(self.headers), body))
            self.send_response(receiver.status)
            self.end_headers()

        def log_message(self, format: str, *args: Any) -> None:
            pass

    return Handler


class Mock:
    """A mock server: the one at `url` or `SERVICE_BASE_URL`. Otherwise, a new one, which `close` stops.

    `command` starts a new server. Default: the `HEALTH_LAB_MOCK_COMMAND` variable, or `npx --yes health-lab-sdk`.
    """

    def __init__(self, url: Optional[str] = None, command: Optional[str] = None) -> None:
        self._process: Optional[subprocess.Popen[bytes]] = None
        self.url = url or os.environ.get("SERVICE_BASE_URL") or self._start(command)

    def _start(self, command: Optional[str]) -> str:
        words = shlex.split(command or os.environ.get("HEALTH_LAB_MOCK_COMMAND") or "npx --yes health-lab-sdk")
        options = ["mock", "--port", "0", "--clock", "auto", "--json", "--log", "off"]
        self._process = subprocess.Popen([*words, *options], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE)
        assert self._process.stdout is not None
        line = self._process.stdout.readline()
        try:
            return str(json.loads(line)["url"])
        except (ValueError, KeyError):
            self.close()
            raise MockError(f"The mock did not start. Run it to see why: {shlex.join([*words, *options])}") from None

    def team(self, key: Optional[str] = None) -> Team:
        """Returns the team with the given API key, or a team with a new key."""
        return Team(self.url, key)

    def close(self) -> None:
        """Stops the mock, if this object started it."""
        process, self._process = self._process, None
        if process is None:
            return
        process.terminate()
        process.wait()
        if process.stdout is not None:
            process.stdout.close()

    def __enter__(self) -> Mock:
        return self

    def __exit__(
        self,
        kind: Optional[type[BaseException]],
        error: Optional[BaseException],
        traceback: Optional[TracebackType],
    ) -> None:
        self.close()


def _content(data: bytes) -> Any:
    try:
        return json.loads(data) if data else None
    except ValueError:
        return data.decode(errors="replace")
