"""Counts how often lines of the person's own files run, by `sys.monitoring` where Python has it, otherwise by a trace
function. The counts are written when the process ends by itself. Whatever could have run without being seen is told.
"""
import atexit
import itertools
import json
import os
import sys
import threading

# The numbers that debuggers, coverage and the other parts of the reporter do not use.
_TOOLS = (5, 2)

# A line that ran so often is no longer counted, so that a long loop does not take much longer.
MAX_COUNT = 1000000

MAX_FILES = 500

_CHILDREN = ('subprocess.Popen', 'os.fork', 'os.forkpty', 'os.posix_spawn', 'os.spawn', 'os.startfile', 'os.system')


class Lines(object):
    """The lines that run in this process, from now on."""

    def __init__(self, file, own):
        self._file = file
        self._own = own
        self._process = os.getpid()
        self._counts = {}
        self._paths = {}
        self._full = False
        self._missed = None
        self._has_children = False
        self._is_over = False
        self._tool = None

    def begin(self):
        self._note_children()
        if hasattr(sys, 'monitoring'):
            self._monitor(sys.monitoring)
        else:
            self._trace()
        atexit.register(self._write)

    def _note_children(self):
        if hasattr(sys, 'addaudithook'):
            sys.addaudithook(self._on_audit)

    def _on_audit(self, event, _arguments):
        if event in _CHILDREN and not self._is_over:
            self._has_children = True

    def _monitor(self, monitoring):
        free = [tool for tool in _TOOLS if monitoring.get_tool(tool) is None]
        if not free:
            self._missed = 'other tools take all places of sys.monitoring'
            return
        self._tool = free[0]
        monitoring.use_tool_id(self._tool, 'agent-debugger-lines')
        monitoring.register_callback(self._tool, monitoring.events.LINE, self._on_line)
        monitoring.set_events(self._tool, monitoring.events.LINE)

    def _on_line(self, code, line):
        path = self._path_of(code.co_filename)
        if path is None or self._count(path, line) >= MAX_COUNT:
            return sys.monitoring.DISABLE
        return None

    def _path_of(self, name):
        # The working folder may change later.
        known = self._paths.get(name, '')
        if known == '':
            known = os.path.abspath(name) if self._own.has(name) else None
            self._paths[name] = known
        return known

    def _count(self, path, line):
        # Adding to a number is no single step for a thread, but these are.
        counter = self._counts.get((path, line))
        if counter is None:
            counter = self._counts.setdefault((path, line), itertools.count(1))
        count = next(counter)
        if count >= MAX_COUNT:
            self._full = True
        return count

    def _trace(self):
        set_trace = sys.settrace

        def watched(function):
            # The module `threading` sets our own function in each thread.
            if not self._is_over and getattr(function, '__self__', None) is not self:
                self._missed = 'the program has a trace function of its own'
            set_trace(function)

        threading.settrace(self._on_call)
        set_trace(self._on_call)
        sys.settrace = watched

    def _on_call(self, frame, _event, _argument):
        return None if self._path_of(frame.f_code.co_filename) is None else self._on_event

    def _on_event(self, frame, event, _argument):
        if event == 'line':
            self._count(self._path_of(frame.f_code.co_filename), frame.f_lineno)
        return self._on_event

    def _why_missed(self):
        if self._missed is None and self._tool is None:
            if getattr(sys.gettrace(), '__self__', None) is not self:
                return 'something has replaced the trace function'
            if 'greenlet' in sys.modules:
                return 'greenlets may run without the trace function'
        return self._missed

    def _write(self):
        if os.getpid() != self._process:
            return
        missed = self._why_missed()
        self._is_over = True
        if self._tool is not None:
            sys.monitoring.set_events(self._tool, 0)
            sys.monitoring.free_tool_id(self._tool)
        else:
            sys.settrace(None)
        files = {}
        for (path, line), counter in list(self._counts.items()):
            files.setdefault(path, {})[line] = min(next(counter) - 1, MAX_COUNT)
        text = json.dumps(
            {
                'missed': missed,
                'children': self._has_children,
                'full': self._full,
                'files': [self._entry(path, files[path]) for path in sorted(files)[:MAX_FILES]],
                'left_out': max(0, len(files) - MAX_FILES),
            }
        )
        try:
            file = os.open(self._file, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
            with os.fdopen(file, 'w') as report:
                report.write(text)
        except OSError:
            # The folder may be gone.
            pass

    def _entry(self, path, counts):
        can_run = _lines_of(path)
        silent = None if can_run is None else sorted(can_run - set(counts))
        return {'path': path, 'ran': sorted(counts.items()), 'silent': silent}


def _lines_of(path):
    """Returns the lines of a file that tell when they run. Before Python 3.10, lines may run without telling."""
    if sys.version_info < (3, 10):
        return None
    try:
        with open(path, 'rb') as source:
            open_codes = [compile(source.read(), path, 'exec', 0, True)]
    except (OSError, SyntaxError, ValueError):
        return None
    lines = set()
    while open_codes:
        code = open_codes.pop()
        # The first line of a function is one of the code around it.
        lines.update(line for _, _, line in code.co_lines() if line and line != code.co_firstlineno)
        open_codes.extend(part for part in code.co_consts if hasattr(part, 'co_lines'))
    return lines
