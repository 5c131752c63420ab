"""Says what the threads and the asyncio tasks of a Python program wait for. It runs in a thread of the debugger and
runs no code of the program. It expects `values.py` in its namespace, and in `C` also the file `out` for the answer and
the limits `groups`, `frames` and `names`.
"""
import sys, os, re, threading, ast, gc, asyncio.tasks

LOCK, RLOCK, THREAD = type(_thread.allocate_lock()), type(threading.RLock()), threading.Thread
SLEEP, INPUT = __import__('time').sleep, __import__('builtins').input
MODULE, TASK = type(sys), asyncio.tasks.Task
COROUTINE, GENERATOR = SUSPENDED[1], SUSPENDED[0]
STREAM = type(sys.__stdin__) if sys.__stdin__ is not None else None

# The most bytes of a source file, and the most frames of a stack that are looked at.
BYTES, DEEP = 1000000, 300
BEGINS = ('_bootstrap', '_bootstrap_inner', 'run')

# ---- Source text: which statement or call a frame is at

SOURCES, POSITIONS = {}, {}

class Source(object):
    """The `with` statements and the calls of a file, by their lines."""
    def __init__(self, tree):
        self.withs, self.calls = [], {}
        self.visit(tree, ('<module>', 0))
    def visit(self, node, owner):
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
            owner = (node.name, min([node.lineno] + [d.lineno for d in node.decorator_list]))
        elif isinstance(node, (ast.With, ast.AsyncWith)): self.withs.append((node, owner))
        elif isinstance(node, ast.Call): self.calls.setdefault(node.lineno, []).append(node)
        for child in ast.iter_child_nodes(node): self.visit(child, owner)

def load(name):
    """Reads a source file. This may let other threads run, so it is done before anything is observed."""
    if name in SOURCES: return
    SOURCES[name] = None
    if not name.endswith('.py') or len(SOURCES) > 400: return
    try:
        if os.path.getsize(name) > BYTES: return
        with open(name, 'rb') as file: SOURCES[name] = Source(ast.parse(file.read()))
    except Exception: pass

def place(node):
    return (node.lineno, node.end_lineno, node.col_offset, node.end_col_offset)

def positionOf(f):
    """The position of the instruction of a frame, in Python 3.11 and newer."""
    code = f.f_code
    if not hasattr(code, 'co_positions'): return None
    all = POSITIONS.get(code)
    if all is None: all = POSITIONS[code] = list(code.co_positions())
    at = f.f_lasti // 2
    return all[at] if 0 <= at < len(all) else None

def instruction(f):
    import opcode
    code, at = f.f_code.co_code, f.f_lasti
    return (opcode.opname[code[at]], code[at + 1]) if 0 <= at < len(code) - 1 else ('', 0)

def enters(f):
    """Whether a frame is at the instruction that enters a `with` block."""
    name, arg = instruction(f)
    return name in ('BEFORE_WITH', 'SETUP_WITH') or sys.version_info >= (3, 14) and name == 'CALL' and arg == 0

def entered(f):
    """The expression whose `with` block a frame is entering, as a node."""
    source = SOURCES.get(f.f_code.co_filename)
    if source is None or not enters(f): return None
    at, found = positionOf(f), []
    for node, owner in source.withs:
        for item in node.items:
            e = item.context_expr
            if at is None and e.lineno == f.f_lineno or at is not None and (at == place(e) or at == place(node) and len(node.items) == 1):
                found.append(e)
    return found[0] if len(found) == 1 else None

def called(f):
    """The call that a frame is at, as a node."""
    source = SOURCES.get(f.f_code.co_filename)
    if source is None or 'CALL' not in instruction(f)[0]: return None
    at = positionOf(f)
    nodes = source.calls.get(f.f_lineno if at is None else at[0], ())
    found = [n for n in nodes if at is None or place(n) == at]
    return found[0] if len(found) == 1 else None

