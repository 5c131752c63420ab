import { adapterOf } from '../adapters/registry';
import type { DebugHost } from '../host';
import type { Frame } from '../inspection/stackAndVariables';
import {
  countOf,
  fields,
  flagOf,
  listOf,
  readMessage,
  wholeOf,
  type EventMessage,
  type Fields,
} from '../protocol';
import type { DebugModel } from '../state/debugModel';
import type { DebugEvent, SessionState, StopState } from '../state/state';
import {
  asDapBreakpoint,
  sameAddress,
  withReport,
  type AddressBreakpoint,
  type AddressKind,
  type RequestedAddress,
} from './addressBreakpoint';
import type { BreakpointBook } from './breakpointBook';
import { OwnRequests } from './ownRequests';

type SendList = (session: SessionState, command: string, args: object) => Promise<unknown>;

const COMMANDS = { data: 'setDataBreakpoints', instruction: 'setInstructionBreakpoints' } as const;

/**
 * Data and instruction breakpoints of agents, in addition to the person's own. VS Code may send its own lists at any
 * time, and each list replaces all breakpoints that the adapter has. So after each of VS Code's lists, a list with both
 * is sent before VS Code receives the response to its own, as in `ExceptionBreakpoints`. The breakpoints belong to one
 * session and are removed when it ends.
 */
export class AddressBreakpoints {
  /** The names of the events that `observe` needs. */
  readonly observes = [
    ...Object.values(COMMANDS),
    'breakpoint',
    'stopped',
    'sessionCreated',
    'sessionEnded',
  ] as const;
  private list: readonly AddressBreakpoint[] = [];
  /** Instruction breakpoints that a running call needs, by session. Callers do not see them. */
  private readonly injected = new Map<string, readonly RequestedAddress[]>();
  /** The adapter's ids of these breakpoints, by session. */
  private readonly injectedIds = new Map<string, ReadonlySet<number>>();
  /** The sessions whose adapters have refused a list of these breakpoints. */
  private readonly unsent = new Set<string>();
  /** VS Code's own lists, by session and command. */
  private readonly theirs = new Map<string, readonly unknown[]>();
  private readonly ownRequests = new OwnRequests();

  constructor(
    private readonly host: DebugHost,
    private readonly model: DebugModel,
    private readonly book: BreakpointBook,
  ) {
    book.alsoHit((session, stop, top) => this.hitBy(session, stop, top));
  }

  all(): readonly AddressBreakpoint[] {
    return this.list;
  }

  find(id: number): AddressBreakpoint | undefined {
    return this.list.find((breakpoint) => breakpoint.id === id);
  }

  /**
   * Sets the instruction breakpoints that a running call needs in a session, and replaces those of before. If the adapter
   * refuses that because the program runs, the list is sent at the next stop.
   * @throws what `request` throws
   */
  async inject(
    session: SessionState,
    requested: readonly RequestedAddress[],
    request: SendList,
  ): Promise<void> {
    if (requested.length === 0 && !this.injected.has(session.key)) return;
    if (requested.length === 0) this.injected.delete(session.key);
    else this.injected.set(session.key, requested);
    try {
      await this.send(session, 'instruction', request);
    } catch (error) {
      this.unsent.add(session.key);
      throw error;
    }
  }

  /** Whether a message reports a stop at a breakpoint that a running call needs. */
  isInjectedStop(sessionKey: string, message: unknown): boolean {
    const ids = this.injectedIds.get(sessionKey);
    if (ids === undefined || ids.size === 0) return false;
    const event = readMessage(message);
    if (event?.type !== 'event' || event.event !== 'stopped') return false;
    const hit = listOf(event.body['hitBreakpointIds']);
    return hit.length > 0 && hit.every((id) => ids.has(countOf(id) ?? -1));
  }

  /** The breakpoints at one location, in one session or in all sessions. */
  at(
    kind: AddressKind,
    reference: string,
    { offset = 0, session }: { readonly offset?: number; readonly session?: SessionState } = {},
  ): readonly AddressBreakpoint[] {
    return this.list.filter(
      ({ requested, sessionKey }) =>
        requested.kind === kind &&
        requested.reference === reference &&
        (requested.offset ?? 0) === offset &&
        (session === undefined || sessionKey === session.key),
    );
  }

