"""
Records where a test of GoogleTest or of cargo fails, with the frames and their variables. It runs in LLDB, whose
breakpoints call it without a stop that anyone else sees, and writes one JSON object per line. The runner's own report
says which of these places is the failure.

It is written for Python 3 in LLDB 14 and newer. Its own errors never change the run.
"""

import json
import os
import re
import time

import lldb

import agent_debugger_values as values

MAX_FRAMES = 60
FRAMES_WITH_VALUES = 8
MAX_VARIABLES = 40
# The time for reading values in one run, in seconds. Later places have no values.
MAX_SECONDS = 1.5
# The time for all that is recorded in one run. Later places are not recorded.
MAX_SECONDS_IN_ALL = 6
# An assertion in a loop may fail any number of times.
MAX_FAILURES = 20
MAX_OF_A_MESSAGE = 10000

# The libraries with the functions that throw exceptions of C++.
RUNTIMES = ('libstdc++.so.6', 'libc++abi.so.1', 'libc++abi.1.dylib', 'libc++abi.dylib', 'libc++.so.1')

# The signals that end a program if it does not handle them.
FATAL = ('SIGSEGV', 'SIGABRT', 'SIGFPE', 'SIGILL', 'SIGBUS', 'SIGSYS', 'SIGTRAP')
# The signals that a program uses for its daily work. LLDB would stop it at each of them.
USUAL = ('SIGUSR1', 'SIGUSR2', 'SIGALRM', 'SIGVTALRM', 'SIGPROF', 'SIGHUP', 'SIGPIPE', 'SIGWINCH', 'SIGURG', 'SIGIO')

# The recorders by the number of LLDB's debugger. One process may serve several sessions.
if 'RECORDERS' not in globals():
    RECORDERS = {}


def begin(debugger, text):
    target = debugger.GetSelectedTarget()
    if not target.IsValid():
        return
    recorder = Recorder(debugger, target, json.loads(text))
    RECORDERS[debugger.GetID()] = recorder
    recorder.watch_all()


def end(debugger):
    recorder = RECORDERS.pop(debugger.GetID(), None)
    if recorder is not None:
        recorder.close()


def recorder_of(frame):
    return RECORDERS.get(frame.GetThread().GetProcess().GetTarget().GetDebugger().GetID())


def at_breakpoint(method):
    """A callback of a breakpoint. LLDB stops at one whose callback fails."""

    def run(frame, location, internals):
        try:
            recorder = recorder_of(frame)
            if recorder is None:
                return False
            if recorder.is_over:
                location.GetBreakpoint().SetEnabled(False)
                return False
            began = time.monotonic()
            thread = frame.GetThread()
            # LLDB may keep the frames of an earlier stop if an editor requests them while the program runs (LLDB 19).
            thread.GetFrameAtIndex(0).SetPC(location.GetLoadAddress())
            try:
                return method(recorder, thread.GetFrameAtIndex(0)) is True
            finally:
                recorder.spend(time.monotonic() - began)
        except Exception as error:
            note_failure(error)
            return False

    return run


def note_failure(error):
    for recorder in RECORDERS.values():
        recorder.write({'toolFailure': 'The recorder in LLDB failed: %r' % error})


