"""Notices at little cost whether the contents of a value have changed since the last line of a call.

A `Shape` is what a value consists of: its containers by levels, with the identity of each element. An element that is
simple is kept, so that its identity is never that of another one. A container is not kept: its identity says nothing, and
its own type, length and elements are compared as well. So a value is unchanged only if all its contents are. It runs no code
of the program. It follows `values.py` and `parts.py` in one namespace. Python 3.6 and newer.
"""
from bisect import bisect_right
from collections import deque
from itertools import accumulate, chain, compress
from operator import itemgetter, ne
# The kinds of containers, in the order in which a level has them. Those from `dict` on have keys.
KINDS = (list, tuple, deque, set, frozenset, dict)
OBJECT, LEAF = len(KINDS), len(KINDS) + 1
ITER, COUNT = [k.__iter__ for k in KINDS], [k.__len__ for k in KINDS]
VALUES, KEYS, MAPPING = dict.values, dict.keys, KINDS.index(dict)
# The levels of a shape, and the changed elements up to which it is kept.
LEVELS, CHANGED = 12, 12
KINDOF, GETTERS = {}, {}

def kindOf(t):
    kind = KINDOF.get(t)
    if kind is None: kind = KINDOF[t] = foundKind(t)
    return kind

def foundKind(t):
    """How the contents of a type are read. -1: not at all."""
    if t in FUNCTIONS or issubclass(t, type) or title(type(t)) in ('EnumMeta', 'EnumType'): return LEAF
    for at, kind in enumerate(KINDS):
        if t is kind or kind is not deque and issubclass(t, kind): return at
    if issubclass(t, (int, float)): return LEAF
    module = home(t)
    if type(module) is str and module.partition('.')[0].lstrip('_') in DATA: return LEAF
    if not all(flags(k) & HEAP or k is object for k in mro(t)): return -1
    g = static(t, '__dict__')
    if type(g) is not GETTER or any('__slots__' in members(k) and members(k)['__slots__'] for k in mro(t)): return -1
    GETTERS[t] = g.__get__
    return OBJECT

def leaf(v):
    """The text of a value whose contents are shown by one."""
    t = type(v)
    if t in FUNCTIONS: return getattr(v, '__name__', '?')
    if issubclass(t, type): return title(v)
    member = named(v, t)
    if member: return member
    if not isdata(v, t):
        if issubclass(t, int): return int.__repr__(v)
        if issubclass(t, float): return float.__repr__(v)
        raise Unknown()
    return repr(v)

def bodyOf(v): return GETTERS[type(v)](v)

class Level(object):
    """The containers of one level, in the order of their kinds."""
    __slots__ = ('types', 'groups', 'lengths', 'leaves', 'keys', 'ids', 'kept', 'inner', 'get', 'offsets', 'nested')

    def __init__(self, containers):
        self.types = list(map(type, containers))
        kinds, self.groups, at = list(map(kindOf, self.types)), [], 0
        if -1 in kinds: raise Unknown()
        for kind in range(LEAF + 1):
            n = kinds.count(kind)
            if n: self.groups.append((kind, at, at + n))
            at += n
        self.lengths, self.leaves, self.keys, self.kept = self.read(containers)
        self.ids, self.offsets, self.get, self.inner, self.nested = list(map(id, self.kept)), None, None, (), ()
        if self.keys is not None and not ATOMS.issuperset(map(type, self.keys)): raise Unknown()

    def read(self, containers):
        """The lengths of the containers, the texts of the leaves, the keys, and the elements."""
        lengths, parts, keys, leaves = [], [], None, None
        for kind, start, end in self.groups:
            some = containers if end - start == len(containers) else containers[start:end]
            if kind == LEAF:
                leaves = list(map(leaf, some))
                continue
            if kind == OBJECT: some, kind = list(map(bodyOf, some)), MAPPING
            lengths += map(COUNT[kind], some)
            if kind != MAPPING:
                parts.append(chain.from_iterable(map(ITER[kind], some)))
                continue
            found = list(chain.from_iterable(map(KEYS, some)))
            keys = found if keys is None else keys + found
            parts.append(chain.from_iterable(map(VALUES, some)))
        if sum(lengths) > MOST_ELEMENTS: raise Unknown()
        return lengths, leaves, keys, list(parts[0] if len(parts) == 1 else chain(*parts))

    def descend(self, seen):
        """The containers of the next level. One that is there already is known."""
        flat = self.kept
        if ATOMS.issuperset(map(type, flat)): return ()
        self.nested, inner = set(at for at, x in enumerate(flat) if type(x) not in ATOMS), []
        for at in sorted(self.nested):
            if id(flat[at]) in seen: continue
            seen.add(id(flat[at]))
            inner.append((kindOf(type(flat[at])), at))
        inner.sort()
        self.inner = [at for _, at in inner]
        self.get = itemgetter(*self.inner) if len(inner) > 1 else None
        containers = self.next(flat)
        self.kept = [None if at in self.nested else x for at, x in enumerate(flat)]
        return containers

    def next(self, flat):
        if self.get is not None: return self.get(flat)
        return (flat[self.inner[0]],) if self.inner else ()

    def changed(self, containers):
        """The elements, and the positions of the changed ones. None: the containers are others, or have others."""
        if not all(map(is_, map(type, containers), self.types)): return None
        lengths, leaves, keys, flat = self.read(containers)
        n = len(flat)
        if lengths != self.lengths or leaves != self.leaves or n != len(self.ids): return None
        if keys is not None and not (len(keys) == len(self.keys) and all(map(is_, keys, self.keys))): return None
        ids = list(map(id, flat))
        if ids == self.ids: return flat, ()
        positions = list(compress(range(n), map(ne, ids, self.ids)))
        if len(positions) > CHANGED: return None
        for at in positions:
            if at in self.nested or type(flat[at]) not in ATOMS or self.kindAt(at) in (3, 4): return None
            self.ids[at], self.kept[at] = ids[at], flat[at]
        return flat, positions

    def owner(self, at):
        """The container of an element, and its place or key there."""
        if self.offsets is None: self.offsets = [0] + list(accumulate(self.lengths))
        # Empty containers have the same offset as the next one.
        owner = bisect_right(self.offsets, at) - 1
        first = next((start for kind, start, _ in self.groups if kind in (MAPPING, OBJECT)), len(self.types))
        if owner < first: return owner, at - self.offsets[owner]
        return owner, self.keys[at - self.offsets[first]]

    def kindAt(self, at):
        owner = self.owner(at)[0]
        return next(kind for kind, start, end in self.groups if start <= owner < end)

