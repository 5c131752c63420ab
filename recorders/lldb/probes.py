"""Records values at probes. A condition or a claim that fails is an error, never true. It follows `comparisons.py`."""
S.update(at={}, hits=0, passed={}, failed=set(), reached=set(), refuted=set(), moved=set())

def evaluate(frame, expression):
    value = frame.GetValueForVariablePath(expression, lldb.eNoDynamicValues)
    if value.IsValid() and value.GetError().Success(): return value
    options = lldb.SBExpressionOptions()
    options.SetIgnoreBreakpoints(True)
    options.SetUnwindOnError(True)
    options.SetTryAllThreads(False)
    options.SetTimeoutInMicroSeconds(1000000)
    options.SetSuppressPersistentResult(True)
    return frame.EvaluateExpression(expression, options)

def error_of(value):
    return cut((value.GetError().GetCString() or 'it cannot be evaluated').strip().split('\n')[0])

def shown(frame, expression):
    value = evaluate(frame, expression)
    if value.GetError().Fail(): return [error_of(value)], None
    text = cut(described(value, C['depth']))
    return text, whole(value, text)

S['room'] = 200000

# The text of a value with wider limits, if the shown one is a part. All these texts together are limited, too.
def whole(value, text):
    if '\u2026' not in text or S['room'] <= 0: return None
    kept = C['items'], C['text']
    C.update(items=2000, text=30000, left=5000)
    try: found = described(value, 8)
    except Full: return None
    finally:
        S['room'] -= 5000 - C.pop('left')
        C['items'], C['text'] = kept
    return found if len(found) <= 30000 else None

# True, False, or the text of an error.
def truth(frame, expression):
    holds = compared(frame, expression)
    if holds is not None: return holds
    value = evaluate(frame, expression)
    if value.GetError().Fail(): return error_of(value)
    if value.GetType().IsReferenceType(): value = value.Dereference()
    plain = value.GetValue()
    if plain is None: return 'it is neither true nor false'
    if value.GetType().GetCanonicalType().GetTypeFlags() & lldb.eTypeIsFloat: return float(plain) != 0
    return value.GetValueAsUnsigned() != 0

def passes(frame, probe):
    if probe['when'] is None: return True
    holds, name = truth(frame, probe['when']), probe['id']
    if holds is True: return True
    if holds is not False and name not in S['failed']:
        S['failed'].add(name)
        write('e', name, holds)
    count = S['passed'][name] = S['passed'].get(name, 0) + 1
    if count & (count - 1) == 0: write('p', name, count)
    return False

def frame_text(frame, is_short):
    entry = frame.GetLineEntry()
    file = entry.GetFileSpec().GetFilename() if is_short else str(entry.GetFileSpec())
    name = frame.GetDisplayFunctionName() or frame.GetFunctionName() or '?'
    return '%s (%s:%d)' % (name, file or '', entry.GetLine())

def take(frame, probe):
    name, thread = probe['id'], frame.GetThread()
    if S['file'] is None: return False
    if name not in S['reached']:
        S['reached'].add(name)
        write('s', name)
    if not passes(frame, probe): return False
    pairs = [shown(frame, expression) for expression in probe['values']]
    values, wholes = [text for text, _ in pairs], [text for _, text in pairs]
    claim = None if probe['claim'] is None else truth(frame, probe['claim'])
    is_first = claim is False and name not in S['refuted']
    if is_first: S['refuted'].add(name)
    S['hits'] += 1
    caller = thread.GetFrameAtIndex(1)
    stack = [frame_text(caller, False) for caller in thread.frames[:20]] if is_first else None
    stops = is_first and C['stopAtRefuted']
    write(name, thread.GetName() or str(thread.GetThreadID()), None, None,
        frame_text(caller, True) if caller.IsValid() else None, stops, values, claim, stack, *([None, wholes] if any(wholes) else []))
    if S['hits'] < C['hits']: return stops
    write('l')
    close(thread.GetProcess().GetTarget())
    return stops or C['stopAtLimit']

def take_all(frame, probes):
    # The extension has ended the recording, or is gone.
    if not os.path.isdir(C['folder']):
        close(frame.GetThread().GetProcess().GetTarget())
        return False
    return any([take(frame, probe) for probe in probes])

@at_breakpoint
def probe_hit(frame, location, internals):
    # LLDB stops at a breakpoint whose callback fails.
    try: stops = take_stored(frame, S['at'][location.GetBreakpoint().GetID()])
    except Exception: return False
    # LLDB's caller copies its names back, and fails for those of breakpoints that were set meanwhile (LLDB 14 to 19).
    sys._getframe(2).f_globals.update(internals)
    return stops

# At the beginning of a function, its arguments are those of the moment before. They are taken behind its prologue.
def take_stored(frame, probes):
    body = unstored(frame)
    if body is None: return take_all(frame, probes)
    if (body, id(probes)) not in S['moved']:
        S['moved'].add((body, id(probes)))
        breakpoint = frame.GetThread().GetProcess().GetTarget().BreakpointCreateByAddress(body)
        S['at'][breakpoint.GetID()] = probes
        watch(breakpoint, 'probe_hit')
    return False

def watch_probes(target):
    places = {}
    for probe in C['probes']: places.setdefault((probe['path'], probe['line']), []).append(probe)
    for (path, line), probes in places.items():
        breakpoint = target.BreakpointCreateByLocation(path, line)
        S['at'][breakpoint.GetID()] = probes
        watch(breakpoint, 'probe_hit')
        yield breakpoint

def begin_probes(debugger, thread_id):
    target = debugger.GetSelectedTarget()
    frame = target.GetProcess().GetThreadByID(thread_id).GetFrameAtIndex(0)
    open_file(target)
    here = [breakpoint.GetID() for breakpoint in watch_probes(target) if any(location.GetLoadAddress() == frame.GetPC() for location in breakpoint)]
    stops = any([take_stored(frame, S['at'][name]) for name in here])
    answer({'hits': S['hits'], 'stops': stops})