class Recorder:
    def __init__(self, debugger, target, settings):
        self.debugger, self.target, self.settings = debugger, target, settings
        self.file = open(settings['report'], 'a', encoding='utf8')
        self.breakpoints = []
        self.failures = None
        # The breakpoints that a program may meet any number of times, although nothing fails.
        self.frequent = []
        self.spent = 0
        self.thrown = {}
        self.counts = {}
        # Whether the program stays stopped. From then on, it runs as without a recorder.
        self.is_over = False

    def write(self, entry):
        if self.file is None:
            return
        self.file.write(json.dumps(entry) + '\n')
        self.file.flush()

    def close(self):
        for breakpoint in self.breakpoints:
            self.target.BreakpointDelete(breakpoint)
        self.breakpoints = []
        if self.file is not None:
            self.file.close()
        self.file = None

    def spend(self, seconds):
        self.spent += seconds
        if self.spent <= MAX_SECONDS_IN_ALL or not self.frequent:
            return
        self.write({'lost': True})
        for breakpoint in self.frequent:
            self.target.FindBreakpointByID(breakpoint).SetEnabled(False)
        self.frequent = []

    def next(self, kind):
        self.counts[kind] = self.counts.get(kind, 0) + 1
        return self.counts[kind]

    def stops_at(self, kind, number):
        """Whether the program stays at this place, because the run before has shown that it is the failure."""
        return self.settings.get('stay') == {'kind': kind, 'number': number}

    def leave_failures(self, number):
        """Ends the stops at failures, of which there may be thousands, unless the program is to stay at a later one."""
        stay = self.settings.get('stay')
        if isinstance(stay, dict) and stay['kind'] == 'failure' and stay['number'] > number:
            return
        self.target.FindBreakpointByID(self.failures).SetEnabled(False)

    def stop(self):
        self.write({'stopping': True})
        self.is_over = True
        return True

    @property
    def stays_at_first(self):
        return self.settings.get('stay') == 'first'

    # What is watched

    def watch_all(self):
        self.command('target stop-hook add -P %s.StopHook' % __name__)
        self.command('process handle -s false -n false -p true ' + ' '.join(USUAL))
        if self.settings['kind'] == 'googletest':
            failures = self.function('testing::UnitTest::AddTestPartResult')
            self.failures = failures.GetID()
            self.watch(failures, 'on_failure')
            self.watch(self.function('__cxa_throw', RUNTIMES), 'on_throw', True)
        else:
            self.watch(self.function('rust_panic'), 'on_panic', True)
            if self.settings.get('returns'):
                self.watch_residuals()
        self.write({'recording': True})

    def function(self, name, libraries=()):
        """
        A breakpoint in the program itself, and in libraries with these names. The symbols of all libraries take long to
        read.
        """
        modules = lldb.SBFileSpecList()
        modules.Append(self.target.GetExecutable())
        for library in libraries:
            modules.Append(lldb.SBFileSpec(library, False))
        breakpoint = self.target.BreakpointCreateByName(name, modules, lldb.SBFileSpecList())
        if breakpoint.GetNumLocations() > 0 or libraries:
            return breakpoint
        self.target.BreakpointDelete(breakpoint.GetID())
        return self.target.BreakpointCreateByName(name)

    def watch_residuals(self):
        """The functions that a `?` calls. The optimized code of libraries has many copies of them, which are left out."""
        own = self.target.GetExecutable().GetFilename()
        found = self.target.BreakpointCreateByRegex('from_residual', own)
        for index in range(found.GetNumLocations()):
            address = found.GetLocationAtIndex(index).GetAddress()
            if 'from_residual' in (address.GetFunction().GetName() or ''):
                self.watch(self.target.BreakpointCreateBySBAddress(address), 'on_residual', True)
        self.target.BreakpointDelete(found.GetID())

    def watch(self, breakpoint, callback, is_frequent=False):
        breakpoint.SetScriptCallbackFunction('%s.%s' % (__name__, callback))
        self.breakpoints.append(breakpoint.GetID())
        if is_frequent:
            self.frequent.append(breakpoint.GetID())

    def command(self, text):
        self.debugger.GetCommandInterpreter().HandleCommand(text, lldb.SBCommandReturnObject())

    # What is recorded

    def place(self, kind, thread, **more):
        number = self.next(kind)
        entry = {
            'kind': kind,
            'number': number,
            'thread': thread.GetThreadID(),
            'threadName': thread.GetName(),
            'frames': self.frames(thread),
        }
        entry.update(more)
        if self.spent >= MAX_SECONDS:
            entry['isWithoutValues'] = True
        return entry

    def frames(self, thread):
        reads = self.spent < MAX_SECONDS
        found, read = [], 0
        for index in range(MAX_FRAMES):
            frame = thread.GetFrameAtIndex(index)
            if not frame.IsValid():
                break
            entry = frame_entry(frame)
            if entry is None:
                continue
            # Only the runner itself is above the test.
            if OUTSIDE.search(entry['name']):
                break
            if reads and read < FRAMES_WITH_VALUES and self.is_own(entry):
                entry.update(variables_of(frame))
                read += 1
            found.append(entry)
        return found

    def is_own(self, entry):
        if is_library(entry['name'], entry['path']):
            return False
        return any(entry['path'].startswith(folder + os.sep) for folder in self.settings['folders'])


# The functions of the runners that call a test.
OUTSIDE = re.compile(
    r'\btesting::(?:Test|TestSuite|TestInfo|UnitTest)::Run\b|\bHandle(?:Seh)?ExceptionsInMethodIfSupported\b'
    r'|\b__rust_begin_short_backtrace\b'
)


