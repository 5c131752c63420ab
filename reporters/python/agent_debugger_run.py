"""What the reporters of pytest and unittest share: the report, the watch for a test that hangs, and the stop at a failure.

The environment says what the extension wants: `AGENT_DEBUGGER_REPORT` (the file), `AGENT_DEBUGGER_ROOTS` (the folders of
the person's own files), `AGENT_DEBUGGER_TEST` (the parts of the test's name, as JSON), `AGENT_DEBUGGER_SECONDS` and
`AGENT_DEBUGGER_UNTIL` (when to say where the test hangs), `AGENT_DEBUGGER_STAY` (to stop at the failure),
`AGENT_DEBUGGER_LINES` (the file for the lines that ran).
"""
import _thread
import json
import os
import sys
import threading
import time

from agent_debugger_errors import Errors
from agent_debugger_frames import FrameReader, OwnFiles, frames_of, stack_of
from agent_debugger_lines import Lines
from agent_debugger_passed import Passed

_HERE = os.path.dirname(os.path.abspath(__file__))

# The least time of a test before the program says where it is.
SECONDS_AT_LEAST = 0.5

# The number under which the watch is known to `sys.monitoring` for a moment.
_TOOL = 3


class Run(object):
    """One run of tests."""

    def __init__(self, environment):
        take = environment.pop
        self._file = take('AGENT_DEBUGGER_REPORT', None)
        roots = take('AGENT_DEBUGGER_ROOTS', '').split(os.pathsep)
        self.wanted = _read_list(take('AGENT_DEBUGGER_TEST', ''))
        # The folder from which the modules of unittest are found, if the settings name it.
        self.top = take('AGENT_DEBUGGER_TOP', None)
        self.stays = take('AGENT_DEBUGGER_STAY', '') != ''
        self.own = OwnFiles(roots)
        self.passed = Passed(self.own)
        self.frames = FrameReader(self.own, self.passed)
        self.errors = Errors(self.frames)
        self.watch = Watch(self, _seconds_left(take('AGENT_DEBUGGER_SECONDS', ''), take('AGENT_DEBUGGER_UNTIL', '')))
        self._process = os.getpid()
        lines = take('AGENT_DEBUGGER_LINES', None)
        _leave_no_trace(environment)
        if lines:
            Lines(lines, self.own).begin()

    def write(
        self,
        entry,
        open_file=os.open,
        write_file=os.write,
        close_file=os.close,
        flags=os.O_WRONLY | os.O_CREAT | os.O_APPEND,
        process_id=os.getpid,
    ):
        """Adds an entry to the report. A child of the process has no report."""
        if not self._file or process_id() != self._process:
            return
        try:
            line = json.dumps(entry, default=lambda value: '<%s>' % type(value).__name__) + '\n'
            file = open_file(self._file, flags, 0o600)
            try:
                write_file(file, line.encode('utf-8', 'backslashreplace'))
            finally:
                close_file(file)
        except BaseException:  # pylint: disable=broad-except
            # The folder of the report may be gone. The run goes on as without the reporter.
            pass

    def open_report(self):
        """Returns a file that stays open, for what Python itself writes into the report. None if it can't be opened."""
        try:
            return open(self._file, 'a', encoding='utf-8') if self._file else None
        except OSError:
            return None

    def failed(self, error):
        """Reports that the extension's own part of the run failed."""
        self.write({'toolFailure': '%s: %s' % (type(error).__name__, error)})

    def stop_at(self, error):
        """Stops the program where an exception was raised, after its entry was written. Only once."""
        if not self.stays:
            return
        self.stays = False
        try:
            trace = self._from_own(error.__traceback__)
            frames = frames_of(trace)
            if not frames:
                return
            own = [frame for frame, _, _ in frames if self.own.has(frame.f_code.co_filename)]
            stop = _stop_of_debugger(frames, own[-1] if own else frames[-1][0], (type(error), error, trace))
            if stop is None:
                self.write({'toolFailure': 'The debugger of Python has no known way to stop at an exception.'})
                return
            self.write({'stopping': True})
            stop()
        except Exception as problem:  # pylint: disable=broad-except
            self.failed(problem)


    def _from_own(self, trace):
        """Leaves the frames of the runner out, because a frame of the test that runs may be below them once more."""
        part = trace
        while part is not None and not self.own.has(part.tb_frame.f_code.co_filename):
            part = part.tb_next
        return trace if part is None else part


def _stop_of_debugger(frames, at, raised):
    """Returns a function that stops the program in a frame of an exception that has passed it."""
    pydevd = sys.modules.get('pydevd')
    debugger = pydevd and pydevd.get_global_debugger()
    if not hasattr(debugger, 'do_stop_on_unhandled_exception') or not hasattr(debugger, 'set_additional_thread_info'):
        return None
    thread = threading.current_thread()
    information = debugger.set_additional_thread_info(thread)
    by_id = {id(frame): frame for frame, _, _ in frames}
    monitoring = getattr(pydevd, 'pydevd_sys_monitoring', None) if getattr(pydevd, 'PYDEVD_USE_SYS_MONITORING', False) else None

    def stop():
        # The code that is evaluated at the stop must not stop itself. `trigger_exception_handler` of pydevd does the same.
        was_tracing = False
        if hasattr(monitoring, 'suspend_current_thread_tracing'):
            was_tracing = monitoring.suspend_current_thread_tracing()
        information.is_tracing += 1
        try:
            information.pydev_message = raised[0].__name__
            debugger.do_stop_on_unhandled_exception(thread, at, by_id, raised)
        finally:
            information.is_tracing -= 1
            if was_tracing:
                monitoring.resume_current_thread_tracing()

    return stop


