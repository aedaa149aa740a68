"""Books the appointment of an order, with the helper of the page about Python."""

import json
import os
import sys

from test_booking import Team

team = Team()
team.key = os.environ["SERVICE_API_KEY"]
path = f"/v3/order/{sys.argv[1]}/phlebotomy/appointment/book"
status, appointment = team.call("POST", path, {"booking_key": "bk_confirm_after_3s"})
assert (status, appointment["status"]) == (200, "confirmed"), appointment
print(f"POST {path} {status}")
