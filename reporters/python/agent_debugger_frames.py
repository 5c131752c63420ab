"""Frames of the program and their variables.

An exception keeps its frames, but a `finally` or the end of a `with` may have changed their variables since. So while a
test runs, the variables of such frames are read when an exception passes them: by `sys.monitoring` where Python has it,
otherwise by a trace function, which slows the program down and is therefore used only at the beginning of a test.
"""
import os
import sys
import time

from agent_debugger_values import Reader, is_code

MOST_FRAMES = 100
MOST_READ = 8
MOST_VARIABLES = 40
SECONDS_OF_AN_ERROR = 0.6
SECONDS_OF_PASSED = 0.2
SECONDS_OF_TRACING = 0.25
MOST_PASSED = 400

# The number under which this module is known to `sys.monitoring`. Debuggers, coverage and profilers have others.
_TOOL = 4

_HERE = os.path.dirname(os.path.abspath(__file__))
_LIBRARIES = (os.sep + 'site-packages' + os.sep, os.sep + 'dist-packages' + os.sep)


class OwnFiles(object):
    """Knows which files are the person's own."""

    def __init__(self, roots, realpath=os.path.realpath):
        self._realpath = realpath
        self._roots = [os.path.join(realpath(root), '') for root in roots if root]
        # The files of a virtual environment in the workspace are not the person's own.
        libraries = {os.path.dirname(os.path.abspath(os.__file__)), _HERE}
        self._others = tuple(os.path.join(realpath(folder), '') for folder in libraries)
        self._known = {}

    def has(self, file):
        known = self._known.get(file)
        if known is None:
            known = self._known[file] = self._find(file)
        return known

    def _find(self, file):
        if file.startswith('<'):
            return False
        real = self._realpath(file)
        if real.startswith(self._others) or any(part in real for part in _LIBRARIES):
            return False
        return any(real.startswith(root) for root in self._roots)


def frames_of(trace):
    """Returns the frames of a traceback with their lines and instructions, outermost first."""
    frames = []
    while trace is not None:
        frame = trace.tb_frame
        frames.append((frame, trace.tb_lineno or frame.f_code.co_firstlineno, trace.tb_lasti))
        trace = trace.tb_next
    return frames


def stack_of(frame):
    """Returns a frame and its callers with their lines and instructions, outermost first."""
    frames = []
    while frame is not None:
        frames.append((frame, frame.f_lineno or frame.f_code.co_firstlineno, frame.f_lasti))
        frame = frame.f_back
    return frames[::-1]


def variables_of(frame, reader):
    """Returns the variables of a frame as pairs of texts, and the number of those that are left out."""
    variables = []
    omitted = 0
    for name, value in list(dict(frame.f_locals).items()):
        if not isinstance(name, str) or name[:1] in '@.(' or (name[:2] == '__' and name[-2:] == '__'):
            continue
        if is_code(value) or len(variables) >= MOST_VARIABLES:
            omitted += 1
            continue
        text = reader.show_attributes(value) if name in ('self', 'cls') else reader.show(value)
        # An object without attributes says nothing.
        if text is not None:
            variables.append([name, text])
    return variables, omitted


class FrameReader(object):
    """Describes frames for the report. Only the person's own frames have variables."""

    def __init__(self, own, passed):
        self._own = own
        self._passed = passed

    def describe(self, frames, error=None):
        """Returns the descriptions of frames, innermost first. `frames` are outermost first."""
        reader = Reader(SECONDS_OF_AN_ERROR)
        running = _running()
        is_own = [self._own.has(frame.f_code.co_filename) for frame, _, _ in frames]
        # The frames of the runner, which has called the test, say nothing.
        kept = frames[is_own.index(True) :] if True in is_own else frames
        if len(kept) > MOST_FRAMES:
            kept = kept[:20] + kept[20 - MOST_FRAMES :]
        described = []
        left = MOST_READ
        for frame, line, instruction in reversed(kept):
            code = frame.f_code
            entry = {'path': _absolute(code.co_filename), 'line': line, 'name': code.co_name}
            if left > 0 and self._own.has(code.co_filename):
                left -= 1
                entry.update(self._values(frame, instruction, error, reader, running))
            described.append(entry)
        return described

    def _values(self, frame, instruction, error, reader, running):
        passed = self._passed.variables(error, frame, instruction)
        variables, omitted = passed or variables_of(frame, reader)
        values = {'variables': variables, 'omitted': omitted}
        if passed is None and error is not None and id(frame) not in running:
            if any(kind == 'cleanup' for kind in _handlers(frame.f_code, instruction)):
                values['isLate'] = True
        return values


