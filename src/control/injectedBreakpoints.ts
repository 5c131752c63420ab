import path from 'node:path';
import { adapterOf } from '../debugger/adapters/registry';
import { asInjected, asOwnList, isOwnList } from '../debugger/breakpoints/injectedMark';
import type { DebugHost } from '../debugger/host';
import { hearAnswer } from '../debugger/heardAnswer';
import {
  countOf,
  fields,
  listOf,
  readMessage,
  textOf,
  type Fields,
  type ProtocolMessage,
} from '../debugger/protocol';
import { comparable, samePath } from '../debugger/sourcePath';
import type { DebugModel } from '../debugger/state/debugModel';
import {
  liveSessions,
  type AdapterBreakpoint,
  type DebugEvent,
  type SessionState,
} from '../debugger/state/state';
import { isInjectedLine } from '../debugger/breakpoints/injectedLines';
import { defined } from '../util/defined';
import { Listeners, type Subscription } from '../util/listeners';
import { unlessAborted } from '../util/unlessAborted';

/** A breakpoint that is sent to an adapter and that VS Code does not know. */
export interface InjectedPoint {
  readonly path: string;
  readonly line: number;
  readonly column?: number | undefined;
  readonly condition?: string | undefined;
  readonly hitCondition?: string | undefined;
  readonly logMessage?: string | undefined;
}

/** The points of a session; none where it is not meant. The same session is always given the same ones. */
export type PointsOf = (session: SessionState) => readonly InjectedPoint[];

/** What became of a point in a session. */
export type PointAnswer =
  /** The person has a breakpoint there that it cannot be merged with: theirs stays as it is. */
  | { readonly kind: 'displaced' }
  /** The adapter has not answered yet. */
  | { readonly kind: 'unanswered' }
  | { readonly kind: 'answered'; readonly adapter: AdapterBreakpoint };

export interface Injection {
  /** Settles when the sessions that were running have answered, or refused, or take too long. */
  readonly placed: Promise<void>;
  /** In the order of the session's points. */
  answeredIn(session: SessionState): readonly PointAnswer[];
  /** Sends VS Code's own lists again to all sessions that live. An adapter that does not answer is not waited for. */
  dispose(): Promise<void>;
}

/** How long an adapter may take to answer a list: one whose program hangs in an expression may never do so. */
const ANSWER_LIMIT_MS = 5000;

interface Injected {
  readonly pointsOf: PointsOf;
  /** The number of its first point; the others follow. */
  readonly first: (session: SessionState) => number;
}

/**
 * Breakpoints of a call that are none of VS Code's: they would flash in the person's editor, and of two breakpoints on
 * one line adapters heed one. They are added to VS Code's list of each file: its own lists are followed by ours, and a
 * session that starts is sent them before it is let go.
 */
export class InjectedBreakpoints {
  /** The events that it has to see. */
  readonly observes = [
    'setBreakpoints',
    'initialized',
    'launch',
    'attach',
    'sessionCreated',
    'sessionEnded',
    'output',
  ] as const;
  private readonly printed = new Listeners<DebugEvent>();
  private readonly injections = new Set<Injected>();
  /** What VS Code itself sent, by session and comparable path. */
  private readonly theirs = new Map<string, Map<string, Fields>>();
  /** Which sessions take breakpoints already. */
  private readonly ready = new Set<string>();
  /** Which of the two that make a session ready has come. */
  private readonly begun = new Map<string, 'initialized' | 'asked'>();
  /** Files of which a session was sent a list from here. */
  private readonly changed = new Map<string, Map<string, string>>();
  private lastId = 0;

  constructor(
    private readonly host: DebugHost,
    private readonly model: DebugModel,
    private readonly answerLimitMs: number = ANSWER_LIMIT_MS,
  ) {}

  /** Sees VS Code's lists, before they are sent. */
  observe(event: DebugEvent): void {
    if (event.type === 'sessionCreated' || event.type === 'sessionEnded') this.forget(event);
    if (event.type !== 'toAdapter' && event.type !== 'fromAdapter') return;
    const message = readMessage(event.message);
    const session = this.model.state.sessions.get(event.key);
    if (session === undefined || session.lifecycle === 'terminated') return;
    if (message?.type === 'event' && message.event === 'output') this.hear(event, message.body);
    if (message !== undefined) this.noteStart(session, message);
    if (
      message?.type !== 'request' ||
      message.command !== 'setBreakpoints' ||
      event.type !== 'toAdapter' ||
      isOwnList(message.arguments)
    )
      return;
    const file = pathOf(message.arguments);
    if (file === undefined) return;
    let lists = this.theirs.get(session.key);
    if (lists === undefined) this.theirs.set(session.key, (lists = new Map<string, Fields>()));
    lists.set(comparable(file), message.arguments);
    if (this.pointsIn(session, file).length > 0) void this.send(session, file);
  }

