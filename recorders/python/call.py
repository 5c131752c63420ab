"""Records one call of a function from its first line to its end, whoever has made it, without a stop.

The condition of a breakpoint in the function's first line calls `begin()`. From there on, the recorder sees the call's
own frame: with `sys.monitoring` from Python 3.12 on, with the frame's trace function and a profile function before that.
The frame is the identity of the call: neither its caller nor other tasks matter. It runs no code of the program except
the condition that the person has approved.

It follows `values.py`, `parts.py` and `shapes.py` in one namespace, with its settings as `C`. Python 3.6 and newer.
"""
import time
clock, ident = time.monotonic, _thread.get_ident
monitoring = getattr(sys, 'monitoring', None)
TRACEBACK = BaseException.__dict__['__traceback__'].__get__
SUSPENDS = 0x20 | 0x80 | 0x200
# What `for` and `await` end with. It is no exception for the person, unless it leaves the call.
INTERNAL = (StopIteration, StopAsyncIteration)
# How long nobody looks whether the recording was given up, in seconds.
PAUSE = 0.2
# The number of debugpy's step out.
STEP_RETURN = 109
ENTRIES, busy = {}, set()


class File(object):
    """The rows that this process writes. Each has a number, so that a lost row is noticed."""
    def __init__(self):
        self.lock, self.fd, self.seq, self.bytes, self.pid = _thread.allocate_lock(), None, 0, 0, os.getpid()
    def write(self, row):
        with self.lock:
            if self.fd is None:
                self.fd = os.open(os.path.join(C['folder'], '%d-%s.jsonl' % (self.pid, os.urandom(6).hex())), os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_APPEND, 0o600)
                os.write(self.fd, ('["b",%d]\n' % self.pid).encode())
            self.seq += 1
            line = ('[%d,%s]\n' % (self.seq, row)).encode('ascii')
            self.bytes += len(line)
            os.write(self.fd, line)
    def close(self):
        with self.lock:
            if self.fd is not None: os.close(self.fd)
            self.fd = None


def entry(code):
    """The offsets up to the start of a function's first line, without targets of jumps."""
    if code not in ENTRIES:
        starts = [(o, l) for o, l in dis.findlinestarts(code) if l]
        first = ([o for o, l in starts if l != code.co_firstlineno] or [o for o, l in starts[-1:]] or [0])[0]
        # A function on one line begins behind the instruction that its frame resumes at.
        resumed = [i.offset + 2 for i in dis.get_instructions(code) if i.opname == 'RESUME'][:1]
        ENTRIES[code] = set(range(0, max([first] + resumed) + 1)) - set(dis.findlabels(code.co_code))
    return ENTRIES[code]


def opcode(f):
    code, at = f.f_code.co_code, f.f_lasti
    return dis.opname[code[at]] if 0 <= at < len(code) else ''


def target(f):
    """The frame in which the debugger evaluates a condition. The debugger's own frames have other globals."""
    b = f.f_back
    while b is not None and b.f_globals is not f.f_globals: b = b.f_back
    return b


class Recorder(object):
    """The counted calls, and the chosen one."""
    def __init__(self):
        self.file, self.live, self.seen, self.lock = File(), True, 0, _thread.allocate_lock()
        self.when, self.refused = None, None
        self.failed = False
        if C['condition'] is not None:
            self.when = Expression(C['condition'])
            self.refused = self.when.error
        self.call = None

    def begins(self, f, t):
        """Whether a frame is at the beginning of the chosen call."""
        if t is None or t.f_code.co_name != C['function'] or t.f_lasti not in entry(t.f_code): return False
        if self.refused is not None: return self.fail(self.refused)
        if self.when is not None:
            try:
                if not evaluate(self.when, f, t): return False
            except Exception as e: return self.fail(failure(e))
        with self.lock:
            self.seen += 1
            return self.seen == C['call'] and self.claims()

    def fail(self, text):
        if not self.failed: self.file.write('"e",1,%s' % quote(text))
        self.failed = True
        return False

    def claims(self):
        """Only one process records: the first one that creates this file."""
        self.live = False
        try: os.close(os.open(os.path.join(C['folder'], 'claimed'), os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600))
        except FileExistsError: return False
        return True


