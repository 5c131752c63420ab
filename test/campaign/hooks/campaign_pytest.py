"""Writes what pytest itself knows about each test, one JSON object a line, to the file in CAMPAIGN_REPORT."""

import json
import os

import pytest

from campaign_place import place_of


def _write(entry):
    with open(os.environ["CAMPAIGN_REPORT"], "a", encoding="utf-8") as file:
        file.write(json.dumps(entry) + "\n")


@pytest.hookimpl(hookwrapper=True)
def pytest_runtest_makereport(item, call):
    outcome = yield
    report = outcome.get_result()
    if report.skipped or (report.passed and report.when != "call"):
        return
    entry = {"nodeid": item.nodeid, "file": str(item.path), "outcome": report.outcome, "when": report.when}
    if report.failed and call.excinfo is not None:
        crash = getattr(report.longrepr, "reprcrash", None)
        entry["type"] = call.excinfo.type.__name__
        entry["message"] = crash.message if crash is not None else str(call.excinfo.value)
        entry.update(place_of(call.excinfo.tb))
    elif report.failed:
        entry["message"] = str(report.longrepr)
    _write(entry)


def pytest_collectreport(report):
    if report.failed:
        _write({"nodeid": report.nodeid, "broken": str(report.longrepr)})
