"""Describes values as text. Values are described by their exact types, never with their own `__repr__`, so no code of
the program runs. It expects the limits `text`, `items` and `depth` in `C`. With the limit `telling`, an object of a
library's class whose text is longer shows only the fields that say most. Python 3.6 and newer.
"""
import sys, os, _thread
from itertools import islice
from json.encoder import encode_basestring_ascii as quote
ident, getframe, SIMPLE = _thread.get_ident, sys._getframe, (int, float, complex, bool, type(None))
DATA = ('decimal', 'datetime', 'fractions', 'uuid', 'pathlib', 'ipaddress', 'numpy')
STANDARD = os.path.dirname(os.__file__) + os.sep
class _M(object):
    def m(self): pass
FUNCTIONS = (type(lambda: 0), type(len), type(_M().m), type(sys))
mro, members, title, home = [type.__dict__[k].__get__ for k in ('__mro__', '__dict__', '__name__', '__module__')]
GETTER, SLOT, CODE = type(type.__dict__['__dict__']), type(object.__repr__), type(lambda: 0)
class _S(object):
    __slots__ = ('a',)
MEMBER, VIEWS = type(_S.a), tuple([type(v) for v in ({}.keys(), {}.values(), {}.items())])
def _generator(): yield
async def _coroutine(): pass
_made = _coroutine()
SUSPENDED = (type(_generator()), type(_made))
_made.close()
# The rows of a table that are shown.
ROWS = 3

def known(t, module, *names):
    """Whether a class is one of those of a library, not one that only has its name."""
    m = sys.modules.get(module)
    return m is not None and title(t) in names and (m.__dict__ if type(m) is type(sys) else {}).get(title(t)) is t

def static(t, name):
    for k in mro(t):
        d = members(k)
        if name in d: return d[name]

def js(v):
    if v is None: return 'null'
    if v is True: return 'true'
    if v is False: return 'false'
    if type(v) is int: return str(v)
    if type(v) is str: return quote(v)
    if type(v) is dict: return '{' + ','.join([quote(k) + ':' + js(x) for k, x in v.items()]) + '}'
    return '[' + ','.join([js(x) for x in v]) + ']'

def cut(t, n):
    return t if len(t) <= n else t[:n] + '\u2026'

# What was found out about each class.
DICTS, SLOTS = {}, {}

def own(v):
    # A property with this name would run code of the program.
    t = type(v)
    g = DICTS[t] if t in DICTS else DICTS.setdefault(t, static(t, '__dict__'))
    try: d = g.__get__(v) if type(g) is GETTER else {}
    except Exception: return {}
    return d if type(d) is dict else {}

def slots(v, t):
    """The values of the `__slots__` of the person's classes. They are read by descriptors of C."""
    out = {}
    for name, slot in SLOTS[t] if t in SLOTS else SLOTS.setdefault(t, slotsOf(t)):
        try: out[name] = slot.__get__(v)
        except AttributeError: pass
    return out

def slotsOf(t):
    out = []
    for k in reversed(mro(t)):
        d = members(k)
        if '__slots__' not in d: continue
        out += [(name, slot) for name, slot in list(d.items()) if type(slot) is MEMBER and not (name.startswith('__') and name.endswith('__'))]
    return out

def timezone(v, t):
    """Whether the time zone of a point in time is one of a library. Others have code of the program."""
    if not known(t, 'datetime', 'datetime', 'time') and not known(t, 'pandas', 'Timestamp'): return True
    zone = v.tzinfo
    module = home(type(zone))
    if zone is None: return True
    return type(module) is str and module.partition('.')[0] in ('datetime', 'zoneinfo', 'pytz', 'dateutil') and isfrom(module)

def isfrom(module):
    """Whether a module is a file of a library."""
    m = sys.modules.get(module)
    file = m.__dict__.get('__file__') if type(m) is type(sys) else None
    return file is None or type(file) is str and (file.startswith(STANDARD) or 'site-packages' in file or 'dist-packages' in file)

def isdata(v, t):
    # A class can claim to be of any module, and a class that extends one of these can have code of its own.
    module = home(t)
    if type(module) is not str or module.partition('.')[0].lstrip('_') not in DATA: return False
    if not timezone(v, t): return False
    r = static(t, '__repr__')
    if type(r) is SLOT: return not holds(v, t)
    if type(r) is not CODE: return False
    file = r.__code__.co_filename
    return file.startswith(STANDARD) and 'site-packages' not in file

def holds(v, t):
    # The text of an array of objects is made by their code.
    d = static(t, 'dtype')
    return type(d) is GETTER and d.__get__(v).hasobject

def many(parts, n, room):
    if n > len(parts): parts.append('\u2026 %d more' % (n - len(parts)))
    return ', '.join(parts)

def head(it, most): return list(islice(it, most))

def fitting(values, shown):
    """The texts of the first values. What is behind the longest text would be cut off."""
    out, room = [], C['text']
    for x in head(values, C['items']):
        if room < 0: break
        out.append(shown(x))
        room -= len(out[-1])
    return out

