import type { DebugModel } from '../../../src/debugger/state/debugModel';
import type {
  DebugHost,
  HostBreakpoint,
  MoveCommand,
  RequestedHostBreakpoint,
} from '../../../src/debugger/host';
import { fields, type Fields } from '../../../src/debugger/protocol';
import { liveSessions } from '../../../src/debugger/state/state';

/** The answer of a scripted adapter. A thrown Error becomes a failed response with its message. */
export type Answer = (args: Fields, sessionKey: string) => unknown;

/** VS Code and an adapter, scripted by command. All messages pass through the model, as from a tracker. */
export class FakeHost implements DebugHost {
  readonly requests: {
    readonly sessionKey: string;
    readonly command: string;
    readonly args: Fields;
  }[] = [];
  readonly moves: {
    readonly sessionKey: string;
    readonly threadId: number;
    readonly command: MoveCommand;
  }[] = [];
  /** VS Code's own command. By default it sends the request. VS Code shows a failed response to the person. */
  onMove: (sessionKey: string, threadId: number, command: MoveCommand) => Promise<void> = async (
    sessionKey,
    threadId,
    command,
  ) => {
    await this.request(sessionKey, command, { threadId }).catch(() => undefined);
  };
  /** The configurations that VS Code was asked to start. */
  readonly started: Fields[] = [];
  /** The options with which each of them was to be started. */
  readonly startedWith: { readonly folderPath: string | undefined; readonly noDebug: boolean }[] =
    [];
  onStart: (configuration: Fields) => Promise<boolean> = () => Promise.resolve(false);
  /** The sessions that VS Code was asked to end. */
  readonly stops: { readonly sessionKey: string; readonly detach: boolean }[] = [];
  onStop: (sessionKey: string) => Promise<void> = (key) => {
    this.model.dispatch({ type: 'sessionEnded', key, at: Date.now() });
    return Promise.resolve();
  };

  /** Whether the person has deactivated all breakpoints. VS Code then sends none to adapters. */
  deactivated = false;

  /** Sends a list of breakpoints, by default at once. A test can delay it. */
  whenSent = (send: () => void): void => send();

  /** The frame that VS Code's views show. */
  focused: number | undefined;

  private readonly answers = new Map<string, Answer>();
  private list: HostBreakpoint[] = [];
  private seq = 100;
  private breakpointCount = 0;

  constructor(private readonly model: DebugModel) {}

  on(command: string, answer: Answer): this {
    this.answers.set(command, answer);
    return this;
  }

  emit(event: string, body: object = {}, key = 'a'): void {
    this.model.dispatch({
      type: 'fromAdapter',
      key,
      at: Date.now(),
      message: { seq: this.next(), type: 'event', event, body },
    });
  }

  sent(command: string): readonly Fields[] {
    return this.requests.filter((each) => each.command === command).map((each) => each.args);
  }

  async request(key: string, command: string, args: object): Promise<unknown> {
    const seq = this.next();
    this.requests.push({ sessionKey: key, command, args: fields(args) });
    this.model.dispatch({
      type: 'toAdapter',
      key,
      at: Date.now(),
      message: { seq, type: 'request', command, arguments: args },
    });
    const respond = (rest: object): void =>
      this.model.dispatch({
        type: 'fromAdapter',
        key,
        at: Date.now(),
        message: { seq: this.next(), type: 'response', request_seq: seq, command, ...rest },
      });
    try {
      const answer = this.answers.get(command);
      if (answer === undefined) throw new Error(`unknown request ${command}`);
      const body: unknown = await answer(fields(args), key);
      respond({ success: true, body });
      return body;
    } catch (error) {
      const message = error instanceof Error ? error.message : String(error);
      respond({ success: false, message });
      throw new Error(message, { cause: error });
    }
  }

  async move(sessionKey: string, threadId: number, command: MoveCommand): Promise<void> {
    this.moves.push({ sessionKey, threadId, command });
    await this.onMove(sessionKey, threadId, command);
  }

  async start(
    folderPath: string | undefined,
    configuration: Fields,
    { noDebug }: { readonly noDebug: boolean },
  ): Promise<boolean> {
    this.started.push(configuration);
    this.startedWith.push({ folderPath, noDebug });
    return await this.onStart(configuration);
  }

  async stop(sessionKey: string, { detach }: { readonly detach: boolean }): Promise<void> {
    this.stops.push({ sessionKey, detach });
    await this.onStop(sessionKey);
  }

  async restart(sessionKey: string, configuration: Fields): Promise<void> {
    await this.request(sessionKey, 'restart', { arguments: configuration });
  }

  focusedFrame(): number | undefined {
    return this.focused;
  }

  breakpoints(): readonly HostBreakpoint[] {
    return this.list;
  }

  addBreakpoint(expected: RequestedHostBreakpoint): HostBreakpoint {
    this.breakpointCount += 1;
    const made: HostBreakpoint = {
      ...expected,
      hostId: `host-breakpoint-${this.breakpointCount}`,
      enabled: expected.enabled ?? true,
    };
    this.list = [...this.list, made];
    this.tell(made);
    return made;
  }

  removeBreakpoints(hostIds: readonly string[]): void {
    const gone = this.list.filter((each) => hostIds.includes(each.hostId));
    this.list = this.list.filter((each) => !hostIds.includes(each.hostId));
    for (const each of gone) this.tell(each);
  }

  /** The person enables or disables a breakpoint with its checkbox. */
  setEnabled(hostId: string, enabled: boolean): void {
    this.list = this.list.map((each) => (each.hostId === hostId ? { ...each, enabled } : each));
    for (const each of this.list) if (each.hostId === hostId) this.tell(each);
  }

  /** Sends the file's enabled breakpoints to each session like VS Code, if answers are scripted. */
  private tell(changed: HostBreakpoint): void {
    if (changed.kind !== 'source' || !this.answers.has('setBreakpoints')) return;
    const { path } = changed;
    const breakpoints = this.list.flatMap((each) =>
      !this.deactivated && each.kind === 'source' && each.path === path && each.enabled
        ? {
            line: each.line,
            column: each.column,
            condition: each.condition,
            hitCondition: each.hitCondition,
            logMessage: each.logMessage,
          }
        : [],
    );
    this.whenSent(() => {
      for (const session of liveSessions(this.model.state))
        this.request(session.key, 'setBreakpoints', { source: { path }, breakpoints }).catch(
          () => undefined,
        );
    });
  }

  private next(): number {
    this.seq += 1;
    return this.seq;
  }
}

/** An adapter's answer that never arrives. */
export function never(): Promise<never> {
  return new Promise<never>(() => undefined);
}
