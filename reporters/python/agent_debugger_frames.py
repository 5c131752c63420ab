"""Frames of the program and their variables."""
import os
import sys

from agent_debugger_handlers import handlers_around
from agent_debugger_values import Reader, is_code

MAX_FRAMES = 100
MAX_READ = 8
MAX_VARIABLES = 40
SECONDS_OF_AN_ERROR = 0.6

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
        if is_code(value) or len(variables) >= MAX_VARIABLES:
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
        frames = [each for each in frames if not _is_of_reporter(each[0])]
        is_own = [self._own.has(frame.f_code.co_filename) for frame, _, _ in frames]
        # The frames of the runner, which has called the test, say nothing.
        kept = frames[is_own.index(True) :] if True in is_own else frames
        if len(kept) > MAX_FRAMES:
            kept = kept[:20] + kept[20 - MAX_FRAMES :]
        described = []
        left = MAX_READ
        for frame, line, instruction in reversed(kept):
            code = frame.f_code
            entry = {'path': _absolute(code.co_filename), 'line': line, 'name': code.co_name}
            if left > 0 and self._own.has(code.co_filename):
                left -= 1
                entry.update(self._values(frame, instruction, error, reader, running))
            described.append(entry)
        return described

    def own_place(self, frames):
        """Returns the place of the innermost frame of the person, or None. `frames` are outermost first."""
        for frame, line, _ in reversed(frames):
            if not _is_of_reporter(frame) and self._own.has(frame.f_code.co_filename):
                return {'path': _absolute(frame.f_code.co_filename), 'line': line}
        return None

    def _values(self, frame, instruction, error, reader, running):
        passed = self._passed.variables(error, frame, instruction)
        variables, omitted = passed or variables_of(frame, reader)
        values = {'variables': variables, 'omitted': omitted}
        if passed is None and error is not None and id(frame) not in running:
            if any(kind == 'cleanup' for kind in handlers_around(frame.f_code, instruction)):
                values['isLate'] = True
        return values


def _running():
    """Returns the ids of the frames that run."""
    frame = sys._getframe()
    running = set()
    while frame is not None:
        running.add(id(frame))
        frame = frame.f_back
    return running


def _is_of_reporter(frame):
    return os.path.dirname(frame.f_code.co_filename) == _HERE


def _absolute(file):
    return file if file.startswith('<') else os.path.abspath(file)
