import path from 'node:path';
import { pythonPart } from '../pythonModule';

/** The name of the file of the rows. */
export const ROWS = 'lldb.jsonl';

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

const COMMON = ['recorder'];
const CALL = [...COMMON, 'call', 'returned', 'callees'];
const PROBES = [...COMMON, 'comparisons', 'probes'];

/** The files of `recorders/lldb` that each recorder runs, in this order, after `values.py`. */
export const LLDB_RECORDERS = {
  call: CALL,
  earlyCall: [...CALL, 'early_call'],
  probes: PROBES,
  earlyProbes: [...PROBES, 'early_probes'],
} as const;

/** The file that LLDB imports to record a call. @param recorders the folder of the extension's recorders */
export function lldbCallFile(recorders: string, settings: LldbCallSettings): string {
  return file(recorders, settings, LLDB_RECORDERS.call);
}

/** The file that LLDB imports to wait for a call and to record it. */
export function lldbEarlyCallFile(
  recorders: string,
  settings: LldbCallSettings,
  entry: LldbEntry,
): string {
  return file(recorders, { ...settings, entry }, LLDB_RECORDERS.earlyCall);
}

/** The file that LLDB imports to record values at probes of a stopped program. */
export function lldbProbeFile(recorders: string, settings: LldbProbeSettings): string {
  return file(recorders, settings, LLDB_RECORDERS.probes);
}

/** The file that LLDB imports before a program starts, to record values at its probes. */
export function lldbEarlyProbeFile(recorders: string, settings: LldbProbeSettings): string {
  return file(recorders, settings, LLDB_RECORDERS.earlyProbes);
}

function file(recorders: string, settings: object, parts: readonly string[]): string {
  // The settings are read as JSON, because `null` and `true` are not valid Python.
  const literal = JSON.stringify(JSON.stringify({ ...settings, rows: ROWS }));
  return [
    'import json',
    `C = json.loads(${literal})`,
    ...['values', ...parts].map((part) => pythonPart(path.join(recorders, 'lldb', `${part}.py`))),
    '',
  ].join('\n');
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