  /** Sees what injected logpoints print. */
  onOutput(listener: (event: DebugEvent) => void): Subscription {
    return this.printed.add(listener);
  }

  private hear(event: DebugEvent, body: Fields): void {
    if (this.printed.size > 0 && isInjectedLine(textOf(body['output']) ?? ''))
      this.printed.notify(event);
  }

  /** A session takes breakpoints when its adapter has said so and has been asked for the program: in either order. */
  private noteStart(session: SessionState, message: ProtocolMessage): void {
    const name = message.type === 'event' ? message.event : message.command;
    if (name !== 'initialized' && name !== 'launch' && name !== 'attach') return;
    if (message.type === 'response' || this.ready.has(session.key)) return;
    const seen = this.begun.get(session.key);
    const step = name === 'initialized' ? name : 'asked';
    if (seen === undefined) this.begun.set(session.key, step);
    if (seen === undefined || seen === step) return;
    this.ready.add(session.key);
    void this.sendAll(session, (file) => !this.isComing(session, file));
  }

  /**
   * Whether VS Code is about to send its own list of a file to a session that starts, and ours follows that. An adapter
   * that sets breakpoints late may mix up lists of one file that come together.
   */
  private isComing({ key, type }: SessionState, file: string): boolean {
    return (
      adapterOf(type).setsBreakpointsLate === true &&
      this.theirs.get(key)?.has(comparable(file)) !== true &&
      this.host
        .breakpoints()
        .some((breakpoint) => breakpoint.kind === 'source' && samePath(breakpoint.path, file))
    );
  }

  /** Adds points to the sessions that run and to those that start until it is disposed of. */
  inject(pointsOf: PointsOf): Injection {
    const ids = new Map<string, number>();
    const injected: Injected = {
      pointsOf,
      first: (session) => {
        const known = ids.get(session.key);
        if (known !== undefined) return known;
        const first = this.lastId + 1;
        const count = pointsOf(session).length;
        // A session that is not meant yet may be later.
        if (count === 0) return first;
        this.lastId += count;
        ids.set(session.key, first);
        return first;
      },
    };
    this.injections.add(injected);
    const running = liveSessions(this.model.state).filter((each) => this.isReady(each));
    return {
      placed: Promise.all(running.map((each) => this.sendAll(each))).then(() => undefined),
      answeredIn: (session) => this.answers(session, injected),
      dispose: async () => {
        if (!this.injections.delete(injected)) return;
        await Promise.all(liveSessions(this.model.state).map((each) => this.restore(each)));
      },
    };
  }

  private isReady({ key, lifecycle }: SessionState): boolean {
    return this.ready.has(key) || lifecycle !== 'starting';
  }

  private forget({ type, key }: DebugEvent): void {
    const session = this.model.state.sessions.get(key);
    // One that was found running is told of again where it is known.
    if (type === 'sessionCreated' && session?.lifecycle !== 'starting') return;
    this.theirs.delete(key);
    this.ready.delete(key);
    this.begun.delete(key);
    this.changed.delete(key);
  }

  private pointsIn(
    session: SessionState,
    file: string,
  ): { readonly id: number; readonly point: InjectedPoint }[] {
    return [...this.injections].flatMap(({ pointsOf, first }) =>
      pointsOf(session).flatMap((point, index) =>
        samePath(point.path, file) ? [{ id: first(session) + index, point }] : [],
      ),
    );
  }

  private async sendAll(
    session: SessionState,
    isMeant: (file: string) => boolean = () => true,
  ): Promise<void> {
    const files = new Map<string, string>();
    for (const { pointsOf } of this.injections)
      for (const point of pointsOf(session)) files.set(comparable(point.path), point.path);
    await Promise.all([...files.values()].filter(isMeant).map((file) => this.send(session, file)));
  }

  /** Sends all files again that the session was sent from here: those of other calls keep their points. */
  private async restore(session: SessionState): Promise<void> {
    const changed = this.changed.get(session.key) ?? new Map<string, string>();
    await Promise.all(
      [...changed].map(async ([key, file]) => {
        const sent = this.send(session, file);
        if (this.pointsIn(session, file).length === 0) changed.delete(key);
        await sent;
      }),
    );
  }