  /**
   * Sets a breakpoint. If one of ours exists at the same location, the new one replaces it and keeps its number.
   * @param request sends the session's request
   * @throws what `request` throws; then nothing has changed
   */
  async set(
    session: SessionState,
    requested: RequestedAddress,
    request: SendList,
  ): Promise<AddressBreakpoint> {
    const [replaced] = this.at(requested.kind, requested.reference, {
      offset: requested.offset ?? 0,
      session,
    });
    const added: AddressBreakpoint = {
      id: replaced?.id ?? this.book.newId(),
      sessionKey: session.key,
      requested,
      verified: false,
      message: undefined,
      adapterId: undefined,
      boundTo: undefined,
      hits: replaced?.hits ?? 0,
    };
    this.list = [...this.list.filter((breakpoint) => breakpoint !== replaced), added];
    try {
      await this.send(session, requested.kind, request);
    } catch (error) {
      const previous = replaced === undefined ? [] : [replaced];
      this.list = this.list.flatMap((breakpoint) =>
        breakpoint.id === added.id ? previous : [breakpoint],
      );
      // The adapter may have removed all breakpoints before it refused one.
      this.send(session, requested.kind).catch(() => undefined);
      throw error;
    }
    return this.find(added.id) ?? added;
  }

  /**
   * Removes breakpoints.
   * @param request sends a session's request
   * @throws what `request` throws; then the breakpoints of that request still exist
   */
  async remove(chosen: readonly AddressBreakpoint[], request: SendList): Promise<void> {
    const ids = new Set(chosen.map((breakpoint) => breakpoint.id));
    this.list = this.list.filter((breakpoint) => !ids.has(breakpoint.id));
    const lists = new Map(
      chosen.map(({ sessionKey, requested: { kind } }) => [
        `${sessionKey} ${kind}`,
        { sessionKey, kind },
      ]),
    );
    await Promise.all(
      [...lists.values()].map(async ({ sessionKey, kind }) => {
        const session = this.model.state.sessions.get(sessionKey);
        if (session === undefined) return;
        try {
          await this.send(session, kind, request);
        } catch (error) {
          const isKept = (breakpoint: AddressBreakpoint): boolean =>
            breakpoint.sessionKey === sessionKey && breakpoint.requested.kind === kind;
          this.restore(session, kind, chosen.filter(isKept));
          throw error;
        }
      }),
    );
  }

  /** Restores the breakpoints of a refused removal, unless the session has ended since. */
  private restore(
    { key }: SessionState,
    kind: AddressKind,
    kept: readonly AddressBreakpoint[],
  ): void {
    const session = this.model.state.sessions.get(key);
    if (session === undefined || session.lifecycle === 'terminated') return;
    this.list = [...this.list, ...kept];
    // The adapter may have removed them before it refused, or after the caller disconnected.
    this.send(session, kind).catch(() => undefined);
  }

  /** Called with VS Code's lists before they are sent, and with adapters' events. */
  observe(event: DebugEvent): void {
    if (event.type === 'sessionEnded' || event.type === 'sessionCreated') this.forget(event.key);
    const message =
      event.type === 'toAdapter' || event.type === 'fromAdapter'
        ? readMessage(event.message)
        : undefined;
    const session = this.model.state.sessions.get(event.key);
    if (session === undefined || session.lifecycle === 'terminated') return;
    if (event.type === 'fromAdapter' && message?.type === 'event') this.onEvent(session, message);
    if (event.type !== 'toAdapter' || message?.type !== 'request') return;
    const kind = kindOf(message.command);
    if (kind === undefined) return;
    const key = keyOf(session.key, kind);
    if (this.ownRequests.take(key, message.arguments)) return;
    this.theirs.set(key, listOf(message.arguments['breakpoints']));
    const hasOwn = this.in(session, kind).length > 0 || this.injectedIn(session, kind).length > 0;
    if (hasOwn) this.send(session, kind).catch(() => undefined);
  }

  private onEvent(session: SessionState, { event, body }: EventMessage): void {
    if (event === 'breakpoint') this.changed(session.key, body);
    if (event === 'stopped' && this.unsent.delete(session.key))
      this.send(session, 'instruction').catch(() => undefined);
    if (event !== 'stopped' || session.lastStop === undefined) return;
    const hit = new Set(this.hitBy(session, session.lastStop, undefined));
    this.list = this.list.map((breakpoint) =>
      hit.has(breakpoint.id) ? { ...breakpoint, hits: breakpoint.hits + 1 } : breakpoint,
    );
  }

  private in(session: SessionState, kind: AddressKind): readonly AddressBreakpoint[] {
    return this.list.filter(
      (breakpoint) => breakpoint.sessionKey === session.key && breakpoint.requested.kind === kind,
    );
  }