def frame_entry(frame):
    line = frame.GetLineEntry()
    file = line.GetFileSpec()
    if not file.IsValid() or line.GetLine() == 0:
        return None
    name = frame.GetDisplayFunctionName() or frame.GetFunctionName() or ''
    return {
        'path': os.path.normpath(os.path.join(file.GetDirectory() or '', file.GetFilename() or '')),
        'line': line.GetLine(),
        'column': line.GetColumn(),
        'name': readable(name),
    }


ESCAPES = {'LT': '<', 'GT': '>', 'RF': '&', 'C': ',', 'BP': '*', 'LP': '(', 'RP': ')', 'u20': ' ', 'u7b': '{', 'u7d': '}', 'u5b': '[', 'u5d': ']', 'u27': "'", 'u2b': '+', 'u3b': ';'}


def readable(name):
    """The name of a function without what the compilers add to it."""
    name = re.sub(r'::h[0-9a-f]{16}$', '', name)
    if '$' in name:
        name = re.sub(r'\$(\w+)\$', lambda match: ESCAPES.get(match.group(1), match.group()), name)
        name = re.sub(r'\$(\w+)\$', lambda match: ESCAPES.get(match.group(1), match.group()), name)
        name = re.sub(r'(^|::)_(?=[<{])', r'\1', name).replace('..', '::')
    return name[2:] if name.startswith('::') else name


# The sources of GoogleTest, wherever a project keeps them.
LIBRARY_FILE = re.compile(r'(?:^|[\\/])(?:gtest|gmock)(?:[-_][\w-]+)?\.(?:h|hpp|cc|cpp)$')
LIBRARY_TEST = re.compile(r'(?:unit)?test_?\.cc$')


def is_library(name, path):
    file = os.path.basename(path)
    return 'testing::' in name and LIBRARY_FILE.search(path) is not None and not file.endswith(('unittest.cc', '_test.cc', '-test.cc', 'test_.cc'))


HIDDEN = re.compile(r'^(?:__|gtest_|<null>$|\$)')


def variables_of(frame):
    line = frame.GetLineEntry()
    source = source_of(line.GetFileSpec())
    found, members, names, omitted = [], [], set(), 0
    for value in frame.GetVariables(True, True, False, True, lldb.eNoDynamicValues):
        name = value.GetName()
        # A variable of an inner block comes first.
        if not name or name in names or HIDDEN.match(name):
            continue
        names.add(name)
        if is_of_assertion(name, names):
            continue
        if not is_argument(value) and not is_constructed(value, line, source):
            continue
        if name == 'this' and value.GetType().IsPointerType():
            members = fields_of(value.Dereference())
            continue
        found.append((name, value))
    # The code names the members of its object without `this`.
    found += [(name, value) for name, value in members if name not in names]
    omitted = max(0, len(found) - MAX_VARIABLES)
    texts = [(name, values.describe(value)) for name, value in found[:MAX_VARIABLES]]
    entry = {'variables': [[name, text] for name, text in texts if text is not None]}
    if omitted > 0:
        entry['omitted'] = omitted
    return entry


def fields_of(value):
    """The members of an object, and of its base classes."""
    bases = value.GetType().GetNumberOfDirectBaseClasses()
    found = []
    for index in range(min(value.GetNumChildren(MAX_VARIABLES), MAX_VARIABLES)):
        child = value.GetChildAtIndex(index, lldb.eNoDynamicValues, True)
        if index < bases:
            if not values.is_runner_type(child.GetType()):
                found += fields_of(child)
        elif child.GetName() and not child.GetName().startswith('_vptr'):
            found.append((child.GetName(), child))
    return found


def is_of_assertion(name, names):
    """Rust's `assert_eq!` declares these."""
    return name in ('left_val', 'right_val') or (name == 'kind' and 'left_val' in names)


def is_argument(value):
    return value.GetValueType() == lldb.eValueTypeVariableArgument


