"""Counts the objects that a Python program holds, by their types. With an earlier count, it also says what holds the new
ones. It runs in a thread of the debugger and runs no code of the program. It expects `values.py` in its namespace, and
in `C` also the files `out` for the answer and `ids` for the ids of the objects, the limits `objects`, `seconds` and
`holders`, and, for a comparison, the files `before` and `old_ids`. Python 3.6 and newer.
"""
import sys, os, gc, time, json

# Loaded before anything is counted.
try: from _bisect import bisect_left
except ImportError: bisect_left = None
try: import _tracemalloc as traces
except ImportError: traces = None

# A program may have replaced the clocks by its own functions.
clock = next((f for f in (time.monotonic, time.perf_counter, time.time) if type(f) is type(len)), lambda: os.times()[4])
LOCALS = (dict, type((lambda: getframe().f_locals)()))
MODULE, DICT, FUNCTION, CELL = type(sys), dict, type(lambda: 0), type((lambda x: lambda: x)(0).__closure__[0])
METHOD = type(object.__dict__['__sizeof__'])
# The most objects of a container among which the name of a reference is searched, and the most entries of a path.
MANY, FIRST, LAST = 200000, 6, 5

def isDebuggers(name):
    """Whether a module is one of the debugger."""
    return type(name) is str and name.partition('.')[0].lstrip('_').startswith(('pydev', 'debugpy'))

# ---- Types. A type may have a metaclass with code of the program, so types are distinguished by their ids.

class Kind(object):
    """A type with the number and the size of its objects."""
    __slots__ = ('name', 'hidden', 'size', 'count', 'bytes')
    def __init__(self, t):
        module = home(t)
        if type(module) is not str: module = 'builtins'
        self.hidden = isDebuggers(module)
        self.name = cut(title(t) if module == 'builtins' else module + '.' + title(t), 100)
        self.size, self.count, self.bytes = sizer(t), 0, 0
    def add(self, o):
        self.count += 1
        try: self.bytes += self.size(o) + (16 if gc.is_tracked(o) else 0)
        except Exception: pass

def sizer(t):
    """The function of C that tells the size of an object. One of the program is not called."""
    for k in mro(t):
        f = members(k).get('__sizeof__')
        if type(f) is METHOD: return f
    return object.__sizeof__

class Kinds(object):
    def __init__(self): self.known = {}
    def of(self, o):
        t = type(o)
        kind = self.known.get(id(t))
        if kind is None: kind = self.known[id(t)] = Kind(t)
        return kind
    def table(self):
        """The counts by name. Several types may have the same name."""
        out = {}
        for kind in self.known.values():
            if kind.hidden or not kind.count: continue
            one = out.setdefault(kind.name, [0, 0])
            one[0] += kind.count
            one[1] += kind.bytes
        return out

# ---- What the program holds

class Limit(Exception): pass

class Heap(object):
    """The objects that the modules and the variables of the threads hold, nearest first."""
    def __init__(self, deadline):
        self.kinds, self.deadline, self.seen, self.objects, self.roots = Kinds(), deadline, set(), [], {}
        self.parents = memoryview(bytearray(4 * (C['objects'] + 1))).cast('i')
        self.hide(sys.modules)
        self.hide(globals())
        modules = [(n, m) for n, m in list(sys.modules.items()) if type(n) is str and type(m) is MODULE]
        for name, m in modules:
            if isDebuggers(name): self.hide(m), self.hide(m.__dict__)
        for name, m in sorted(modules, key=lambda e: e[0] != '__main__'): self.root(m.__dict__, name)
        for f in frames():
            code = f.f_code
            where = '%s() at %s:%d' % (code.co_name, os.path.basename(code.co_filename), f.f_lineno or 0)
            values = f.f_locals
            if values is f.f_globals or type(values) not in LOCALS: continue
            for name, v in list(values.items()): self.root(v, '%s, variable %s' % (where, name))
        self.walk()
    def hide(self, o): self.seen.add(id(o))
    def root(self, o, label):
        if self.add(o, -1): self.roots[len(self.objects) - 1] = label
    def add(self, o, parent):
        if id(o) in self.seen: return False
        self.seen.add(id(o))
        kind = self.kinds.of(o)
        if kind.hidden: return False
        if len(self.objects) >= C['objects']: raise Limit()
        kind.add(o)
        self.parents[len(self.objects)] = parent
        self.objects.append(o)
        return True
    def walk(self):
        at, objects, add, referents = 0, self.objects, self.add, gc.get_referents
        while at < len(objects):
            for o in referents(objects[at]): add(o, at)
            at += 1
            if not at & 4095 and clock() > self.deadline: raise Limit()

