"""Records the lines of one call. It follows `recorder.py` in one namespace.

The point of a row is the line, and its values are those that differ from the previous row.
"""
S.update(line=None, lines=0, values={}, done=set(), words=None)

def variables(frame):
    line = frame.GetLineEntry().GetLine()
    found = {}
    for value in frame.GetVariables(True, True, False, True, lldb.eNoDynamicValues):
        name = value.GetName()
        # An inner block's variable comes first.
        if not name or name in found or name.startswith('__'): continue
        declared = value.GetDeclaration().GetLine()
        # What is declared further down, or on this line, holds nothing of meaning before that was executed. The lines
        # of a statement may be executed from the last to the first.
        is_new = declared > line or name not in S['values'] and (declared == line or not any(done >= declared for done in S['done']))
        if is_new and value.GetValueType() != lldb.eValueTypeVariableArgument: continue
        text = described(value, C['depth'])
        # A reference that is not bound yet.
        if text != '?': found[name] = cut(text)
    for name, value in statics(frame):
        text = described(value, C['depth'])
        if text != '?' and name not in found: found[name] = cut(text)
    return found

# The variables outside of the call that its source mentions: those of the file, of classes, and static locals.
def statics(frame):
    if S['words'] is None: S['words'] = words_of(frame)
    if not S['words']: return []
    values = frame.GetVariables(False, False, True, True, lldb.eNoDynamicValues)
    named = [(value.GetName() or '', value) for value in values]
    return [(name, value) for name, value in named if name.split('::')[-1] in S['words']]

def words_of(frame):
    function, unit = frame.GetFunction(), frame.GetCompileUnit()
    first, last = function.GetStartAddress().GetLineEntry(), 0
    entries = [unit.GetLineEntryAtIndex(index) for index in range(unit.GetNumLineEntries())]
    start, end = function.GetStartAddress().GetFileAddress(), function.GetEndAddress().GetFileAddress()
    for entry in entries:
        is_own = entry.GetFileSpec() == first.GetFileSpec()
        if is_own and start <= entry.GetStartAddress().GetFileAddress() < end: last = max(last, entry.GetLine())
    try:
        with open(first.GetFileSpec().fullpath, encoding='utf8', errors='replace') as source: lines = source.read().split('\n')
    except Exception: return set()
    return set(re.findall('[A-Za-z_][A-Za-z0-9_]*', '\n'.join(lines[first.GetLine() - 1:last])))

def record(frame, line, stopped):
    now, before = variables(frame), S['values']
    changed = {name: text for name, text in now.items() if before.get(name) != text}
    changed.update({name: None for name in before if name not in now})
    S['values'], S['line'] = now, line
    S['lines'] += 1
    S['done'].add(line)
    write(line, '', None, None, None, stopped, changed)

@at_breakpoint
def hit(frame, location, internals):
    # LLDB stops at a breakpoint whose callback fails.
    try: return hit_line(frame)
    except Exception: return False

def hit_line(frame):
    thread = frame.GetThread()
    # The extension has ended the recording, or is gone.
    if not os.path.isdir(C['folder']):
        close(thread.GetProcess().GetTarget())
        return False
    if thread.GetThreadID() != S['thread'] or frame.GetCFA() != S['frame']: return False
    # Another breakpoint at this place may report it later.
    end_callee(frame)
    line = frame.GetLineEntry().GetLine()
    if line == S['line'] or S['file'] is None: return False
    is_full = S['lines'] + 1 >= C['hits']
    record(frame, line, is_full)
    return is_full and stop_at(thread, 'limit')

# Reports where the program stops. Nothing is recorded after it.
def stop_at(thread, place):
    write('d', place, thread.GetThreadID())
    close(thread.GetProcess().GetTarget())
    return True

def frames_of(thread):
    return [thread.GetFrameAtIndex(index) for index in range(min(thread.GetNumFrames(), 200))]

# Two functions that one frame calls one after the other have the same frame address.
def own_frames(thread):
    return [frame for frame in frames_of(thread) if frame.GetCFA() == S['frame'] and frame.GetFunctionName() == S['function']]

# Itanium C++ ABI: the second argument of __cxa_throw is the type_info, whose second word is the mangled name.
@at_breakpoint
def thrown(frame, location, internals):
    try:
        process, error = frame.GetThread().GetProcess(), lldb.SBError()
        own = own_frames(frame.GetThread())
        info = frame.FindRegister('arg2').GetValueAsUnsigned()
        name = process.ReadPointerFromMemory(info + process.GetAddressByteSize(), error)
        S['thrown'] = type_of(process.ReadCStringFromMemory(name, 300, error))
        S['thrown_at'] = own[0].GetLineEntry().GetLine() if own else 0
        if S['open'] is not None: S['open'].update(thrown=S['thrown'], is_throwing=True)
    except Exception: pass
    return False

@at_breakpoint
def rethrown(frame, location, internals):
    if S['open'] is not None: S['open']['is_throwing'] = True
    return False