def brief(v, depth, seen):
    t = type(v)
    if t in SIMPLE:
        if t is int and v.bit_length() > 1000: return '<int of %d bits>' % v.bit_length()
        return repr(v)
    most = max(C['text'] - 40, 10)
    if issubclass(t, str):
        n = str.__len__(v)
        s = repr(str.__getitem__(v, slice(0, most)))
        s = s if n <= most else s + '\u2026 (%d characters)' % n
        return s if t is str else named(v, t) or title(t) + '(' + s + ')'
    if issubclass(t, (bytes, bytearray)):
        n = (bytes if issubclass(t, bytes) else bytearray).__len__(v)
        s = repr(bytes(memoryview(v)[:most]))
        return s if n <= most else s + '\u2026 (%d bytes)' % n
    if issubclass(t, type): return "<class '%s'>" % title(v)
    if id(v) in seen: return '\u2026'
    seen = seen + (id(v),)
    return container(v, t, depth, seen) or special(v, t, depth, seen) or plain(v, t, depth, seen)

def named(v, t):
    if title(type(t)) in ('EnumMeta', 'EnumType'):
        name = own(v).get('_name_')
        return title(t) + '.' + name if type(name) is str else None

def container(v, t, depth, seen):
    items = C['items']
    for kind, marks in ((list, '[]'), (tuple, '()'), (set, '{}'), (frozenset, '{}'), (dict, '{}')):
        if not issubclass(t, kind): continue
        n = kind.__len__(v)
        prefix = '' if t is kind and kind is not frozenset else title(t)
        if n == 0 and kind is set: return prefix + '()' if prefix else 'set()'
        if depth == 0 and n: return '%s%s\u2026 %d%s' % (prefix, marks[0], n, marks[1])
        if kind is dict:
            parts = fitting(dict.items(v), lambda each: brief(each[0], 0, seen) + ': ' + brief(each[1], depth - 1, seen))
        else:
            fields = static(t, '_fields') if kind is tuple and prefix else None
            if type(fields) is tuple:
                return title(t) + '(' + many(['%s=%s' % (k, brief(x, depth - 1, seen)) for k, x in head(zip(fields, tuple.__iter__(v)), items)], n, 0) + ')'
            if kind in (set, frozenset): parts = sorted([brief(x, depth - 1, seen) for x in head(kind.__iter__(v), items)])
            else: parts = fitting(kind.__iter__(v), lambda x: brief(x, depth - 1, seen))
        tail = ',' if kind is tuple and n == 1 else ''
        return prefix + marks[0] + many(parts, n, 0) + tail + marks[1]

# The names of the types that have a text of their own.
SPECIAL = frozenset('deque Pattern array SimpleNamespace datetime time ndarray Timestamp Timedelta NaTType NAType Series Index DatetimeIndex RangeIndex CategoricalIndex DataFrame'.split())
OTHERS = frozenset(VIEWS + SUSPENDED + (memoryview,))

def special(v, t, depth, seen):
    """The text of a value of a library, by its exact type."""
    items, name = C['items'], title(t)
    if name not in SPECIAL and t not in OTHERS: return None
    if t in VIEWS: return name + '[' + many([brief(x, depth - 1, seen) for x in head(iter(v), items)] if depth else [], len(v), 0) + ']'
    if t in SUSPENDED: return '<%s %s>' % (name, cut(v.__qualname__, C['text']))
    if t is memoryview: return '<memoryview of %d bytes>' % v.nbytes
    if known(t, 'collections', 'deque'): return 'deque[' + many([brief(x, depth - 1, seen) for x in head(iter(v), items)] if depth else [], len(v), 0) + ']'
    if known(t, 're', 'Pattern'): return 're.compile(%s)' % brief(v.pattern, 0, seen)
    if known(t, 'array', 'array'): return 'array(%r, [%s])' % (v.typecode, many([repr(x) for x in v[:items]], len(v), 0))
    if known(t, 'types', 'SimpleNamespace'): return fieldsOf(name, object.__getattribute__(v, '__dict__'), depth, seen)
    if known(t, 'datetime', 'datetime', 'time') and not timezone(v, t):
        return repr(v.replace(tzinfo=None))[:-1] + ', tzinfo=<%s>)' % title(type(v.tzinfo))
    if known(t, 'numpy', 'ndarray'): return array(v, depth, seen)
    if known(t, 'pandas', 'Timestamp', 'Timedelta') and timezone(v, t) or isMissing(v): return cut(repr(v), C['text'])
    if known(t, 'pandas', 'Series', 'Index', 'DatetimeIndex', 'RangeIndex', 'CategoricalIndex'): return column(v, name, depth, seen)
    if known(t, 'pandas', 'DataFrame'): return table(v, depth, seen)

def isMissing(v):
    pandas = sys.modules.get('pandas')
    return type(pandas) is type(sys) and any(v is pandas.__dict__.get(name) for name in ('NaT', 'NA'))