class Shape(object):
    """The contents of a value at one line. Raises an exception if they cannot be compared so."""
    __slots__ = ('levels',)
    def __init__(self, v):
        self.levels, containers, seen, count = [], (v,), set([id(v)]), 0
        while containers:
            level = Level(containers)
            self.levels.append(level)
            count += len(level.ids)
            if len(self.levels) > LEVELS or count > MOST_ELEMENTS: raise Unknown()
            containers = level.descend(seen)

    def changed(self, v):
        """The changed simple elements of the value, each as its path and value. None: more than that may have changed."""
        containers, found = (v,), []
        for depth, level in enumerate(self.levels):
            got = level.changed(containers)
            if got is None: return None
            flat, positions = got
            WORK[0] -= len(flat)
            for at in positions: found.append((self.path(depth, at), flat[at]))
            containers = level.next(flat)
        return found if WORK[0] >= 0 else None

    def path(self, depth, at):
        """The places and keys that lead from the value to an element."""
        path = []
        for level in reversed(self.levels[:depth + 1]):
            owner, key = level.owner(at)
            path.insert(0, key)
            above = self.levels[depth - len(path)] if len(path) <= depth else None
            if above is not None: at = above.inner[owner]
        return path

def replaced(part, path, value):
    """A copy of a part with another element."""
    if not path: return value
    key, items = path[0], part.items
    inner = replaced(items[key], path[1:], value)
    if part.mark == LIST: return Part(LIST, items[:key] + (inner,) + items[key + 1:])
    items = dict(items)
    items[key] = inner
    return Part(part.mark, items)


class Watch(object):
    """What is known of one variable: its text, its copy, and its shape."""
    __slots__ = ('value', 'type', 'id', 'text', 'made', 'shape', 'same', 'copied')
    def __init__(self, v, t):
        self.value, self.type, self.id, self.made, self.shape, self.same = v if t in ATOMS else None, t, id(v), None, None, False
        self.text, self.copied = text(v), False

class Watched(Parts):
    """The parts of variables, and their texts. What has not changed is not read again."""
    def __init__(self):
        Parts.__init__(self)
        self.watches = {}

    def texts(self, variables):
        out, watches = {}, {}
        for name, v in variables.items():
            t, w = type(v), self.watches.get(name)
            if w is not None and t is w.type and (v is w.value if t in ATOMS else self.isKnown(w, v)): pass
            else: w = self.watch(v, t, w)
            watches[name], out[name] = w, w.text
        self.watches = watches
        return out

    def watch(self, v, t, before):
        w = Watch(v, t)
        # A small value is read again until it was the same twice.
        if t not in ATOMS and before is not None and before.id == w.id and before.text == w.text and not isPart(w.text): shape(w, v)
        return w

    def isKnown(self, w, v):
        """Whether the value is the same as at the last line, or only some simple elements of it are others."""
        w.same = False
        if w.shape is None or w.id != id(v): return False
        try: found = w.shape.changed(v)
        except Exception: found = None
        if found is None: return False
        if not found:
            w.same = True
            return True
        w.text = text(v)
        try:
            if w.made is not None:
                part = w.made[0]
                for path, x in found: part = replaced(part, path, x)
                w.made = (part,) + w.made[1:]
            w.same = True
        except Exception: w.shape = w.made = None
        return True

    def copyOf(self, name, v):
        w = self.watches[name]
        if w.same and w.copied: return w.made
        w.made, w.copied = self.made(v), True
        if w.shape is None and w.made is not None and w.type not in ATOMS: shape(w, v)
        return w.made

def shape(w, v):
    try: w.shape = Shape(v)
    except Exception: w.shape = None