def resolve(node, f):
    """The value of a name, an attribute or an item, read without code of the program. None if that is not possible."""
    if isinstance(node, ast.Name):
        if node.id in f.f_locals: return f.f_locals[node.id]
        return f.f_globals.get(node.id, f.f_builtins.get(node.id))
    if isinstance(node, ast.Attribute):
        base = resolve(node.value, f)
        if base is None: return None
        if type(base) is MODULE: return base.__dict__.get(node.attr)
        fields = slots(base, type(base))
        fields.update(own(base))
        if node.attr in fields: return fields[node.attr]
        found = static(base if isinstance(base, type) else type(base), node.attr)
        return None if found is None or hasattr(type(found), '__get__') else found
    if isinstance(node, ast.Subscript):
        base, key = resolve(node.value, f), node.slice
        key = getattr(key, 'value', key) if type(key).__name__ == 'Index' else key
        key = key.value if isinstance(key, ast.Constant) else resolve(key, f) if isinstance(key, ast.Name) else None
        if type(base) is dict and type(key) in (str, int): return base.get(key)
        if type(base) in (list, tuple) and type(key) is int and -len(base) <= key < len(base): return base[key]
    return None

def written(node):
    """A name, an attribute or an item as it is written."""
    if isinstance(node, ast.Name): return node.id
    if isinstance(node, ast.Attribute): return written(node.value) + '.' + node.attr
    if isinstance(node, ast.Subscript):
        key = getattr(node.slice, 'value', node.slice)
        return written(node.value) + '[' + (written(key) if isinstance(key, ast.AST) else cut(repr(key), 40)) + ']'
    return '\u2026'

# ---- Threads

def isDebugger(f):
    name = f.f_code.co_filename.replace('\\', '/')
    return 'pydevd' in name or '/debugpy/' in name or '_pydev_' in name

def isLibrary(f):
    name = f.f_code.co_filename
    return name.startswith(STANDARD) and 'site-packages' not in name and 'dist-packages' not in name or name.startswith('<frozen')

def stackOf(f):
    """The frames of the program, innermost first, and whether the debugger has stopped the thread."""
    frames, stopped = [], False
    while f is not None and len(frames) < DEEP:
        if isDebugger(f): stopped = stopped or 'wait_suspend' in f.f_code.co_name
        elif os.path.basename(f.f_code.co_filename) != 'runpy.py' and not f.f_code.co_filename.startswith('<frozen runpy'): frames.append(f)
        f = f.f_back
    # Every thread begins in the same functions of the library.
    while len(frames) > 1 and frames[-1].f_code.co_filename == threading.__file__ and frames[-1].f_code.co_name in BEGINS: frames.pop()
    return frames, stopped

def names():
    out = {}
    for key, t in list(threading._active.items()):
        fields = own(t)
        if fields.get('is_pydev_daemon_thread') or fields.get('pydev_do_not_trace'): out[key] = None
        else:
            name = fields.get('_name')
            out[key] = name if type(name) is str else str(key)
    return out

def shown(f):
    return '%s (%s:%d)' % (f.f_code.co_name, f.f_code.co_filename, f.f_lineno or 0)

def isa(v, module, *classes):
    """Whether a value is of a class of the standard library, or of one that extends it."""
    m = sys.modules.get(module)
    return type(m) is MODULE and any(m.__dict__.get(c) in mro(type(v)) for c in classes)

def lockOf(v):
    """The lock behind a value that a `with` statement or `acquire` takes."""
    if type(v) in (LOCK, RLOCK): return v
    if known(type(v), 'threading', 'Condition'): return lockOf(own(v).get('_lock'))
    return None

def wait(kind, f, what=None, **more):
    """What a thread waits for, at a frame of the program."""
    out = {'kind': kind, 'file_path': f.f_code.co_filename, 'line_number': f.f_lineno or 0}
    if what: out['what'] = what
    out.update(more)
    return out

def limit(f, v):
    timeout = f.f_locals.get('timeout')
    return v if timeout is None or timeout == -1 and type(timeout) is int else dict(v, limited=True)

def waiting(frames):
    """What a thread waits for, and what identifies it: a lock or a thread."""
    if not frames: return {'kind': 'unknown'}, None
    user = next((f for f in frames if not isLibrary(f)), frames[-1])
    inner = frames[0]
    node = entered(inner)
    if node is not None: return acquiring(resolve(node, inner), node, inner, user, False)
    node = called(inner)
    found = None
    if node is not None and inner is user: found = calling(node, inner)
    if found is None: found = inLibrary(frames[:frames.index(user)] if user in frames else frames, user)
    if found is not None: return found
    moved = {'kind': 'running' if node is None else 'unknown', 'file_path': inner.f_code.co_filename, 'line_number': inner.f_lineno or 0}
    if node is not None: moved['what'] = 'the call of %s, which is not written in Python or has not begun' % cut(written(node.func), 60)
    return moved, None

