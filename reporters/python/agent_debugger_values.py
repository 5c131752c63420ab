"""Texts of values, limited in size and time. They are read in the program where a test failed.

Nothing here may break or delay the program: the code of the person that shows a value (`__repr__`) may be slow, or raise.
Python 3.6 and later.
"""
import itertools
import signal
import threading
import time
import types

# Tests replace functions of the clock and of files (freezegun, pyfakefs). Default arguments keep the real ones.
MAX_OF_A_VALUE = 400
MAX_ATTRIBUTES = 10
SECONDS_OF_A_VALUE = 0.15
TOO_LONG = '<took too long to show>'

# The largest number of elements that are shown, by the depth of their container.
_ELEMENTS = (40, 12, 6, 4)
_CODE = (
    type,
    types.FunctionType,
    types.BuiltinFunctionType,
    types.MethodType,
    types.ModuleType,
    type(list.append),
    type(object.__init__),
    property,
    classmethod,
    staticmethod,
)
# The modules whose objects, such as fixtures of pytest, do not help to explain a failure.
_OF_RUNNERS = ('_pytest.', 'pytest_')
_VIEWS = (type({}.keys()), type({}.values()), type({}.items()))


class TooSlow(BaseException):
    """Ends code of the person that takes too long."""


def is_code(value):
    """Whether a value is a class, a function or a module, which does not help to explain a failure."""
    return issubclass(type(value), _CODE)


class Reader(object):
    """Reads values until its time is up."""

    def __init__(self, seconds, clock=time.perf_counter):
        self._clock = clock
        self._until = clock() + seconds
        self._slow = set()

    @property
    def is_over(self):
        return self._clock() > self._until

    def show(self, value, most=MAX_OF_A_VALUE):
        """Returns the text of a value."""
        return self._guarded(lambda: _Text(self, most).of(value, 0), most)

    def show_attributes(self, value, most=MAX_OF_A_VALUE):
        """Returns the text of an object by its attributes, or None if it has none."""
        return self._guarded(lambda: _Text(self, most).of_attributes(value, 0), most)

    def _guarded(self, read, most):
        if self.is_over:
            return TOO_LONG
        try:
            text = read()
            return None if text is None else cut(text, most)
        except TooSlow:
            return TOO_LONG
        except BaseException as error:  # pylint: disable=broad-except
            return '<no repr: %s>' % type(error).__name__

    def represent(self, value):
        """Returns the text that the class of a value makes. A class that was too slow once is not asked again."""
        kind = type(value)
        if self.is_over or kind in self._slow:
            return TOO_LONG
        try:
            seconds = min(SECONDS_OF_A_VALUE, max(0.01, self._until - self._clock()))
            text = within(seconds, lambda: kind.__repr__(value), self._clock)
            return text if issubclass(type(text), str) else '<no repr>'
        except TooSlow:
            self._slow.add(kind)
            return TOO_LONG
        except BaseException as error:  # pylint: disable=broad-except
            return '<no repr: %s>' % type(error).__name__


def cut(text, most):
    """Returns a text that is not longer than a limit."""
    return text if len(text) <= most else text[: most - 1] + '\u2026'


def within(seconds, call, clock=time.perf_counter):
    """Calls a function and ends it after some time, if the system and the thread allow it."""
    if not hasattr(signal, 'setitimer') or threading.current_thread() is not threading.main_thread():
        return call()
    state = {'armed': True}

    def ring(_number, _frame):
        if state['armed']:
            raise TooSlow()

    began = clock()
    before = signal.signal(signal.SIGALRM, ring)
    left, interval = signal.setitimer(signal.ITIMER_REAL, seconds)
    try:
        return call()
    finally:
        state['armed'] = False
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, signal.SIG_DFL if before is None else before)
        if left:
            signal.setitimer(signal.ITIMER_REAL, max(0.001, left - (clock() - began)), interval)