def is_constructed(value, line, source):
    """
    Whether a variable of a block exists at a line. The debug information of C++ has it from the begin of the block on.
    Its statement has ended if there is a semicolon, or the colon of a loop, between its name and the place.
    """
    declaration = value.GetDeclaration()
    declared, at, column = declaration.GetLine(), line.GetLine(), max(0, line.GetColumn() - 1)
    # Rust's debug information is exact. A macro may declare a variable in another file.
    if declared == 0 or values.is_rust(value) or declaration.GetFileSpec() != line.GetFileSpec():
        return True
    if source is None or max(declared, at) > len(source):
        return declared <= at
    first = re.search(r'\b%s\b' % re.escape(value.GetName()), source[declared - 1])
    if first is None:
        # A macro declares it.
        return declared <= at
    begin = first.end()
    if (declared, begin) > (at, column):
        # All code in the arguments of a macro has the place of the macro.
        inside = between(source, (at, column), (declared, begin))
        return inside.count('(') > inside.count(')')
    text = between(source, (declared, begin), (at, column))
    return ';' in text or re.search(r'^\s*(?::(?!:)|\]\s*:(?!:))', text) is not None


def between(source, start, end):
    """The text between two places, each a line (from 1) and a column (from 0)."""
    (first, begin), (last, stop) = start, end
    if first == last:
        return source[first - 1][begin:stop]
    return '\n'.join([source[first - 1][begin:], *source[first : last - 1], source[last - 1][:stop]])


SOURCES = {}


def source_of(spec):
    path = spec.fullpath
    if path not in SOURCES:
        try:
            with open(path, encoding='utf8', errors='replace') as file:
                SOURCES[path] = file.read(4000000).split('\n')
        except OSError:
            SOURCES[path] = None
    return SOURCES[path]


# GoogleTest: all failures of assertions, expected or not, and the exceptions that it has caught, come here.


def part_argument(frame, name, register):
    value = frame.FindVariable(name)
    return value if value.IsValid() else frame.FindRegister(register)


@at_breakpoint
def on_failure(recorder, frame):
    thread = frame.GetThread()
    kind = part_argument(frame, 'result_type', 'arg2').GetValueAsUnsigned() & 0xFFFFFFFF
    if kind not in (1, 2):
        return False
    number = recorder.counts.get('failure', 0) + 1
    if number > MAX_FAILURES and not recorder.stops_at('failure', number):
        recorder.next('failure')
        recorder.leave_failures(number)
        return False
    entry = recorder.place('failure', thread, **assertion(frame))
    if 'file' not in entry:
        # An exception that left the test. The library has caught it.
        entry['thrown'] = recorder.thrown.get(thread.GetThreadID()) or recorder.thrown.get(None)
    recorder.write({'place': entry})
    stays = recorder.stays_at_first and 'file' in entry
    return recorder.stop() if stays or recorder.stops_at('failure', number) else False


def assertion(frame):
    """What the library was told about a failure: its place, unless it is an exception, and its message."""
    process, error = frame.GetThread().GetProcess(), lldb.SBError()
    # From GoogleTest 1.18 on, the name of the file is a view, which takes two registers.
    is_view = 'string_view' in (frame.GetFunctionName() or '')
    behind = 5 if is_view else 4
    message = part_argument(frame, 'message', 'arg%d' % (behind + 1)).GetValueAsUnsigned()
    found = {'text': text_at(process, message)}
    address, length = file_argument(frame, is_view)
    if address != 0 and length != 0:
        name = process.ReadCStringFromMemory(address, 4096, error)
        found['file'] = name if length is None else name[:length]
        found['line'] = part_argument(frame, 'line_number', 'arg%d' % behind).GetValueAsUnsigned() & 0xFFFFFFFF
    return found


def file_argument(frame, is_view):
    """The address and the length of the name of the file. The length of a plain string is None."""
    value = frame.FindVariable('file_name')
    if not is_view:
        return part_argument(frame, 'file_name', 'arg3').GetValueAsUnsigned(), None
    if not value.IsValid():
        first, second = (frame.FindRegister(name).GetValueAsUnsigned() for name in ('arg3', 'arg4'))
        # GCC's library has the length first.
        return (first, second) if 'std::__1::' in frame.GetFunctionName() else (second, first)
    raw = value.GetNonSyntheticValue()
    parts = [raw.GetChildAtIndex(index) for index in range(raw.GetNumChildren())]
    pointers = [part.GetValueAsUnsigned() for part in parts if part.GetType().IsPointerType()]
    lengths = [part.GetValueAsUnsigned() for part in parts if not part.GetType().IsPointerType()]
    return (pointers[0], lengths[0]) if pointers and lengths else (0, 0)


def text_at(process, address):
    """A `std::string` of GCC's library: a pointer and a length."""
    error = lldb.SBError()
    data = process.ReadPointerFromMemory(address, error)
    length = process.ReadUnsignedFromMemory(address + process.GetAddressByteSize(), process.GetAddressByteSize(), error)
    if error.Fail() or not 0 < length < 1000000:
        return None
    found = process.ReadMemory(data, min(length, MAX_OF_A_MESSAGE), error)
    return None if error.Fail() else found.decode('utf8', errors='replace')