def acquiring(value, node, f, user, limited):
    lock = lockOf(value)
    if lock is None: return wait('unknown', user, 'entering %s' % cut(written(node), 60)), None
    # A lock that is free is not waited for: the thread is just about to take it.
    if not repr(lock).startswith('<locked'): return {'kind': 'running', 'file_path': f.f_code.co_filename, 'line_number': f.f_lineno or 0}, None
    out = wait('lock', user, cut(written(node), 60))
    if limited: out['limited'] = True
    return out, lock

def calling(node, f):
    """What a thread waits for in a call of C code that its own line makes."""
    name = node.func
    if isinstance(name, ast.Attribute):
        value, method = resolve(name.value, f), name.attr
        if method == 'acquire' and lockOf(value) is not None and type(value) in (LOCK, RLOCK):
            return acquiring(value, name.value, f, f, bool(node.args or node.keywords))
        if type(value) is not MODULE:
            if isa(value, '_socket', 'socket') and method in ('accept', 'recv', 'recv_into', 'recvfrom', 'send', 'sendall', 'connect'):
                return wait('socket', f, method), None
            if known(type(value), '_queue', 'SimpleQueue') and method == 'get': return wait('queue', f, cut(written(name.value), 60)), None
            if STREAM is not None and value is sys.stdin and type(value) is STREAM: return wait('input', f), None
    target = resolve(name, f)
    if target is SLEEP: return wait('sleep', f, limited=True), None
    if target is INPUT: return wait('input', f), None
    for module, functions, kind in (('select', ('select',), 'socket'), ('posix', ('waitpid', 'wait', 'wait4'), 'process'), ('posix', ('read',), 'file')):
        m = sys.modules.get(module)
        if type(m) is MODULE and target is not None and any(m.__dict__.get(x) is target for x in functions): return wait(kind, f, cut(written(name), 60)), None
    return None

def queued(q, name):
    """What is in a queue. A join waits for the items that were taken, too, until each is done."""
    items, left = q.get('queue'), q.get('unfinished_tasks')
    if name == 'join' and type(left) is int: return ' with %d unfinished tasks' % left
    return ' with %d items' % len(items) if title(type(items)) in ('deque', 'list') else ''

def inLibrary(library, user):
    """What a thread waits for in a function of the standard library. The outermost known one is what was called."""
    at = [(os.path.basename(f.f_code.co_filename), f.f_code.co_name, f) for f in reversed(library)]
    inside = set((file, name) for file, name, f in at)
    if ('base_events.py', '_run_once') in inside and ('selectors.py', 'select') in inside: return wait('event_loop', user), None
    for file, name, f in at:
        v = f.f_locals.get('self')
        if file == 'threading.py':
            if name == '_shutdown': return wait('join', user, 'the end of the threads that are no daemons'), None
            if name == '__enter__' and known(type(v), 'threading', 'Condition') and len(at) == 1: return acquiring(v, ast.Name(id='Condition', ctx=ast.Load()), f, user, False)
            if name == 'join' and THREAD in mro(type(v)): return joining(v, f, user)
            if name == 'wait':
                kind = next((k for k in ('Event', 'Barrier', 'Condition') if isa(v, 'threading', k)), None)
                if kind: return limit(f, wait('condition' if kind == 'Condition' else kind.lower(), user)), None
            if name in ('acquire', '__enter__') and isa(v, 'threading', 'Semaphore'): return limit(f, wait('semaphore', user)), None
        elif file == 'queue.py' and name in ('get', 'put', 'join'):
            return limit(f, wait('queue', user, '%s of a %s%s' % (name, title(type(v)), queued(own(v), name)))), None
        elif file == '_base.py' and 'concurrent' in f.f_code.co_filename and name in ('result', 'exception', 'wait'): return limit(f, wait('future', user)), None
        elif file == 'thread.py' and name == '_worker': return wait('work', user, 'the next job of a thread pool'), None
        elif file == 'subprocess.py' and name in ('wait', 'communicate', '_wait', '_communicate'):
            pid = own(v).get('pid')
            return limit(f, wait('process', user, 'process %d' % pid if type(pid) is int else None)), None
        elif file in ('socket.py', 'ssl.py'): return wait('socket', user, name), None
        elif file == 'selectors.py' and name == 'select': return limit(f, wait('socket', user, 'select')), None
    return None

def joining(thread, f, user):
    fields = own(thread)
    key, name = fields.get('_ident'), fields.get('_name')
    if type(key) is not int: return wait('join', user), None
    return limit(f, wait('join', user, 'the end of the thread %s' % name if type(name) is str else None)), key

