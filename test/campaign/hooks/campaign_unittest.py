"""Runs unittest as `python -m unittest` does, and writes its results, one JSON object a line, to CAMPAIGN_REPORT."""

import inspect
import json
import os
import unittest

from campaign_place import is_own, place_of


class Result(unittest.TextTestResult):
    def _write(self, test, outcome, error=None):
        file = self._file(test)
        # The doctests of a library have no test file.
        if not is_own(file) and type(test).__name__ != "_FailedTest":
            return
        entry = {"id": test.id(), "outcome": outcome, "file": file}
        if error is not None:
            kind, value, traceback = error
            entry.update(type=kind.__name__, message=str(value), **place_of(traceback))
        if type(test).__name__ == "_FailedTest":
            entry["broken"] = str(error[1])
        with open(os.environ["CAMPAIGN_REPORT"], "a", encoding="utf-8") as file:
            file.write(json.dumps(entry) + "\n")

    @staticmethod
    def _file(test):
        test = getattr(test, "test_case", test)
        try:
            return os.path.realpath(inspect.getfile(type(test)))
        except (OSError, TypeError):
            return ""

    def addSuccess(self, test):
        super().addSuccess(test)
        self._write(test, "passed")

    def addFailure(self, test, error):
        super().addFailure(test, error)
        self._write(test, "failed", error)

    def addError(self, test, error):
        super().addError(test, error)
        self._write(test, "failed", error)

    def addSubTest(self, test, subtest, error):
        super().addSubTest(test, subtest, error)
        if error is not None:
            self._write(test, "failed", error)


if __name__ == "__main__":
    unittest.main(module=None, testRunner=unittest.TextTestRunner(resultclass=Result))
