"""Waits for a call of a function, and records it without a stop at its beginning. It follows `callees.py`.

The program stops at the end of the call. The file of the rows exists when the recorder waits.
"""
S.update(calls=0, has_returned=False)

@at_breakpoint
def entered(frame, location, internals):
    # The program stops at the beginning of a call that cannot be recorded.
    try: stops = enter(frame)
    except Exception: stops = True
    # LLDB's caller copies its names back, and fails for those of breakpoints that were set meanwhile (LLDB 14 to 19).
    sys._getframe(2).f_globals.update(internals)
    return stops

def enter(frame):
    target, chosen = frame.GetThread().GetProcess().GetTarget(), C['entry']
    if not os.path.isdir(C['folder']):
        close(target)
        return False
    if not chosen['start'] <= frame.GetLineEntry().GetLine() <= chosen['end']: return False
    S['calls'] += 1
    if S['calls'] != chosen['call']: return False
    if not can_record(frame):
        close(target)
        return True
    watch_end(target, frame)
    record_call(target, frame)
    return False

# The return instructions, and the place behind the call, for a call that ends without one of these instructions.
def watch_end(target, frame):
    thread = frame.GetThread()
    for instruction in frame.GetFunction().GetInstructions(target):
        if not instruction.GetMnemonic(target).startswith('ret'): continue
        breakpoint = target.BreakpointCreateBySBAddress(instruction.GetAddress())
        breakpoint.SetThreadID(thread.GetThreadID())
        watch(breakpoint, 'returning')
    caller = thread.GetFrameAtIndex(1)
    S['result'] = frame.FindRegister('rdi').GetValueAsUnsigned()
    S['caller'] = caller.GetCFA() if caller.IsValid() else None
    if S['caller'] is None: return
    breakpoint = target.BreakpointCreateByAddress(caller.GetPC())
    breakpoint.SetThreadID(thread.GetThreadID())
    watch(breakpoint, 'left')

@at_breakpoint
def returning(frame, location, internals):
    try:
        if frame.GetCFA() != S['frame'] or S['file'] is None or S['has_returned']: return False
        if hit_line(frame): return True
        value = value_returned(frame, frame.GetFunction(), S['result']) if S['caller'] is not None else None
        # LLDB reads the value after a step out.
        if value is None: return stop_at(frame.GetThread(), 'return')
        S['has_returned'] = True
        write('r', True, True, value or None)
    except Exception: pass
    return False

@at_breakpoint
def left(frame, location, internals):
    try: return S['file'] is not None and frame.GetCFA() == S['caller'] and stop_at(frame.GetThread(), 'caller')
    except Exception: return False

def __lldb_init_module(debugger, internals):
    target = debugger.GetSelectedTarget()
    if not target.IsValid(): return
    breakpoint = target.BreakpointCreateByLocation(C['entry']['path'], C['entry']['line'])
    watch(breakpoint, 'entered')
    open_file(target)
