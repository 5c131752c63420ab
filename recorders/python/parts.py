"""Compares the contents of values whose text shows only a part, from one line of a call to the next.

It keeps copies of simple values and the shape of what holds them, never an object of the program, so nothing lives longer
than without it. It runs no code of the program. It follows `values.py` in one namespace. Python 3.6 and newer.
"""
import dis
from operator import is_
ATOMS = frozenset(SIMPLE + (str, bytes))
# The elements of one value, the levels of members, and the work for one call: one for an element that is copied in C, and
# `SLOW` for one that is looked at.
MOST_ELEMENTS, DEEPEST, WORK, SLOW, MOST_BYTES = 20000, 6, [6000000], 20, 2000000
# The changed parts that are told for one value and one line, and those that are looked for.
TOLD, FOUND = 3, 500
ABSENT = type('Absent', (object,), {})()
LIST, DICT, FIELDS = 0, 1, 2
HEAP = 1 << 9
flags = type.__dict__['__flags__'].__get__

NAMED = {}

class Unknown(Exception): pass

class Part(object):
    """A copy of what holds others: a tuple or bytes of elements, or a dict of members."""
    __slots__ = ('mark', 'items')
    def __init__(self, mark, items): self.mark, self.items = mark, items

class Numbers(object):
    """A copy of an array of numpy."""
    __slots__ = ('dtype', 'shape', 'data', 'size')
    def __init__(self, v): self.dtype, self.shape, self.data, self.size = v.dtype, v.shape, v.tobytes(), v.dtype.itemsize

class Opaque(object):
    """An object that is known by its identity alone."""
    __slots__ = ('id',)
    def __init__(self, v): self.id = id(v)