  private injectedIn({ key }: SessionState, kind: AddressKind): readonly RequestedAddress[] {
    return kind === 'instruction' ? (this.injected.get(key) ?? []) : [];
  }

  private forget(sessionKey: string): void {
    this.injected.delete(sessionKey);
    this.injectedIds.delete(sessionKey);
    this.unsent.delete(sessionKey);
    this.list = this.list.filter((breakpoint) => breakpoint.sessionKey !== sessionKey);
    for (const kind of ['data', 'instruction'] as const) {
      this.theirs.delete(keyOf(sessionKey, kind));
      this.ownRequests.forget(keyOf(sessionKey, kind));
    }
  }

  private async send(
    session: SessionState,
    kind: AddressKind,
    request: SendList = (to, command, args) => this.host.request(to.key, command, args),
  ): Promise<void> {
    const key = keyOf(session.key, kind);
    const theirs = this.theirs.get(key) ?? [];
    const sent = this.in(session, kind);
    const requested = [
      ...sent.map((breakpoint) => breakpoint.requested),
      ...this.injectedIn(session, kind),
    ];
    const args = { breakpoints: [...theirs, ...requested.map(asDapBreakpoint)] };
    this.ownRequests.add(key, args);
    const body = fields(await request(session, COMMANDS[kind], args));
    const answers = listOf(body['breakpoints']).slice(theirs.length).map(fields);
    const answerOf = new Map(sent.map((breakpoint, index) => [breakpoint.id, answers[index]]));
    this.list = this.list.map((breakpoint) => withReport(breakpoint, answerOf.get(breakpoint.id)));
    if (kind === 'instruction')
      this.injectedIds.set(session.key, new Set(idsIn(answers.slice(sent.length))));
  }

  /** Handles the DAP event `breakpoint`. */
  private changed(sessionKey: string, body: Fields): void {
    const reported = fields(body['breakpoint']);
    const id = wholeOf(reported['id']);
    const isReported = (breakpoint: AddressBreakpoint): boolean =>
      breakpoint.sessionKey === sessionKey && id !== undefined && breakpoint.adapterId === id;
    this.list =
      body['reason'] === 'removed'
        ? this.list.filter((breakpoint) => !isReported(breakpoint))
        : this.list.map((breakpoint) =>
            isReported(breakpoint) ? withReport(breakpoint, reported) : breakpoint,
          );
  }

  /** The session's only data breakpoint, if the stop was at a data breakpoint that the adapter does not name. */
  private watched(session: SessionState, stop: StopState): AddressBreakpoint | undefined {
    const isDataStop =
      stop.reason === 'data breakpoint' || adapterOf(session.type).isDataStop?.(stop) === true;
    const theirs = this.theirs.get(keyOf(session.key, 'data')) ?? [];
    const [only, second] = this.in(session, 'data');
    return isDataStop && theirs.length === 0 && second === undefined ? only : undefined;
  }

  /** The numbers of the breakpoints that a stop hit. */
  private hitBy(session: SessionState, stop: StopState, top: Frame | undefined): readonly number[] {
    const own = this.list.filter((breakpoint) => breakpoint.sessionKey === session.key);
    if (own.length === 0) return [];
    const named = own.filter(
      ({ adapterId }) =>
        adapterId !== undefined && stop.hitBreakpointIds?.includes(adapterId) === true,
    );
    if (named.length > 0) return named.map((breakpoint) => breakpoint.id);
    const watched = this.watched(session, stop);
    if (watched !== undefined) return [watched.id];
    const here = top?.instructionPointerReference;
    return own
      .filter(
        ({ requested, boundTo }) =>
          requested.kind === 'instruction' &&
          here !== undefined &&
          stop.reason.includes('breakpoint') &&
          sameAddress(boundTo ?? requested.reference, here),
      )
      .map((breakpoint) => breakpoint.id);
  }
}

/** Returns the adapter's ids of the breakpoints that it has set. */
function idsIn(answers: readonly Fields[]): readonly number[] {
  return answers.flatMap(({ id, verified }) =>
    flagOf(verified) === true ? (countOf(id) ?? []) : [],
  );
}

function keyOf(sessionKey: string, kind: AddressKind): string {
  return `${sessionKey} ${COMMANDS[kind]}`;
}

function kindOf(command: string): AddressKind | undefined {
  if (command === COMMANDS.data) return 'data';
  return command === COMMANDS.instruction ? 'instruction' : undefined;
}
