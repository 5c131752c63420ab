"""A plug-in for pytest (6 to 9) that reports tests with the values of their failures. PYTEST_DONT_REWRITE

It is loaded with `-p agent_debugger_report`. Everything comes from pytest's own hooks: they know the very exception that
makes a test fail. Errors of this plug-in itself never change the run.
"""
import functools
import os
import sys
import time

import pytest
from agent_debugger_names import Test, matching
from agent_debugger_options import without_unsupported
from agent_debugger_run import Run
from agent_debugger_values import Reader

MOST_NAMES = 300
MOST_LINES = 200

run = Run(os.environ)


def clock(count=time.perf_counter):
    return count()


class State(object):
    """The test that runs, and what is known about it."""

    def __init__(self):
        self.test = None
        # The last failed comparison, and the last report with its error.
        self.compared = None
        self.made = (None, None)
        self.chosen = []
        self.ended_by = None
        # The time for which the reports of subtests were made while the test ran. It does not count.
        self.is_called = False
        self.reporting = 0
        self.is_watched = False


state = State()


def quiet(hook):
    """Makes a function that never raises. pluggy reads the parameters of hooks, so hooks only call such functions."""

    @functools.wraps(hook)
    def guarded(*args, **kwargs):
        try:
            return hook(*args, **kwargs)
        except Exception as error:  # pylint: disable=broad-except
            run.failed(error)
            return None

    return guarded


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
            entry['output'] = self.output[-MOST_LINES:]
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


def is_hidden(frame):
    """Whether pytest hides a frame, because its function says `__tracebackhide__ = True`."""
    for names in (frame.f_locals, frame.f_globals):
        if '__tracebackhide__' in names:
            hides = names['__tracebackhide__']
            return bool(hides) and not callable(hides)
    return False


def error_of(report, excinfo):
    """Returns the description of the exception that pytest reports."""
    error = excinfo.value
    place = None
    message = None
    kind = type(error).__name__
    if kind == 'FixtureLookupError' and hasattr(report.longrepr, 'errorstring'):
        message = report.longrepr.errorstring.strip()
        place = (str(report.longrepr.filename), report.longrepr.firstlineno + 1)
    elif kind in ('DocTestFailure', 'UnexpectedException', 'MultipleDoctestFailures'):
        return error_of_doctest(report, error)
    described = run.errors.describe(error, compared_by(error), is_hidden)
    if message is not None:
        described['message'] = message
    if place is not None:
        described['frames'] = [{'path': place[0], 'line': place[1], 'name': ''}]
    return described


def error_of_doctest(report, error):
    first = error.failures[0] if hasattr(error, 'failures') else error
    raised = first.exc_info[1] if hasattr(first, 'exc_info') else first
    described = run.errors.describe(raised)
    described['message'] = str(raised) if raised is not first else report.longreprtext
    line = (first.test.lineno or 0) + first.example.lineno + 1
    described['frames'] = [{'path': first.test.filename, 'line': line, 'name': first.test.name}]
    if hasattr(first, 'got'):
        described.update(expected=first.example.want.rstrip('\n'), actual=first.got.rstrip('\n'), type=None)
    return described


def compared_by(error):
    """Returns the values of the comparison that raised an error: that of the same line in the same frame."""
    trace = error.__traceback__
    while trace is not None and trace.tb_next is not None:
        trace = trace.tb_next
    if state.compared is None or trace is None or not isinstance(error, AssertionError):
        return None
    place, values = state.compared
    return values if place == (id(trace.tb_frame), trace.tb_frame.f_code, trace.tb_lineno) else None


def pytest_assertrepr_compare(config, op, left, right):
    frame = sys._getframe()
    while frame is not None and frame.f_globals.get('__name__', '').partition('.')[0] in ('_pytest', 'pluggy', __name__):
        frame = frame.f_back
    state.compared = None
    if frame is not None and op in ('==', 'is'):
        state.compared = ((id(frame), frame.f_code, frame.f_lineno), (left, right))