class Copying(object):
    """Makes a copy of one value. `whole`: whether nothing is left out."""
    def __init__(self): self.whole = True

    def spend(self, n):
        WORK[0] -= n
        if WORK[0] < 0: raise Unknown()

    def copy(self, v, depth, seen):
        t = type(v)
        self.spend(SLOW)
        if t in ATOMS: return v
        if t in FUNCTIONS or issubclass(t, type): return Opaque(v)
        if id(v) in seen: return (seen.index(id(v)),)
        if depth == 0: raise Unknown()
        return self.contents(v, t, depth - 1, seen + (id(v),))

    def contents(self, v, t, depth, seen):
        for kind in (list, tuple):
            if issubclass(t, kind): return self.elements(v, t, kind, depth, seen)
        if issubclass(t, dict): return self.members(v, t, depth, seen)
        if issubclass(t, (set, frozenset)): return self.unordered(v, t)
        if t is bytearray: return self.raw(bytes(v))
        if known(t, 'collections', 'deque'): return self.listed(tuple(v), depth, seen)
        if known(t, 'array', 'array'): return self.listed(tuple(v), depth, seen)
        if known(t, 'numpy', 'ndarray'): return self.numbers(v)
        member = named(v, t)
        if member: return (member,)
        if issubclass(t, int): return (int.__repr__(v),)
        if isdata(v, t) and not issubclass(t, str):
            shown = repr(v)
            return (shown,) if len(shown) < 2000 else self.opaque(v)
        return self.fields(v, t, depth, seen)

    def opaque(self, v):
        self.whole = False
        return Opaque(v)

    def raw(self, data):
        self.spend(len(data))
        if len(data) > MOST_ELEMENTS: raise Unknown()
        return Part(LIST, data)

    def elements(self, v, t, kind, depth, seen):
        if kind.__len__(v) > MOST_ELEMENTS: raise Unknown()
        if t is not kind and own(v): self.whole = False
        return self.listed(tuple(kind.__iter__(v)), depth, seen)

    def listed(self, all, depth, seen):
        self.spend(len(all))
        if len(all) > MOST_ELEMENTS: raise Unknown()
        if ATOMS.issuperset(map(type, all)): return Part(LIST, all)
        return Part(LIST, tuple([self.copy(x, depth, seen) for x in all]))

    def members(self, v, t, depth, seen):
        if dict.__len__(v) > MOST_ELEMENTS: raise Unknown()
        if t is not dict and own(v): self.whole = False
        copied = self.simple(v)
        if copied is not None: return Part(DICT, copied)
        return Part(DICT, dict([(self.key(k), self.copy(x, depth, seen)) for k, x in list(dict.items(v))]))

    def simple(self, v):
        """A copy of a dict that holds only simple values, which is made in C."""
        copied = dict.copy(v)
        if not (ATOMS.issuperset(map(type, copied)) and ATOMS.issuperset(map(type, copied.values()))): return None
        self.spend(len(copied))
        return copied

    def key(self, k):
        t = type(k)
        if t in ATOMS: return k
        if t is tuple: return tuple([self.key(x) for x in k])
        member = named(k, t)
        if member: return (member,)
        raise Unknown()

    def unordered(self, v, t):
        all = frozenset.__or__(frozenset(), v) if t in (set, frozenset) else None
        if all is None or len(all) > MOST_ELEMENTS or not ATOMS.issuperset(map(type, all)): return self.opaque(v)
        self.spend(len(all))
        return all

    def numbers(self, v):
        if v.dtype.hasobject or v.nbytes > MOST_BYTES: return self.opaque(v)
        self.spend(v.nbytes // 8)
        return Numbers(v)

    def fields(self, v, t, depth, seen):
        if not all(flags(k) & HEAP or k is object for k in mro(t)): return self.opaque(v)
        found = slots(v, t)
        found.update(own(v))
        if len(found) > MOST_ELEMENTS: raise Unknown()
        return Part(FIELDS, dict([(k, self.copy(x, depth, seen)) for k, x in found.items() if type(k) is str]))


def same(a, b):
    """Whether two copies of simple values are equal, as a person sees them: 1, 1.0 and True are not."""
    if a is b: return True
    if type(a) is not type(b): return False
    if type(a) is Opaque: return a.id == b.id
    if type(a) in (float, complex): return repr(a) == repr(b)
    return a == b and (type(a) is not frozenset or not a ^ b)

def differ(a, b, path, out):
    """Adds the innermost parts in which two copies differ, with both."""
    if len(out) >= FOUND or a is b: return
    if type(a) is not type(b): return out.append((path, shown(a), shown(b)))
    if type(a) is Numbers: return arrays(a, b, path, out)
    if type(a) is not Part: return atoms(a, b, path, out)
    if a.mark != b.mark: return out.append((path, shown(a), shown(b)))
    if a.mark == LIST: return lists(a.items, b.items, path, out)
    if len(a.items) == len(b.items) and all(map(is_, a.items, b.items)) and all(map(is_, a.items.values(), b.items.values())): return
    for k in list(a.items) + [k for k in b.items if k not in a.items]:
        inner = path + ('.' + k if a.mark == FIELDS else '[%s]' % shown(k))
        differ(a.items.get(k, ABSENT), b.items.get(k, ABSENT), inner, out)

def lists(a, b, path, out):
    if type(a) is type(b) and len(a) == len(b) and all(map(is_, a, b)): return
    if len(a) != len(b): return out.append((path, counted(a), counted(b)))
    for at, (x, y) in enumerate(zip(a, b)):
        if x is not y: differ(x, y, '%s[%d]' % (path, at), out)

def atoms(a, b, path, out):
    if same(a, b): return
    if type(a) is frozenset: return out.append((path + '[\u2026]', many([shown(x) for x in head(a - b, 4)], len(a - b), 0), many([shown(x) for x in head(b - a, 4)], len(b - a), 0)))
    if type(a) is not str or len(a) < 60 or len(b) < 60: return out.append((path, shown(a), shown(b)))
    at = next((i for i, (x, y) in enumerate(zip(a, b)) if x != y), min(len(a), len(b)))
    out.append(('%s[%d:]' % (path, at), shown(a[at:at + 40]), shown(b[at:at + 40])))

def arrays(a, b, path, out):
    if a.dtype != b.dtype or a.shape != b.shape: return out.append((path, 'shape=%r' % (a.shape,), 'shape=%r' % (b.shape,)))
    if a.data == b.data: return
    read = sys.modules['numpy'].frombuffer
    for at in range(0, len(a.data), a.size):
        x, y = a.data[at:at + a.size], b.data[at:at + a.size]
        if x == y: continue
        if len(out) >= FOUND: return
        out.append((path + '[%s]' % index(at // a.size, a.shape), shown(read(x, a.dtype)[0].item()), shown(read(y, a.dtype)[0].item())))

def index(at, shape):
    numbers = []
    for n in reversed(shape):
        numbers.insert(0, at % n)
        at //= n
    return ', '.join(map(str, numbers))

def counted(all):
    return '[\u2026 %d, %s]' % (len(all), shown(all[-1])) if len(all) else '[]'

def shown(a):
    """A short text of a copy."""
    if a is ABSENT: return 'absent'
    if type(a) is tuple: return str(a[0]) if len(a) == 1 else repr(a)
    if type(a) is Part: return counted(a.items) if a.mark == LIST else '{\u2026 %d}' % len(a.items)
    if type(a) is Numbers: return 'ndarray(shape=%r)' % (a.shape,)
    if type(a) is Opaque: return '<object>'
    return cut(brief(a, 1, ()), 80)


def isOwnPart(path):
    """Whether a part is a public field of the object itself. Of a library's object with many changes, only these are told."""
    return path.count('.') == 1 and path[:1] == '.' and path[1:2] != '_' and '[' not in path

class Parts(object):
    """What is known of the contents of variables, from one line to the next."""
    def __init__(self): self.copies, self.told = {}, {}

    def line(self, variables, texts, before):
        """The parts that have changed unseen, as name, text and text before, and the names whose contents were compared.

        The text of an object of a library stays if its changed parts are told.
        """
        changed, compared, copies = [], [], {}
        for name, v in variables.items():
            if not isPart(texts[name]) and name not in self.told: continue
            copies[name] = made = self.copyOf(name, v)
            last = self.copies.get(name)
            if made is None or last is None:
                changed += self.forgotten(name)
                continue
            isSame = name in before and last[2] == made[2] and isForeign(type(v))
            changed += self.changes(name, last[0], made[0], texts, before, isSame)
            if last[1] and made[1]: compared.append(name)
        for name in list(self.told):
            if name not in copies: changed += self.forgotten(name)
        self.copies = copies
        return changed, compared

    def copyOf(self, name, v): return self.made(v)

    def made(self, v):
        copying = Copying()
        try: return copying.copy(v, DEEPEST, ()), copying.whole, id(v)
        except Exception: return None

    def changes(self, name, a, b, texts, before, isSame):
        out, told = [], self.told.get(name, ())
        differ(a, b, '', out)
        count, isLost = len(out), bool(out) and out[0][0] == '' or len(out) >= FOUND
        if isSame and not isLost and type(b) is Part: texts[name] = before[name]
        if not out: return []
        isHidden = texts[name] == before.get(name)
        if isLost: return self.forgotten(name) + self.more(name, count, isHidden)
        stale = [path for path in told if any(each != path and path.startswith(each) for each, _, _ in out)]
        for path in stale: told.discard(path)
        gone = [[name + path, None, None] for path in stale]
        if not isHidden and not any(path in told for path, _, _ in out): return gone
        if isSame and count > TOLD: out = [each for each in out if isOwnPart(each[0]) or each[0] in told]
        listed = out[:TOLD] + [each for each in out[TOLD:] if each[0] in told]
        if listed: self.told.setdefault(name, set()).update([path for path, _, _ in listed])
        return gone + [[name + path, y, x] for path, x, y in listed] + self.more(name, count - len(listed), True)

    def more(self, name, n, isHidden):
        return [[name + '[\u2026]', '%d changed parts' % n, None]] if n > 0 and isHidden else []

    def forgotten(self, name):
        return [[name + path, None, None] for path in self.told.pop(name, ())]

def globalsOf(code):
    """The names of the global variables that code reads or writes."""
    names = NAMED.get(code)
    if names is None:
        names = set()
        try: names.update(i.argval for i in dis.get_instructions(code) if i.opname in ('LOAD_GLOBAL', 'STORE_GLOBAL') and not i.argval.startswith('__'))
        except Exception: pass
        NAMED[code] = names
    return names


def variablesOf(t, code):
    """The locals of a frame, and the globals that its code names. At the level of a module, its functions and classes are left out."""
    variables, out = t.f_locals, {}
    isModule = variables is t.f_globals
    for k, v in list(variables.items()):
        if type(k) is not str or k.startswith('__') and k.endswith('__'): continue
        if not isModule or isData(v): out[k] = v
    for k in () if isModule else globalsOf(code):
        if k in t.f_globals and k not in out and isData(t.f_globals[k]): out[k] = t.f_globals[k]
    return out


def isData(v): return type(v) not in FUNCTIONS and not issubclass(type(v), type)


def isPart(text):
    return '\u2026' in text or 'array(' in text or 'shape=' in text