def array(v, depth, seen):
    items = C['items']
    if v.size <= items and v.ndim == 1 and not v.dtype.hasobject: return cut(repr(v), C['text'])
    if depth == 0: return 'ndarray(shape=%r, dtype=%s)' % (v.shape, v.dtype)
    first = v.flat[:items].tolist() if v.dtype.names is None or not v.dtype.hasobject else []
    return 'ndarray(shape=%r, dtype=%s, [%s])' % (v.shape, v.dtype, many([brief(x, depth - 1, seen) for x in first], v.size, 0))

def istype(dtype):
    """Whether a type of columns is one of the libraries, which run no code of the program."""
    module = home(type(dtype))
    return type(module) is str and module.partition('.')[0] in ('numpy', 'pandas') and isfrom(module)

def column(v, name, depth, seen):
    n = v.size
    parts = ['name=' + brief(v.name, 0, seen)] if v.name is not None else []
    parts += ['shape=(%d,)' % n, 'dtype=%s' % (v.dtype if istype(v.dtype) else '?')]
    if depth and istype(v.dtype): parts.append('[%s]' % many([brief(x, depth - 1, seen) for x in (v.iloc if name == 'Series' else v)[:ROWS].tolist()], n, 0))
    return name + '(' + ', '.join(parts) + ')'

def table(v, depth, seen):
    rows, columns = v.shape
    if depth == 0: return 'DataFrame(shape=%r)' % ((rows, columns),)
    first, parts = v.iloc[:ROWS, :C['items']], []
    for at, name in enumerate(first.columns.tolist()):
        one = first.iloc[:, at]
        shown = many([brief(x, depth - 1, seen) for x in one.tolist()], rows, 0) if istype(one.dtype) else '?'
        parts.append('%s: %s [%s]' % (brief(name, 0, seen), one.dtype if istype(one.dtype) else '?', shown))
    return 'DataFrame(shape=%r, {%s})' % ((rows, columns), many(parts, columns, 0))

def fieldsOf(name, fields, depth, seen):
    if not fields: return '<%s>' % name
    if depth == 0: return '<%s \u2026>' % name
    parts = ['%s=%s' % (k, brief(x, depth - 1, seen)) for k, x in head(list(fields.items()), C['items']) if type(k) is str]
    return '<%s %s>' % (name, many(parts, len(fields), 0))

# The longest text of a field that says much, and the number of fields from which numbers and private ones are left out.
SHORT, ENOUGH = 40, 3

def isForeign(t):
    """Whether a class is one of a library whose objects are shown in short."""
    module = home(t)
    m = sys.modules.get(module) if type(module) is str and module != '__main__' else None
    return 'telling' in C and type(m) is type(sys) and type(m.__dict__.get('__file__')) is str and isfrom(module)

def rank(k, x):
    """How much a field says: the lower, the more. None: not enough."""
    t, isPrivate = type(x), 3 if k[:1] == '_' else 0
    if t in (str, bytes, list, tuple, dict):
        return isPrivate if 0 < len(x) <= (SHORT if t in (str, bytes) else 3) else None
    return isPrivate + 1 if t in (int, float) and x else None

def telling(name, fields, depth, seen):
    whole = fieldsOf(name, fields, depth, seen) if depth == 0 or len(fields) <= C['items'] else None
    if whole is not None and len(whole) <= C['telling']: return whole
    parts, shown, length = [], [], 0
    ranked = [(rank(k, x), k, x) for k, x in list(fields.items()) if type(k) is str]
    for n, k, x in sorted([each for each in ranked if each[0] is not None], key=lambda each: each[0]):
        if n > 0 and len(parts) >= ENOUGH: break
        t = brief(x, depth - 1, seen)
        if t in shown or len(t) > SHORT or length + len(k) + len(t) > C['telling']: continue
        parts.append('%s=%s' % (k, t))
        shown.append(t)
        length += len(k) + len(t) + 3
    return '<%s %s>' % (name, many(parts, len(fields), 0))

def plain(v, t, depth, seen):
    name = title(t)
    if issubclass(t, (int, float)) and isdata(v, t): return cut(repr(v), C['text'])
    if issubclass(t, int): return named(v, t) or '%s(%s)' % (name, int.__repr__(v))
    if issubclass(t, float): return '%s(%s)' % (name, float.__repr__(v))
    if isdata(v, t): return cut(repr(v), C['text'])
    if t in FUNCTIONS:
        return '<%s %s>' % (name, getattr(v, '__name__', '?'))
    if t is range: return repr(v)
    if issubclass(t, BaseException):
        args = BaseException.__dict__['args'].__get__(v)
        return name + '(' + many([brief(x, depth - 1, seen) for x in head(args, 5)] if depth else [], len(args), 0) + ')'
    member = named(v, t)
    if member: return member
    fields = slots(v, t)
    fields.update(own(v))
    return (telling if isForeign(t) else fieldsOf)(name, fields, depth, seen)

def text(v):
    try: return cut(brief(v, C['depth'], ()), C['text'])
    except Exception as e: return '<%s, not shown: %s>' % (title(type(v)), title(type(e)))

def failure(e):
    try: return cut(title(type(e)) + ': ' + ' '.join([x if type(x) is str else text(x) for x in BaseException.__dict__['args'].__get__(e)]), C['text'])
    except Exception: return title(type(e))