@pytest.hookimpl(hookwrapper=True, tryfirst=True)
def pytest_load_initial_conftests(early_config, parser, args):
    drop_options(early_config, args)
    outcome = yield
    if outcome.excinfo is not None:
        report_loading(outcome.excinfo[1])


@quiet
def drop_options(early_config, args):
    kept, dropped = without_unsupported(args, early_config.pluginmanager.hasplugin)
    if not dropped:
        return
    args[:] = kept
    if hasattr(early_config.known_args_namespace, 'cov_source'):
        early_config.known_args_namespace.cov_source = []
    run.write({'droppedOptions': dropped})


@quiet
def report_loading(error, report=None):
    """Reports an exception outside of any test."""
    raised = cause_of(error)
    described = run.errors.describe(raised)
    if type(raised).__name__ in ('CollectError', 'UsageError'):
        described['message'] = getattr(report, 'longreprtext', described['message'])
    run.write({'loadError': described})
    run.stop_at(raised)


def cause_of(error):
    """Returns the exception that pytest has wrapped in one of its own."""
    kind = type(error).__name__
    if kind == 'ConftestImportFailure':
        excinfo = getattr(error, 'excinfo', None)
        return getattr(error, 'cause', None) or (excinfo[1] if isinstance(excinfo, tuple) else error)
    if kind == 'CollectError':
        return error.__cause__ or error.__context__ or error
    return error


@pytest.hookimpl(tryfirst=True)
def pytest_configure(config):
    take_file(config)


@quiet
def take_file(config):
    """Lets pytest collect the file of the test. The test is selected among what pytest has found in it."""
    if run.wanted and config.args:
        config.args = [str(config.args[-1]).partition('::')[0]]


@pytest.hookimpl(tryfirst=True)
def pytest_make_collect_report(collector):
    """Leaves out the classes to which the test can't belong, as pytest does for the name of a test."""
    return empty_report(collector)


@quiet
def empty_report(collector):
    if len(run.wanted) < 2 or not isinstance(collector, pytest.Class):
        return None
    names = [node.name for node in collector.listchain()] + bases_of(collector.obj)
    if any(name in run.wanted for name in names):
        return None
    return pytest.CollectReport(collector.nodeid, 'passed', None, [])


def bases_of(cls):
    return [base.__name__ for base in getattr(cls, '__mro__', ())]


@pytest.hookimpl(hookwrapper=True, tryfirst=True)
def pytest_collection_modifyitems(session, config, items):
    left = select(items)
    if left:
        config.hook.pytest_deselected(items=left)
    yield


@quiet
def select(items):
    """Keeps the requested tests, and returns the others."""
    if not run.wanted:
        return []
    tests = [Test(item, names_of(item), bases_of(getattr(item, 'cls', None))) for item in items]
    chosen = {id(test.item) for test in matching(tests, run.wanted)}
    if not chosen:
        run.write({'collected': ['::'.join(test.names) for test in tests[:MOST_NAMES]]})
    left = [item for item in items if id(item) not in chosen]
    items[:] = [item for item in items if id(item) in chosen]
    state.chosen = list(items)
    return left


def pytest_deselected(items):
    report_deselected(items)


@quiet
def report_deselected(items):
    """Reports that options of the project leave out the requested test."""
    out = [item for item in items if any(item is chosen for chosen in state.chosen)]
    for item in out:
        option = item.config.option
        given = [('-m', getattr(option, 'markexpr', '')), ('-k', getattr(option, 'keyword', ''))]
        named = ' '.join('%s "%s"' % each for each in given if each[1])
        reason = 'Deselected by the options of the project%s.' % (': ' + named if named else '')
        run.write(dict(RunningTest(item).about, status='skipped', reason=reason))