class Passed(object):
    """The variables of frames at the time when exceptions passed them."""

    def __init__(self, own, clock=time.perf_counter):
        self._own = own
        self._clock = clock
        self._read = {}
        self._left = SECONDS_OF_PASSED
        self._is_monitoring = False
        self._until = 0
        self._traced = {}

    def variables(self, error, frame, instruction):
        at, variables, omitted = self._read.get((id(error), id(frame)), (None, None, None))
        return None if at != instruction or variables is None else (variables, omitted)

    def begin(self):
        """Begins to read. Before Python 3.12, a debugger that traces the program leaves no room for this."""
        self._read.clear()
        self._left = SECONDS_OF_PASSED
        monitoring = getattr(sys, 'monitoring', None)
        if monitoring is None:
            if 'pydevd' in sys.modules or sys.gettrace() is not None:
                return
            self._until = self._clock() + SECONDS_OF_TRACING
            sys.settrace(self._on_call)
            return
        if monitoring.get_tool(_TOOL) is None:
            monitoring.use_tool_id(_TOOL, 'agent-debugger')
            monitoring.register_callback(_TOOL, monitoring.events.RAISE, self._on_raise)
            monitoring.set_events(_TOOL, monitoring.events.RAISE)
            self._is_monitoring = True

    def end(self):
        if self._is_monitoring:
            sys.monitoring.set_events(_TOOL, 0)
            sys.monitoring.register_callback(_TOOL, sys.monitoring.events.RAISE, None)
            sys.monitoring.free_tool_id(_TOOL)
            self._is_monitoring = False
        elif getattr(sys.gettrace(), '__func__', None) is Passed._on_call:
            sys.settrace(None)

    def _on_raise(self, code, _offset, error):
        if self._left > 0 and self._own.has(code.co_filename) and code.co_exceptiontable:
            self._keep(error, sys._getframe(1))

    def _on_call(self, frame, _event, _argument):
        if self._clock() > self._until:
            sys.settrace(None)
            return None
        code = frame.f_code
        traced = self._traced.get(code)
        if traced is None:
            traced = self._traced[code] = self._own.has(code.co_filename) and _has_handlers(code)
        if not traced:
            return None
        if hasattr(frame, 'f_trace_lines'):
            frame.f_trace_lines = False
        return self._on_event

    def _on_event(self, frame, event, argument):
        if event == 'exception' and self._left > 0:
            self._keep(argument[1], frame)
        return self._on_event

    def _keep(self, error, frame):
        began = self._clock()
        try:
            if not _handlers(frame.f_code, frame.f_lasti):
                return
            reader = Reader(self._left)
            if len(self._read) >= MOST_PASSED:
                self._read.pop(next(iter(self._read)))
            key = (id(error), id(frame))
            self._read.pop(key, None)
            self._read[key] = (frame.f_lasti,) + variables_of(frame, reader)
        except Exception:  # pylint: disable=broad-except
            pass
        finally:
            self._left -= self._clock() - began


def _running():
    """Returns the ids of the frames that run."""
    frame = sys._getframe()
    running = set()
    while frame is not None:
        running.add(id(frame))
        frame = frame.f_back
    return running


def _absolute(file):
    return file if file.startswith('<') else os.path.abspath(file)


_known_handlers = {}


def _has_handlers(code):
    table = getattr(code, 'co_exceptiontable', None)
    if table is not None:
        return len(table) > 0
    import dis

    begins = {dis.opmap[name] for name in _BLOCKS if name in dis.opmap}
    return any(operation in begins for operation in code.co_code[::2])


_BLOCKS = ('SETUP_FINALLY', 'SETUP_EXCEPT', 'SETUP_WITH', 'SETUP_ASYNC_WITH')


def _handlers(code, instruction):
    """Returns the kinds of the handlers around an instruction: `cleanup` (`with`, `finally`) and `except`."""
    try:
        ranges = _known_handlers.get(code)
        if ranges is None:
            ranges = _known_handlers[code] = _ranges(code)
        return [kind for start, end, kind in ranges if start <= instruction < end]
    except Exception:  # pylint: disable=broad-except
        return []


def _ranges(code):
    if not _has_handlers(code):
        return []
    import dis

    instructions = list(dis.get_instructions(code))
    index = {instruction.offset: at for at, instruction in enumerate(instructions)}
    if hasattr(code, 'co_exceptiontable'):
        found = [(start, end, index[target]) for start, end, target in _table(code.co_exceptiontable)]
    else:
        found = [
            (each.offset, each.argval, index[each.argval]) for each in instructions if each.opname in _BLOCKS
        ]
    kinds = [(start, end, _kind(instructions[at : at + 8])) for start, end, at in found]
    return [each for each in kinds if each[2] is not None]


def _kind(handler):
    """Returns the kind of a handler by its first instructions. Undefined for those that the compiler adds."""
    names = [each.opname for each in handler]
    is_new = 'PUSH_EXC_INFO' in names[:1] or sys.version_info < (3, 11)
    if names[:1] == ['PUSH_EXC_INFO']:
        names = names[1:]
    # The name of `except … as name` is deleted at its end.
    if [name.partition('_')[0] for name in names[:3]] == ['LOAD', 'STORE', 'DELETE']:
        return 'except'
    if not is_new:
        return None
    is_match = any(name in names[:6] for name in ('CHECK_EXC_MATCH', 'CHECK_EG_MATCH'))
    return 'except' if is_match or names[:1] in (['DUP_TOP'], ['POP_TOP']) else 'cleanup'


def _table(table):
    """Yields the ranges of an exception table (Python 3.11 and later) with the offsets of their handlers."""
    parts = iter(table)
    for first in parts:
        start = _number(first, parts) * 2
        length = _number(next(parts), parts) * 2
        target = _number(next(parts), parts) * 2
        _number(next(parts), parts)
        yield start, start + length, target


def _number(first, parts):
    value = first & 63
    while first & 64:
        first = next(parts)
        value = (value << 6) | (first & 63)
    return value