class _Text(object):
    """Makes the text of one value."""

    def __init__(self, reader, most):
        self._reader = reader
        self._most = most
        self._around = set()

    def of(self, value, depth):
        kind = type(value)
        if kind is int or kind.__repr__ is int.__repr__:
            return int.__repr__(value) if value.bit_length() < 2000 else '<int of %d bits>' % value.bit_length()
        if kind.__repr__ in (str.__repr__, bytes.__repr__, bytearray.__repr__):
            return self._string(kind, value)
        if is_code(value):
            return '<%s %s>' % (_kind_of_code(value), getattr(value, '__name__', kind.__name__))
        if depth >= len(_ELEMENTS) or id(value) in self._around:
            return '\u2026'
        self._around.add(id(value))
        try:
            return self._composed(value, kind, depth)
        finally:
            self._around.discard(id(value))

    def of_attributes(self, value, depth):
        shown = []
        attributes = list(_attributes(value))
        for name, part in attributes[:MAX_ATTRIBUTES]:
            shown.append('%s: %s' % (name, self.of(part, depth + 1)))
            if sum(map(len, shown)) > self._most:
                break
        if not shown:
            return None
        more = ', \u2026' if len(attributes) > len(shown) else ''
        return '%s {%s%s}' % (type(value).__name__, ', '.join(shown), more)

    def _string(self, kind, value):
        if len(value) <= self._most:
            return kind.__repr__(value)
        return '%s\u2026 (%d in all)' % (repr(value[: self._most - 30]), len(value))

    def _composed(self, value, kind, depth):
        own = kind.__repr__
        name = kind.__name__
        if kind in (bool, float, complex, type(None), range):
            return own(value)
        if own is list.__repr__:
            return '[%s]' % self._elements(value, depth, len(value))
        if own is tuple.__repr__:
            return '(%s%s)' % (self._elements(value, depth, len(value)), ',' if len(value) == 1 else '')
        if own is set.__repr__ and value:
            return '{%s}' % self._elements(value, depth, len(value))
        if own is frozenset.__repr__ and value:
            return 'frozenset({%s})' % self._elements(value, depth, len(value))
        if own is dict.__repr__:
            return '{%s}' % self._pairs(value.items(), depth, len(value))
        if kind in _VIEWS:
            return '%s([%s])' % (name, self._elements(value, depth, len(value)))
        if issubclass(kind, dict) and kind.__module__ == 'collections':
            return '%s({%s})' % (name, self._pairs(dict.items(value), depth, len(value)))
        if kind.__module__ in ('collections', 'array') and name in ('deque', 'array'):
            return '%s([%s])' % (name, self._elements(value, depth, len(value)))
        if issubclass(kind, tuple) and _has_fields(kind) and _is_made(own, 'collections'):
            return '%s(%s)' % (name, self._named(zip(kind._fields, value), depth))
        if kind.__module__.startswith(_OF_RUNNERS):
            return '<%s object>' % name
        if own is object.__repr__:
            text = self.of_attributes(value, depth)
            return '<%s object>' % name if text is None else text
        if _has_fields(kind) and _is_made(own, 'dataclasses', 'attr', 'reprlib'):
            return '%s(%s)' % (name, self._named(_attributes(value), depth))
        if own is BaseException.__repr__:
            return '%s(%s)' % (name, self._elements(value.args, depth, len(value.args)))
        return self._own(value, kind)

    def _own(self, value, kind):
        """Returns the text that the class of a value makes. Tables and arrays have their shape before it."""
        text = self._reader.represent(value)
        library = kind.__module__.partition('.')[0]
        if library in ('numpy', 'pandas', 'polars', 'torch', 'xarray') and len(text) > 80:
            shape = within(SECONDS_OF_A_VALUE, lambda: getattr(value, 'shape', None))
            if type(shape) is tuple or type(shape).__name__ == 'Size':
                return '%s %s\n%s' % (kind.__name__, tuple(shape), text)
        return text

    def _elements(self, values, depth, count):
        return self._joined((self.of(value, depth + 1) for value in values), depth, count)

    def _pairs(self, pairs, depth, count):
        texts = ('%s: %s' % (self.of(key, depth + 1), self.of(value, depth + 1)) for key, value in pairs)
        return self._joined(texts, depth, count)

    def _named(self, pairs, depth):
        return ', '.join('%s=%s' % (name, self.of(value, depth + 1)) for name, value in pairs)

    def _joined(self, texts, depth, count):
        shown = []
        length = 0
        for text in itertools.islice(texts, _ELEMENTS[depth]):
            shown.append(text)
            length += len(text) + 2
            if length > self._most:
                break
        left = count - len(shown)
        return ', '.join(shown + (['\u2026 +%d' % left] if left > 0 else []))


def _kind_of_code(value):
    if issubclass(type(value), type):
        return 'class'
    return 'module' if issubclass(type(value), types.ModuleType) else 'function'


def _has_fields(kind):
    """Whether a class is a named tuple, a data class, or one of attrs."""
    return any(hasattr(kind, name) for name in ('_fields', '__dataclass_fields__', '__attrs_attrs__'))


def _is_made(function, *libraries):
    """Whether a library has made the `__repr__` of a class with fields."""
    code = getattr(getattr(function, '__wrapped__', function), '__code__', None)
    if code is None:
        return False
    library = function.__globals__.get('__name__', '').partition('.')[0]
    return code.co_filename.startswith('<') or library in libraries


def _attributes(value):
    """Yields the attributes that an object itself has. No code of its class runs."""
    kind = type(value)
    is_test = any(base.__name__ == 'TestCase' for base in kind.__mro__)
    try:
        names = dict(object.__getattribute__(value, '__dict__'))
    except AttributeError:
        names = {}
    for base in kind.__mro__:
        slots = base.__dict__.get('__slots__', ())
        for slot in (slots,) if isinstance(slots, str) else tuple(slots):
            if slot in ('__dict__', '__weakref__') or not isinstance(slot, str):
                continue
            hidden = slot.startswith('__') and not slot.endswith('__')
            attribute = '_%s%s' % (base.__name__.lstrip('_'), slot) if hidden else slot
            try:
                names.setdefault(attribute, object.__getattribute__(value, attribute))
            except AttributeError:
                pass
    for name, part in names.items():
        if isinstance(name, str) and not is_code(part) and not name.startswith('__'):
            if not (is_test and name.startswith('_')):
                yield name, part
