"""The common part of the recorders. It follows `values.py` in one namespace.

It runs in LLDB, not in the debugged program: LLDB's own Python records at breakpoints whose callbacks return False, so the
program is not reported as stopped. Python 3 in LLDB 14 and newer. It writes rows in the format of `readRow`.
"""
S = {'breakpoints': [], 'file': None, 'seq': 0}

def open_file(target):
    S['file'] = open(os.path.join(C['folder'], C['rows']), 'w')
    S['file'].write(json.dumps(['b', target.GetProcess().GetProcessID()]) + '\n')
    S['file'].flush()

def write(*row):
    S['seq'] += 1
    S['file'].write(json.dumps([S['seq'], *row]) + '\n')
    S['file'].flush()

# Editors request frames and variables while the program runs. LLDB may then keep the frames of an earlier internal stop
# (seen in LLDB 19), so that the callback would see another call. Setting the PC of frame 0 removes the kept frames. The
# program is at that PC already. The given frame is not used: a kept one may be another frame of the stack by now.
def fresh(thread, location):
    thread.GetFrameAtIndex(0).SetPC(location.GetLoadAddress())
    return thread.GetFrameAtIndex(0)

def at_breakpoint(callback):
    def run(frame, location, internals): return callback(fresh(frame.GetThread(), location), location, internals)
    return run

def watch(breakpoint, callback):
    breakpoint.SetScriptCallbackFunction(__name__ + '.' + callback)
    S['breakpoints'].append(breakpoint.GetID())

# The first instruction at which a function has stored its arguments. LLDB knows no end of the prologue if all of a
# function is on one line and another one follows (seen in LLDB 19): there, it is the end of the first line entry.
def body_of(target, function):
    start, end = function.GetStartAddress(), function.GetEndAddress().GetLoadAddress(target)
    first = start.GetLoadAddress(target)
    if function.GetPrologueByteSize() > 0: return first + function.GetPrologueByteSize()
    entry = start.GetLineEntry()
    behind = entry.GetEndAddress().GetLoadAddress(target)
    if not entry.IsValid() or not first < behind < end or not stores(target, function, behind): return first
    following = entry
    while behind < end:
        following = target.ResolveLoadAddress(behind).GetLineEntry()
        behind = following.GetEndAddress().GetLoadAddress(target) if following.IsValid() else end
        if following.IsValid() and following.GetLine() != entry.GetLine(): return first
    return entry.GetEndAddress().GetLoadAddress(target)

# Whether a function makes room on the stack before an address. A function without a frame has its arguments in registers.
def stores(target, function, until):
    first = [each for each in function.GetInstructions(target) if each.GetAddress().GetLoadAddress(target) < until]
    return any(re.match(r'push|sub|stp', each.GetMnemonic(target) or '') for each in first)

# The address at which the arguments of a frame can be read, if the frame is at the beginning of its function.
def unstored(frame):
    function, target = frame.GetFunction(), frame.GetThread().GetProcess().GetTarget()
    if not function.IsValid() or frame.IsInlined(): return None
    start = function.GetStartAddress().GetLoadAddress(target)
    if frame.GetPC() != start: return None
    body = body_of(target, function)
    return None if body == start else body

def close(target):
    for breakpoint in S['breakpoints']: target.BreakpointDelete(breakpoint)
    S['breakpoints'] = []
    if S['file'] is not None: S['file'].close()
    S['file'] = None

def end(debugger):
    close(debugger.GetSelectedTarget())
    answer({'ended': True})

def answer(facts):
    print(C['name'] + json.dumps(facts))
