import { randomBytes } from 'node:crypto';
import type { InjectedBreakpoints, Injection } from '../control/injectedBreakpoints';
import type { InjectedPoint } from '../control/injectedLists';
import type { LoggedCalls } from '../debugger/adapters/calls';
import { activationRequest, adapterOf } from '../debugger/adapters/registry';
import { injectedMessage } from '../debugger/breakpoints/injectedLines';
import type { InjectedLine } from '../debugger/breakpoints/injectedOutput';
import { textOf } from '../debugger/protocol';
import { samePath } from '../debugger/sourcePath';
import type { DebugModel } from '../debugger/state/debugModel';
import type { SessionState } from '../debugger/state/state';
import { cutText } from '../debugger/texts';
import { Listeners, type Subscription } from '../util/listeners';
import type {
  CallLimits,
  CallRecorder,
  RecordedCallees,
  RecordedPanic,
  StopAtEnd,
} from './callRecorder';
import { LoggedCallees, type LoggedCallee } from './loggedCallees';
import { MAX_VALUE_STOPS } from './recordingPlan';
import type { RecordedCall, RecordedHit } from './recordedRows';
import {
  ReturnStops,
  type ReturnServices,
  type StoppedFrame,
  type RequestedReturns,
} from './returnStops';

/** A line of the function, and the value that the line returns, as expressions. */
export interface LoggedLine {
  readonly line: number;
  readonly returns?: readonly string[] | undefined;
  /** Whether the line calls functions. */
  readonly isCall?: boolean;
  /** The line of the statement that defers a closure, if the line is in that closure. */
  readonly deferredAt?: number | undefined;
}

/** The function whose call is logged, and the values that are logged. */
export interface LoggedCall {
  readonly path: string;
  readonly lines: readonly LoggedLine[];
  /** The names of variables, including variables that do not exist at every line. */
  readonly names: readonly string[];
  /** The line at which the thread is stopped, and the values of the frame there. */
  readonly entry: { readonly line: number; readonly values: ReadonlyMap<string, string> };
  /** The functions that the call may call, and whether they are all that were found. */
  readonly callees?: readonly LoggedCallee[];
  readonly hasAllCallees?: boolean;
  /** The values that a logpoint cannot evaluate. They are read at stops. */
  readonly unread?: RequestedReturns | undefined;
}

interface LogServices extends ReturnServices {
  readonly model: DebugModel;
  readonly injected: InjectedBreakpoints;
}

/** Records a call with logpoints on its lines, if their output distinguishes the calls of a function. */
export class LogRecording implements CallRecorder {
  private readonly hits: RecordedHit[] = [];
  private readonly hitListeners = new Listeners<readonly RecordedHit[]>();
  private readonly disposeListeners = new Listeners();
  private readonly nonce = randomBytes(8).toString('hex');
  private readonly listening: readonly Subscription[];
  private readonly injection: Injection;
  private readonly points: readonly InjectedPoint[];
  private readonly callees: LoggedCallees;
  /** The number of the last row. */
  private seq = 0;
  /** Whether not all functions that the call may call have logpoints. */
  private readonly hasLostCalls: boolean;
  /** Whether the logpoints in these functions were removed early. */
  private hasWithdrawn = false;
  private last: ReadonlyMap<string, string>;
  private returnedText: string | undefined;
  /** The stops at the ends of calls. */
  private stops: ReturnStops | undefined;
  valueStops = 0;
  panic: RecordedPanic | undefined;
  /** The value that identifies the call. It is known before the program continues. */
  private activation: string | undefined;

  /** Settles when the logpoints are removed. */
  private gone: Promise<void> | undefined;

  private constructor(
    { model, injected }: Pick<LogServices, 'model' | 'injected'>,
    private readonly session: SessionState,
    private readonly threadId: number,
    private readonly call: LoggedCall,
    private readonly facts: LoggedCalls,
    private readonly limits: CallLimits,
  ) {
    const { path, lines, names, entry } = call;
    const { panics } = adapterOf(session.type);
    this.points = lines.map(({ line, returns = [], isCall, deferredAt }): InjectedPoint => ({
      path,
      line,
      logMessage: injectedMessage(this.nonce, line, [
        ...[facts.activation, ...names, ...returns],
        ...(isCall === true ? facts.calleeActivation : []),
        ...(deferredAt !== undefined && panics !== undefined
          ? [panics.expression, ...panics.deferring]
          : []),
      ]),
    }));
    const cut = (text: string): string => cutText(text, limits.shown.text);
    this.callees = new LoggedCallees(this.nonce, call.callees ?? [], facts, cut);
    // A line has one logpoint. Those of the call itself also report calls of the same function.
    const inCallees = this.callees.points.filter((point) => !this.isOwn(point));
    this.hasLostCalls = call.hasAllCallees === false;
    const all = [...this.points, ...inCallees];
    this.last = new Map();
    this.take(entry.line, new Map([...entry.values].map(([name, text]) => [name, cut(text)])));
    this.listening = [
      injected.output.onLine(this.nonce, (line) => this.hear(line)),
      // The program is stopped for another reason than a logpoint, so the call is over or will be left.
      model.observe(
        ({ key }) => void (key === session.key && this.stops === undefined && this.remove()),
        ['stopped'],
      ),
    ];
    this.injection = injected.inject(({ key }) => (key === session.key ? all : []));
  }