class Call(object):
    """The chosen call."""
    def __init__(self, t):
        self.frame, self.code, self.pid = t, t.f_code, os.getpid()
        self.suspends = bool(t.f_code.co_flags & SUSPENDS)
        self.last, self.hits, self.calls, self.full, self.parts = {}, 0, 0, False, Watched()
        # The exception that was raised in the frame or has entered it, and where. It has no row yet.
        self.raised, self.at = None, None
        # The exception that the frame handles, and the newest one. Either may leave the frame later.
        self.handled, self.newest = None, None
        # The frames that the call has called and that have not ended. A suspended one is entered again.
        self.open = {}
        self.over, self.looked = False, clock()

    def write(self, row):
        R.file.write(row)

    def isGivenUp(self):
        """Whether nobody reads the rows any more. A forked process is not the one that is recorded."""
        if self.over or os.getpid() != self.pid: return True
        now = clock()
        if now - self.looked < PAUSE: return False
        self.looked = now
        return not os.path.isdir(C['folder'])

    def changes(self, t):
        """The variables that have changed, the parts that have changed unseen, and the names whose contents were compared."""
        variables = variablesOf(t, self.code)
        now, out = self.parts.texts(variables), {}
        parts = self.parts.line(variables, now, self.last)
        for k, x in now.items():
            if self.last.get(k) != x: out[k] = x
        for k in self.last:
            if k not in now: out[k] = None
        self.last = now
        return [out, list(parts)]

    def line(self, number):
        """Records that a line begins."""
        self.report()
        self.handled = sys.exc_info()[1]
        if self.full: return
        if self.hits >= C['hits'] or R.file.bytes >= C['bytes']:
            self.full = True
            return self.write('"l",%d' % self.hits)
        self.hits += 1
        out, parts = self.changes(self.frame)
        self.write('%d,%s,null,1,null,false,%s,null,null,null,null,%s' % (number, quote(threadName()), js(out), js(parts)))

    def raises(self, e, line):
        """Notes an exception in the frame. Whether it leaves the frame is known at the next event."""
        if self.raised is not None and self.raised is not e: self.report()
        self.raised, self.newest, self.at = e, e, (self.frame.f_lasti, line)

    def report(self):
        e, self.raised = self.raised, None
        if e is not None and not issubclass(type(e), INTERNAL): self.thrown(e)

    def thrown(self, e):
        if not self.full: self.write('"x",' + js([self.at[1], text(e)])[1:-1])

    def begun(self, f):
        """Records a call that the chosen call makes."""
        code = f.f_code
        if id(f) in self.open or self.full or not isShown(f): return
        if self.calls >= C['hits']: return
        self.calls += 1
        if self.calls == C['hits']: self.write('"o"')
        self.open[id(f)] = f
        if isLibrary(f): return self.write('"c",' + js([code.co_name, None])[1:-1])
        n = code.co_argcount + code.co_kwonlyargcount + (code.co_flags >> 2 & 1) + (code.co_flags >> 3 & 1)
        variables = f.f_locals
        args = [[k, text(variables[k])] for k in code.co_varnames[:n] if k in variables]
        self.write('"c",' + js([code.co_name, args])[1:-1])

    def ended(self, f, how, value):
        """Records the end of a call that the chosen call has made."""
        if self.open.pop(id(f), None) is not None: self.write('"r",' + js([False, how, value])[1:-1])

    def leaves(self):
        """The exception that leaves the frame, if the interpreter does not tell."""
        if self.raised is not None: return self.raised
        return next((e for e in (self.handled, self.newest) if e is not None and passes(e, self.frame)), None)

    def end(self, how, value):
        """Records the end of the chosen call. Then the program goes on, or stops in the caller."""
        if self.over: return
        if not how and value is None: value = self.leaves()
        self.raised = None if how else self.raised
        if self.raised is not None: self.thrown(self.raised)
        self.over = True
        self.write('"v",' + js(self.changes(self.frame))[1:-1])
        self.write('"r",' + js([True, how, text(value) if how or value is not None else None])[1:-1])
        self.remove()
        self.left(how)

    def giveUp(self):
        self.over = True
        self.remove()
        close()


def passes(e, f):
    """Whether an exception was raised in a frame or has passed through it."""
    b = TRACEBACK(e)
    while b is not None and b.tb_frame is not f: b = b.tb_next
    return b is not None