def frames():
    """The frames of the threads, without those of the debugger."""
    for key, f in sys._current_frames().items():
        while f is not None and key != ident():
            if not isDebuggers(dict.get(f.f_globals, '__name__')): yield f
            f = f.f_back

def counted(deadline):
    """The objects that Python's garbage collector knows, where there are too many to look at their references."""
    kinds, n = Kinds(), 0
    for o in gc.get_objects():
        n += 1
        if not n & 4095 and clock() > deadline: raise Limit()
        kind = kinds.of(o)
        if not kind.hidden: kind.add(o)
    return kinds

# ---- Ids of objects, sorted. An id is used again when its object is gone, so some new objects may count as old ones.

def save(heap):
    ids = sorted(map(id, heap.objects))
    data = bytearray(8 * len(ids))
    view = memoryview(data).cast('Q')
    for at, key in enumerate(ids): view[at] = key
    put(C['ids'], data)

def older():
    """Tells whether an object with an id existed at the earlier moment."""
    with open(C['old_ids'], 'rb') as file: ids = memoryview(file.read()).cast('Q')
    if bisect_left is None: return set(ids).__contains__
    def existed(key):
        at = bisect_left(ids, key)
        return at < len(ids) and ids[at] == key
    return existed

# ---- What holds the new objects

def holders(heap):
    """For each type that has grown most: its new objects, and the object that holds most of them."""
    with open(C['before'], 'rb') as file: before = json.loads(file.read().decode('utf8'))
    grown = []
    for name, (count, size) in heap.kinds.table().items():
        old = before.get(name, (0, 0))
        if (size - old[1] or count - old[0]) > 0: grown.append((size - old[1], count - old[0], name))
    names = [name for _, _, name in sorted(grown, reverse=True)[:C['holders']]]
    fresh, existed = dict((n, []) for n in names), older()
    for at, o in enumerate(heap.objects):
        name = heap.kinds.of(o).name
        if name in fresh and not existed(id(o)): fresh[name].append(at)
    return dict((n, holder(heap, fresh[n])) for n in names if fresh[n])

def holder(heap, fresh):
    """The object farthest from the roots that holds more than half of the new ones, with its path."""
    parents, own, n = heap.parents, set(fresh), fresh[-1] + 1
    weight, found = memoryview(bytearray(4 * n)).cast('i'), -1
    for at in fresh: weight[at] = 1
    for at in range(n - 1, -1, -1):
        w = weight[at]
        if not w: continue
        if found < 0 and w * 2 > len(fresh): found = at
        if parents[at] >= 0: weight[parents[at]] += w
    out = {'fresh': len(fresh), 'held': 0, 'path': []}
    if found >= 0:
        path = above(heap, found)
        # In a list of linked objects, each one holds the next. The first of them is enough.
        path = next((path[:i + 1] for i, at in enumerate(path) if at in own), path)
        out['held'] = weight[path[-1]]
        example = None if path[-1] in own else next((at for at in fresh if path[-1] in above(heap, at, path[-1])), None)
        below = [] if example is None else above(heap, example, path[-1])[1:]
        out['path'] = shown(heap, path, below)
    place = allocated(heap, fresh)
    if place: out['allocated_at'] = place
    return out

def above(heap, at, stop=-1):
    """The objects from a root to an object, or those from another one on."""
    path = []
    while at >= 0 and at >= stop: path.append(at); at = heap.parents[at]
    return path[::-1]