  /**
   * Sets the logpoints. The adapter handles requests in their order, so the program may move before it has answered.
   * @returns undefined if the debugger does not distinguish calls, or one of the person's breakpoints is on a line
   * @throws DebuggerError and Interrupted, as `AdapterRequests.send`
   */
  static async begin(
    services: LogServices,
    stopped: StoppedFrame,
    call: LoggedCall,
    limits: CallLimits,
    signal: AbortSignal,
  ): Promise<LogRecording | undefined> {
    const { model, requests, injected } = services;
    const { session, threadId, frameId } = stopped;
    const facts = adapterOf(session.type).loggedCalls;
    if (facts === undefined || session.capabilities.supportsLogPoints !== true) return undefined;
    const args = activationRequest(facts, frameId);
    const evaluated = requests.read(session, 'evaluate', args, signal);
    // The program does not move, so that the logpoints can be set meanwhile.
    const recording = new LogRecording({ model, injected }, session, threadId, call, facts, limits);
    try {
      recording.activation = textOf((await evaluated)['result']) || undefined;
      if (recording.activation !== undefined && recording.isWhole && call.unread !== undefined)
        recording.stops = await ReturnStops.setIfPossible(
          services,
          stopped,
          facts,
          recording.activation,
          call.unread,
          signal,
        );
    } catch (error) {
      await recording.dispose();
      throw error;
    }
    if (recording.activation !== undefined && recording.isWhole) return recording;
    await recording.dispose();
    return undefined;
  }

  get isFull(): boolean {
    return this.hits.length >= this.limits.maxHits;
  }

  read(): readonly RecordedHit[] {
    return this.hits;
  }

  readCalls(): readonly RecordedCall[] {
    return this.callees.calls;
  }

  recordedCalls(): RecordedCallees {
    if (this.call.callees === undefined) return 'none';
    const isWhole = !this.hasLostCalls && !this.callees.hasLost;
    return isWhole && !this.hasDisplaced(this.points.length) ? 'all' : 'some';
  }

  onHits(listener: (hits: readonly RecordedHit[]) => void): Subscription {
    return this.hitListeners.add(listener);
  }

  onDidDispose(listener: () => void): Subscription {
    return this.disposeListeners.add(listener);
  }

  /** Nothing has to be awaited, because the adapter prints a line before it reports the stop that follows. */
  settle(): Promise<void> {
    return Promise.resolve();
  }

  async readValue({ session, top, signal }: StopAtEnd): Promise<'stepOut' | undefined> {
    const end = await this.stops?.read(session, top, this.facts, signal);
    if (end === undefined) return undefined;
    this.valueStops += 1;
    if (end.isOwn) this.returnedText = end.value && cutText(end.value, this.limits.shown.text);
    else if (!this.isFull)
      this.callees.addValue(end.name, end.value, end.activation, (this.seq += 1));
    if (this.valueStops === MAX_VALUE_STOPS || this.isFull) await this.stops?.keepOwn();
    return 'stepOut';
  }

  returned(): Promise<string | undefined> {
    return Promise.resolve(this.returnedText);
  }

  async dispose(): Promise<void> {
    await Promise.all([this.remove(), this.stops?.dispose()]);
    for (const subscription of this.listening) subscription.dispose();
    this.disposeListeners.notify();
  }

  /** Removes the logpoints. */
  private remove(): Promise<void> {
    return (this.gone ??= this.injection.dispose());
  }

  /** Whether all logpoints could be set, because none of the person's breakpoints is on a line. */
  private get isWhole(): boolean {
    return !this.hasDisplaced(0, this.points.length);
  }

  /** Whether one of the person's breakpoints is at one of these points. */
  private hasDisplaced(from: number, to?: number): boolean {
    const answers = this.injection.answeredIn(this.session).slice(from, to);
    return answers.some(({ kind }) => kind === 'displaced');
  }

