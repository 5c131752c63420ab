"""The part of the call recorder that reports the functions which the chosen call calls: arguments and what they return.

A breakpoint at each call instruction enables the one at the beginning of the function, so that calls by others cost
nothing. It follows `call.py` and `returned.py`.
"""
# The calls of the function by the addresses of their instructions, and the call that has not returned yet.
S.update(calls_at={}, call_breakpoints=[], call_count=0, open=None)

# Each call stops the program three times, for about a millisecond.
MAX_CALLS = 400

# The source is in one of the person's folders. Constructors that the compiler makes have the line of their class.
def is_own(function):
    entry = function.GetStartAddress().GetLineEntry()
    spec = entry.GetFileSpec()
    file = os.path.join(spec.GetDirectory() or '', spec.GetFilename() or '')
    if not is_in_folders(file): return False
    import linecache
    return re.match(r'\s*(?:struct|class)\b[^(]*$', linecache.getline(file, entry.GetLine())) is None

def is_in_folders(file):
    paths = (file, os.path.realpath(file))
    folders = C['folders'] + [os.path.realpath(folder) for folder in C['folders']]
    return any(path.startswith(folder + os.sep) for path in paths for folder in folders)

def watch_calls(target, function, thread_id):
    # The paths of this program are not those of the person's folders.
    if not is_own(function): lose_calls()
    instructions = list(function.GetInstructions(target))
    for index, instruction in enumerate(instructions[:-1]):
        if not re.match(r'call|blr?$', instruction.GetMnemonic(target)): continue
        operands = instruction.GetOperands(target)
        callee = function_at(target, int(operands.split()[0], 16)) if operands.startswith('0x') else None
        # Functions of libraries are not reported.
        if operands.startswith('0x') and callee is None: continue
        address = instruction.GetAddress()
        behind = instructions[index + 1].GetAddress().GetLoadAddress(target)
        entry = entry_breakpoint(target, callee, thread_id) if callee is not None else None
        S['calls_at'][address.GetLoadAddress(target)] = (operands, behind, callee, entry)
        for at, callback in ((address, 'calling'), (instructions[index + 1].GetAddress(), 'called')):
            breakpoint = target.BreakpointCreateBySBAddress(at)
            breakpoint.SetThreadID(thread_id)
            S['call_breakpoints'].append(breakpoint)
            watch(breakpoint, callback)

def function_at(target, address):
    place = target.ResolveLoadAddress(address)
    function, symbol = place.GetFunction(), place.GetSymbol()
    if function.IsValid(): return function if is_own(function) else None
    # A call of a function in a shared library goes through a trampoline.
    if not symbol.IsValid() or symbol.GetType() != lldb.eSymbolTypeTrampoline: return None
    name = symbol.GetMangledName() or symbol.GetName()
    found = target.FindFunctions(name, lldb.eFunctionNameTypeFull)
    functions = [found.GetContextAtIndex(index).GetFunction() for index in range(found.GetSize())]
    return next((other for other in functions if other.IsValid() and is_own(other)), None)

def entry_breakpoint(target, function, thread_id):
    breakpoint = target.BreakpointCreateByAddress(body_of(target, function))
    breakpoint.SetThreadID(thread_id)
    breakpoint.SetEnabled(False)
    watch(breakpoint, 'callee')
    return breakpoint

# The address in a register or in memory, as a virtual function has. The operand is in AT&T syntax, or of AArch64.
def target_of(frame, operands, behind):
    found = re.match(r'\*?(-?0x[0-9a-f]+|-?[0-9]+)?(\()?%?([a-z0-9]+)\)?$', operands.strip())
    if found is None: return None
    offset, in_memory, register = found.groups()
    value = frame.FindRegister(register)
    if not value.IsValid(): return None
    # An instruction sees the address of the next one.
    base = behind if register == 'rip' else value.GetValueAsUnsigned()
    if not in_memory: return base
    process, error = frame.GetThread().GetProcess(), lldb.SBError()
    address = process.ReadPointerFromMemory(base + int(offset or '0', 0), error)
    return address if error.Success() else None

@at_breakpoint
def calling(frame, location, internals):
    try: call_begins(frame)
    except Exception: pass
    # LLDB's caller copies its names back, and fails for those of breakpoints that were set meanwhile (LLDB 14 to 19).
    sys._getframe(2).f_globals.update(internals)
    return False

def call_begins(frame):
    if S['file'] is None: return
    # Recursion reaches the same instructions.
    S['call_count'] += 1
    if S['call_count'] > MAX_CALLS: return give_up()
    if frame.GetCFA() != S['frame']: return
    thread = frame.GetThread()
    target = thread.GetProcess().GetTarget()
    operands, behind, callee, entry = S['calls_at'][frame.GetPC()]
    if callee is None:
        address = target_of(frame, operands, behind)
        if address is None: return lose_calls()
        callee = function_at(target, address)
        if callee is None: return
        entry = entry_breakpoint(target, callee, thread.GetThreadID())
    end_callee(frame)
    S['open'] = {'behind': behind, 'function': callee, 'entry': entry, 'is_written': False, 'result': None}
    entry.SetEnabled(True)

# A call of which nothing is known.
def lose_calls():
    if S.get('lost'): return
    S['lost'] = True
    write('o')

def give_up():
    lose_calls()
    call = S['open']
    # The end of the open call is still seen.
    for breakpoint in S['call_breakpoints']:
        is_end = call is not None and breakpoint.GetLocationAtIndex(0).GetLoadAddress() == call['behind']
        breakpoint.SetEnabled(is_end)

@at_breakpoint
def callee(frame, location, internals):
    try:
        call, caller = S['open'], frame.GetThread().GetFrameAtIndex(1)
        if S['file'] is None or call is None or call['is_written'] or caller.GetCFA() != S['frame']: return False
        call['entry'].SetEnabled(False)
        values = frame.GetVariables(True, False, False, True, lldb.eNoDynamicValues)
        args = [[value.GetName(), cut(described(value, C['depth']))] for value in values if value.GetName() not in (None, 'this')]
        call.update(is_written=True, result=frame.FindRegister('rdi').GetValueAsUnsigned())
        write('c', plain_name(call['function'].GetName()), args)
    except Exception: pass
    return False

# The name of a function without its parameters and the arguments of templates.
def plain_name(name):
    if 'operator' in name: return name
    while re.search(r'<[^<>]*>', name): name = re.sub(r'<[^<>]*>', '', name)
    return name.split('(')[0].split(' ')[-1] or name

@at_breakpoint
def called(frame, location, internals):
    try: end_callee(frame)
    except Exception: pass
    return False

# The chosen call goes on. If that is not behind the open call, an exception has left the open call.
def end_callee(frame):
    call = S['open']
    if call is None or S['file'] is None or frame.GetCFA() != S['frame']: return
    S['open'] = None
    call['entry'].SetEnabled(False)
    if not call['is_written']: return lose_calls()
    # The handler of an exception may directly follow a call that never returns.
    if frame.GetPC() != call['behind'] or call.get('is_throwing'):
        write('r', False, False, call.get('thrown'))
        return
    value = value_returned(frame, call['function'], call['result'])
    write('r', False, True, 'void' if value == '' else value)
