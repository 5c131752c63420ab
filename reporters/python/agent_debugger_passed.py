"""The variables of frames at the time when exceptions passed them.

An exception keeps its frames, but a `finally` or the end of a `with` may change their variables afterwards. So while a
test runs, the variables of such frames are read when an exception passes them: by `sys.monitoring` where Python has it,
otherwise by a trace function, which slows the program down and is therefore used only at the beginning of a test.
"""
import sys
import time

from agent_debugger_frames import variables_of
from agent_debugger_handlers import handlers_around, has_handlers
from agent_debugger_values import Reader

SECONDS_OF_READING = 0.2
SECONDS_OF_TRACING = 0.25
MAX_FRAMES = 400
ROOM_TO_READ = 150
# Calling a trace function needs room, too. So tracing ends where a part of the stack is used; this is looked at once in
# some calls.
PART_OF_STACK_TO_TRACE = 3
CALLS_BETWEEN_LOOKS = 32

# The number under which this module is known to `sys.monitoring`. Debuggers, coverage and profilers have others.
_TOOL = 4


class Passed(object):
    """Reads the variables of the person's own frames while exceptions pass them."""

    def __init__(self, own, clock=time.perf_counter):
        self._own = own
        self._clock = clock
        self._read = {}
        self._left = SECONDS_OF_READING
        self._is_monitoring = False
        self._until = 0
        self._traced = {}
        self._calls = 0

    def variables(self, error, frame, instruction):
        """Returns what was read when an exception passed a frame at an instruction, or None."""
        at, variables, omitted = self._read.get((id(error), id(frame)), (None, None, None))
        return None if at != instruction or variables is None else (variables, omitted)

    def begin(self):
        """Begins to read. Before Python 3.12, a debugger that traces the program leaves no room for this."""
        self._read.clear()
        self._left = SECONDS_OF_READING
        monitoring = getattr(sys, 'monitoring', None)
        if monitoring is None:
            if 'pydevd' not in sys.modules and sys.gettrace() is None:
                self._until = self._clock() + SECONDS_OF_TRACING
                sys.settrace(self._on_call)
        elif monitoring.get_tool(_TOOL) is None:
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
        # An exception here would replace that of the program.
        try:
            if code.co_exceptiontable and self._left > 0 and self._own.has(code.co_filename):
                self._keep(error, sys._getframe(1))
        except Exception:  # pylint: disable=broad-except
            pass

    def _on_call(self, frame, _event, _argument):
        # If there is no room on the stack, the exception is that of the program, at the call instead of where the program
        # has it, and ends the tracing. Up to Python 3.9, a program that could go on from here would end with a fatal error.
        self._calls += 1
        if self._clock() > self._until or self._calls % CALLS_BETWEEN_LOOKS == 0 and _is_high(frame):
            sys.settrace(None)
            return None
        if not self._is_traced(frame.f_code):
            return None
        if hasattr(frame, 'f_trace_lines'):
            frame.f_trace_lines = False
        return self._on_event

    def _is_traced(self, code):
        # The hash of code takes long. An entry keeps its code, so that no other gets the same id.
        known = self._traced.get(id(code))
        if known is None:
            known = self._traced[id(code)] = (code, self._own.has(code.co_filename) and has_handlers(code))
        return known[1]

    def _on_event(self, frame, event, argument):
        if event == 'exception' and self._left > 0:
            self._keep(argument[1], frame)
        return self._on_event

    def _keep(self, error, frame):
        if isinstance(error, RecursionError) or _is_deep(frame):
            return
        began = self._clock()
        try:
            if not handlers_around(frame.f_code, frame.f_lasti):
                return
            if len(self._read) >= MAX_FRAMES:
                self._read.pop(next(iter(self._read)))
            key = (id(error), id(frame))
            self._read.pop(key, None)
            self._read[key] = (frame.f_lasti,) + variables_of(frame, Reader(self._left))
        except Exception:  # pylint: disable=broad-except
            pass
        finally:
            self._left -= self._clock() - began


def _is_high(frame):
    """Whether so much of the stack is used that tracing ends."""
    return _has_callers(frame, sys.getrecursionlimit() // PART_OF_STACK_TO_TRACE)


def _is_deep(frame):
    """Whether there is not enough room on the stack to read variables."""
    return _has_callers(frame, sys.getrecursionlimit() - ROOM_TO_READ)


def _has_callers(frame, left):
    while frame is not None and left > 0:
        frame = frame.f_back
        left -= 1
    return frame is not None