  private hear({ key, text, point, values: logged }: InjectedLine): void {
    if (key !== this.session.key || this.isFull) return;
    if (LoggedCallees.has(point)) this.countCallee();
    if (this.facts.threadOf(text) !== this.threadId) return;
    const [activation, ...shown] = logged;
    if (LoggedCallees.has(point)) {
      this.callees.add(point, activation, shown, (this.seq += 1));
      return;
    }
    if (activation !== this.activation) {
      this.hearPanic(point, shown);
      this.hearOther(point, activation, shown);
      return;
    }
    // A call that has recovered returns. Go 1.26 and later versions pass the last line of the function then.
    if (this.panic?.isOwn === true) return;
    const { names, lines } = this.call;
    const values = new Map(
      names.flatMap((name, index) => {
        const value = shown[index];
        return value === undefined || this.facts.isMissing(value)
          ? []
          : [[name, cutText(value, this.limits.shown.text)] as const];
      }),
    );
    const { returns, isCall } = lines.find(({ line }) => line === point) ?? {};
    const behind = shown.slice(names.length);
    const count = returns?.length ?? 0;
    this.returnedText = returns === undefined ? undefined : this.joined(behind.slice(0, count));
    if (isCall === true) this.callees.expect(behind.slice(count));
    this.take(point, values);
    if (this.hits.length >= this.limits.maxHits) void this.remove();
  }

  /** Reads the panic because of which a closure of the function runs, if there is one. */
  private hearPanic(point: number, shown: readonly string[]): void {
    const { panics } = adapterOf(this.session.type);
    const { deferredAt } = this.call.lines.find(({ line }) => line === point) ?? {};
    if (deferredAt === undefined || panics === undefined) return;
    const [text, ...deferring] = shown.slice(-1 - panics.deferring.length);
    if (text === undefined || this.facts.isMissing(text)) return;
    const activation = panics.readDeferring(deferring);
    if (activation !== undefined && activation !== this.activation) return;
    const isOwn = activation !== undefined;
    this.panic = { text: panics.read(text), deferredAt, ...(isOwn && { isOwn }) };
  }

  /** Reads a line of another call of the same function. */
  private hearOther(line: number, activation: string | undefined, shown: readonly string[]): void {
    const { names, lines, callees = [] } = this.call;
    const own = callees.find((callee) => this.isOwn(callee));
    if (own === undefined) return;
    const values = new Map(names.map((name, index) => [name, shown[index]]));
    const args = own.args.map((name) => values.get(name));
    const { returns } = lines.find((other) => other.line === line) ?? {};
    this.seq += 1;
    if (line === own.line) this.callees.addCall(own, activation, args, this.seq);
    else if (returns !== undefined)
      this.callees.addEnd(
        activation,
        shown.slice(names.length, names.length + returns.length),
        this.seq,
      );
  }

  private isOwn({ path, line }: Pick<InjectedPoint, 'path' | 'line'>): boolean {
    const { path: own, lines } = this.call;
    return samePath(path, own) && lines.some((other) => other.line === line);
  }

  /** More lines in callees, also of other callers, would slow down the program. */
  private countCallee(): void {
    this.callees.count();
    if (!this.callees.isFull || this.hasWithdrawn) return;
    this.hasWithdrawn = true;
    void this.injection.withdraw(new Set(this.callees.points));
    void this.stops?.keepOwn();
  }

  /** The value that a line returns; undefined if a part of it, such as a call, could not be evaluated. */
  private joined(parts: readonly string[]): string | undefined {
    if (parts.length === 0 || parts.some((part) => this.facts.isMissing(part))) return undefined;
    return parts.map((part) => cutText(part, this.limits.shown.text)).join(', ');
  }

  private take(line: number, values: ReadonlyMap<string, string>): void {
    // The call goes on, so a panic before was another call's.
    this.panic = undefined;
    const locals: Record<string, string | undefined> = {};
    for (const [name, value] of values) if (this.last.get(name) !== value) locals[name] = value;
    for (const name of this.last.keys()) if (!values.has(name)) locals[name] = undefined;
    this.last = values;
    const hit: RecordedHit = {
      point: line,
      pid: 0,
      seq: (this.seq += 1),
      thread: '',
      depth: undefined,
      activation: undefined,
      caller: undefined,
      stopped: false,
      values: [],
      locals,
      claim: undefined,
      stack: undefined,
    };
    this.hits.push(hit);
    this.hitListeners.notify([hit]);
  }
}