class Watch(object):
    """Writes where the test is if it has not ended in time."""

    def __init__(self, run, seconds, clock=time.perf_counter):
        self._run = run
        self._clock = clock
        self._until = None if seconds is None else clock() + seconds
        self._end = None
        self._native = None
        self._thread = None
        self.entry = None

    def begin(self):
        """Watches the current thread."""
        if self._until is None or 'pydevd' in sys.modules:
            return
        self._thread = _thread.get_ident()
        # A program that has started late shows at least what its test does first.
        self._until = max(self._until, self._clock() + SECONDS_AT_LEAST)
        self._start()
        if hasattr(os, 'register_at_fork') and sys.version_info >= (3, 12):
            # From Python 3.12 on, a fork warns if the process has several threads.
            os.register_at_fork(before=self._rest, after_in_parent=self._start_soon)

    def _start(self):
        if self._until is None or self._end is not None:
            return
        self._end = _thread.allocate_lock()
        self._end.acquire()
        # `threading` does not know the thread, because tests may count its threads.
        _thread.start_new_thread(self._wait, (self._end,))

    def _rest(self):
        if self._end is None:
            return
        self._end.release()
        self._end = None
        until = self._clock() + 0.05
        while self._clock() < until:
            # The system removes the thread a moment after its end.
            if self._native is not None and not os.path.exists('/proc/self/task/%s' % self._native):
                break
            time.sleep(0.0002)
        self._native = None

    def _start_soon(self):
        """Starts at the next call of a function. The threads are counted after this."""
        monitoring = sys.monitoring
        if monitoring.get_tool(_TOOL) is not None:
            return

        def start(_code, _offset):
            monitoring.set_events(_TOOL, 0)
            monitoring.free_tool_id(_TOOL)
            self._start()

        monitoring.use_tool_id(_TOOL, 'agent-debugger-watch')
        monitoring.register_callback(_TOOL, monitoring.events.PY_START, start)
        monitoring.set_events(_TOOL, monitoring.events.PY_START)

    def _wait(self, end):
        self._native = getattr(threading, 'get_native_id', lambda: None)()
        if end.acquire(True, max(0, self._until - self._clock())):
            return
        self._until = None
        try:
            if self.entry is not None:
                self._run.write(self.entry())
            self._run.write({'hanging': self._run.frames.describe(self._frames())})
        except Exception as problem:  # pylint: disable=broad-except
            self._run.failed(problem)

    def _frames(self):
        frame = sys._current_frames().get(self._thread)
        frames = [] if frame is None else stack_of(frame)
        return frames + (_waiting_task(frames, self._run.own) if 'asyncio' in sys.modules else [])


def _waiting_task(frames, own):
    """Returns the frames of the suspended task for which an event loop waits: the first with a frame of the person."""
    loops = [frame.f_locals.get('self') for frame, _, _ in frames if frame.f_code.co_name in ('run_forever', 'run_once')]
    if not loops:
        return []
    for task in list(sys.modules['asyncio'].all_tasks(loops[-1])):
        waiting = []
        part = task.get_coro()
        while part is not None:
            frame = getattr(part, 'cr_frame', None) or getattr(part, 'gi_frame', None)
            if frame is None:
                break
            waiting.append((frame, frame.f_lineno, frame.f_lasti))
            part = getattr(part, 'cr_await', None) or getattr(part, 'gi_yieldfrom', None)
        if any(own.has(frame.f_code.co_filename) for frame, _, _ in waiting):
            return waiting
    return []


def _leave_no_trace(environment):
    """Lets the tests and their children see what they would see without the reporter."""
    folders = environment.get('PYTHONPATH', '').split(os.pathsep)
    others = [folder for folder in folders if folder and os.path.abspath(folder) != _HERE]
    if others:
        environment['PYTHONPATH'] = os.pathsep.join(others)
    else:
        environment.pop('PYTHONPATH', None)
    sys.path[:] = [folder for folder in sys.path if not folder or os.path.abspath(folder) != _HERE]


def _read_list(text):
    try:
        value = json.loads(text)
    except ValueError:
        return []
    return value if isinstance(value, list) else []


def _seconds_left(seconds, until):
    """Returns the time until the program is to say where it is. The limit counts from before its start."""
    limit, end = _read_number(seconds), _read_number(until)
    return limit if limit is None or end is None else max(0, min(limit, end - time.time()))


def _read_number(text):
    try:
        return float(text)
    except ValueError:
        return None