def follow(caller):
    """Lets the program stop in the caller, if the debugger stops there. In libraries, the program goes on."""
    stops = caller is not None and isOwn(caller) and stopIn(caller)
    R.file.write('"d",' + js(['caller' if stops else 'goesOn', ident()])[1:-1])
    if stops: R.call = (Behind if monitoring is None else MonitoredBehind)(caller)
    else: close()


def threadName():
    name = getattr(getattr(sys.modules.get('threading'), '_active', {}).get(ident()), '_name', None)
    return name if type(name) is str else str(ident())


def isShown(f):
    """Whether a called function is reported: not a comprehension, nor code of the debugger, of the recorder or of an assertion of pytest."""
    code = f.f_code
    if code.co_name[:1] == '<' or 'pydevd' in code.co_filename or f.f_globals is globals(): return False
    return not str(f.f_globals.get('__name__')).startswith('_pytest.assertion')


def debugger():
    return sys.modules['pydevd'].get_global_debugger()


def isOwn(f):
    """Whether the program stops in a frame: in the person's own code, as far as the debugger does not filter it."""
    try:
        db, name = debugger(), f.f_code.co_filename
        if db.get_file_type(f) is not None or not db.in_project_scope(f, name): return False
        return not (db.is_files_filter_enabled and db.apply_files_filter(f, name, False))
    except Exception: return False


def isLibrary(f):
    try: return not debugger().in_project_scope(f, f.f_code.co_filename)
    except Exception: return False


def stopIn(f):
    """Lets the debugger stop at the next line of a frame of this thread, as after a step."""
    try:
        sys.modules['pydevd'].settrace(suspend=True, trace_only_current_thread=True, patch_multiprocessing=False, stop_at_frame=f)
        info = stepOf()
        info.pydev_original_step_cmd = info.pydev_step_cmd
    except Exception: return False
    return True


def stopAtReturn(f):
    try:
        info = stepOf()
        # The program may be stepping already.
        if info.pydev_step_cmd != -1: return False
        info.pydev_step_cmd = info.pydev_original_step_cmd = STEP_RETURN
        info.pydev_step_stop = f
    except Exception: return False
    return True


def isStopping(f):
    info = stepOf()
    return info.pydev_step_cmd == STEP_RETURN and info.pydev_step_stop is f


def cancelStep():
    """Takes back the stop, before the thread runs something else."""
    info = stepOf()
    info.pydev_step_cmd = info.pydev_original_step_cmd = -1
    info.pydev_step_stop = None
    if hasattr(info, 'update_stepping_info'): info.update_stepping_info()


def stepOf():
    return sys.modules['threading'].current_thread().additional_info


class Leaving(object):
    """A caller in which the program is about to stop. If it is left before, the program stops in its caller or goes on."""
    over = False
    def __init__(self, f):
        self.frame, self.pid = f, os.getpid()
        self.install()
    def stopped(self):
        """A line of the frame begins: the debugger stops there."""
        self.over = True
        self.remove()
        close()
    def left(self):
        if self.over: return
        self.over = True
        self.remove()
        cancelStep()
        follow(self.frame.f_back)


class Behind(Leaving):
    def install(self):
        self.inner = self.frame.f_trace
        self.frame.f_trace = self
    def remove(self):
        if self.frame.f_trace is self: self.frame.f_trace = self.inner
    def __call__(self, f, event, arg):
        if event == 'line' and not self.over: guarded(self.stopped)
        inner = self.inner(f, event, arg) if self.inner is not None else None
        self.inner = inner or self.inner
        if event == 'return' and not self.over and not suspended(f): guarded(self.left)
        return self.inner if self.over else self


class MonitoredBehind(Leaving):
    def install(self):
        E = monitoring.events
        self.tool = freeTool()
        for event, then in ((E.LINE, self.onLine), (E.PY_RETURN, self.onLeft), (E.PY_UNWIND, self.onLeft)): monitoring.register_callback(self.tool, event, then)
        monitoring.set_local_events(self.tool, self.frame.f_code, E.LINE)
        monitoring.set_events(self.tool, E.PY_RETURN | E.PY_UNWIND)
    def remove(self): freed(self, self.frame.f_code)
    def onLine(self, code, number):
        if getframe(1) is self.frame and not self.over: guarded(self.stopped)
    def onLeft(self, code, at, value):
        if getframe(1) is self.frame: guarded(self.left)


def freeTool():
    tool = next((i for i in (4, 3, 5, 2, 1) if monitoring.get_tool(i) is None), None)
    if tool is None: raise RuntimeError('all tools of sys.monitoring are taken')
    monitoring.use_tool_id(tool, 'agent debugger')
    return tool