@at_breakpoint
def on_throw(recorder, frame):
    thread = frame.GetThread()
    entry = recorder.place('throw', thread, type=thrown_type(frame))
    recorder.thrown[thread.GetThreadID()] = entry
    recorder.thrown[None] = entry
    if not recorder.stops_at('throw', entry['number']):
        return False
    recorder.write({'place': entry})
    return recorder.stop()


def thrown_type(frame):
    """Itanium C++ ABI: the second argument is the type_info, whose second word is the mangled name."""
    process, error = frame.GetThread().GetProcess(), lldb.SBError()
    info = frame.FindRegister('arg2').GetValueAsUnsigned()
    name = process.ReadPointerFromMemory(info + process.GetAddressByteSize(), error)
    mangled = process.ReadCStringFromMemory(name, 300, error)
    parts, at = ['std'] if mangled.startswith(('St', 'NSt')) else [], 0
    while at < len(mangled):
        digits = re.match('[0-9]+', mangled[at:])
        if digits is None:
            at += 1
            continue
        at += len(digits.group())
        parts.append(mangled[at : at + int(digits.group())])
        at += int(digits.group())
    return '::'.join(parts) or {'i': 'int', 'PKc': 'const char *', 'd': 'double'}.get(mangled, mangled)


# Rust


@at_breakpoint
def on_panic(recorder, frame):
    thread = frame.GetThread()
    entry = recorder.place('panic', thread)
    entry['isCaught'] = is_caught(thread, recorder.settings)
    recorder.write({'place': entry})
    if recorder.stops_at('panic', entry['number']):
        return recorder.stop()
    is_failure = recorder.settings.get('isCertain') and entry['isCaught'] is False
    return recorder.stop() if recorder.stays_at_first and is_failure else False


def is_caught(thread, settings):
    """Whether code between the panic and the test catches panics. None if the test is not on the stack."""
    catches = False
    for index in range(200):
        frame = thread.GetFrameAtIndex(index)
        if not frame.IsValid():
            return None
        name = readable(frame.GetFunctionName() or '')
        if is_test(name, settings):
            return catches
        catches = catches or 'catch_unwind' in name
    return None


def is_test(name, settings):
    return any(name == test or name.endswith('::' + test) for test in settings['tests'])


@at_breakpoint
def on_residual(recorder, frame):
    """A `?` that returns an error. Those that lead out of the test are on its stack."""
    thread = frame.GetThread()
    caller = thread.GetFrameAtIndex(1)
    entry = recorder.place('residual', thread)
    entry['isOfTest'] = is_test(readable(caller.GetFunctionName() or ''), recorder.settings)
    recorder.write({'place': entry})
    return recorder.stop() if recorder.stops_at('residual', entry['number']) else False


# Signals


def signal_of(thread):
    if thread.GetStopReason() == lldb.eStopReasonSignal:
        number = thread.GetStopReasonDataAtIndex(0)
        return thread.GetProcess().GetUnixSignals().GetSignalAsCString(number)
    if thread.GetStopReason() == lldb.eStopReasonException:
        # macOS reports the exception of its kernel.
        return {'EXC_BAD_ACCESS': 'SIGSEGV', 'EXC_ARITHMETIC': 'SIGFPE', 'EXC_BAD_INSTRUCTION': 'SIGILL'}.get(
            thread.GetStopDescription(300).split(' ')[0]
        )
    return None


class StopHook:
    """Called at each stop that others see."""

    def __init__(self, target, extra_args, internals):
        self.debugger = target.GetDebugger().GetID()

    def handle_stop(self, context, stream):
        try:
            recorder = RECORDERS.get(self.debugger)
            if recorder is not None:
                for thread in context.GetProcess():
                    on_stop(recorder, thread)
        except Exception as error:
            note_failure(error)
        return True


def on_stop(recorder, thread):
    signal = signal_of(thread)
    if signal not in FATAL or recorder.is_over:
        return
    entry = recorder.place('signal', thread, signal=signal, text=thread.GetStopDescription(300))
    entry['thrown'] = recorder.thrown.get(thread.GetThreadID())
    recorder.write({'place': entry})
    if recorder.stays_at_first or recorder.stops_at('signal', entry['number']):
        recorder.stop()
