import { defined } from '../../util/defined';
import { adapterOf } from '../adapters/registry';
import type { DebugHost } from '../host';
import type { Frame } from '../inspection/stackAndVariables';
import {
  countOf,
  fields,
  flagOf,
  listOf,
  readMessage,
  textOf,
  wholeOf,
  type EventMessage,
  type Fields,
} from '../protocol';
import type { DebugModel } from '../state/debugModel';
import type { DebugEvent, SessionState, StopState } from '../state/state';
import { keptText } from '../texts';
import type { BreakpointBook } from './breakpointBook';

/** Data breakpoints and instruction breakpoints: those that VS Code has no API for. */
export type AddressKind = 'data' | 'instruction';

export type AccessType = 'read' | 'write' | 'readWrite';

/** What was asked for. DAP "DataBreakpoint", "InstructionBreakpoint". */
export interface RequestedAddress {
  readonly kind: AddressKind;
  /** The adapter's id of the data, or the address of an instruction. */
  readonly reference: string;
  readonly offset?: number | undefined;
  readonly accessType?: AccessType | undefined;
  readonly condition?: string | undefined;
  readonly hitCondition?: string | undefined;
  /** What a person calls the data. */
  readonly description?: string | undefined;
}

export interface AddressBreakpoint {
  /** The small number that callers see. */
  readonly id: number;
  readonly sessionKey: string;
  readonly requested: RequestedAddress;
  readonly verified: boolean;
  readonly message: string | undefined;
  /** The adapter's own id of it. */
  readonly adapterId: number | undefined;
  /** Where it is bound to. */
  readonly boundTo: string | undefined;
  readonly hits: number;
}

type SendList = (session: SessionState, command: string, args: object) => Promise<unknown>;

const COMMANDS = { data: 'setDataBreakpoints', instruction: 'setInstructionBreakpoints' } as const;

/**
 * Data and instruction breakpoints of agents, beside the person's own. VS Code sends its own lists whenever it likes,
 * and each replaces all that the adapter has. So ours are added each time, as `ExceptionBreakpoints` does it: our
 * request leaves before VS Code has the answer to its own. They belong to one session and end with it.
 */
export class AddressBreakpoints {
  /** The events that it has to see. */
  readonly observes = [
    ...Object.values(COMMANDS),
    'breakpoint',
    'stopped',
    'sessionCreated',
    'sessionEnded',
  ] as const;
  private list: readonly AddressBreakpoint[] = [];
  /** What VS Code itself wants, by session and command. */
  private readonly theirs = new Map<string, readonly unknown[]>();
  /** What was sent from here and has not come by yet. */
  private readonly ours = new Map<string, readonly string[]>();

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

  /** Those at one place: in one session where it is given. */
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
   * Sets one, in the place of one of ours that is there, whose number it keeps.
   * @param ask sends the session's request
   * @throws what `ask` throws; then it is as it was
   */
  async set(
    session: SessionState,
    requested: RequestedAddress,
    ask: SendList,
  ): Promise<AddressBreakpoint> {
    const [replaced] = this.at(requested.kind, requested.reference, {
      offset: requested.offset ?? 0,
      session,
    });
    const made: AddressBreakpoint = {
      id: replaced?.id ?? this.book.newId(),
      sessionKey: session.key,
      requested,
      verified: false,
      message: undefined,
      adapterId: undefined,
      boundTo: undefined,
      hits: replaced?.hits ?? 0,
    };
    this.list = [...this.list.filter((breakpoint) => breakpoint !== replaced), made];
    try {
      await this.send(session, requested.kind, ask);
    } catch (error) {
      const instead = replaced === undefined ? [] : [replaced];
      this.list = this.list.flatMap((breakpoint) =>
        breakpoint.id === made.id ? instead : [breakpoint],
      );
      // The adapter may have dropped all before it refused one.
      this.send(session, requested.kind).catch(() => undefined);
      throw error;
    }
    return this.find(made.id) ?? made;
  }

