"""Finds the tests of unittest in a file."""
import importlib
import os
import re
import sys
import unittest

# unittest leaves the frames of such modules out of its own texts.
__unittest = True


def names_of(test):
    """Returns the classes of a test and its method."""
    names = type(test).__qualname__.split('.') if hasattr(test, '_testMethodName') else []
    return [name for name in names if name != '<locals>'] + [getattr(test, '_testMethodName', str(test))]


def is_made_by_loader(test):
    return type(test).__name__ in ('_FailedTest', 'ModuleImportFailure', 'LoadTestsFailure', 'NotLoaded')


def line_of(test):
    """Returns the line of a test, or of its class if the test is inherited from another file."""
    cls = type(test)
    try:
        import inspect

        method = inspect.unwrap(getattr(cls, test._testMethodName))  # pylint: disable=protected-access
        file = sys.modules[cls.__module__].__file__
        if os.path.realpath(method.__code__.co_filename) == os.path.realpath(file):
            return method.__code__.co_firstlineno
        return inspect.getsourcelines(cls)[1]
    except (AttributeError, KeyError, OSError, TypeError):
        return None


class NotLoaded(unittest.FunctionTestCase):
    """Stands for a file that can't be imported, so that unittest prints the error."""


def raising(error):
    def load():
        raise error

    return load


def bases_of(test):
    return [base.__name__ for base in type(test).__mro__]


def flat(suite):
    """Returns the tests of a suite and its suites."""
    tests = []
    for part in suite:
        tests += flat(part) if isinstance(part, unittest.BaseTestSuite) else [part]
    return tests


def keep(suite, ids):
    """Removes other tests from a suite and its suites."""
    parts = [keep(part, ids) if isinstance(part, unittest.BaseTestSuite) else part for part in suite]
    suite._tests = [  # pylint: disable=protected-access
        part for part in parts if isinstance(part, unittest.BaseTestSuite) or id(part) in ids
    ]
    return suite


def import_file(file, chosen):
    """Imports a file as the module that it is. `chosen` is the folder that the settings name, if they do."""
    file = os.path.abspath(file)
    top = top_of(file, chosen)
    name = os.path.splitext(os.path.relpath(file, top))[0].replace(os.sep, '.')
    if top not in sys.path:
        sys.path.insert(0, top)
    return importlib.import_module(name)


def top_of(file, chosen):
    """Returns the folder from which a file is imported: that of the settings, or the one above its packages."""
    if chosen and file.startswith(os.path.join(chosen, '')):
        return chosen
    top = os.path.dirname(file)
    while os.path.exists(os.path.join(top, '__init__.py')) and os.path.dirname(top) != top:
        top = os.path.dirname(top)
    return os.getcwd() if top == os.path.dirname(file) and is_in_package(file) else top


def is_in_package(file):
    """Whether a file without `__init__.py` beside it imports other files of its package."""
    below = os.path.relpath(file, os.getcwd())
    if below.startswith(os.pardir) or os.sep not in below:
        return False
    with open(file, encoding='utf-8', errors='replace') as source:
        return re.search(r'^\s*from\s+\.', source.read(), re.MULTILINE) is not None
