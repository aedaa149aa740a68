"""Fixtures of pytest: one mock server for the session, and a team for each test."""

from __future__ import annotations

from typing import Iterator

import pytest

from . import Mock, Team


@pytest.fixture(scope="session")
def health_lab_mock() -> Iterator[Mock]:
    """The mock server at `SERVICE_BASE_URL`, or a started one."""
    with Mock() as mock:
        yield mock


@pytest.fixture
def health_lab_team(health_lab_mock: Mock) -> Team:
    """A team of the mock that no other test shares, with a clock that waits for nothing."""
    team = health_lab_mock.team()
    team.set_clock("auto")
    return team
