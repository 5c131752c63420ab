"""Runs tests of unittest as `python -m unittest` does, and reports them with the values of their failures.

The last argument is the file of the tests, the others are options of unittest.
"""
import contextlib
import os
import sys
import time
import types
import unittest
import unittest.case

from agent_debugger_loading import (
    NotLoaded,
    bases_of,
    flat,
    import_file,
    is_made_by_loader,
    keep,
    line_of,
    names_of,
    raising,
)
from agent_debugger_names import Test, matching
from agent_debugger_run import Run

# unittest leaves the frames of such modules out of its own texts.
__unittest = True

MAX_NAMES = 300

run = Run(os.environ)


class Reported(object):
    """What the report says about a test."""

    def __init__(self, test):
        self.about = {
            'id': test.id(),
            'path': names_of(test),
            'file': os.path.abspath(sys.argv[-1]),
            'line': line_of(test),
            'requested': 'test',
        }
        self.status = None
        self.reason = None
        self.errors = []
        self.began = time.perf_counter()
        self.seconds = None

    def end(self):
        self.seconds = time.perf_counter() - self.began

    def set(self, status, error=None, reason=None):
        if error is not None:
            self.errors.append(error)
        if self.status in (None, 'passed', 'skipped'):
            self.status = status
            self.reason = reason

    def entry(self):
        error = dict(self.errors[0], further=self.errors[1:]) if self.errors else None
        seconds = time.perf_counter() - self.began if self.seconds is None else self.seconds
        more = {'status': self.status, 'reason': self.reason, 'error': error, 'durationMs': seconds * 1000}
        return dict(self.about, **more)


class Result(unittest.TextTestResult):
    """Reports each test when it ends, and stops the program at its failure."""

    def __init__(self, *args, **kwargs):
        unittest.TextTestResult.__init__(self, *args, **kwargs)
        self.test = None
        self.tests = []
        Result.current = self

    def startTest(self, test):
        unittest.TextTestResult.startTest(self, test)
        if not isinstance(test, NotLoaded):
            self._quietly(self._begin, test)

    def _begin(self, test):
        self.test = Reported(test)
        self.tests.append((test, self.test))
        run.write(dict(self.test.about, running=True))
        run.watch.entry = self._partial
        if len(self.tests) == 1:
            run.watch.begin()
        run.passed.begin()

    def _partial(self):
        entry = self.test.entry()
        return entry if entry['status'] in ('failed', 'errored') else {}

    def stopTest(self, test):
        self._quietly(self._end)
        unittest.TextTestResult.stopTest(self, test)

    def _end(self):
        run.passed.end()
        if self.test is not None:
            self.test.end()
            run.write(self.test.entry())
        self.test = None

    def addSuccess(self, test):
        self._set('passed')
        unittest.TextTestResult.addSuccess(self, test)

    def addFailure(self, test, err):
        self._fail('failed', err[1])
        unittest.TextTestResult.addFailure(self, test, err)

    def addError(self, test, err):
        if hasattr(test, '_testMethodName') and not is_made_by_loader(test):
            self._fail('failed' if _is_in_test(test, err[2]) else 'errored', err[1])
        else:
            self._quietly(self._fail_outside, test, err[1])
        unittest.TextTestResult.addError(self, test, err)

    def addSubTest(self, test, subtest, err):
        if err is not None:
            self.fail_subtest(subtest, err[1])
        unittest.TextTestResult.addSubTest(self, test, subtest, err)

    def addSkip(self, test, reason):
        self._set('skipped', reason)
        unittest.TextTestResult.addSkip(self, test, reason)

    def addExpectedFailure(self, test, err):
        self._set('skipped', 'expected failure')
        unittest.TextTestResult.addExpectedFailure(self, test, err)

    def addUnexpectedSuccess(self, test):
        error = {'type': None, 'message': 'Unexpected success', 'frames': [], 'causes': []}
        self._quietly(self.test.set, 'failed', error)
        unittest.TextTestResult.addUnexpectedSuccess(self, test)

    def fail_subtest(self, subtest, error):
        """Adds the failure of a subtest, once."""
        if not any(known is error for known in self._subtests()):
            name = subtest._subDescription()  # pylint: disable=protected-access
            self._fail('failed', error, {'subtest': name})

    def _subtests(self):
        return [] if self.test is None else self.test.__dict__.setdefault('raised', [])

    def _set(self, status, reason=None):
        if self.test is not None:
            self._quietly(self.test.set, status, None, reason)

    def _fail(self, status, error, more=()):
        def add():
            if self.test is None:
                return
            self.test.end()
            self.test.set(status, dict(run.errors.describe(error), **dict(more)))
            self._subtests().append(error)
            if run.stays:
                run.write(self.test.entry())
                run.stop_at(error)

        self._quietly(add)

    def _fail_outside(self, test, error):
        """Reports the failure of a file, or of what runs before and after the tests of a class or module."""
        if isinstance(test, NotLoaded):
            return
        described = run.errors.describe(error)
        if is_made_by_loader(test):
            run.write({'loadError': described})
        else:
            self._fail_all(str(getattr(test, 'description', test)), described)
        run.stop_at(error)

    def _fail_all(self, description, error):
        """`description` is such as `setUpClass (module.Class)`."""
        where = description.partition('(')[2].rstrip(')')
        is_of = lambda test: where in ('%s.%s' % (type(test).__module__, type(test).__qualname__), type(test).__module__)
        of_class = [reported for test, reported in self.tests if is_of(test)]
        if of_class:
            # The teardown failed after the last test.
            of_class[-1].set('errored', error)
            run.write(of_class[-1].entry())
            return
        for test in Loader.chosen:
            if is_of(test):
                reported = Reported(test)
                reported.set('errored', error)
                run.write(reported.entry())

    @staticmethod
    def _quietly(act, *args):
        try:
            act(*args)
        except Exception as problem:  # pylint: disable=broad-except
            run.failed(problem)


