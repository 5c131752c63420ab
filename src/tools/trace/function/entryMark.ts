import type { Injection } from '../../../control/injectedBreakpoints';
import type { TemporaryBreakpoint } from '../../../control/temporaryBreakpoints';
import { adapterOf } from '../../../debugger/adapters/registry';
import type { HostBreakpoint, RequestedHostBreakpoint } from '../../../debugger/host';
import type { AdapterBreakpoint, SessionState } from '../../../debugger/state/state';
import { defined } from '../../../util/defined';
import type { ToolServices } from '../../services';
import { breakpointGone, breakpointSet } from '../breakpointPlacement';
import type { TraceTarget } from './traceTarget';

type Services = Pick<ToolServices, 'model' | 'breakpoints' | 'control' | 'injected'>;

/** The conditions of a breakpoint. */
export interface EntryConditions {
  readonly condition: string | undefined;
  readonly hitCondition: string | undefined;
}

/** A breakpoint of the call at the beginning of a function. */
export interface EntryMark {
  /** Its id in VS Code's list. Undefined if it is not in the list: a stop then names it with no id of the list. */
  readonly id: number | undefined;
  /**
   * Waits until the adapter has answered for the breakpoint, or until a time limit.
   * @param loaded whether the file has been loaded. If it has not, the adapter cannot verify a breakpoint yet.
   */
  isSet(session: SessionState, loaded?: boolean): Promise<void>;
  /** What the adapters of these sessions reported about it. */
  answers(sessions: readonly SessionState[]): readonly AdapterBreakpoint[];
  /** Removes the breakpoint, because the call has been reached. */
  remove(): void;
  /** Waits until the adapter accepts another list of breakpoints, or until a time limit. */
  isGone(session: SessionState, signal: AbortSignal): Promise<void>;
  dispose(): Promise<void>;
}

/**
 * Sets a breakpoint at the beginning of a function. It is in VS Code's list, unless logpoints can record calls
 * and the program is stopped. Then the logpoints replace it without a wait.
 * @param session the stopped session in which the call is traced. Undefined if a program is started or runs.
 */
export function markEntry(
  services: Services,
  type: string,
  session: SessionState | undefined,
  { place, name }: TraceTarget,
  conditions: EntryConditions,
): EntryMark {
  if (place === undefined)
    return new ListedMark(services, { kind: 'function', functionName: name, ...conditions });
  const { path, found } = place;
  const at = { path, ...found.entry, ...conditions };
  const { loggedCalls, recorder } = adapterOf(type);
  if (loggedCalls !== undefined && session?.capabilities.supportsLogPoints === true) {
    const points = [defined(at)];
    const injection = services.injected.inject(({ key }) => (key === session.key ? points : []));
    return new InjectedMark(injection);
  }
  return new ListedMark(
    services,
    { kind: 'source', ...at },
    recorder === 'javascript' ? guardBeside(at) : undefined,
  );
}

/**
 * Returns a breakpoint that never stops, next to the one at the beginning. If all breakpoints of a function are removed
 * while the program is stopped in it, V8 ignores new breakpoints in this call up to its next jump (seen in V8 11.3 and
 * 13.6).
 */
function guardBeside({
  path,
  line,
  column = 1,
}: {
  readonly path: string;
  readonly line: number;
  readonly column?: number | undefined;
}): RequestedHostBreakpoint {
  return { kind: 'source', path, line, column: column + 1, condition: 'false' };
}

/** A breakpoint in VS Code's list. */
class ListedMark implements EntryMark {
  readonly id: number;
  private readonly breakpoint: HostBreakpoint;
  private readonly temporary: TemporaryBreakpoint;
  private readonly guard: TemporaryBreakpoint | undefined;
  private isRemoved = false;

  constructor(
    private readonly services: Services,
    requested: RequestedHostBreakpoint,
    guard?: RequestedHostBreakpoint,
  ) {
    const { temporary } = services.control;
    this.temporary = temporary.add(requested);
    this.breakpoint = this.temporary.breakpoint;
    this.id = services.breakpoints.idOf(this.breakpoint);
    if (guard !== undefined) this.guard = temporary.add(guard);
  }

  async isSet(session: SessionState, loaded = true): Promise<void> {
    const { signal } = new AbortController();
    const breakpoint = this.isRemoved ? undefined : this.breakpoint;
    await breakpointSet(this.services, session, breakpoint, signal, loaded);
  }

  answers(sessions: readonly SessionState[]): readonly AdapterBreakpoint[] {
    if (this.isRemoved) return [];
    return this.services.breakpoints
      .boundIn(this.breakpoint, sessions)
      .map(({ adapter }) => adapter);
  }

  remove(): void {
    this.isRemoved = true;
    this.temporary.dispose();
  }

  async isGone(session: SessionState, signal: AbortSignal): Promise<void> {
    if (this.isRemoved) await breakpointGone(this.services, session, this.breakpoint, signal);
  }

  dispose(): Promise<void> {
    this.remove();
    this.guard?.dispose();
    return Promise.resolve();
  }
}

/** A breakpoint that VS Code does not know. */
class InjectedMark implements EntryMark {
  readonly id = undefined;
  private gone: Promise<void> | undefined;

  constructor(private readonly injection: Injection) {}

  async isSet(): Promise<void> {
    await this.injection.placed;
  }

  answers(sessions: readonly SessionState[]): readonly AdapterBreakpoint[] {
    return sessions
      .flatMap((session) => this.injection.answeredIn(session))
      .flatMap((answer) => (answer.kind === 'answered' ? [answer.adapter] : []));
  }

  remove(): void {
    this.gone ??= this.injection.dispose();
  }

  isGone(): Promise<void> {
    return Promise.resolve();
  }

  async dispose(): Promise<void> {
    this.remove();
    await this.gone;
  }
}
