"""A plug-in for pytest (6 to 9) that reports tests with the values of their failures. PYTEST_DONT_REWRITE

It is loaded with `-p agent_debugger_report`. Everything comes from pytest's own hooks: they know the very exception that
makes a test fail. Errors of this plug-in itself never change the run.
"""
import functools
import os
import time

import pytest
from agent_debugger_failures import Failures
from agent_debugger_items import RunningTest, deselecting, is_left_out, is_of_subtest, selected
from agent_debugger_options import without_unsupported
from agent_debugger_run import Run

run = Run(os.environ)
failures = Failures(run.errors)


def clock(count=time.perf_counter):
    return count()


class State(object):
    """The test that runs, and what is known about it."""

    def __init__(self):
        self.test = None
        # The error of the last report, and the time that it took.
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


def pytest_assertrepr_compare(config, op, left, right):
    quiet(failures.note_comparison)(op, left, right)


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
    if isinstance(collector, pytest.Class) and is_left_out(collector, run.wanted):
        return pytest.CollectReport(collector.nodeid, 'passed', None, [])
    return None


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
    chosen, collected = selected(items, run.wanted)
    if not chosen:
        run.write({'collected': collected})
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
        reason = 'Deselected by the options of the project%s.' % deselecting(item.config.option)
        run.write(dict(RunningTest(item).about, status='skipped', reason=reason))


@pytest.hookimpl(hookwrapper=True, tryfirst=True)
def pytest_runtest_protocol(item, nextitem):
    begin(item)
    outcome = yield
    end(outcome.excinfo)


@quiet
def begin(item):
    state.test = RunningTest(item)
    failures.forget()
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
    failures.forget()
    state.test = None
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
    error = failures.describe(report, call.excinfo) if is_failure else None
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
