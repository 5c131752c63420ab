import { fields, listOf, numberOf, textOf, type Fields } from '../debugger/protocol';
import { SerialQueue } from '../util/serialQueue';
import type { Recorder } from './captures';
import type { CaptureEvent, Level } from './events';
import { parseLine } from './parseLine';
import { PAGE_ACTIONS, ACTION_BINDING } from './pageActions';
import { addressOf, argumentOf, argumentText, fieldsIn, stackText } from './pageValues';

/** A connection to a page. Chrome DevTools Protocol. */
export interface PageConnection {
  send(method: string, params?: Fields): Promise<Fields>;
}

/** The page has not answered in time. */
export class NotAnswered extends Error {
  constructor(method: string) {
    super(`${method} was not answered`);
  }
}

/** The events that a recorder wants. */
export const PAGE_EVENTS: readonly string[] = [
  'Runtime.consoleAPICalled',
  'Runtime.exceptionThrown',
  'Runtime.bindingCalled',
  'Log.entryAdded',
  'Network.requestWillBeSent',
  'Network.responseReceived',
  'Network.loadingFinished',
  'Network.loadingFailed',
  'Page.frameNavigated',
];

interface OpenRequest {
  readonly ts: number;
  readonly method: string;
  readonly url: string;
  status?: number;
  type?: string;
}

/** Events that wait to be written, and their characters. A page can print faster than the disk can write. */
const MOST_WAITING = 5000;
const MOST_WAITING_CHARACTERS = 32 * 1024 * 1024;

const MOST_OPEN = 2000;
const MOST_PICTURES = 100;
const MOST_OF_A_BODY = 200;
const MOST_READ = 200_000;
const MOST_ARGUMENTS = 50;
const MOST_OF_A_SELECTOR = 1000;
const MOST_OF_A_TRACE = 20_000;
const TEXT_TYPE = /json|text|javascript|xml|html/;

/** Turns what a page does into the lines of a capture: console, requests, and what the person does. */
export class PageRecorder {
  private readonly requests = new Map<string, OpenRequest>();
  private readonly queue = new SerialQueue();
  private steps = 0;
  private pictures = 0;
  private failure: Error | undefined;
  private waiting = 0;
  private waitingCharacters = 0;
  /** Events since the last one that was taken. */
  private lost = 0;

  constructor(
    private readonly page: PageConnection,
    private readonly recorder: Recorder,
    private readonly hasScreenshots: boolean,
    private readonly now: () => number = Date.now,
  ) {}

  /** Prepares the page, and opens the address: nothing of it is missed. */
  async open(url: string): Promise<void> {
    for (const domain of ['Page', 'Runtime', 'Log', 'Network'])
      await this.page.send(`${domain}.enable`);
    await this.page.send('Runtime.addBinding', { name: ACTION_BINDING });
    await this.page.send('Page.addScriptToEvaluateOnNewDocument', { source: PAGE_ACTIONS });
    await this.page.send('Page.navigate', { url }).catch((error: unknown) => {
      // A server that takes its time, or stands still at a breakpoint, is captured as well.
      if (!(error instanceof NotAnswered)) throw error;
    });
  }

  /** Takes an event; they are written in their order. More than can wait are dropped, which is written as well. */
  event(method: string, params: Fields, characters = 0): void {
    if (
      this.waiting >= MOST_WAITING ||
      this.waitingCharacters + characters > MOST_WAITING_CHARACTERS
    ) {
      this.lost += 1;
      return;
    }
    this.tellOfLost();
    this.inTurn(characters, async () => await this.take(method, params));
  }

  /** Resolves when all events are written. @throws what went wrong while writing */
  async settle(): Promise<void> {
    this.tellOfLost();
    await this.queue.run(async () => undefined);
    if (this.failure !== undefined) throw this.failure;
  }

  private inTurn(characters: number, write: () => Promise<void>): void {
    this.waiting += 1;
    this.waitingCharacters += characters;
    this.queue
      .run(async () => {
        this.waiting -= 1;
        this.waitingCharacters -= characters;
        if (this.failure === undefined) await write();
      })
      .catch((error: unknown) => {
        this.failure ??= error instanceof Error ? error : new Error(String(error));
      });
  }

