import json
from datetime import timedelta

import pytest

from health_lab_mock import InvalidSignature, Mock, MockError, Team, verify_event


@pytest.fixture
def booking(health_lab_team: Team):
    [order] = health_lab_team.seed({"orders": [{}]})["orders"]
    path = f"/v3/order/{order['id']}/phlebotomy/appointment"
    return lambda key, **options: health_lab_team.call("POST", path + "/book", {"booking_key": key, **options}), path


def test_books_an_appointment(booking):
    book, _ = booking
    status, headers, appointment = book("bk_confirm_after_3s")
    assert (status, appointment["status"]) == (200, "confirmed")
    assert "x-request-id" in {name.lower() for name in headers}


def test_advances_the_clock(booking, health_lab_team):
    book, path = booking
    before = health_lab_team.now()
    book("bk_never", async_confirmation=True, async_confirmation_timeout_millisecond=172_800_000)
    assert health_lab_team.call("GET", path).body["status"] == "pending"
    health_lab_team.advance("49h")
    assert health_lab_team.call("GET", path).body["status"] == "cancelled"
    assert health_lab_team.now() - before >= timedelta(hours=49)


def test_injects_a_fault(booking, health_lab_team):
    book, _ = booking
    health_lab_team.fault({"on": "orders.*", "when": {"first": 1}, "then": {"status": 503, "retryAfter": "1s"}})
    assert [book("bk_confirm").status, book("bk_confirm").status] == [503, 200]
    assert [request["response"]["status"] for request in health_lab_team.requests("orders.*")] == [503, 200]


def test_separates_teams(health_lab_team, health_lab_mock):
    health_lab_team.seed({"users": [{}]})
    other = health_lab_mock.team()
    assert other.key != health_lab_team.key
    assert len(health_lab_team.control("GET", "/users")) == 1
    assert other.control("GET", "/users") == []


def test_receives_events(health_lab_team):
    with health_lab_team.receive() as receiver:
        health_lab_team.trigger("daily.data.sleep.created")
    assert [event["event_type"] for event in receiver.events()] == ["daily.data.sleep.created"]
    [(headers, body)] = receiver.deliveries
    changed = {"body": body + b" ", "headers": headers}, {"body": body, "headers": {}}
    late = {**headers, "webhook-timestamp": "1"}
    odd = {**headers, "webhook-timestamp": "\u0661"}
    for parts in (*changed, {"body": body, "headers": late}, {"body": body, "headers": odd}):
        with pytest.raises(InvalidSignature):
            verify_event(secrets=receiver.secret, **parts)
    with pytest.raises(InvalidSignature):
        verify_event(body, headers, "whsec_AAAA")
    assert verify_event(body, headers, ["whsec_AAAA", receiver.secret]) == json.loads(body)


def test_retries_a_failed_delivery(health_lab_team):
    with health_lab_team.receive() as receiver:
        receiver.status = 500
        health_lab_team.trigger("daily.data.sleep.created")
        receiver.status = 204
        health_lab_team.advance("1m")
        health_lab_team.settle()
    assert len({headers["webhook-id"] for headers, _ in receiver.deliveries}) == 1
    assert len(receiver.deliveries) >= 2


def test_reports_refused_requests(health_lab_team):
    with pytest.raises(MockError, match="POST /clock/advance failed with status 422"):
        health_lab_team.advance("a while")


def test_reports_a_mock_that_does_not_start(monkeypatch):
    monkeypatch.delenv("SERVICE_BASE_URL", raising=False)
    with pytest.raises(MockError, match="did not start"):
        Mock(command="false")
