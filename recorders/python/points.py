"""Records points of a program: the lines of one call, or the values of probes. It follows `parts.py` in one namespace.

It runs inside the debugger's trace function, and calls no code of the program except the expressions that the person has
approved. It expects its settings as `C`, the namespace of a second `values.py` with wider limits as `W`, and defines `r`,
which a breakpoint's condition calls with the numbers of its points. Python 3.6 and newer.
"""
import types
# The functions of values.py once more, with wider limits, for values whose text shows only a part.
ROOM, BRIEF = _thread._local(), W['brief']
# The numbers of values and characters that all these texts together may have.
LEFT = [2000000, 4000000]
def inner(v, depth, seen):
    ROOM.left -= 1
    if ROOM.left < 0: raise OverflowError()
    return BRIEF(v, depth, seen)
def numbers(v, depth, seen):
    # numpy's own text shows eight digits.
    first = v.flat[:W['C']['items']].tolist() if not v.dtype.hasobject else []
    return 'ndarray(shape=%r, dtype=%s, [%s])' % (v.shape, v.dtype, many([inner(x, depth - 1, seen) for x in first], v.size, 0))
W.update(brief=inner, array=numbers, ROWS=2000)
def whole(v, shown):
    if LEFT[0] <= 0 or LEFT[1] <= 0 or not ('\u2026' in shown or 'array(' in shown or 'shape=' in shown): return None
    ROOM.left = 20000
    try: t = inner(v, 8, ())
    except Exception: return None
    finally: LEFT[0] -= 20000 - ROOM.left
    if len(t) > W['C']['text']: return None
    LEFT[1] -= len(t)
    return t

class Point(object):
    def __init__(self, p):
        self.id = p['id']
        self.values = p['values'] if p['values'] == 'locals' else [Expression(x) for x in p['values']]
        self.when, self.stop, self.claim = [None if p.get(k) is None else Expression(p[k]) for k in ('when', 'stopWhen', 'claim')]
        self.entry = p.get('atEntry') is True
        self.passes, self.refuted, self.reported, self.reached = 0, False, False, False

