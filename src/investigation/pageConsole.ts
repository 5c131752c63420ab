import { fields, listOf, numberOf, textOf, type Fields } from '../debugger/protocol';
import { defined } from '../util/defined';
import type { Recorder } from './captureRecorder';
import type { CaptureEvent, Level } from './events';
import type { PageConnection } from './pageConnection';
import {
  addressOf,
  argumentOf,
  argumentText,
  hasUnreadParts,
  stackText,
  withParts,
} from './pageValues';
import { parseLine } from './parseLine';

const MAX_ARGUMENTS = 50;
/** The maximum number of objects in one message whose parts are read. */
const MAX_READS = 5;
const MAX_OF_A_TRACE = 20_000;

/** Records the messages that a page and its browser write to the console. */
export class PageConsole {
  /** @param stepHint the field that names the person's last action */
  constructor(
    private readonly page: PageConnection,
    private readonly recorder: Recorder,
    private readonly stepHint: () => Fields,
    private readonly now: () => number,
  ) {}

  /** Records a call of `console.log` or a similar function. CDP `Runtime.consoleAPICalled`. */
  async message(params: Fields): Promise<void> {
    const type = CONSOLE_TYPES[textOf(params['type']) ?? ''] ?? 'log';
    const ts = this.now();
    const args = await this.argumentsOf(listOf(params['args']).slice(0, MAX_ARGUMENTS));
    const stack = params['stackTrace'];
    const top = fields(listOf(fields(stack)['callFrames'])[0]);
    await this.recorder.line('console', {
      ts,
      type,
      args,
      ...this.stepHint(),
      ...defined({ stack: stack === undefined ? undefined : stackText(stack) }),
    });
    await this.recorder.event(this.messageEvent(ts, LEVELS[type], args, top));
  }

  /**
   * The logged values. The browser's previews name objects within objects without their contents, so these are read.
   * No code of the page runs for that.
   */
  private async argumentsOf(args: readonly unknown[]): Promise<readonly unknown[]> {
    const shown: unknown[] = [];
    let reads = 0;
    for (const argument of args.map(fields)) {
      const objectId = textOf(argument['objectId']);
      if (objectId === undefined || !hasUnreadParts(argument) || reads >= MAX_READS) {
        shown.push(argumentOf(argument));
        continue;
      }
      reads += 1;
      const { result } = await this.page
        .send('Runtime.getProperties', { objectId, ownProperties: true, generatePreview: true })
        .catch((): Fields => ({}));
      shown.push(argumentOf(withParts(argument, listOf(result))));
    }
    return shown;
  }

  /**
   * The event for a message. Its module and function are those in the message if the message is a log line itself,
   * otherwise those of the call.
   */
  private messageEvent(
    ts: number,
    level: Level,
    args: readonly unknown[],
    top: Fields,
  ): CaptureEvent {
    const [only, ...others] = args;
    const parsed =
      typeof only === 'string' && others.length === 0
        ? parseLine(only, { ts, stream: 'console' })
        : undefined;
    const line = numberOf(top['lineNumber']);
    const url = addressOf(top['url']);
    const frame = line === undefined || url === '' ? {} : { frame: { file: url, line: line + 1 } };
    return {
      ts: parsed?.ts ?? ts,
      level: level === 'info' ? (parsed?.level ?? level) : level,
      module: parsed === undefined || parsed.module === '' ? url : parsed.module,
      func:
        parsed === undefined || parsed.func === ''
          ? (textOf(top['functionName']) ?? '')
          : parsed.func,
      msg: parsed?.msg ?? args.map(String).join(' '),
      kv: { ...this.stepHint(), ...frame, ...parsed?.kv },
      stream: 'console',
    };
  }

  /**
   * Records an uncaught exception. Its whole text is recorded, and its lines are parsed like those of any stack trace.
   */
  async exception(details: Fields): Promise<void> {
    const exception = fields(details['exception']);
    const description =
      textOf(exception['description']) ?? argumentText(exception) ?? textOf(details['text']) ?? '';
    const text = `Uncaught ${description}`.slice(0, MAX_OF_A_TRACE);
    await this.recorder.line('console', {
      ts: this.now(),
      type: 'error',
      args: [text.split('\n')[0] ?? ''],
      stack: text,
      ...this.stepHint(),
    });
    await this.recorder.sink('console', `${text}\n`);
  }

  /** Records a message of the browser itself, such as one about a blocked request. CDP `Log.entryAdded`. */
  async browserEntry(entry: Fields): Promise<void> {
    const level = LOG_LEVELS[textOf(entry['level']) ?? ''] ?? 'info';
    // Failed requests are reported by the network events.
    if (entry['source'] === 'network') return;
    await this.recorder.event({
      ts: this.now(),
      level,
      module: addressOf(entry['url']),
      func: '',
      msg: (textOf(entry['text']) ?? '').slice(0, MAX_OF_A_TRACE),
      kv: {},
      stream: 'console',
    });
  }
}

const CONSOLE_TYPES: Readonly<Record<string, 'log' | 'warn' | 'error'>> = {
  error: 'error',
  assert: 'error',
  warning: 'warn',
};

const LEVELS: Readonly<Record<'log' | 'warn' | 'error', Level>> = {
  log: 'info',
  warn: 'warn',
  error: 'error',
};

const LOG_LEVELS: Readonly<Record<string, Level>> = {
  verbose: 'debug',
  info: 'info',
  warning: 'warn',
  error: 'error',
};