  /** Sends VS Code's list of a file with the points in it. An adapter that refuses has none of them. */
  private async send(session: SessionState, file: string): Promise<void> {
    let changed = this.changed.get(session.key);
    if (changed === undefined) this.changed.set(session.key, (changed = new Map<string, string>()));
    changed.set(comparable(file), file);
    const theirs = this.listOf(session, file);
    const breakpoints = merged(session, theirs, this.pointsIn(session, file));
    const args = asOwnList({
      ...theirs,
      breakpoints,
      lines: breakpoints.flatMap((breakpoint) => countOf(breakpoint['line']) ?? []),
    });
    const heard = hearAnswer(this.model, session.key, 'setBreakpoints', args);
    const answered = this.host.request(session.key, 'setBreakpoints', args);
    await unlessAborted(
      Promise.race([heard.body, answered]).catch(() => undefined),
      AbortSignal.timeout(this.answerLimitMs),
      () => undefined,
    );
    heard.dispose();
  }

  /** What VS Code sent of a file, or would have sent to a session whose messages were not seen. */
  private listOf(session: SessionState, file: string): Fields {
    const known = this.theirs.get(session.key)?.get(comparable(file));
    if (known !== undefined) return known;
    const source = { name: path.basename(file), path: file };
    if (session.knowledge === 'full' && this.ready.has(session.key))
      return { source, breakpoints: [] };
    const breakpoints = this.host
      .breakpoints()
      .flatMap((breakpoint) =>
        breakpoint.enabled && breakpoint.kind === 'source' && samePath(breakpoint.path, file)
          ? [breakpoint]
          : [],
      );
    return {
      source,
      breakpoints: breakpoints.map(({ line, column, condition, hitCondition, logMessage }) =>
        defined({ line, column, condition, hitCondition, logMessage }),
      ),
    };
  }

  private answers(session: SessionState, injected: Injected): readonly PointAnswer[] {
    const now = this.model.state.sessions.get(session.key) ?? session;
    const answered = new Map(
      [...now.sourceBreakpoints.values()]
        .flatMap((source) => source.breakpoints)
        .flatMap((breakpoint) =>
          breakpoint.injected === undefined ? [] : [[breakpoint.injected.id, breakpoint] as const],
        ),
    );
    const first = injected.first(session);
    return injected.pointsOf(session).map((point, index) => {
      const adapter = answered.get(first + index);
      if (adapter !== undefined) return { kind: 'answered', adapter };
      const other = placeOf(listOf(this.listOf(session, point.path)['breakpoints']), point);
      return other !== undefined && mergedWith(session, point, other) === undefined
        ? { kind: 'displaced' }
        : { kind: 'unanswered' };
    });
  }
}

function pathOf(args: Fields): string | undefined {
  return textOf(fields(args['source'])['path']);
}

/** VS Code's list with the points in it: merged with those in the same places, or after them. */
function merged(
  session: SessionState,
  theirs: Fields,
  points: readonly { readonly id: number; readonly point: InjectedPoint }[],
): Fields[] {
  const list = listOf(theirs['breakpoints']).map(fields);
  for (const { id, point } of points) {
    const other = placeOf(list, point);
    if (other === undefined) {
      const { path: _, ...sent } = point;
      list.push(asInjected(defined(sent), id));
      continue;
    }
    const condition = mergedWith(session, point, other);
    if (condition !== undefined)
      list[list.indexOf(other)] = asInjected({ ...other, condition }, id, other);
  }
  return list;
}

/** The breakpoint of a list that an adapter would set in a point's place. */
function placeOf(list: readonly unknown[], { line, column }: InjectedPoint): Fields | undefined {
  return list
    .map(fields)
    .find(
      (each) =>
        each['line'] === line &&
        (column === undefined || each['column'] === undefined || each['column'] === column),
    );
}

function mergedWith(
  session: SessionState,
  point: InjectedPoint,
  other: Fields,
): string | undefined {
  const { condition, hitCondition, logMessage } = point;
  if (condition === undefined || hitCondition !== undefined || logMessage !== undefined)
    return undefined;
  return adapterOf(session.type).mergedCondition?.(condition, {
    condition: textOf(other['condition']) || undefined,
    hitCondition: textOf(other['hitCondition']) || undefined,
    logMessage: textOf(other['logMessage']) || undefined,
  });
}