def freed(of, code):
    tool, of.tool = of.tool, None
    if tool is None: return
    monitoring.set_local_events(tool, code, 0)
    monitoring.set_events(tool, 0)
    for event in ('LINE', 'PY_RETURN', 'PY_UNWIND', 'RAISE', 'PY_START'): monitoring.register_callback(tool, getattr(monitoring.events, event), None)
    monitoring.free_tool_id(tool)


class Local(object):
    """A frame's trace function: that of the debugger, which is called as before, and the recorder."""
    def __init__(self, inner): self.inner = inner
    def __call__(self, f, event, arg):
        call = self.call(f)
        if call is not None and event == 'line': guarded(call.line, f.f_lineno)
        elif call is not None and event == 'exception': guarded(call.raises, arg[1], f.f_lineno)
        how = returned(call, f) if call is not None and event == 'return' else None
        if how is not None: guarded(call.end, how, arg if how else None)
        if self.inner is not None: self.inner = self.inner(f, event, arg) or self.inner
        # Another thread of the debugger may have set its function meanwhile, so that the program pauses.
        if f.f_trace is not self: self.inner = f.f_trace
        if how is not None: guarded(call.behind)
        return self if call is not None and not call.over else self.inner
    def call(self, f):
        call = R.call
        if call is None or f is not call.frame: return None
        if not call.isGivenUp(): return call
        guarded(call.giveUp)


class Later(Local):
    """Takes the place of the debugger's trace function until the event in which that happens is over. Then the interpreter sets
    what the debugger has returned, and drops this object."""
    def __del__(self):
        if type(R.call) is Traced: guarded(R.call.wrap)


def suspended(f):
    """Whether a frame's last instruction suspends it."""
    code, at = f.f_code.co_code, f.f_lasti + 2
    # Up to Python 3.10, a frame that waits for another one is put back before its instruction.
    if sys.version_info < (3, 11) and 0 <= at < len(code) and dis.opname[code[at]] == 'YIELD_FROM': return True
    return opcode(f).startswith(('YIELD', 'SEND', 'RESUME', 'GET_AWAIT', 'RETURN_GENERATOR'))


def returned(call, f):
    """How a frame is left: by a return (True), by an exception (False), or only suspended (None)."""
    op = opcode(f)
    if op.startswith('RETURN') and op != 'RETURN_GENERATOR': return True
    if call.raised is not None and call.at[0] == f.f_lasti: return False
    return None if suspended(f) else False


def guarded(run, *args):
    """The recorder's own fault is never the program's."""
    try: return run(*args)
    except Exception as e:
        try: R.file.write('"f",%s' % quote(failure(e)))
        except Exception: pass
        if R.call is not None: R.call.over = True


class Traced(Call):
    """The chosen call up to Python 3.11."""
    def install(self):
        self.local, self.befores = None, {}
        # The threads with a profiler that is written in C. It cannot be called by another one, so the callees are unknown.
        self.blind = set()
        self.enter()
    def enter(self):
        """Follows the call in this thread. Another thread may run the rest of a generator."""
        before = sys.getprofile()
        if before is None or callable(before) and before is not profile:
            self.befores[ident()] = before
            sys.setprofile(profile)
        elif before is not profile:
            self.blind.add(ident())
            self.write('"o"')
        self.frame.f_trace = Later(self.frame.f_trace)
    def resumed(self):
        """Called at each line of a generator."""
        # The number of a thread that has ended is used again.
        if sys.getprofile() is profile or ident() in self.blind or self.over: return
        self.line(self.frame.f_lineno)
        self.enter()
    def wrap(self):
        """Sets the trace function, after the debugger has set its own."""
        if self.over: return
        inner = self.frame.f_trace
        if inner is not None and inner is self.local: return
        self.local = Local(inner)
        self.frame.f_trace = self.local
    def left(self, how):
        # The debugger stops at the return itself, with the caller on top, as after a step out. It does not in all frames.
        caller = self.frame.f_back
        self.stopping = how and caller is not None and isOwn(caller) and stopAtReturn(self.frame)
        if self.stopping: R.file.write('"d",' + js(['caller', ident()])[1:-1])
    def behind(self):
        if self.stopping and not isStopping(self.frame): return close()
        if self.stopping: cancelStep()
        follow(self.frame.f_back)
    def remove(self):
        if sys.getprofile() is profile: sys.setprofile(self.befores.get(ident()))
        if self.local is not None and self.frame.f_trace is self.local: self.frame.f_trace = self.local.inner


