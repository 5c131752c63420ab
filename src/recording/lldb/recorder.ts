import { CALL_RECORDER, EARLY_CALL } from './call';
import { CALLEE_RECORDER } from './callees';
import { LLDB_COMPARISONS } from './comparisons';
import { EARLY_PROBES, PROBE_RECORDER } from './probes';
import { RETURNED_VALUES } from './returned';
import { LLDB_VALUES } from './values';

/** The name of the file of the rows. */
export const ROWS = 'lldb.jsonl';

/**
 * The common part of the recorders. The code runs in LLDB, not in the debugged program: LLDB's own Python records at
 * breakpoints whose callbacks return False, so the program is not reported as stopped. It is written for Python 3 in
 * LLDB 14 and newer. It expects its settings as `C`, and writes rows in the format of `readRow`.
 */
const RECORDER = String.raw`
S = {'breakpoints': [], 'file': None, 'seq': 0}

def open_file(target):
    S['file'] = open(os.path.join(C['folder'], '${ROWS}'), 'w')
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
`;

/** The settings of all recorders. */
export interface LldbSettings {
  /** The name of the recorder in LLDB, which is also the name of its file without `.py`. */
  readonly name: string;
  readonly folder: string;
  /** The maximum number of lines or hits. */
  readonly hits: number;
  /** The limits for one value: its length in characters, the number of its members, and the depth of nesting. */
  readonly text: number;
  readonly items: number;
  readonly depth: number;
}

export interface LldbCallSettings extends LldbSettings {
  /** The person's folders. Only functions in their files are reported as callees. */
  readonly folders: readonly string[];
}

/** The beginning of a function, and the call of it that is recorded. */
export interface LldbEntry {
  readonly path: string;
  /** The first line that is executed. */
  readonly line: number;
  /** The first and the last line of the function. */
  readonly start: number;
  readonly end: number;
  /** The number of the call, 1-based. */
  readonly call: number;
}

export interface LldbProbeSettings extends LldbSettings {
  readonly probes: readonly LldbProbe[];
  readonly stopAtLimit: boolean;
  readonly stopAtRefuted: boolean;
}

export interface LldbProbe {
  readonly id: number;
  readonly path: string;
  readonly line: number;
  readonly values: readonly string[];
  /** The condition for recording a hit: only hits at which it is true are recorded. */
  readonly when: string | null;
  /** The claim: an expression that should be true at each hit. */
  readonly claim: string | null;
}

const CALL = CALL_RECORDER + RETURNED_VALUES + CALLEE_RECORDER;

/** The file that LLDB imports to record a call. */
export function lldbCallFile(settings: LldbCallSettings): string {
  return file(settings, CALL);
}

/** The file that LLDB imports to wait for a call and to record it. */
export function lldbEarlyCallFile(settings: LldbCallSettings, entry: LldbEntry): string {
  return file({ ...settings, entry }, CALL + EARLY_CALL);
}

/** The file that LLDB imports to record values at probes of a stopped program. */
export function lldbProbeFile(settings: LldbProbeSettings): string {
  return file(settings, LLDB_COMPARISONS + PROBE_RECORDER);
}

/** The file that LLDB imports before a program starts, to record values at its probes. */
export function lldbEarlyProbeFile(settings: LldbProbeSettings): string {
  return file(settings, LLDB_COMPARISONS + PROBE_RECORDER + EARLY_PROBES);
}

function file(settings: object, recorder: string): string {
  // The settings are read as JSON, because `null` and `true` are not valid Python.
  const literal = JSON.stringify(JSON.stringify(settings));
  return `${LLDB_VALUES}\nC = json.loads(${literal})\n${RECORDER}${recorder}`;
}

export type LldbFunction = 'begin' | 'begin_probes' | 'returned' | 'end';

/** The LLDB command that loads a recorder. */
export function lldbImport(file: string): string {
  return `command script import "${file.replace(/(["\\])/g, '\\$1')}"`;
}

/**
 * The LLDB command that loads a recorder before a program starts. If the person restarts the program later, the file no
 * longer exists, and the command does nothing.
 */
export function lldbEarlyImport(file: string): string {
  const path = JSON.stringify(file);
  const load = JSON.stringify(lldbImport(file));
  return `script if __import__("os").path.isfile(${path}): lldb.debugger.HandleCommand(${load})`;
}

/** The LLDB command that calls a function of a recorder. */
export function lldbCall(name: string, call: LldbFunction, ...args: number[]): string {
  return `script ${name}.${call}(${['lldb.debugger', ...args].join(', ')})`;
}

/** The recorder's answer in the output of a command. */
export function lldbAnswer(name: string, output: string): string | undefined {
  const line = output.split(/\r?\n/).find((text) => text.startsWith(name));
  return line?.slice(name.length);
}
