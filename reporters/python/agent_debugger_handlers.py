"""The handlers of exceptions in the code of functions: `with`, `finally` and `except`."""
import dis
import sys

_BLOCKS = ('SETUP_FINALLY', 'SETUP_EXCEPT', 'SETUP_WITH', 'SETUP_ASYNC_WITH')
_known = {}


def has_handlers(code):
    """Whether a function has a `try` or `with`. Functions that the compiler adds to may have handlers, too."""
    table = getattr(code, 'co_exceptiontable', None)
    if table is not None:
        return len(table) > 0
    begins = {dis.opmap[name] for name in _BLOCKS if name in dis.opmap}
    return any(operation in begins for operation in code.co_code[::2])


def handlers_around(code, instruction):
    """Returns the kinds of the handlers around an instruction: `cleanup` (`with`, `finally`) and `except`."""
    try:
        ranges = _known.get(code)
        if ranges is None:
            ranges = _known[code] = _ranges(code)
        return [kind for start, end, kind in ranges if start <= instruction < end]
    except Exception:  # pylint: disable=broad-except
        return []


def _ranges(code):
    if not has_handlers(code):
        return []
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