  private tellOfLost(): void {
    const { lost } = this;
    if (lost === 0) return;
    this.lost = 0;
    this.recorder.dropped(lost);
    this.inTurn(0, async () =>
      this.recorder.event({
        ts: this.now(),
        level: 'warn',
        module: 'capture',
        func: '',
        msg: `${lost} events of the page came faster than they could be written, and were dropped here.`,
        kv: { dropped: lost },
        stream: 'capture',
      }),
    );
  }

  private async take(method: string, params: Fields): Promise<void> {
    if (method === 'Runtime.bindingCalled' && params['name'] !== ACTION_BINDING) return;
    switch (method) {
      case 'Runtime.consoleAPICalled':
        await this.console(params);
        break;
      case 'Runtime.exceptionThrown':
        await this.exception(fields(params['exceptionDetails']));
        break;
      case 'Runtime.bindingCalled':
        await this.action(fieldsIn(params['payload']));
        break;
      case 'Log.entryAdded':
        await this.entry(fields(params['entry']));
        break;
      case 'Page.frameNavigated':
        await this.navigated(fields(params['frame']));
        break;
      default:
        await this.network(method, params);
    }
  }

  private async console(params: Fields): Promise<void> {
    const type = CONSOLE_TYPES[textOf(params['type']) ?? ''] ?? 'log';
    const args = listOf(params['args'])
      .slice(0, MOST_ARGUMENTS)
      .map((each) => argumentOf(fields(each)));
    const top = fields(listOf(fields(params['stackTrace'])['callFrames'])[0]);
    const ts = this.now();
    await this.recorder.line('console', {
      ts,
      type,
      args,
      ...this.stepHint(),
      ...(params['stackTrace'] === undefined ? {} : { stack: stackText(params['stackTrace']) }),
    });
    await this.recorder.event(this.consoleEvent(ts, LEVELS[type], args, top));
  }

  /** A message that is a log of its own says where it comes from; else the place of the call does. */
  private consoleEvent(
    ts: number,
    level: Level,
    args: readonly unknown[],
    top: Fields,
  ): CaptureEvent {
    const [only, ...others] = args;
    const read =
      typeof only === 'string' && others.length === 0
        ? parseLine(only, { ts, stream: 'console' })
        : undefined;
    const line = numberOf(top['lineNumber']);
    const url = addressOf(top['url']);
    const frame = line === undefined || url === '' ? {} : { frame: { file: url, line: line + 1 } };
    return {
      ts: read?.ts ?? ts,
      level: level === 'info' ? (read?.level ?? level) : level,
      module: read === undefined || read.module === '' ? url : read.module,
      func:
        read === undefined || read.func === '' ? (textOf(top['functionName']) ?? '') : read.func,
      msg: read?.msg ?? args.map(String).join(' '),
      kv: { ...this.stepHint(), ...frame, ...read?.kv },
      stream: 'console',
    };
  }

  /** The whole text, whose lines are read as those of any stack trace. */
  private async exception(details: Fields): Promise<void> {
    const exception = fields(details['exception']);
    const text =
      textOf(exception['description']) ?? argumentText(exception) ?? textOf(details['text']) ?? '';
    const words = `Uncaught ${text}`.slice(0, MOST_OF_A_TRACE);
    await this.recorder.line('console', {
      ts: this.now(),
      type: 'error',
      args: [words.split('\n')[0] ?? ''],
      stack: words,
      ...this.stepHint(),
    });
    await this.recorder.sink('console', `${words}\n`);
  }

  /** What the browser itself reports, such as a blocked request. */
  private async entry(entry: Fields): Promise<void> {
    const level = LOG_LEVELS[textOf(entry['level']) ?? ''] ?? 'info';
    // Failed requests are told by the network.
    if (entry['source'] === 'network') return;
    await this.recorder.event({
      ts: this.now(),
      level,
      module: addressOf(entry['url']),
      func: '',
      msg: (textOf(entry['text']) ?? '').slice(0, MOST_OF_A_TRACE),
      kv: {},
      stream: 'console',
    });
  }

  private async navigated(frame: Fields): Promise<void> {
    const url = addressOf(frame['url']);
    if (frame['parentId'] !== undefined || url === 'about:blank') return;
    await this.action({ type: 'navigate', url });
  }