class Recorder(object):
    def __init__(self):
        self.points = dict((p['id'], Point(p)) for p in C['points'])
        self.lock, self.pid, self.fd, self.live, self.home = _thread.allocate_lock(), None, None, True, os.getpid()
        self.frames, self.count, self.seq, self.hits, self.bytes = {}, 0, 0, 0, 0
        self.only, self.mine, self.calls = None, [1, None, None, {}], 0
        # What is known of the contents of the chosen call's variables.
        self.parts = Parts()
        # The id of the handled exception that was reported at the last hit.
        self.error = None
    def write(self, row):
        # The lock may be taken in a forked process, by a thread that does not exist there.
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
        """The call that a frame belongs to. Frames are distinguished by their ids, which are used again."""
        depth, b = 0, t
        while b is not None: depth, b = depth + 1, b.f_back
        key, lasti = id(t), t.f_lasti
        call = self.frames.get(key)
        # A generator or a coroutine goes on from wherever it is resumed.
        if call is not None and call[1] is t.f_code and (call[2] == depth or t.f_code.co_flags & 0x2a0) and lasti not in entry(t):
            return call
        self.count += 1
        if len(self.frames) > 20000: self.frames.clear()
        self.frames[key] = call = [self.count, t.f_code, depth, {}]
        return call
    def locals(self, f, call, code):
        """The variables that have changed, and the comparison of their contents, which the chosen call has."""
        variables = variablesOf(f, code)
        last, now, out = call[3], dict([(k, text(v)) for k, v in variables.items()]), {}
        for k, x in now.items():
            if last.get(k) != x: out[k] = x
        for k in last:
            if k not in now: out[k] = None
        call[3] = now
        return out, list(self.parts.line(variables, now, last)) if C['oneCall'] else None
    def isInner(self, p, t):
        """Whether a comprehension or a lambda runs on the line of the function that has it, and no expression asks for it."""
        b = t and t.f_back
        if b is None or t.f_code.co_name[:1] != '<' or t.f_code.co_name == '<module>' or C['oneCall'] or p.values == 'locals': return False
        if b.f_code.co_filename != t.f_code.co_filename or b.f_lineno != t.f_lineno: return False
        return not any(n in t.f_code.co_varnames for x in p.values + [p.when, p.claim] if x and not x.error for n in x.codes[None][2])
    def hit(self, p, f, at):
        if self.isInner(p, at[0]): return False
        if p.entry and at[0] is not None and at[0].f_lasti not in entry(at[0]): return False
        # Written first, because the evaluation that follows may never end.
        if not p.reached:
            p.reached = True
            self.write('"s",%d' % p.id)
        if p.when is not None:
            try: ok = bool(evaluate(p.when, f, at[0]))
            except Exception as e:
                ok = False
                if not p.reported:
                    p.reported = True
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
    def raised(self, t):
        """Reports the exception that the thread handles now, if it was raised in a frame or has passed through it."""
        e, before, self.error = sys.exc_info()[1], self.error, None
        b = None if e is None else TRACEBACK(e)
        while b is not None and b.tb_frame is not t: b = b.tb_next
        if b is None: return
        self.error = id(e)
        if self.error != before: self.write('"x",' + js([b.tb_lineno, text(e)])[1:-1])
    def end(self, how, value):
        """Reports the end of the chosen call."""
        self.only = None
        self.write('"r",' + js([True, how, value])[1:-1])
        if sys.getprofile() is profile: sys.setprofile(None)
    def record(self, p, f, t, call):
        if C['oneCall']: self.raised(t)
        wholes, parts = [], None
        if p.values == 'locals': values, parts = self.locals(f, call or [0, None, 0, {}], (t or f).f_code)
        else:
            values = []
            for code in p.values:
                wholes.append(None)
                try:
                    v = evaluate(code, f, t)
                    values.append(text(v))
                    if not C['oneCall']: wholes[-1] = whole(v, values[-1])
                except Exception as e: values.append([failure(e)])
        stop, claim, stack = False, None, None
        if p.claim is not None:
            try: claim = bool(evaluate(p.claim, f, t))
            except Exception as e: claim = failure(e)
            if claim is False and not p.refuted:
                p.refuted, stack = True, self.stack(t)
                stop = C['stopAtRefuted']
        if p.stop is not None:
            try: stop = bool(evaluate(p.stop, f, t)) or stop
            except Exception as e: stack = stack or [failure(e)]
        thread = getattr(getattr(sys.modules.get('threading'), '_active', {}).get(ident()), '_name', None)
        row = [p.id, thread if type(thread) is str else str(ident()), call and call[2], call and call[0], self.caller(t) if C['callers'] else None, stop, values, claim, stack]
        if parts is not None: row += [None, None, parts]
        elif any(x is not None for x in wholes): row += [None, wholes]
        self.write(js(row)[1:-1])
        return stop

def entry(t):
    """The offsets up to the start of a function's first line, without targets of jumps."""
    code = t.f_code
    if code not in ENTRIES:
        import dis
        starts = list(dis.findlinestarts(code))
        first = [o for o, l in starts if l and l != code.co_firstlineno][:1] or [o for o, l in starts][-1:]
        ENTRIES[code] = set(range(0, first[0] + 1)) - set(dis.findlabels(code.co_code)) if first else set()
    return ENTRIES[code]

ENTRIES = {}
TRACEBACK = BaseException.__dict__['__traceback__'].__get__
R = Recorder()
busy = set()

