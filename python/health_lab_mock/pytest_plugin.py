"""Pytest fixtures: one mock server per session, and one team per test."""

from __future__ import annotations

from typing import Iterator

import pytest

from . import Mock, Team


@pytest.fixture(scope="session")
def health_lab_mock() -> Iterator[Mock]:
    """The mock server at `SERVICE_BASE_URL`, or a new one if the variable is not set."""
    with Mock() as mock:
        yield mock


@pytest.fixture
def health_lab_team(health_lab_mock: Mock) -> Team:
    """A mock team that no other test shares. Its clock is in `auto` mode."""
    team = health_lab_mock.team()
    team.set_clock("auto")
    return team