  private async action(given: Fields): Promise<void> {
    const type = textOf(given['type'])?.slice(0, 40);
    if (type === undefined) return;
    this.steps += 1;
    const stepId = `step-${this.steps}`;
    const [url, selector] = [
      addressOf(given['url']),
      textOf(given['selector'])?.slice(0, MOST_OF_A_SELECTOR),
    ];
    const { x, y } = fields(given['coords']);
    const coords = numberOf(x) !== undefined && numberOf(y) !== undefined ? { x, y } : undefined;
    const screenshot = await this.picture(stepId);
    const action = {
      ts: this.now(),
      type,
      stepId,
      url,
      ...(selector === undefined ? {} : { selector }),
      ...(coords === undefined ? {} : { coords }),
      ...(screenshot === undefined ? {} : { screenshot }),
    };
    await this.recorder.line('actions', action);
    await this.recorder.event({
      ts: action.ts,
      level: 'debug',
      module: url,
      func: '',
      msg: [type, selector ?? url].join(' '),
      kv: { stepId, ...(coords === undefined ? {} : { coords }) },
      stream: 'action',
    });
  }

  private async picture(stepId: string): Promise<string | undefined> {
    if (!this.hasScreenshots || this.pictures >= MOST_PICTURES) return undefined;
    this.pictures += 1;
    const { data } = await this.page
      .send('Page.captureScreenshot', { format: 'png' })
      .catch((): Fields => ({}));
    if (typeof data !== 'string') return undefined;
    return await this.recorder.picture(`${stepId}.png`, Buffer.from(data, 'base64'));
  }

  private async network(method: string, params: Fields): Promise<void> {
    const id = textOf(params['requestId']) ?? '';
    if (method === 'Network.requestWillBeSent') {
      const request = fields(params['request']);
      const redirect = fields(params['redirectResponse'])['status'];
      if (numberOf(redirect) !== undefined) await this.answered(id, numberOf(redirect), 'redirect');
      if (this.requests.size >= MOST_OPEN) {
        this.recorder.dropped(1);
        return;
      }
      this.requests.set(id, {
        ts: this.now(),
        method: textOf(request['method']) ?? '',
        url: addressOf(request['url']),
      });
      return;
    }
    const open = this.requests.get(id);
    if (open === undefined) return;
    if (method === 'Network.responseReceived') {
      const response = fields(params['response']);
      open.status = numberOf(response['status']) ?? 0;
      open.type = textOf(response['mimeType']) ?? '';
    } else if (method === 'Network.loadingFailed')
      await this.answered(id, open.status, textOf(params['errorText']) ?? 'failed', true);
    else if (method === 'Network.loadingFinished')
      await this.answered(id, open.status, await this.bodySummary(id, open, params));
  }

  /** The beginning of a text, the type and size of anything else. */
  private async bodySummary(
    id: string,
    { type = '' }: OpenRequest,
    params: Fields,
  ): Promise<string> {
    const size = numberOf(params['encodedDataLength']) ?? 0;
    const summary = `${type}, ${size} bytes`;
    if (!TEXT_TYPE.test(type) || size > MOST_READ) return summary;
    const { body, base64Encoded } = await this.page
      .send('Network.getResponseBody', { requestId: id })
      .catch((): Fields => ({}));
    if (typeof body !== 'string' || base64Encoded === true) return summary;
    return `${summary}: ${body.slice(0, MOST_OF_A_BODY)}`;
  }

  private async answered(
    id: string,
    status: number | undefined,
    bodySummary: string,
    hasFailed = false,
  ): Promise<void> {
    const open = this.requests.get(id);
    if (open === undefined) return;
    this.requests.delete(id);
    const { ts, method, url } = open;
    const shown = status === undefined ? {} : { status };
    await this.recorder.line('network', { ts, method, url, ...shown, bodySummary });
    const isError = hasFailed || (status ?? 0) >= 400;
    await this.recorder.event({
      ts: this.now(),
      level: isError ? 'error' : 'debug',
      module: 'network',
      func: '',
      msg: `${method} ${url} ${hasFailed ? bodySummary : String(status ?? '')}`.trim(),
      kv: { ...shown, ...this.stepHint() },
      stream: 'network',
    });
  }

  private stepHint(): Fields {
    return this.steps === 0 ? {} : { stepIdHint: `step-${this.steps}` };
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
