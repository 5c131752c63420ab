import type { DebugModel } from '../../../src/debugger/state/debugModel';
import type {
  DebugHost,
  HostBreakpoint,
  MoveCommand,
  RequestedHostBreakpoint,
} from '../../../src/debugger/host';
import { fields, type Fields } from '../../../src/debugger/protocol';
import { liveSessions } from '../../../src/debugger/state/state';

/** What a scripted adapter answers; an Error that is thrown is a refusal with its words. */
export type Answer = (args: Fields, sessionKey: string) => unknown;

/** VS Code and an adapter, scripted by command. All messages go through the model as a tracker would pass them. */
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
  /** What VS Code's own command does; unless a test says otherwise it sends the request and shows a refusal to the person. */
  onMove: (sessionKey: string, threadId: number, command: MoveCommand) => Promise<void> = async (
    sessionKey,
    threadId,
    command,
  ) => {
    await this.request(sessionKey, command, { threadId }).catch(() => undefined);
  };
  /** What VS Code was asked to start. */
  readonly started: Fields[] = [];
  /** How each of them was to be started. */
  readonly startedWith: { readonly folderPath: string | undefined; readonly noDebug: boolean }[] =
    [];
  onStart: (configuration: Fields) => Promise<boolean> = () => Promise.resolve(false);
  /** What VS Code was asked to end. */
  readonly stops: { readonly sessionKey: string; readonly detach: boolean }[] = [];
  onStop: (sessionKey: string) => Promise<void> = (key) => {
    this.model.dispatch({ type: 'sessionEnded', key, at: Date.now() });
    return Promise.resolve();
  };

  /** The person has deactivated all breakpoints: adapters are sent none. */
  deactivated = false;

  /** When VS Code sends a list of breakpoints: at once, but where a test holds it. */
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

  addBreakpoint(wanted: RequestedHostBreakpoint): HostBreakpoint {
    this.breakpointCount += 1;
    const made: HostBreakpoint = {
      ...wanted,
      hostId: `host-breakpoint-${this.breakpointCount}`,
      enabled: wanted.enabled ?? true,
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

  /** What the person does with the check mark beside one. */
  setEnabled(hostId: string, enabled: boolean): void {
    this.list = this.list.map((each) => (each.hostId === hostId ? { ...each, enabled } : each));
    for (const each of this.list) if (each.hostId === hostId) this.tell(each);
  }

  /** As VS Code does on every change: sends the enabled breakpoints of the file to each session, where an answer is scripted. */
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

/** An adapter's answer that never comes. */
export function never(): Promise<never> {
  return new Promise<never>(() => undefined);
}
