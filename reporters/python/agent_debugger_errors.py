"""Descriptions of exceptions for the report: type, message, frames with values, causes, notes and compared values."""
import os
import pprint

from agent_debugger_frames import frames_of
from agent_debugger_values import Reader, cut, within

MAX_OF_A_TEXT = 20000
MAX_CAUSES = 5
MAX_NOTES = 10
SECONDS_OF_A_COMPARISON = 0.3
# A text that shows more parts than these takes too long to make.
MAX_PARTS = 2000


class Errors(object):
    """Describes exceptions."""

    def __init__(self, frames):
        self._frames = frames

    def describe(self, error, compared=None, is_hidden=None):
        """
        Returns the description of an exception.

        `compared` has the values of the failed comparison, actual first. `is_hidden` says which frames the runner hides.
        """
        frames = frames_of(error.__traceback__) + _frames_of_parts(error)
        if is_hidden is not None:
            frames = [each for each in frames if not is_hidden(each[0])] or frames
        described = {
            'type': type(error).__name__,
            'message': text_of(error),
            'frames': _place_of_syntax(error, frames) + self._frames.describe(frames, error),
            'causes': causes_of(error, self._place_of),
        }
        notes = notes_of(error)
        if notes:
            described['notes'] = notes
        values = compared or _compared_in(frames)
        if values is not None:
            described['actual'], described['expected'] = compared_texts(*values)
        return described

    def _place_of(self, error):
        return self._frames.own_place(frames_of(error.__traceback__) + _frames_of_parts(error))


def text_of(error):
    """Returns the message of an exception."""
    try:
        text = within(SECONDS_OF_A_COMPARISON, lambda: str(error))
        return cut(text, MAX_OF_A_TEXT)
    except BaseException:  # pylint: disable=broad-except
        return ''


def notes_of(error):
    """Returns the notes of an exception (PEP 678), such as the falsifying example of hypothesis."""
    try:
        notes = getattr(error, '__notes__', None)
        return [cut(str(note), MAX_OF_A_TEXT) for note in list(notes or ())[:MAX_NOTES]]
    except BaseException:  # pylint: disable=broad-except
        return []


def causes_of(error, place_of=lambda error: None):
    """Returns the exceptions of a group, each with its own place, then those that led to this one."""
    causes = []
    for part in _parts(error)[:MAX_CAUSES]:
        place = place_of(part)
        causes.append(dict(_cause(part), at=place) if place else _cause(part))
    seen = {id(error)}
    while error is not None and len(causes) < MAX_CAUSES:
        error = error.__cause__ or (None if error.__suppress_context__ else error.__context__)
        if error is None or id(error) in seen:
            break
        seen.add(id(error))
        causes.append(_cause(error))
    return causes


def _cause(error):
    return {'type': type(error).__name__, 'message': '\n'.join([text_of(error)] + notes_of(error))}


def _parts(error):
    """Returns the exceptions of an exception group."""
    parts = getattr(error, 'exceptions', None)
    if not any(kind.__name__ == 'BaseExceptionGroup' for kind in type(error).__mro__) or not isinstance(parts, tuple):
        return []
    return list(parts)


def _frames_of_parts(error):
    """Returns the frames of the first exception of a group, in which the group has its origin."""
    frames = []
    parts = _parts(error)
    while parts:
        frames += frames_of(parts[0].__traceback__)
        parts = _parts(parts[0])
    return frames


def _place_of_syntax(error, frames):
    if not isinstance(error, SyntaxError) or not error.filename or not error.lineno:
        return []
    if any(frame.f_code.co_filename == error.filename for frame, _, _ in frames):
        return []
    return [{'path': error.filename, 'line': error.lineno, 'name': ''}]


def _compared_in(frames):
    """Returns the values that an assertion of unittest compared, actual first."""
    for frame, _, _ in frames:
        code = frame.f_code
        name = code.co_name
        if name.startswith('assert') and 'Not' not in name and _is_of_unittest(code):
            values = frame.f_locals
            if 'first' in values and 'second' in values:
                return values['first'], values['second']
    return None


def _is_of_unittest(code):
    return code.co_filename.replace(os.sep, '/').endswith('unittest/case.py')


def compared_texts(one, other):
    """Returns the texts of two values that were compared."""
    if isinstance(one, str) and isinstance(other, str) and ('\n' in one or '\n' in other):
        return _around_difference(one, other)
    reader = Reader(SECONDS_OF_A_COMPARISON)
    if _is_long_list(one) and _is_long_list(other):
        one, other = _differing_parts(one, other)
    return _shown(one, reader), _shown(other, reader)


def _shown(value, reader):
    try:
        if _parts_in(value, MAX_PARTS) < MAX_PARTS:
            text = within(SECONDS_OF_A_COMPARISON, lambda: pprint.pformat(value, width=80))
            return cut(text, MAX_OF_A_TEXT)
    except BaseException:  # pylint: disable=broad-except
        pass
    return reader.show(value, MAX_OF_A_TEXT)


def _parts_in(value, most):
    """Returns the number of parts of a container and its containers, at most `most`."""
    count = 1
    left = [value]
    while left and count < most:
        part = left.pop()
        kind = type(part)
        if kind in (str, bytes):
            count += len(part) // 100
        elif kind is dict:
            count += 2 * len(part)
            left.extend(list(part.values())[:most])
        elif kind in (list, tuple, set, frozenset):
            count += len(part)
            left.extend(list(part)[:most])
    return count


def _is_long_list(value):
    return type(value) in (list, tuple) and len(value) > 100


def _differing_parts(one, other):
    """Returns the parts of two long lists around their first difference, so that the difference is shown."""

    def first():
        pairs = enumerate(zip(one, other))
        return next((at for at, (left, right) in pairs if left is not right and not left == right), min(len(one), len(other)))

    try:
        start = max(0, within(SECONDS_OF_A_COMPARISON, first) - 20)
    except BaseException:  # pylint: disable=broad-except
        return one, other
    if start == 0:
        return one, other
    kind = type(one)
    return tuple(_Skipped(start).before(each, kind) for each in (one, other))


class _Skipped(object):
    """Stands for the elements of a list that are equal."""

    def __init__(self, count):
        self._count = count

    def before(self, values, kind):
        return kind([self]) + kind(values[self._count : self._count + 60])

    def __repr__(self):
        return '\u2026 %d equal' % self._count


def _around_difference(one, other):
    """Returns two texts, cut so that their first difference is in them."""
    if len(one) <= MAX_OF_A_TEXT and len(other) <= MAX_OF_A_TEXT:
        return one, other
    at = len(os.path.commonprefix([one, other]))
    start = one.rfind('\n', 0, max(0, at - 2000)) + 1
    return tuple(cut(('\u2026\n' if start else '') + each[start:], MAX_OF_A_TEXT) for each in (one, other))
