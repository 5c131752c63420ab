/**
 * The code that runs in a Python program under debug. It is written for Python 3.6 and newer, runs inside the debugger's
 * trace function, and calls no code of the program except the expressions that a person has approved: values are
 * described by their exact types, never by their own `__repr__`.
 *
 * It expects `C`, the settings of `RecorderSettings`, in its namespace and defines `r`, which a breakpoint's condition
 * calls with the number of its point.
 */
export const PYTHON_RECORDER = String.raw`
import sys, os, _thread, re
from json.encoder import encode_basestring_ascii as quote
ident, getframe, SIMPLE = _thread.get_ident, sys._getframe, (int, float, complex, bool, type(None))
DATA = ('decimal', 'datetime', 'fractions', 'uuid', 'pathlib', 'ipaddress', 'numpy')
raw = object.__getattribute__
class _M(object):
    def m(self): pass
FUNCTIONS = (type(lambda: 0), type(len), type(_M().m), type(sys))
mro, members, title = [type.__dict__[k].__get__ for k in ('__mro__', '__dict__', '__name__')]

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

def own(v):
    try: d = raw(v, '__dict__')
    except Exception: return {}
    return d if type(d) is dict else {}

def many(parts, n, room):
    if n > len(parts): parts.append('\u2026 %d more' % (n - len(parts)))
    return ', '.join(parts)

def head(it, most):
    out = []
    for x in it:
        if len(out) == most: break
        out.append(x)
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
    return container(v, t, depth, seen) or plain(v, t, depth, seen)

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
            parts = [brief(k, 0, seen) + ': ' + brief(x, depth - 1, seen) for k, x in head(dict.items(v), items)]
        else:
            fields = static(t, '_fields') if kind is tuple and prefix else None
            if type(fields) is tuple:
                return title(t) + '(' + many(['%s=%s' % (k, brief(x, depth - 1, seen)) for k, x in head(zip(fields, tuple.__iter__(v)), items)], n, 0) + ')'
            parts = [brief(x, depth - 1, seen) for x in head(kind.__iter__(v), items)]
            if kind in (set, frozenset): parts.sort()
        tail = ',' if kind is tuple and n == 1 else ''
        return prefix + marks[0] + many(parts, n, 0) + tail + marks[1]

def plain(v, t, depth, seen):
    name, module = title(t), members(t).get('__module__', '')
    if issubclass(t, int): return named(v, t) or '%s(%s)' % (name, int.__repr__(v))
    if issubclass(t, float): return '%s(%s)' % (name, float.__repr__(v))
    if type(module) is str and module.partition('.')[0] in DATA: return cut(repr(v), C['text'])
    if t in FUNCTIONS:
        return '<%s %s>' % (name, getattr(v, '__name__', '?'))
    if t is range: return repr(v)
    if issubclass(t, BaseException):
        args = BaseException.__dict__['args'].__get__(v)
        return name + '(' + many([brief(x, depth - 1, seen) for x in head(args, 5)] if depth else [], len(args), 0) + ')'
    known = named(v, t)
    if known: return known
    fields = own(v)
    if not fields: return '<%s>' % name
    if depth == 0: return '<%s \u2026>' % name
    parts = ['%s=%s' % (k, brief(x, depth - 1, seen)) for k, x in head(list(fields.items()), C['items']) if type(k) is str]
    return '<%s %s>' % (name, many(parts, len(fields), 0))

def text(v):
    try: return cut(brief(v, C['depth'], ()), C['text'])
    except Exception as e: return '<%s, not shown: %s>' % (title(type(v)), title(type(e)))

def failure(e):
    try: return cut(title(type(e)) + ': ' + ' '.join([x if type(x) is str else text(x) for x in BaseException.__dict__['args'].__get__(e)]), C['text'])
    except Exception: return title(type(e))

class Point(object):
    def __init__(self, p):
        self.id = p['id']
        self.values = p['values'] if p['values'] == 'locals' else [self.code(x) for x in p['values']]
        self.when, self.stop, self.claim = [self.code(p.get(k)) for k in ('when', 'stopWhen', 'claim')]
        self.passes, self.refuted, self.told, self.reached = 0, False, False, False
    def code(self, x):
        if x is None: return None
        try: return compile('(' + x.strip() + '\n)', '<expression>', 'eval')
        except Exception as e: return failure(e)

def evaluate(code, f):
    if type(code) is str: raise SyntaxError(code.partition(': ')[2])
    try: return eval(code, f.f_globals, f.f_locals)
    except NameError:
        # A comprehension sees no locals of a caller: it is given both as one.
        both = dict(f.f_globals); both.update(f.f_locals)
        return eval(code, both)

class Recorder(object):
    def __init__(self):
        self.points = dict((p['id'], Point(p)) for p in C['points'])
        self.lock, self.pid, self.fd, self.live, self.home = _thread.allocate_lock(), None, None, True, os.getpid()
        self.frames, self.count, self.seq, self.hits, self.bytes = {}, 0, 0, 0, 0
        self.only, self.mine, self.calls = None, [1, None, None, {}], 0
    def write(self, row):
        # A thread that is not in a forked process may have held the lock when it was forked.
        if self.home != os.getpid(): self.home, self.lock = os.getpid(), _thread.allocate_lock()
        with self.lock:
            if self.pid != os.getpid():
                self.pid, self.seq, self.bytes = os.getpid(), 0, 0
                self.fd = os.open(os.path.join(C['folder'], '%d-%s.jsonl' % (self.pid, os.urandom(6).hex())), os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_APPEND, 0o600)
                os.write(self.fd, ('["b",%d]\n' % self.pid).encode())
            self.seq += 1
            line = ('[%d,%s]\n' % (self.seq, row)).encode('ascii')
            self.bytes += len(line)
            os.write(self.fd, line)
    def target(self, f):
        b = f.f_back
        while b is not None and b.f_globals is not f.f_globals: b = b.f_back
        return b
    def caller(self, t):
        b = t and t.f_back
        if b is None or 'pydevd' in b.f_code.co_filename or 'runpy' in b.f_code.co_filename: return None
        return '%s (%s:%d)' % (b.f_code.co_name, os.path.basename(b.f_code.co_filename), b.f_lineno or 0)
    def stack(self, t):
        out = []
        while t is not None and len(out) < 30:
            name = t.f_code.co_filename
            if 'pydevd' not in name and 'runpy' not in name and 'debugpy' not in name:
                out.append('%s (%s:%d)' % (t.f_code.co_name, name, t.f_lineno or 0))
            t = t.f_back
        return out
    def activation(self, t):
        """Which call of its function a frame is: frames are told apart by their ids, which are used again."""
        depth, b = 0, t
        while b is not None: depth, b = depth + 1, b.f_back
        key, lasti = id(t), t.f_lasti
        known = self.frames.get(key)
        if known is not None and known[1] is t.f_code and known[2] == depth and lasti not in entry(t):
            return known
        self.count += 1
        if len(self.frames) > 20000: self.frames.clear()
        self.frames[key] = known = [self.count, t.f_code, depth, {}]
        return known
    def locals(self, f, known):
        last, now, out = known[3], {}, {}
        for k, v in list(f.f_locals.items()):
            if type(k) is not str or k.startswith('__') and k.endswith('__'): continue
            if type(v) in FUNCTIONS or issubclass(type(v), type): continue
            now[k] = text(v)
        for k, x in now.items():
            if last.get(k) != x: out[k] = x
        for k in last:
            if k not in now: out[k] = None
        known[3] = now
        return out
    def hit(self, p, f, at):
        # What is evaluated next may never end.
        if not p.reached:
            p.reached = True
            self.write('"s",%d' % p.id)
        if p.when is not None:
            try: ok = bool(evaluate(p.when, f))
            except Exception as e:
                ok = False
                if not p.told:
                    p.told = True
                    self.write('"e",%d,%s' % (p.id, quote(failure(e))))
            if not ok:
                p.passes += 1
                if p.passes & (p.passes - 1) == 0: self.write('"p",%d,%d' % (p.id, p.passes))
                return False
        if self.hits >= C['hits'] or self.bytes >= C['bytes']:
            self.live = False
            self.write('"l",%d' % self.hits)
            return C['stopAtLimit']
        self.hits += 1
        return self.record(p, f, *at)
    def record(self, p, f, t, known):
        if p.values == 'locals': values = self.locals(f, known or [0, None, 0, {}])
        else:
            values = []
            for code in p.values:
                try: values.append(text(evaluate(code, f)))
                except Exception as e: values.append([failure(e)])
        stop, claim, stack = False, None, None
        if p.claim is not None:
            try: claim = bool(evaluate(p.claim, f))
            except Exception as e: claim = failure(e)
            if claim is not True and not p.refuted:
                p.refuted, stack = True, self.stack(t)
                stop = C['stopAtRefuted']
        if p.stop is not None:
            try: stop = bool(evaluate(p.stop, f)) or stop
            except Exception as e: stack = stack or [failure(e)]
        thread = getattr(getattr(sys.modules.get('threading'), '_active', {}).get(ident()), '_name', None)
        row = [p.id, thread if type(thread) is str else str(ident()), known and known[2], known and known[0], self.caller(t) if C['callers'] else None, stop, values, claim, stack]
        self.write(js(row)[1:-1])
        return stop

def entry(t):
    """The offsets at which a function's first line begins, unless a jump leads there."""
    code = t.f_code
    if code not in ENTRIES:
        import dis
        starts = list(dis.findlinestarts(code))
        first = [o for o, l in starts if l and l != code.co_firstlineno][:1] or [o for o, l in starts][-1:]
        ENTRIES[code] = set(range(0, first[0] + 1)) - set(dis.findlabels(code.co_code)) if first else set()
    return ENTRIES[code]

ENTRIES = {}
R = Recorder()
busy = set()

def r(*ids):
    if not R.live or ident() in busy: return False
    busy.add(ident())
    try:
        f = getframe(1)
        t = R.target(f)
        if C['oneCall'] and (t is None or t is not R.only): return False
        at = (t, R.mine if C['oneCall'] else R.activation(t) if C['activations'] and t is not None else None)
        stops = [R.hit(R.points[i], f, at) for i in ids if R.live]
        return True in stops
    except Exception:
        # Nothing can be written: the program stops here once, so that the debugger notices.
        R.live = False
        return True
    finally: busy.discard(ident())

def here(base, line):
    f = getframe(1)
    while f is not None and not (f.f_lineno == line and os.path.basename(f.f_code.co_filename) == base): f = f.f_back
    return f

def choose(i, base, line):
    """The call that the thread is stopped in is the one that is recorded, with what it calls and returns."""
    t = here(base, line)
    if t is None or not R.live: return False
    busy.add(ident())
    try:
        R.only = t
        R.hit(R.points[i], t, (t, R.mine))
        if sys.getprofile() is None: sys.setprofile(profile)
        return True
    finally: busy.discard(ident())

def ended(f):
    """How a frame is left: by a return, by an exception (False), or for a while (None)."""
    import dis
    code, at = f.f_code.co_code, f.f_lasti
    name = dis.opname[code[at]] if 0 <= at < len(code) else ''
    if name.startswith('RETURN'): return True
    return None if name.startswith(('YIELD', 'SEND', 'RESUME', 'GET_AWAIT')) else False

def profile(f, event, arg):
    try:
        o = R.only
        if o is None: sys.setprofile(None); return
        if event not in ('call', 'return') or f is not o and f.f_back is not o: return
        code, own = f.f_code, f is o
        if not R.live or not own and (code.co_name[:1] == '<' or R.calls >= C['hits'] or 'pydevd' in code.co_filename or f.f_globals is globals()): return
        if event == 'call':
            if own: return
            # The recording is over, and this program could not be asked to forget it.
            if not os.path.isdir(C['folder']): close(); return
            R.calls += 1
            n = code.co_argcount + code.co_kwonlyargcount + (code.co_flags >> 2 & 1) + (code.co_flags >> 3 & 1)
            args = [[k, text(f.f_locals[k])] for k in code.co_varnames[:n] if k in f.f_locals]
            R.write('"c",' + js([code.co_name, args])[1:-1])
            return
        how = ended(f)
        if how is None: return
        R.write('"r",' + js([own, how, text(arg) if how else None])[1:-1])
        if own:
            R.only = None
            sys.setprofile(None)
    except Exception: pass

def close():
    if sys.getprofile() is profile: sys.setprofile(None)
    R.live, R.only = False, None
    R.frames.clear()
    sys.modules.pop(C['name'], None)
    if R.fd is not None and R.pid == os.getpid(): os.close(R.fd)
`;