def r(*ids):
    if not R.live or ident() in busy: return False
    busy.add(ident())
    try:
        f = getframe(1)
        t = R.target(f)
        if C['oneCall'] and (t is None or t is not R.only): return False
        at = (t, R.mine if C['oneCall'] else R.activation(t) if (C['activations'] or C['callers']) and t is not None else None)
        stops = [R.hit(R.points[i], f, at) for i in ids if R.live]
        return True in stops
    except Exception:
        # Nothing can be written. Unless the recording has ended, the program stops here once, so that the debugger
        # notices.
        R.live = False
        return not is_over()
    finally: busy.discard(ident())

def here(base, line):
    f = getframe(1)
    while f is not None and not (f.f_lineno == line and os.path.basename(f.f_code.co_filename) == base): f = f.f_back
    return f or raisedIn(base, line)

def raisedIn(base, line):
    """The frame in the traceback of an exception that nobody handled, if debugpy waits there. It has left the stack."""
    f = getframe(1)
    while f is not None and f.f_code.co_name != 'do_wait_suspend': f = f.f_back
    arg, found = f is not None and f.f_locals.get('arg'), None
    b = arg[2] if type(arg) is tuple and len(arg) == 3 else None
    while type(b) is types.TracebackType:
        if b.tb_lineno == line and os.path.basename(b.tb_frame.f_code.co_filename) == base: found = b.tb_frame
        b = b.tb_next
    return found

def choose(i, base, line):
    """Only the call in which the thread is stopped is recorded, with the calls that it makes and what they return."""
    t = here(base, line)
    if t is None or not R.live: return False
    busy.add(ident())
    try:
        R.only = t
        R.hit(R.points[i], t, (t, R.mine))
        if sys.getprofile() is None: sys.setprofile(profile)
        return True
    finally: busy.discard(ident())

def last():
    """Records the locals of the chosen call again. Its frame still exists when the debugger stops at its end."""
    if not R.live: return False
    if R.only is None: return False
    R.write('"v",' + js(R.locals(R.only, R.mine, R.only.f_code))[1:-1])
    how, value = atEnd(R.only)
    # The debugger also stops here if an exception leaves the frame. Then it shows None as its return value.
    if how is False: R.end(False, None)
    elif how: R.end(True, text(value))
    return True

def atEnd(t):
    """How a frame is left, as ended() says, and what it returns, if debugpy waits in its trace function at the frame's end."""
    f = getframe(1)
    while f is not None and f.f_code.co_name != 'do_wait_suspend': f = f.f_back
    waiting = f.f_locals if f is not None else {}
    while f is not None and 'pydevd' in f.f_code.co_filename: f = f.f_back
    isEnd = f is t and waiting.get('frame') is not t and waiting.get('event') == 'return'
    return (ended(t), waiting.get('arg')) if isEnd else (None, None)

def ended(f):
    """How a frame is left: by a return (True), by an exception (False), or only suspended (None)."""
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
        # The functions that an assertion calls after pytest has rewritten it.
        if not own and str(f.f_globals.get('__name__')).startswith('_pytest.assertion'): return
        if event == 'call':
            if own: return
            # The recording is over, and the recorder could not be removed from this program.
            if not os.path.isdir(C['folder']): close(); return
            R.calls += 1
            if R.calls == C['hits']: R.write('"o"')
            n = code.co_argcount + code.co_kwonlyargcount + (code.co_flags >> 2 & 1) + (code.co_flags >> 3 & 1)
            args = [[k, text(f.f_locals[k])] for k in code.co_varnames[:n] if k in f.f_locals]
            R.write('"c",' + js([code.co_name, args])[1:-1])
            return
        how = ended(f)
        if how is None: return
        if own: R.end(how, text(arg) if how else None)
        else: R.write('"r",' + js([False, how, text(arg) if how else None])[1:-1])
    except Exception: pass

def close():
    if sys.getprofile() is profile: sys.setprofile(None)
    R.live, R.only = False, None
    R.frames.clear()
    sys.modules.pop(C['name'], None)
    if R.fd is not None and R.pid == os.getpid(): os.close(R.fd)
