"""Books the appointment of an order, with the package for Python."""

import os
import sys

from health_lab_mock import Team

team = Team(os.environ["SERVICE_BASE_URL"], os.environ["SERVICE_API_KEY"])
path = f"/v3/order/{sys.argv[1]}/phlebotomy/appointment/book"
status, _, appointment = team.call("POST", path, {"booking_key": "bk_confirm_after_3s"})
assert (status, appointment["status"]) == (200, "confirmed"), appointment
print(f"POST {path} {status}")