/** The file that holds the recorder, which a condition reads on its first use: a long condition is slow at every hit. */
export const PYTHON_FILE = 'recorder.py';

/** Its text. @param name the name of its module in the program */
export function pythonFile(name: string, settings: string): string {
  return [
    'import json, sys, types',
    `C = json.loads(${JSON.stringify(settings)})`,
    PYTHON_RECORDER,
    `m = types.ModuleType(${JSON.stringify(name)})`,
    'm.r, m.close, m.choose = r, close, choose',
    `sys.modules[${JSON.stringify(name)}] = m`,
  ].join('\n');
}

/** The condition of a place. Where the file cannot be read, the program stops. */
export function pythonCondition(name: string, folder: string, ids: readonly number[]): string {
  const file = JSON.stringify(`${folder}/${PYTHON_FILE}`);
  const module = `__import__('sys').modules.get('${name}')`;
  const install = `__import__('os').path.isfile(${file})and __import__('builtins').exec(__import__('io').open(${file},encoding='utf8').read(),{})`;
  const stop = `__import__('types').SimpleNamespace(r=lambda*a:True)`;
  // The debugger compiles the condition at each hit: what the first one needs is one text in it.
  const first = JSON.stringify(`(${install})or ${module}or ${stop}`);
  return `(${module}or __import__('builtins').eval(${first})).r(${ids.join(',')})`;
}

/** Names the call in which a thread is stopped, at a line of a file, and records a point there. `True` where that is done. */
export function pythonChoice(
  { name, folder }: { readonly name: string; readonly folder: string },
  id: number,
  file: string,
  line: number,
): string {
  // The condition of no point installs the recorder where it is not there yet.
  const module = `__import__('sys').modules.get('${name}')`;
  return `((${pythonCondition(name, folder, [])},${module}.choose(${id},${JSON.stringify(file)},${line}))[1])`;
}

/** Removes the recorder from a program that is stopped. */
export function pythonRemoval(name: string): string {
  return `(lambda m:m and m.close())(__import__('sys').modules.get('${name}'))`;
}
