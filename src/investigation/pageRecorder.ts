import { fields, numberOf, textOf, type Fields } from '../debugger/protocol';
import { defined } from '../util/defined';
import { SerialQueue } from '../util/serialQueue';
import type { Recorder } from './captureRecorder';
import { PAGE_ACTIONS, ACTION_BINDING } from './pageActions';
import { NotAnswered, type PageConnection } from './pageConnection';
import { PageConsole } from './pageConsole';
import { PageNetwork } from './pageNetwork';
import { addressOf, fieldsIn } from './pageValues';

/** The CDP events that a recorder needs. */
export const PAGE_EVENTS: readonly string[] = [
  'Runtime.consoleAPICalled',
  'Runtime.exceptionThrown',
  'Runtime.bindingCalled',
  'Log.entryAdded',
  'Network.requestWillBeSent',
  'Network.responseReceived',
  'Network.dataReceived',
  'Network.loadingFinished',
  'Network.loadingFailed',
  'Page.frameNavigated',
];

/**
 * The maximum number of events that wait to be written, and the maximum number of their characters. A page can print
 * faster than the disk can write.
 */
const MAX_WAITING = 5000;
const MAX_WAITING_CHARACTERS = 32 * 1024 * 1024;

const MAX_PICTURES = 100;
const MAX_OF_A_SELECTOR = 1000;

/** Records the activity of a page as the lines of a capture: console, requests, and the person's actions. */
export class PageRecorder {
  private readonly queue = new SerialQueue();
  private readonly console: PageConsole;
  private readonly network: PageNetwork;
  private steps = 0;
  private pictures = 0;
  private failure: Error | undefined;
  private waiting = 0;
  private waitingCharacters = 0;
  /** The number of events that were dropped since the last accepted one. */
  private lost = 0;
  private isAbandoned = false;

  constructor(
    private readonly page: PageConnection,
    private readonly recorder: Recorder,
    private readonly hasScreenshots: boolean,
    private readonly now: () => number = Date.now,
  ) {
    const stepHint = (): Fields => (this.steps === 0 ? {} : { stepIdHint: `step-${this.steps}` });
    this.console = new PageConsole(page, recorder, stepHint, now);
    this.network = new PageNetwork(page, recorder, stepHint, now);
  }

  /** Prepares the page before it opens the address, so that no event is missed. */
  async open(url: string): Promise<void> {
    for (const domain of ['Page', 'Runtime', 'Log', 'Network'])
      await this.page.send(`${domain}.enable`);
    await this.page.send('Runtime.addBinding', { name: ACTION_BINDING });
    await this.page.send('Page.addScriptToEvaluateOnNewDocument', { source: PAGE_ACTIONS });
    await this.page.send('Page.navigate', { url }).catch((error: unknown) => {
      // A server that is slow, or stopped at a breakpoint, is captured as well.
      if (!(error instanceof NotAnswered)) throw error;
    });
  }

  /**
   * Handles an event. Events are written in order. If too many events are waiting, the event is dropped, and the loss
   * is recorded.
   */
  event(method: string, params: Fields, characters = 0): void {
    if (
      this.isAbandoned ||
      this.waiting >= MAX_WAITING ||
      this.waitingCharacters + characters > MAX_WAITING_CHARACTERS
    ) {
      this.lost += 1;
      return;
    }
    this.recordLost();
    this.enqueue(characters, async () => {
      if (this.isAbandoned) this.lost += 1;
      else await this.record(method, params);
    });
  }

  /** Drops the events that still wait. It is called when the capture has to end. */
  abandon(): void {
    this.isAbandoned = true;
  }

  /** Resolves when all events are written or dropped. @throws the error of a failed write */
  async settle(): Promise<void> {
    this.recordLost();
    await this.queue.run(async () => undefined);
    this.recordLost();
    await this.queue.run(async () => undefined);
    if (this.failure !== undefined) throw this.failure;
  }

  private enqueue(characters: number, write: () => Promise<void>): void {
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

  private recordLost(): void {
    const { lost } = this;
    if (lost === 0) return;
    this.lost = 0;
    this.recorder.dropped(lost);
    this.enqueue(0, async () =>
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

  private async record(method: string, params: Fields): Promise<void> {
    if (method === 'Runtime.bindingCalled' && params['name'] !== ACTION_BINDING) return;
    switch (method) {
      case 'Runtime.consoleAPICalled':
        await this.console.message(params);
        break;
      case 'Runtime.exceptionThrown':
        await this.console.exception(fields(params['exceptionDetails']));
        break;
      case 'Runtime.bindingCalled':
        await this.recordAction(fieldsIn(params['payload']));
        break;
      case 'Log.entryAdded':
        await this.console.browserEntry(fields(params['entry']));
        break;
      case 'Page.frameNavigated':
        await this.recordNavigation(fields(params['frame']));
        break;
      default:
        await this.network.event(method, params);
    }
  }

  private async recordNavigation(frame: Fields): Promise<void> {
    const url = addressOf(frame['url']);
    if (frame['parentId'] !== undefined || url === 'about:blank') return;
    await this.recordAction({ type: 'navigate', url });
  }

  /** Records an action of the person as the next step. */
  private async recordAction(reported: Fields): Promise<void> {
    const type = textOf(reported['type'])?.slice(0, 40);
    if (type === undefined) return;
    this.steps += 1;
    const stepId = `step-${this.steps}`;
    const url = addressOf(reported['url']);
    const selector = textOf(reported['selector'])?.slice(0, MAX_OF_A_SELECTOR);
    const { x, y } = fields(reported['coords']);
    const coords = numberOf(x) !== undefined && numberOf(y) !== undefined ? { x, y } : undefined;
    const screenshot = await this.picture(stepId);
    const ts = this.now();
    await this.recorder.line('actions', {
      ts,
      type,
      stepId,
      url,
      ...defined({ selector, coords, screenshot }),
    });
    await this.recorder.event({
      ts,
      level: 'debug',
      module: url,
      func: '',
      msg: [type, selector ?? url].join(' '),
      kv: { stepId, ...defined({ coords }) },
      stream: 'action',
    });
  }

  private async picture(stepId: string): Promise<string | undefined> {
    if (!this.hasScreenshots || this.pictures >= MAX_PICTURES) return undefined;
    this.pictures += 1;
    const { data } = await this.page
      .send('Page.captureScreenshot', { format: 'png' })
      .catch((): Fields => ({}));
    if (typeof data !== 'string') return undefined;
    return await this.recorder.picture(`${stepId}.png`, Buffer.from(data, 'base64'));
  }
}