def type_of(mangled):
    parts, at = ['std'] if mangled.startswith(('St', 'NSt')) else [], 0
    while at < len(mangled):
        digits = re.match('[0-9]+', mangled[at:])
        if digits is None:
            at += 1
            continue
        at += len(digits.group())
        parts.append(mangled[at:at + int(digits.group())])
        at += int(digits.group())
    return '::'.join(parts) or {'i': 'int', 'PKc': 'const char *', 'd': 'double'}.get(mangled, mangled)

# An exception that is caught when the frame of the call is gone has left the call. LLDB's step out would not stop.
@at_breakpoint
def caught(frame, location, internals):
    try:
        if S['file'] is None: return False
        call = S['open']
        is_uncaught = (frame.GetThread().GetFrameAtIndex(1).GetFunctionName() or '').startswith('__cxa_')
        # The runtime handles an exception for which it has found no handler: it terminates the program.
        if is_uncaught and own_frames(frame.GetThread()):
            if call is not None: write('r', False, False, call.get('thrown'))
            write('r', True, False, S.get('thrown'), S.get('thrown_at', 0))
            close(frame.GetThread().GetProcess().GetTarget())
            return False
        if own_frames(frame.GetThread()):
            # The open call, or what it has called, handles the exception.
            if call is not None and frame.GetThread().GetFrameAtIndex(1).GetCFA() != S['frame']: call['is_throwing'] = False
            return False
        if call is not None and call['is_written']: write('r', False, False, call.get('thrown'))
        write('r', True, False, S.get('thrown'), S.get('thrown_at', 0))
        return stop_at(frame.GetThread(), 'handler')
    except Exception: return False

def starts_line(entries, index):
    entry, before = entries[index], entries[index - 1] if index > 0 else None
    if before is None or before.GetLine() != entry.GetLine(): return True
    return before.GetEndAddress() != entry.GetStartAddress()

def begin(debugger, thread_id):
    target = debugger.GetSelectedTarget()
    frame = target.GetProcess().GetThreadByID(thread_id).GetFrameAtIndex(0)
    if not can_record(frame): return answer({'error': 'no function'})
    open_file(target)
    record_call(target, frame)
    answer({'lines': len(S['breakpoints'])})

def can_record(frame):
    return frame.GetFunction().IsValid() and not frame.IsInlined()

# Records the line of the frame, and watches the other lines of its function.
def record_call(target, frame):
    thread_id = frame.GetThread().GetThreadID()
    function, unit = frame.GetFunction(), frame.GetCompileUnit()
    def at(address): return address.GetLoadAddress(target)
    first, body = body_of(target, function), unstored(frame)
    last, file = at(function.GetEndAddress()), frame.GetLineEntry().GetFileSpec()
    S.update(thread=thread_id, frame=frame.GetCFA(), function=frame.GetFunctionName())
    entries = [unit.GetLineEntryAtIndex(index) for index in range(unit.GetNumLineEntries())]
    for index, entry in enumerate(entries):
        if not first <= at(entry.GetStartAddress()) < last or entry.GetLine() == 0: continue
        if entry.GetFileSpec() != file or not starts_line(entries, index): continue
        breakpoint = target.BreakpointCreateBySBAddress(entry.GetStartAddress())
        breakpoint.SetThreadID(thread_id)
        watch(breakpoint, 'hit')
    for runtime, callback in (('__cxa_throw', 'thrown'), ('__cxa_rethrow', 'rethrown'), ('__cxa_begin_catch', 'caught')):
        breakpoint = target.BreakpointCreateByName(runtime)
        breakpoint.SetThreadID(thread_id)
        watch(breakpoint, callback)
    watch_calls(target, function, thread_id)
    if body is None: return record(frame, frame.GetLineEntry().GetLine(), False)
    breakpoint = target.BreakpointCreateByAddress(body)
    breakpoint.SetThreadID(thread_id)
    watch(breakpoint, 'hit')

def returned(debugger):
    thread = debugger.GetSelectedTarget().GetProcess().GetThreadByID(S['thread'])
    value = thread.GetStopReturnValue()
    if value.IsValid() and value.GetType().GetByteSize() <= 16 and is_in_memory(value.GetType()):
        stored = in_memory(debugger.GetSelectedTarget(), thread.GetFrameAtIndex(0), value.GetType())
        # A default copy constructor looks like another one, but its class is returned in registers.
        if is_readable(stored): value = stored
    # LLDB reads unions from the wrong register (seen in LLDB 19).
    is_known = value.IsValid() and value.GetType().GetCanonicalType().GetTypeClass() != lldb.eTypeClassUnion
    answer({'returned': cut(described(value, C['depth'])) if is_known else None})

def is_readable(value):
    error = lldb.SBError()
    value.GetTarget().GetProcess().ReadMemory(value.GetLoadAddress(), 1, error)
    return value.IsValid() and error.Success()