def profile(f, event, arg):
    call = CALLS[0]
    before = call.befores.get(ident())
    if R.call is not call: sys.setprofile(before)
    if before is not None: before(f, event, arg)
    if R.call is call and f.f_globals is not NAMESPACE: guarded(profiled, call, f, event, arg)


def profiled(call, f, event, arg):
    if call.isGivenUp(): return call.giveUp()
    own = f is call.frame
    # The debugger sets the trace function again when a frame is entered, when it steps and when breakpoints change.
    if event != 'return' or not own: call.wrap()
    if own and event == 'return':
        # The program has replaced the debugger's trace function.
        how = returned(call, f)
        if how is not None:
            call.end(how, arg if how else None)
            call.behind()
        return
    if own or event not in ('call', 'return') or f.f_back is not call.frame: return
    if event == 'call': return call.begun(f)
    if suspended(f): return
    how = opcode(f).startswith('RETURN')
    call.ended(f, how, text(arg) if how else None)


class Monitored(Call):
    """The chosen call from Python 3.12 on."""
    def install(self):
        E, code = monitoring.events, self.code
        self.tool = freeTool()
        self.first = (self.frame.f_lasti, self.frame.f_lineno)
        for event, then in (
            (E.LINE, self.onLine), (E.PY_RETURN, self.onReturn), (E.PY_UNWIND, self.onUnwind), (E.RAISE, self.onRaise),
            (E.PY_START, self.onStart),
        ): monitoring.register_callback(self.tool, event, then)
        monitoring.set_local_events(self.tool, code, E.LINE)
        monitoring.set_events(self.tool, E.PY_RETURN | E.PY_UNWIND | E.RAISE | E.PY_START)
    def remove(self): freed(self, self.code)
    def left(self, how): follow(self.frame.f_back)
    def own(self, f):
        if self.over: return False
        if not self.isGivenUp(): return f is self.frame
        guarded(self.giveUp)
        return False
    def onLine(self, code, number):
        f = getframe(1)
        if not self.own(f): return
        first, self.first = self.first, None
        if first != (f.f_lasti, number): guarded(self.line, number)
    def onStart(self, code, at):
        f = getframe(1)
        if f.f_back is self.frame and not self.over: guarded(self.begun, f)
    def onReturn(self, code, at, value):
        f = getframe(1)
        if f is self.frame: self.own(f) and guarded(self.end, True, value)
        elif id(f) in self.open: guarded(self.ended, f, True, text(value))
    def onUnwind(self, code, at, e):
        f = getframe(1)
        if f is self.frame: self.own(f) and guarded(self.end, False, e)
        elif id(f) in self.open: guarded(self.ended, f, False, None)
    def onRaise(self, code, at, e):
        f = getframe(1)
        if f is self.frame and self.own(f): guarded(self.raises, e, f.f_lineno)


# The chosen call stays here, for other threads that still have the profile function.
R, NAMESPACE, CALLS = Recorder(), globals(), []


def begin():
    """The condition of the breakpoint in the function's first line. It is false, unless nothing can be recorded."""
    if not R.live and R.call is None or ident() in busy: return False
    busy.add(ident())
    try:
        f = getframe(1)
        t = target(f)
        if type(R.call) is Traced and t is R.call.frame: R.call.resumed()
        if not R.live or not R.begins(f, t): return False
        call = (Traced if monitoring is None else Monitored)(t)
        R.file.write('"k",%d' % ident())
        call.line(t.f_lineno)
        R.call, CALLS[:] = call, [call]
        call.install()
        return False
    except Exception as e:
        # Nothing can be recorded. Unless the recording has ended, the program stops here once, so that the debugger
        # notices.
        R.live, R.call = False, None
        try: R.file.write('"f",%s' % quote(failure(e)))
        except Exception: pass
        return not is_over()
    finally: busy.discard(ident())


def close():
    """Removes the recorder, from a stopped program or by itself."""
    call, R.call, R.live = R.call, None, False
    if call is not None and not call.over:
        call.over = True
        call.remove()
    sys.modules.pop(C['name'], None)
    if R.file.pid == os.getpid(): R.file.close()
