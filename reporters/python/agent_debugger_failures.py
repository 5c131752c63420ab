"""Describes the failures that pytest reports. PYTEST_DONT_REWRITE"""
import sys


class Failures(object):
    """Describes exceptions, with what only pytest knows about them."""

    def __init__(self, errors):
        self._errors = errors
        # The place of the last failed comparison, and its values.
        self._compared = None

    def forget(self):
        self._compared = None

    def note_comparison(self, operator, left, right):
        """Notes the values of a comparison. Called by pytest in the assertion that has failed."""
        frame = sys._getframe()
        while frame is not None and _is_of_runner(frame):
            frame = frame.f_back
        self._compared = None
        if frame is not None and operator in ('==', 'is'):
            self._compared = ((id(frame), frame.f_code, frame.f_lineno), (left, right))

    def describe(self, report, excinfo):
        """Returns the description of the exception that pytest reports."""
        error = excinfo.value
        kind = type(error).__name__
        if kind in ('DocTestFailure', 'UnexpectedException', 'MultipleDoctestFailures'):
            return self._of_doctest(report, error)
        described = self._errors.describe(error, self._compared_by(error), is_hidden)
        if kind == 'FixtureLookupError' and hasattr(report.longrepr, 'errorstring'):
            described['message'] = report.longrepr.errorstring.strip()
            line = report.longrepr.firstlineno + 1
            described['frames'] = [{'path': str(report.longrepr.filename), 'line': line, 'name': ''}]
        return described

    def _of_doctest(self, report, error):
        first = error.failures[0] if hasattr(error, 'failures') else error
        raised = first.exc_info[1] if hasattr(first, 'exc_info') else first
        described = self._errors.describe(raised)
        described['message'] = str(raised) if raised is not first else report.longreprtext
        line = (first.test.lineno or 0) + first.example.lineno + 1
        described['frames'] = [{'path': first.test.filename, 'line': line, 'name': first.test.name}]
        if hasattr(first, 'got'):
            described.update(type=None, expected=first.example.want.rstrip('\n'), actual=first.got.rstrip('\n'))
        return described

    def _compared_by(self, error):
        """Returns the values of the comparison that raised an error: that of the same line in the same frame."""
        trace = error.__traceback__
        while trace is not None and trace.tb_next is not None:
            trace = trace.tb_next
        if self._compared is None or trace is None or not isinstance(error, AssertionError):
            return None
        place, values = self._compared
        return values if place == (id(trace.tb_frame), trace.tb_frame.f_code, trace.tb_lineno) else None


def _is_of_runner(frame):
    module = frame.f_globals.get('__name__', '')
    return module.partition('.')[0] in ('_pytest', 'pluggy') or module.startswith('agent_debugger_')


def is_hidden(frame):
    """Whether pytest hides a frame, because its function says `__tracebackhide__ = True`."""
    for names in (frame.f_locals, frame.f_globals):
        if '__tracebackhide__' in names:
            hides = names['__tracebackhide__']
            return bool(hides) and not callable(hides)
    return False
