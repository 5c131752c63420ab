import { REPORT } from '../javascript/reporters';

/** The code that the pytest plug-in and the unittest runner share. */
const COMMON = String.raw`
import json
import os
import pprint

_REPORT = os.path.join(os.path.dirname(os.path.abspath(__file__)), '${REPORT}')


def write(entry):
    with open(_REPORT, 'a', encoding='utf-8') as file:
        file.write(json.dumps(entry) + '\n')


def shown(value, other=None):
    try:
        if isinstance(value, str) and isinstance(other, str) and ('\n' in value or '\n' in other):
            return value[:20000]
        return pprint.pformat(value, width=80)[:20000]
    except BaseException as error:
        return '<no repr: %s>' % type(error).__name__


def text_of(error):
    try:
        return str(error)[:20000]
    except BaseException:
        return ''


def causes_of(error):
    causes = [
        {'type': type(part).__name__, 'message': text_of(part)}
        for part in getattr(error, 'exceptions', ())[:5]
        if isinstance(part, BaseException)
    ] if type(error).__name__.endswith('ExceptionGroup') else []
    while error is not None and len(causes) < 5:
        error = error.__cause__ or (None if error.__suppress_context__ else error.__context__)
        if error is not None:
            causes.append({'type': type(error).__name__, 'message': text_of(error)})
    return causes


def error_of(error, compared=None):
    frames = []
    trace = error.__traceback__
    while trace is not None:
        code = trace.tb_frame.f_code
        frames.append({'path': code.co_filename, 'line': trace.tb_lineno, 'name': code.co_name})
        values = trace.tb_frame.f_locals
        if code.co_filename.replace(os.sep, '/').endswith('unittest/case.py') and code.co_name.startswith('assert') and 'Not' not in code.co_name:
            if compared is None and 'first' in values and 'second' in values:
                compared = (values['first'], values['second'])
        trace = trace.tb_next
    if isinstance(error, SyntaxError) and error.filename and error.lineno:
        frames.append({'path': error.filename, 'line': error.lineno, 'name': ''})
    frames.reverse()
    described = {
        'type': type(error).__name__,
        'message': text_of(error),
        'frames': frames[:100],
        'causes': causes_of(error),
    }
    if compared is not None:
        described['actual'] = shown(compared[0], compared[1])
        described['expected'] = shown(compared[1], compared[0])
    return described
`;

/** The module that pytest loads with -p. */
export const PYTEST_MODULE = 'agent_debugger_report';

export const PYTEST_PLUGIN = String.raw`${COMMON}
import pytest

_state = {'compared': None, 'reported': {}}


def pytest_assertrepr_compare(config, op, left, right):
    _state['compared'] = (left, right) if op in ('==', 'is') else None


def pytest_runtest_logstart(nodeid, location):
    _state['compared'] = None
    _state['reported'] = {}


def _lines(report):
    parts = [report.capstdout, report.capstderr, report.caplog]
    return [line for part in parts for line in (part or '').splitlines()][-200:]


def _xfail_reason(text):
    text = text[len('reason: '):] if text.startswith('reason: ') else text
    return 'xfail: ' + text if text else 'xfail'


@pytest.hookimpl(hookwrapper=True)
def pytest_runtest_makereport(item, call):
    report = (yield).get_result()
    entry = _state['reported']
    error = None
    if call.excinfo is not None and not report.skipped and not hasattr(report, 'wasxfail'):
        value = call.excinfo.value
        compared = _state['compared'] if isinstance(value, AssertionError) and str(value).startswith('assert ') else None
        error = error_of(value, compared)
    if hasattr(report, 'wasxfail'):
        status, reason = ('skipped' if report.skipped else report.outcome), _xfail_reason(str(report.wasxfail))
    elif report.skipped:
        status = 'skipped'
        reason = report.longrepr[2] if isinstance(report.longrepr, tuple) else str(report.longrepr)
    elif report.failed:
        status, reason = ('failed' if report.when == 'call' else 'errored'), None
        if error is None:
            error = {'type': None, 'message': report.longreprtext[:20000], 'frames': [], 'causes': []}
    else:
        status, reason = 'passed', None
    if report.when == 'call' or status not in ('passed',):
        if entry.get('status') in (None, 'passed', 'skipped'):
            entry.update({
                'path': item.nodeid.split('::')[1:],
                'file': str(item.fspath),
                'line': (item.location[1] or 0) + 1,
                'status': status,
                'reason': reason,
                'error': error,
            })
    entry['durationMs'] = entry.get('durationMs', 0) + call.duration * 1000
    entry['output'] = _lines(report)
    if report.when == 'teardown' and 'status' in entry:
        write(entry)


def pytest_exception_interact(node, call, report):
    if getattr(report, 'when', None) in ('setup', 'call', 'teardown'):
        return
    error = call.excinfo.value
    described = error_of(error.__cause__ or error.__context__ or error)
    if error.__cause__ is None and error.__context__ is None:
        described['message'] = getattr(report, 'longreprtext', described['message'])[:20000]
    write({'loadError': described})
`;

