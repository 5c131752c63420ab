import { fields, isFields, numberOf, textOf, type Fields } from '../debugger/protocol';
import { levelOf, type CaptureEvent, type Level, type Stream } from './events';
import { defined } from '../util/defined';
import { placedMessage, traceLine } from './traceFrames';

/** The stream and the time of a captured line. */
export interface LineOrigin {
  readonly ts: number;
  readonly stream: Stream;
}

/** Parses a printed line: a JSON log, a line of a stack trace, or text in one of the usual forms. */
export function parseLine(text: string, { ts, stream }: LineOrigin): CaptureEvent {
  const event = jsonLog(text) ?? frame(text) ?? plainText(text);
  return {
    ts: event.ts ?? ts,
    level: event.level,
    module: event.module,
    func: event.func,
    msg: event.msg,
    kv: event.kv,
    stream,
  };
}

/**
 * Reads the lines of one stream in order. An indented line after a line of a stack trace belongs to that trace. Python
 * prints such source lines.
 */
export class LineReader {
  private previous: CaptureEvent | undefined;

  read(text: string, origin: LineOrigin): CaptureEvent {
    const event = parseLine(text, origin);
    const isRest =
      this.previous?.kv['trace'] === true && event.kv['trace'] !== true && INDENTED.test(text);
    const read =
      isRest && this.previous !== undefined
        ? {
            ...event,
            level: 'error' as const,
            module: this.previous.module,
            func: this.previous.func,
            kv: { trace: true },
          }
        : event;
    this.previous = read;
    return read;
  }
}

const INDENTED = /^(?:\t| {2})/;

type Parsed = Omit<CaptureEvent, 'ts' | 'stream'> & { readonly ts?: number };

const KEYS = {
  ts: ['ts', 'time', 'timestamp', '@timestamp'],
  level: ['level', 'severity', 'lvl', 'levelname'],
  msg: ['msg', 'message', 'text', 'event'],
  module: ['module', 'logger', 'component', 'name', 'file'],
  func: ['func', 'function', 'fn', 'funcName', 'caller'],
} as const;

const USED: ReadonlySet<string> = new Set([...Object.values(KEYS).flat(), 'kv']);

function jsonLog(text: string): Parsed | undefined {
  const line = text.trim();
  if (!line.startsWith('{') || !line.endsWith('}')) return undefined;
  const value = parsedObject(line);
  if (value === undefined) return undefined;
  const first = (names: readonly string[]): unknown =>
    names.map((name) => value[name]).find((candidate) => candidate !== undefined);
  const msg = textOf(first(KEYS.msg));
  const level = levelOf(first(KEYS.level));
  // A program may print any JSON. Without a message or a level, it is not a log.
  if (msg === undefined && level === undefined) return undefined;
  const others = Object.fromEntries(Object.entries(value).filter(([key]) => !USED.has(key)));
  const ts = timeOf(first(KEYS.ts));
  return {
    ...defined({ ts }),
    level: level ?? 'info',
    module: textOf(first(KEYS.module)) ?? '',
    func: textOf(first(KEYS.func)) ?? '',
    msg: msg ?? line,
    kv: { ...others, ...fields(value['kv']) },
  };
}