@pytest.hookimpl(hookwrapper=True, tryfirst=True)
def pytest_runtest_protocol(item, nextitem):
    begin(item)
    outcome = yield
    end(outcome.excinfo)


@quiet
def begin(item):
    state.test = RunningTest(item)
    state.compared = None
    run.write(dict(state.test.about, running=True))
    run.watch.entry = partial_entry
    if not state.is_watched:
        state.is_watched = True
        run.watch.begin()


def partial_entry():
    """Returns the entry of a test that has not ended, if it has failed already."""
    entry = state.test.entry()
    return entry if entry['status'] in ('failed', 'errored') else {}


@quiet
def end(excinfo):
    entry = state.test.entry()
    if excinfo is not None:
        # The test has ended the run, by `pytest.exit` or an interrupt.
        state.ended_by = excinfo[1]
        entry.update(status='errored', error=run.errors.describe(excinfo[1]))
    if entry['status'] is not None:
        run.write(entry)
    run.watch.entry = None
    state.test = state.compared = None
    state.made = (None, None)


@quiet
def phase(item):
    """Reads the variables of frames as exceptions pass them, while code of the test runs."""
    # hypothesis behaves in another way if a function traces the program.
    if not getattr(getattr(item, 'obj', None), 'is_hypothesis_test', False):
        run.passed.begin()


phase_end = quiet(run.passed.end)


@pytest.hookimpl(hookwrapper=True)
def pytest_runtest_setup(item):
    phase(item)
    yield
    phase_end()


@pytest.hookimpl(hookwrapper=True)
def pytest_runtest_call(item):
    phase(item)
    state.is_called, state.reporting = True, 0
    yield
    state.is_called = False
    phase_end()


@pytest.hookimpl(hookwrapper=True)
def pytest_runtest_teardown(item):
    phase(item)
    yield
    phase_end()


@pytest.hookimpl(hookwrapper=True, tryfirst=True)
def pytest_runtest_makereport(item, call):
    began = clock()
    outcome = yield
    if outcome.excinfo is None:
        keep_made(outcome.get_result(), call)
    if state.is_called:
        state.reporting += clock() - began


@quiet
def keep_made(report, call):
    is_failure = report.failed and call.excinfo is not None
    error = error_of(report, call.excinfo) if is_failure else None
    if report.failed and error is None:
        error = {'type': None, 'message': report.longreprtext, 'frames': [], 'causes': []}
    state.made = (error, getattr(call, 'duration', None))


def pytest_runtest_logreport(report):
    add_report(report)


@quiet
def add_report(report):
    if state.test is None:
        return
    error, duration = state.made
    if is_of_subtest(report):
        state.test.add_subtest(report, error)
    else:
        state.test.add(report, error, duration and max(0, duration - state.reporting))


def pytest_exception_interact(node, call, report):
    stay(call, report)


@quiet
def stay(call, report):
    if getattr(report, 'when', None) not in ('setup', 'call', 'teardown'):
        report_loading(call.excinfo.value, report)
    elif state.test is not None and run.stays:
        run.write(state.test.entry())
        run.stop_at(call.excinfo.value)


def pytest_internalerror(excrepr, excinfo):
    report_internal(excinfo)


@quiet
def report_internal(excinfo):
    trace = excinfo.tb
    while trace.tb_next is not None:
        trace = trace.tb_next
    if os.path.dirname(os.path.abspath(trace.tb_frame.f_code.co_filename)) == os.path.dirname(os.path.abspath(__file__)):
        run.failed(excinfo.value)
    else:
        report_loading(excinfo.value)


def pytest_keyboard_interrupt(excinfo):
    report_interrupt(excinfo)


@quiet
def report_interrupt(excinfo):
    """Reports what ends the run outside of any test."""
    if type(excinfo.value).__name__ == 'Interrupted':
        # pytest has reported the errors for which it does not begin.
        return
    if excinfo.value is not state.ended_by:
        report_loading(excinfo.value)
