"""What the plug-in for pytest reports about a test. PYTEST_DONT_REWRITE"""
import os
import unittest

import pytest
from agent_debugger_names import Test, matching, without_parameters
from agent_debugger_values import Reader

MAX_LINES = 200
MAX_NAMES = 300


class RunningTest(object):
    """What the report says about a test."""

    def __init__(self, item):
        self.item = item
        self.about = {
            'id': item.nodeid,
            'path': names_of(item),
            'file': str(getattr(item, 'path', None) or item.fspath),
            'line': line_of(item),
            'requested': 'test',
        }
        self.reset()

    def reset(self):
        self.status = None
        self.reason = None
        self.error = None
        self.subtests = []
        self.duration = None
        self.output = []

    def add(self, report, error, duration):
        """Adds the report about the set-up, the call or the teardown."""
        if report.when == 'setup':
            self.reset()
        status, reason = status_of(report)
        if report.when == 'call' or (status != 'passed' and self.duration is None):
            self.duration = duration
        if (report.when == 'call' or status != 'passed') and self.status in (None, 'passed', 'skipped'):
            self.status, self.reason, self.error = status, reason, error
        elif status in ('failed', 'errored'):
            self.subtests.append(error)
        self.output = lines_of(report)

    def add_subtest(self, report, error):
        if report.failed:
            self.subtests.append(dict(error or {'message': report.longreprtext}, subtest=name_of_subtest(report)))
        self.output += lines_of(report)

    def entry(self):
        # The subtests have failed before the test itself has.
        is_subtest = any('subtest' in each for each in self.subtests)
        own = [] if self.error is None else [self.error]
        errors = self.subtests + own if is_subtest else own + self.subtests
        entry = dict(self.about, status=self.status, reason=self.reason)
        if self.item.config.option.capture != 'no':
            entry['output'] = self.output[-MAX_LINES:]
        if is_subtest and self.status in (None, 'passed'):
            entry['status'] = 'failed'
        entry['durationMs'] = None if self.duration is None else self.duration * 1000
        entry['error'] = dict(errors[0], further=errors[1:]) if errors else None
        return entry


def names_of(item):
    """Returns the names of the classes around a test, and its own, as pytest prints them."""
    names = []
    for node in item.listchain():
        if isinstance(node, pytest.File):
            names = []
        elif node.name != '()':
            names.append(node.name)
    return names


def line_of(item):
    """Returns the line of a test, or of its class if the test is inherited from another file."""
    file, line, _ = item.location
    own = str(getattr(item, 'path', None) or item.fspath)
    if os.path.realpath(os.path.join(str(item.config.rootdir), file)) == os.path.realpath(own):
        return None if line is None else line + 1
    try:
        import inspect

        return inspect.getsourcelines(item.cls)[1]
    except Exception:  # pylint: disable=broad-except
        return None


def lines_of(report):
    parts = [report.capstdout, report.capstderr, report.caplog]
    return [line for part in parts for line in (part or '').splitlines()]


def status_of(report):
    if hasattr(report, 'wasxfail'):
        reason = str(report.wasxfail)
        reason = reason[len('reason: ') :] if reason.startswith('reason: ') else reason
        status = 'skipped' if report.skipped else report.outcome
        return status, 'xfail: ' + reason if reason else 'xfail'
    if report.skipped:
        reason = report.longrepr[2] if isinstance(report.longrepr, tuple) else str(report.longrepr)
        return 'skipped', reason[len('Skipped: ') :] if reason.startswith('Skipped: ') else reason
    if report.failed:
        return ('failed' if report.when == 'call' else 'errored'), None
    return 'passed', None


def is_of_subtest(report):
    return type(report).__name__ in ('SubtestReport', 'SubTestReport')


def name_of_subtest(report):
    """Returns the name of a subtest as pytest prints it."""
    message, values = report.context.msg, report.context.kwargs
    # The plug-in pytest-subtests has the values themselves, pytest their texts.
    shown = Reader(0.1).show if type(report).__name__ == 'SubTestReport' else str
    parts = ['[%s]' % message] if message is not None else []
    if values:
        parts.append('(%s)' % ', '.join('%s=%s' % (name, shown(value)) for name, value in values.items()))
    return ' '.join(parts) or '(<subtest>)'


def bases_of(cls):
    return [base.__name__ for base in getattr(cls, '__mro__', ())]


def is_left_out(collector, wanted):
    """Whether the requested test can't belong to a class. pytest leaves such classes out for the name of a test."""
    chain = names_of(collector)
    first = without_parameters(wanted[0])
    if _is_collected(collector, first):
        return chain[: len(wanted)] != wanted[: len(chain)]
    if len(wanted) == 1:
        return False
    return not any(name in wanted for name in chain + bases_of(collector.obj))


def _is_collected(collector, name):
    """Whether pytest collects the function or the class of a module with this name."""
    module = collector.getparent(pytest.Module)
    found = getattr(module.obj, name, None)
    if isinstance(found, type):
        return issubclass(found, unittest.TestCase) or bool(module.istestclass(found, name))
    return callable(found) and bool(module.istestfunction(found, name))


def selected(items, wanted):
    """Returns the ids of the tests that are requested, and the names of all."""
    tests = [Test(item, names_of(item), bases_of(getattr(item, 'cls', None))) for item in items]
    chosen = {id(test.item) for test in matching(tests, wanted)}
    return chosen, ['::'.join(test.names) for test in tests[:MAX_NAMES]]


def deselecting(option):
    """Returns the options with which a project leaves tests out."""
    given = [('-m', getattr(option, 'markexpr', '')), ('-k', getattr(option, 'keyword', ''))]
    named = ' '.join('%s "%s"' % each for each in given if each[1])
    return ': ' + named if named else ''