def allocated(heap, fresh):
    """The line that made most of the new objects, if the program runs with tracemalloc."""
    if not isTracing(): return None
    lines = {}
    for at in fresh[::len(fresh) // 1000 + 1]:
        trace = traces._get_object_traceback(heap.objects[at])
        if trace: lines[trace[0]] = lines.get(trace[0], 0) + 1
    return '%s:%d' % max(lines, key=lambda line: lines[line])[:2] if lines else None

def isTracing(): return traces is not None and traces.is_tracing()

# ---- Paths as text

def shown(heap, path, below):
    label, out = heap.roots.get(path[0], '?'), []
    if type(heap.objects[path[0]]) is DICT and ', variable ' not in label: out.append(label)
    else: out.append('%s: %s' % (label, heap.kinds.of(heap.objects[path[0]]).name))
    label = ''
    whole = path + below
    for i in range(1, len(whole)):
        holds, o = heap.objects[whole[i - 1]], heap.objects[whole[i]]
        # Below the holder there are many objects. One of their keys would say nothing.
        outer = heap.objects[whole[i - 2]] if i > 1 else None
        isNames = i == 1 or isOwn(outer, holds)
        if isCells(outer, holds): step = variable(outer, o)
        else: step = reference(holds, o, isNames) if i < len(path) or isNames or not inside(holds) else inside(holds)
        label = step or label
        # What Python puts between two objects of the program.
        if i < len(whole) - 1 and (type(o) is CELL or isOwn(holds, o) or isCells(holds, o)): continue
        out.append('%s: %s' % (label, heap.kinds.of(o).name) if label else heap.kinds.of(o).name)
        label = ''
    more = len(out) - FIRST - LAST
    return out if more <= 1 else out[:FIRST] + ['\u2026 %d more' % more] + out[-LAST:]

def isOwn(holds, o):
    """Whether a dictionary is the attributes of an object."""
    if type(o) is not DICT or type(holds) is DICT: return False
    return own(holds) is o or type(holds) is FUNCTION and holds.__globals__ is o

def isCells(holds, o):
    return type(holds) is FUNCTION and holds.__closure__ is o and o is not None

def variable(function, cell):
    cells = zip(function.__code__.co_freevars, function.__closure__)
    return next(('variable ' + name for name, c in cells if c is cell), '')

def inside(holds):
    return '[\u2026]' if issubclass(type(holds), (dict, list, tuple, set, frozenset)) else ''

def reference(holds, o, isNames):
    """The name of the reference from an object to another one."""
    t = type(holds)
    if issubclass(t, dict):
        key = keyOf(holds, o)
        if type(key) is str: return '.' + cut(key, 60) if isNames else '[%s]' % js(cut(key, 60))
        return '[%d]' % key if type(key) is int else '[\u2026]'
    if inside(holds): return inside(holds)
    fields = slots(holds, t)
    fields.update(own(holds))
    return next(('.' + cut(name, 60) for name, v in list(fields.items()) if v is o and type(name) is str), '')

def keyOf(holds, o):
    if dict.__len__(holds) > MANY: return None
    return next((k for k, v in dict.items(holds) if v is o), None)

# ---- The answer

def put(name, data):
    fd = os.open(name, os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, 'O_BINARY', 0), 0o600)
    try:
        data = memoryview(data)
        while data: data = data[os.write(fd, data):]
    finally: os.close(fd)

def observed():
    began = clock()
    try: heap = Heap(began + C['seconds'])
    except Limit: heap = None
    if heap is None:
        try: return {'whole': False, 'types': counted(clock() + C['seconds']).table(), 'ms': int((clock() - began) * 1000)}
        except Limit: return {'whole': False, 'ms': int((clock() - began) * 1000)}
    missed = sum(1 for o in gc.get_objects() if id(o) not in heap.seen)
    answer = {'whole': True, 'types': heap.kinds.table(), 'missed': missed, 'tracing': isTracing()}
    if 'before' in C: answer['holders'] = holders(heap)
    save(heap)
    answer['ms'] = int((clock() - began) * 1000)
    return answer

def answered():
    """No other thread gets the interpreter meanwhile, and no garbage is collected, which could run code of the program."""
    before, collects = sys.getswitchinterval(), gc.isenabled()
    gc.disable()
    sys.setswitchinterval(1000)
    try: return observed()
    finally:
        sys.setswitchinterval(before)
        if collects: gc.enable()

try: put(C['out'], js(answered()).encode('ascii'))
finally: globals().clear()