function parsedObject(line: string): Fields | undefined {
  try {
    const value: unknown = JSON.parse(line);
    return isFields(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

/** A time in milliseconds, from a number in seconds or milliseconds, or from an ISO text. */
function timeOf(value: unknown): number | undefined {
  const number = numberOf(value);
  if (number !== undefined && number > 1e11) return number;
  if (number !== undefined) return number > 1e8 ? number * 1000 : undefined;
  const text = textOf(value);
  if (text === undefined || text.length > 40) return undefined;
  const at = Date.parse(text);
  return Number.isNaN(at) ? undefined : at;
}

function frame(text: string): Parsed | undefined {
  const found = traceLine(text);
  if (found === undefined) return undefined;
  return {
    level: 'error',
    module: found.frame.file,
    func: found.func,
    msg: text.trim(),
    kv: { trace: true, frame: found.frame },
  };
}

function plainText(text: string): Parsed {
  const rest = text.slice(TIME.exec(text)?.[0].length ?? 0);
  const placed = placedMessage(rest);
  const named = prefixOf(rest);
  const level = named.level ?? levelOfText(rest, placed?.message);
  return {
    level,
    module: placed?.frame.file ?? named.module,
    func: named.func,
    msg: text,
    kv: placed === undefined ? valuesIn(rest) : { ...valuesIn(rest), frame: placed.frame },
  };
}

/** The time before a message: ISO, like syslog, or only the time of day. */
const TIME =
  /^\[?(?:\d{4}-\d\d-\d\d[T ])?\d\d:\d\d:\d\d(?:[.,]\d{1,9})?(?:Z|[+-]\d\d:?\d\d)?\]?[\s|-]{0,5}/;

interface Prefix {
  readonly level: Level | undefined;
  readonly module: string;
  readonly func: string;
}

const WORD = '(TRACE|DEBUG|VERBOSE|INFO|NOTICE|WARN|WARNING|ERROR|ERR|FATAL|CRITICAL|SEVERE|PANIC)';
/** A level at the start of a line: `[ERROR] `, `ERROR: `, `ERROR  `, `error:`. */
const LEVEL_FIRST = new RegExp(`^[\\[(<]?${WORD}[\\])>]?(?=[\\s:|-])[\\s:|-]{1,6}`, 'i');
/** A module at the start of a line: `[renderer] `, `renderer.ts: `, `app.cart.total: `, `renderer.ts:gridToPixel `. */
const MODULE_FIRST =
  /^(?:\[([A-Za-z][\w./-]{1,60})\]|([A-Za-z][\w/-]{0,40}(?:\.[\w/-]{1,40}){0,4})(?::([A-Za-z_$][\w$]{0,60}))?)(?=[:\s])/;

function prefixOf(text: string): Prefix {
  const first = LEVEL_FIRST.exec(text);
  const rest = first === null ? text : text.slice(first[0].length);
  const level = levelOf(first?.[1]);
  const found = MODULE_FIRST.exec(rest);
  const [, bracketed, plain, word] = found ?? [];
  // `shop.cart:no such item` is a logger and its message.
  const isFile = plain !== undefined && SOURCE_FILE.test(plain);
  const func = isFile ? word : undefined;
  // A single word before a blank is part of a sentence.
  const isName =
    bracketed !== undefined ||
    func !== undefined ||
    (plain !== undefined && isFollowedByColon(rest, plain) && !ERROR_NAME.test(plain));
  if (!isName) return { level, module: '', func: '' };
  const bracketedLevel = levelOf(bracketed);
  return bracketedLevel === undefined
    ? { level, module: bracketed ?? plain ?? '', func: func ?? '' }
    : { level: level ?? bracketedLevel, module: '', func: '' };
}

function isFollowedByColon(text: string, name: string): boolean {
  return text[name.length] === ':';
}

const SOURCE_FILE = /\.(?:[cm]?[jt]sx?|py|go|rs|rb|java|kt|cs|php|c|cc|cpp|h|swift|vue|svelte)$/;

const ERROR_NAME = /^(?:Uncaught|Caused|error|warning|note|\w*(?:Error|Exception|Warning))$/;

/** The texts with which programs, runners and systems report a failure. */
const FAILURE =
  /^\s*(?:(?:Uncaught )?(?:[\w$.]{0,100}(?:Error|Exception)|AssertionError)(?:\b|:)|Traceback \(most recent|Exception in thread|Caused by: |panic: |fatal: |FAIL(?:ED)?\b|not ok \d|npm ERR!|npm error|error(?:\[\w{1,10}\])?: |✗|✖|× |E {3}|thread '.{1,100}' .{0,20}panicked)|(?:Segmentation fault|(?<=: )(?:command )?not found$|No such file or directory|ECONNREFUSED|EADDRINUSE|ENOENT|UnhandledPromiseRejection|core dumped|out of memory)/;
const WARNING = /^\s*(?:warning|warn|deprecat\w*|npm warn)\b/i;

function levelOfText(text: string, placed: string | undefined): Level {
  const head = text.slice(0, 400);
  if (FAILURE.test(head)) return 'error';
  if (placed !== undefined && /^(?:fatal )?error\b/i.test(placed)) return 'error';
  if (WARNING.test(head) || (placed !== undefined && WARNING.test(placed))) return 'warn';
  return 'info';
}

const MAX_VALUES = 12;
const VALUE = /(?:^|[\s,({])([A-Za-z_][\w.-]{0,40})=("[^"]{0,200}"|[^\s,;)}"]{1,200})/g;

/** The values of a line in the form `name=value`. */
function valuesIn(text: string): Fields {
  if (!text.includes('=')) return {};
  const found: Record<string, unknown> = {};
  for (const [, name = '', value = ''] of text.slice(0, 2000).matchAll(VALUE)) {
    if (Object.keys(found).length >= MAX_VALUES || name === 'frame' || name === '__proto__') break;
    found[name] = /^-?\d{1,15}(?:\.\d{1,10})?$/.test(value)
      ? Number(value)
      : value.replace(/^"|"$/g, '');
  }
  return found;
}