  /** Removes some. @param ask sends a session's request @throws what `ask` throws; those it is about are still there */
  async remove(chosen: readonly AddressBreakpoint[], ask: SendList): Promise<void> {
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
          await this.send(session, kind, ask);
        } catch (error) {
          const isKept = (breakpoint: AddressBreakpoint): boolean =>
            breakpoint.sessionKey === sessionKey && breakpoint.requested.kind === kind;
          this.restore(session, kind, chosen.filter(isKept));
          throw error;
        }
      }),
    );
  }

  /** Takes back a removal that was refused. Those of a session that has ended since are gone with it. */
  private restore(
    { key }: SessionState,
    kind: AddressKind,
    kept: readonly AddressBreakpoint[],
  ): void {
    const session = this.model.state.sessions.get(key);
    if (session === undefined || session.lifecycle === 'terminated') return;
    this.list = [...this.list, ...kept];
    // The adapter may have dropped them before it refused, or after the caller had gone.
    this.send(session, kind).catch(() => undefined);
  }

  /** Sees VS Code's lists before they are sent, and what adapters tell. */
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
    if (kind === undefined || this.isOurs(session, kind, message.arguments)) return;
    this.theirs.set(keyOf(session.key, kind), listOf(message.arguments['breakpoints']));
    if (this.in(session, kind).length > 0) this.send(session, kind).catch(() => undefined);
  }

  private onEvent(session: SessionState, { event, body }: EventMessage): void {
    if (event === 'breakpoint') this.changed(session.key, body);
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

  private isOurs(session: SessionState, kind: AddressKind, args: Fields): boolean {
    const key = keyOf(session.key, kind);
    const onTheirWay = this.ours.get(key) ?? [];
    const own = onTheirWay.indexOf(JSON.stringify(args));
    if (own < 0) return false;
    // Each of ours is known again once: the same list another time is VS Code's.
    this.ours.set(
      key,
      onTheirWay.filter((_, index) => index !== own),
    );
    return true;
  }

  private forget(sessionKey: string): void {
    this.list = this.list.filter((breakpoint) => breakpoint.sessionKey !== sessionKey);
    for (const kind of ['data', 'instruction'] as const) {
      this.theirs.delete(keyOf(sessionKey, kind));
      this.ours.delete(keyOf(sessionKey, kind));
    }
  }

  private async send(
    session: SessionState,
    kind: AddressKind,
    ask: SendList = (to, command, args) => this.host.request(to.key, command, args),
  ): Promise<void> {
    const key = keyOf(session.key, kind);
    const theirs = this.theirs.get(key) ?? [];
    const sent = this.in(session, kind);
    const args = {
      breakpoints: [...theirs, ...sent.map((breakpoint) => asSent(breakpoint.requested))],
    };
    this.ours.set(key, [...(this.ours.get(key) ?? []), JSON.stringify(args)]);
    const body = fields(await ask(session, COMMANDS[kind], args));
    const answers = listOf(body['breakpoints']).slice(theirs.length).map(fields);
    const answerOf = new Map(sent.map((breakpoint, index) => [breakpoint.id, answers[index]]));
    this.list = this.list.map((breakpoint) => answered(breakpoint, answerOf.get(breakpoint.id)));
  }

  /** DAP event `breakpoint`. */
  private changed(sessionKey: string, body: Fields): void {
    const reported = fields(body['breakpoint']);
    const id = wholeOf(reported['id']);
    const isMeant = (breakpoint: AddressBreakpoint): boolean =>
      breakpoint.sessionKey === sessionKey && id !== undefined && breakpoint.adapterId === id;
    this.list =
      body['reason'] === 'removed'
        ? this.list.filter((breakpoint) => !isMeant(breakpoint))
        : this.list.map((breakpoint) =>
            isMeant(breakpoint) ? answered(breakpoint, reported) : breakpoint,
          );
  }

  /** The one data breakpoint there is, where a stop was at a data breakpoint that its adapter does not name. */
  private watched(session: SessionState, stop: StopState): AddressBreakpoint | undefined {
    const isMeant =
      stop.reason === 'data breakpoint' || adapterOf(session.type).isDataStop?.(stop) === true;
    const theirs = this.theirs.get(keyOf(session.key, 'data')) ?? [];
    const [only, second] = this.in(session, 'data');
    return isMeant && theirs.length === 0 && second === undefined ? only : undefined;
  }

  /** The numbers of those that a stop hit. */
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

function keyOf(sessionKey: string, kind: AddressKind): string {
  return `${sessionKey} ${COMMANDS[kind]}`;
}

function kindOf(command: string): AddressKind | undefined {
  if (command === COMMANDS.data) return 'data';
  return command === COMMANDS.instruction ? 'instruction' : undefined;
}

function asSent({
  kind,
  reference,
  offset,
  accessType,
  condition,
  hitCondition,
}: RequestedAddress): Fields {
  return defined({
    ...(kind === 'data' ? { dataId: reference } : { instructionReference: reference }),
    offset: offset === undefined || offset === 0 ? undefined : offset,
    accessType,
    condition,
    hitCondition,
  });
}

function answered(before: AddressBreakpoint, reported: Fields | undefined): AddressBreakpoint {
  if (reported === undefined) return before;
  return {
    ...before,
    verified: flagOf(reported['verified']) ?? before.verified,
    message: keptText(reported['message']),
    adapterId: countOf(reported['id']) ?? before.adapterId,
    boundTo: textOf(reported['instructionReference']) ?? before.boundTo,
  };
}

/** Adapters write an address with and without zeros in front. */
function sameAddress(one: string, other: string): boolean {
  const [first, second] = [asAddress(one), asAddress(other)];
  return first === undefined || second === undefined ? one === other : first === second;
}

function asAddress(text: string): bigint | undefined {
  return /^(?:0x[0-9a-f]{1,32}|\d{1,32})$/i.test(text) ? BigInt(text) : undefined;
}