/** The module that runs unittest tests. */
export const UNITTEST_MODULE = 'agent_debugger_unittest';

export const UNITTEST_RUNNER = String.raw`${COMMON}
import inspect
import sys
import time
import unittest


class Result(unittest.TestResult):
    def startTest(self, test):
        super().startTest(test)
        self._started = time.perf_counter()

    def _report(self, test, status, error=None, reason=None):
        parts = test.id().split('.')
        line = None
        try:
            line = inspect.getsourcelines(getattr(type(test), test._testMethodName))[1]
        except Exception:
            pass
        entry = {
            'path': parts[-2:],
            'line': line,
            'status': status,
            'reason': reason,
            'durationMs': (time.perf_counter() - getattr(self, '_started', time.perf_counter())) * 1000,
            'error': None if error is None else error_of(error[1]),
        }
        if type(test).__name__ in ('_FailedTest', '_ErrorHolder'):
            if type(test).__name__ == '_FailedTest':
                write({'loadError': self._cause(error)})
                return
        write(entry)

    def _cause(self, error):
        described = error_of(error[1])
        lines = [line for line in described['message'].splitlines() if line.strip()]
        if lines and error[1].__cause__ is None:
            place = [line for line in lines if line.strip().startswith('File "')]
            described['message'] = lines[-1]
            described['frames'] = [
                {'path': part[1], 'line': int(part[2].split('line ')[1].split(',')[0]), 'name': ''}
                for part in (line.split('"') for line in reversed(place)) if 'line ' in part[2]
            ]
            described['type'], _, rest = lines[-1].partition(': ')
            described['message'] = rest or lines[-1]
        return described

    def addSuccess(self, test):
        self._report(test, 'passed')

    def addFailure(self, test, err):
        # The base class removes its own frames from the traceback.
        self._report(test, 'failed', err)
        super().addFailure(test, err)

    def addError(self, test, err):
        names = set()
        trace = err[2]
        while trace is not None:
            names.add(trace.tb_frame.f_code.co_name)
            trace = trace.tb_next
        is_fixture = type(test).__name__ == '_ErrorHolder' or getattr(test, '_testMethodName', None) not in names
        self._report(test, 'errored' if is_fixture else 'failed', err)
        super().addError(test, err)

    def addSubTest(self, test, subtest, err):
        if err is not None:
            self._report(test, 'failed', err, str(subtest))
        super().addSubTest(test, subtest, err)

    def addSkip(self, test, reason):
        self._report(test, 'skipped', None, reason)

    def addExpectedFailure(self, test, err):
        self._report(test, 'skipped', None, 'expected failure')

    def addUnexpectedSuccess(self, test):
        super().addUnexpectedSuccess(test)
        self._report(test, 'failed', (None, AssertionError('unexpected success'), None))


class Runner:
    def __init__(self, *args, **options):
        pass

    def run(self, suite):
        result = Result()
        suite(result)
        return result


if __name__ == '__main__':
    sys.modules.setdefault('${UNITTEST_MODULE}', sys.modules['__main__'])
    unittest.main(module=None, argv=['unittest'] + sys.argv[1:], testRunner=Runner, exit=False)
`;