# ---- Owners of locks

def ownerOf(lock, stacks):
    """The thread that has a lock, and the frame that took it, where that can be known."""
    if type(lock) is RLOCK:
        m = re.search(r'owner=(\d+)', repr(lock))
        key = int(m.group(1)) if m else 0
        return (key, holder(lock, {key: stacks[key]})[1]) if key in stacks else (None, None)
    return holder(lock, stacks)

def holder(lock, stacks):
    """The only thread that is in a `with` block of a lock. Such a block that also releases the lock tells nothing."""
    found = {}
    for key, (frames, stopped) in stacks.items():
        for f in frames:
            for node, item in within(f):
                value = resolve(item, f)
                if lockOf(value) is lock and not releases(node, type(value) not in (LOCK, RLOCK)): found[key] = f
    return list(found.items())[0] if len(found) == 1 else (None, None)

def within(f):
    """The `with` blocks that a frame is in."""
    source = SOURCES.get(f.f_code.co_filename)
    if source is None: return
    line, code = f.f_lineno or 0, f.f_code
    for node, (name, first) in source.withs:
        if not isinstance(node, ast.With) or name != code.co_name or first and first != code.co_firstlineno: continue
        if node.body[0].lineno <= line <= getattr(node, 'end_lineno', 0):
            for item in node.items: yield node, item.context_expr

def releases(node, isCondition):
    names = ('release', 'wait', 'wait_for') if isCondition else ('release',)
    return any(isinstance(x, ast.Attribute) and x.attr in names for part in node.body for x in ast.walk(part))

# ---- Observation

def observe():
    """The waits of all threads at one moment: no other thread gets the interpreter in between."""
    named, me, stacks, waits, owners = names(), ident(), {}, {}, {}
    for key, f in sys._current_frames().items():
        if key == me or named.get(key, '') is None: continue
        frames, stopped = stackOf(f)
        if frames: stacks[key] = (frames, stopped)
    for key, (frames, stopped) in stacks.items():
        at, thing = ({'kind': 'debugger'}, None) if stopped else waiting(frames)
        if type(thing) is int:
            owner, by = (thing if thing in stacks else None), None
        else: owner, by = ownerOf(thing, stacks) if thing is not None else (None, None)
        if owner is not None:
            at['owner'] = named.get(owner) or str(owner)
            if by is not None: at['owner_at'] = '%s:%d' % (by.f_code.co_filename, by.f_lineno or 0)
            owners[key] = owner
        waits[key] = at
    marks = dict((key, [(id(f), f.f_lasti) for f in frames]) for key, (frames, stopped) in stacks.items())
    return named, stacks, waits, owners, marks

def cycleIn(owners):
    """The threads that wait for each other."""
    for start in owners:
        path, key = [], start
        while key in owners and key not in path: path.append(key); key = owners[key]
        if key == start: return path
    return []

def deadlockIn(first, second):
    """A cycle of waits that two observations in a row show alike. A wait that ends by itself is in no deadlock."""
    named, stacks, waits, owners, marks = second
    sure = dict((k, o) for k, o in owners.items() if 'limited' not in waits[k] and first[3].get(k) == o and first[4].get(k) == marks.get(k) and first[4].get(o) == marks.get(o))
    out = []
    for key in cycleIn(sure):
        w = waits[key]
        out.append({'thread': named.get(key) or str(key), 'waits_for': w.get('what') or w['kind'], 'file_path': w['file_path'], 'line_number': w['line_number'], 'held_by': w['owner']})
        if 'owner_at' in w: out[-1]['held_at'] = w['owner_at']
    return out

def threadsOf(observed):
    """Threads with equal stacks and waits, as one."""
    named, stacks, waits, owners, marks = observed
    groups = {}
    for key, (frames, stopped) in stacks.items():
        stack = [shown(f) for f in frames]
        group = groups.setdefault((tuple(stack), js(waits[key])), {'threads': [], 'count': 0, 'stack': stack[:C['frames']], 'omitted_frames': max(0, len(stack) - C['frames']), 'waits_for': waits[key]})
        group['count'] += 1
        if len(group['threads']) < C['names']: group['threads'].append(cut(named.get(key) or str(key), 80))
    return sorted(groups.values(), key=lambda g: -g['count'])

# ---- asyncio