def _is_in_test(test, trace):
    """Whether an exception was raised in the test's method, not in what runs before or after it."""
    while trace is not None:
        if trace.tb_frame.f_code.co_name == test._testMethodName:  # pylint: disable=protected-access
            return True
        trace = trace.tb_next
    return False


class Runner(unittest.TextTestRunner):
    """Prints what unittest prints if a debugger shows it. Otherwise, the output is that of the test alone."""

    resultclass = Result

    def __init__(self, *args, **kwargs):
        if 'pydevd' not in sys.modules:
            kwargs['stream'] = types.SimpleNamespace(write=lambda text: None, flush=lambda: None)
        unittest.TextTestRunner.__init__(self, *args, **kwargs)


class Loader(unittest.TestLoader):
    """Loads the requested tests of a file."""

    chosen = []

    def loadTestsFromNames(self, names, module=None):
        try:
            loaded = import_file(sys.argv[-1], run.top)
        except unittest.SkipTest as skipped:
            about = {'path': run.wanted, 'requested': 'test'}
            run.write(dict(about, status='skipped', reason=str(skipped)))
            return self.suiteClass([])
        except Exception as error:  # pylint: disable=broad-except
            run.write({'loadError': run.errors.describe(error)})
            run.stop_at(error)
            return self.suiteClass([NotLoaded(raising(error))])
        return self.only(self.loadTestsFromModule(loaded))

    def only(self, suite):
        tests = [Test(test, names_of(test), bases_of(test)) for test in flat(suite)]
        failed = [test.item for test in tests if is_made_by_loader(test.item)]
        found = [test.item for test in matching(tests, run.wanted)] if run.wanted else [test.item for test in tests]
        if not found and not failed:
            run.write({'collected': ['.'.join(test.names) for test in tests[:MAX_NAMES]]})
        Loader.chosen = found
        return keep(suite, {id(test) for test in found + failed})


def report_subtests_at_once():
    """Before Python 3.11, unittest reports the failures of subtests after the test. The variables have changed then."""
    outcome = unittest.case._Outcome  # pylint: disable=protected-access
    executor = outcome.testPartExecutor

    @contextlib.contextmanager
    def reporting(self, test_case, isTest=False):
        with executor(self, test_case, isTest):
            try:
                yield
            except unittest.SkipTest:
                raise
            except Exception as error:  # pylint: disable=broad-except
                result = getattr(Result, 'current', None)
                if hasattr(test_case, '_subDescription') and result is not None and not self.expecting_failure:
                    result.fail_subtest(test_case, error)
                raise

    outcome.testPartExecutor = reporting


def report_crashes():
    """Lets Python write where it is into the report if it crashes. pytest prints that itself."""
    import faulthandler

    file = None if faulthandler.is_enabled() else run.open_report()
    if file is not None:
        faulthandler.enable(file)


if __name__ == '__main__':
    # The tests may import this module, and must then find this run.
    sys.modules.setdefault('agent_debugger_unittest', sys.modules['__main__'])
    report_crashes()
    if sys.version_info < (3, 11):
        report_subtests_at_once()
    unittest.main(module=None, argv=['python -m unittest'] + sys.argv[1:], testRunner=Runner, testLoader=Loader())
