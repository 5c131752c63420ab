import { fields, isFields, numberOf, textOf, type Fields } from '../debugger/protocol';
import { defined } from '../util/defined';

export type Level = 'debug' | 'info' | 'warn' | 'error';

export const LEVELS: readonly Level[] = ['debug', 'info', 'warn', 'error'];

/** The source of a captured line. */
export type Stream =
  'stdout' | 'stderr' | 'terminal' | 'debugger' | 'console' | 'network' | 'action' | 'capture';

/** One line of a capture: six fixed fields, and optionally its stream. */
export interface CaptureEvent {
  readonly ts: number;
  readonly level: Level;
  readonly module: string;
  readonly func: string;
  readonly msg: string;
  readonly kv: Fields;
  readonly stream?: Stream;
}

/** The frame of a stack trace line, as in `kv.frame`. */
export interface TraceFrame {
  readonly file: string;
  readonly line: number;
  readonly column?: number;
}

export function encode(event: CaptureEvent): string {
  return `${JSON.stringify(event)}\n`;
}

/** Reads a line of ndjson. Any other line becomes a message, because a capture may have been truncated. */
export function decode(line: string): CaptureEvent {
  const value = parsed(line);
  if (value === undefined) return { ts: 0, level: 'info', module: '', func: '', msg: line, kv: {} };
  return {
    ts: numberOf(value['ts']) ?? 0,
    level: levelOf(value['level']) ?? 'info',
    module: textOf(value['module']) ?? '',
    func: textOf(value['func']) ?? '',
    msg: textOf(value['msg']) ?? '',
    kv: fields(value['kv']),
  };
}

function parsed(line: string): Fields | undefined {
  try {
    const value: unknown = JSON.parse(line);
    return isFields(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

/** The frame of a stack trace event. */
export function frameOf(event: CaptureEvent): TraceFrame | undefined {
  if (event.kv['frame'] === undefined) return undefined;
  const { file, line, column } = fields(event.kv['frame']);
  const [path, number, at] = [textOf(file), numberOf(line), numberOf(column)];
  if (path === undefined || number === undefined) return undefined;
  return { file: path, line: number, ...defined({ column: at }) };
}

const NAMES: Readonly<Record<string, Level>> = {
  trace: 'debug',
  debug: 'debug',
  verbose: 'debug',
  fine: 'debug',
  info: 'info',
  notice: 'info',
  log: 'info',
  note: 'info',
  warn: 'warn',
  warning: 'warn',
  error: 'error',
  err: 'error',
  fail: 'error',
  fatal: 'error',
  panic: 'error',
  critical: 'error',
  crit: 'error',
  severe: 'error',
  emerg: 'error',
  alert: 'error',
  assert: 'error',
};

/** The level in a log: a word in any spelling, or a number of pino or bunyan. */
export function levelOf(value: unknown): Level | undefined {
  if (typeof value === 'string') return NAMES[value] ?? NAMES[value.toLowerCase()];
  if (typeof value !== 'number') return undefined;
  if (value >= 50) return 'error';
  if (value >= 40) return 'warn';
  return value >= 30 ? 'info' : 'debug';
}