def chainOf(o):
    """The coroutines of a task, outermost first, and what the innermost awaits."""
    out = []
    while len(out) < DEEP:
        t = type(o)
        if t is COROUTINE: f, o = o.cr_frame, o.cr_await
        elif t is GENERATOR: f, o = o.gi_frame, o.gi_yieldfrom
        elif t is AGEN: f, o = o.ag_frame, o.ag_await
        else: return out, o
        if f is not None: out.append(f)
    return out, None

async def _agen(): yield
AGEN = type(_agen())

def taskWait(frames, waiter, task):
    if task is not None and type(waiter) is TASK: return 'the task ' + cut(waiter.get_name() if hasattr(waiter, 'get_name') else '?', 60)
    for f in reversed(frames):
        file = f.f_code.co_filename.replace('\\', '/')
        if isLibrary(f) and '/asyncio/' in file:
            name = os.path.basename(file)[:-3]
            v = f.f_locals.get('self')
            if (name, f.f_code.co_name) == ('tasks', 'sleep'): return 'sleep'
            if name in ('locks', 'queues'): return '%s of a %s' % (f.f_code.co_name, title(type(v)))
            if name in ('streams', 'subprocess', 'base_events', 'sslproto', 'timeouts', 'runners', 'selector_events'): return '%s.%s' % (name, f.f_code.co_name)
    if waiter is None: return None
    if known(type(waiter), 'asyncio.tasks', '_GatheringFuture'): return 'gather of %d' % len(object.__getattribute__(waiter, '_children'))
    return 'a %s that nothing has completed yet' % title(type(waiter))

def tasksOf():
    """The tasks that are not done, and coroutines that nothing has ever awaited, as groups."""
    groups, foreign, objects = {}, 0, gc.get_objects()
    begun = set(id(TASK.get_coro(o)) for o in objects if type(o) is TASK and not TASK.done(o))
    def add(name, entry):
        group = groups.setdefault(js(entry), dict(entry, names=[], count=0))
        group['count'] += 1
        if name is not None and len(group['names']) < C['names']: group['names'].append(cut(name, 80))
    for o in objects:
        t = type(o)
        if t is TASK:
            if TASK.done(o): continue
            frames, waiter = chainOf(TASK.get_coro(o))
            waiter = o._fut_waiter
            state = 'pending' if waiter is not None else 'ready'
            own_ = [f for f in frames if not isLibrary(f)] or frames
            entry = {'state': state, 'awaits': [shown(f) for f in own_][:C['frames']]}
            what = taskWait(frames, waiter, o)
            if what: entry['waits_for'] = what
            add(o.get_name() if hasattr(o, 'get_name') else None, entry)
        elif t is COROUTINE:
            f = o.cr_frame
            if f is not None and isNew(o, f) and id(o) not in begun and not isLibrary(f) and not isDebugger(f):
                add(None, {'state': 'never_awaited', 'awaits': ['%s (%s:%d)' % (o.__qualname__, f.f_code.co_filename, f.f_code.co_firstlineno)]})
        elif issubclass(t, asyncio.Future) and TASK in mro(t): foreign += 1
    return sorted(groups.values(), key=lambda g: (g['state'] != 'never_awaited', -g['count'])), foreign

def isNew(coroutine, f):
    """Whether a coroutine has never run."""
    if coroutine.cr_running: return False
    return not coroutine.cr_suspended if hasattr(coroutine, 'cr_suspended') else f.f_lasti < 0

# ---- The answer

def explained():
    for f in list(sys._current_frames().values()):
        for frame in stackOf(f)[0]: load(frame.f_code.co_filename) if not isLibrary(frame) else None
    before = sys.getswitchinterval()
    sys.setswitchinterval(1000)
    try: first, second = observe(), observe()
    finally: sys.setswitchinterval(before)
    groups, unknown = threadsOf(second), []
    tasks, foreign = tasksOf()
    if foreign: unknown.append('%d tasks of classes of the program are not shown' % foreign)
    if any(w['kind'] == 'lock' and 'owner' not in w for w in second[2].values()):
        unknown.append('Python does not record who has a plain lock. Its owner is known only where one thread is in a with block of it.')
    most = C['groups']
    return {'groups': groups[:most], 'deadlock': deadlockIn(first, second), 'tasks': tasks[:most], 'unknown': unknown,
        'total': {'threads': len(second[1]), 'groups': len(groups), 'tasks': sum(t['count'] for t in tasks), 'task_groups': len(tasks)}}

def write():
    answer = js(explained()).encode('ascii')
    fd = os.open(C['out'], os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    try:
        while answer: answer = answer[os.write(fd, answer):]
    finally: os.close(fd)

write()
