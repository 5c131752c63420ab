import type { DebugModel } from './debugModel';
import type { DebugHost } from './host';
import { isAgentStarted } from './launchMark';
import { fields, listOf, readMessage, textOf, type Fields } from './protocol';
import { liveSessions, type DebugEvent, type SessionState } from './state';

/** What a tool chose; undefined until it is called. */
export interface ExceptionChoice {
  readonly filters: readonly string[];
  readonly conditions: Readonly<Record<string, string>>;
}

type Ask = (session: SessionState, args: object) => Promise<unknown>;

/** One filter that an adapter offers. DAP "ExceptionBreakpointsFilter". */
export interface OfferedFilter {
  readonly filter: string;
  readonly label: string;
  readonly supportsCondition: boolean;
}

/** Filters that stop at what the program does not catch, by the names that adapters give them. */
const UNCAUGHT = /^(uncaught|unhandled)/i;

/**
 * Exception breakpoints of agents, beside the person's own. VS Code has no API for them and sends its own list whenever
 * it likes, so ours is added each time: the request for it leaves before VS Code has the answer to its own, and so
 * reaches the adapter before the program is let go. The person's filters are in every list that is sent.
 */
export class ExceptionBreakpoints {
  /** The events that it has to see. */
  readonly observes = ['setExceptionBreakpoints', 'session_ended'] as const;
  private choice: ExceptionChoice | undefined;
  /** What VS Code itself wants, by session. */
  private readonly theirs = new Map<string, Fields>();
  /** What was sent from here and has not come by yet, by session: several may be on their way at once. */
  private readonly ours = new Map<string, readonly string[]>();

  constructor(
    private readonly host: DebugHost,
    private readonly model: DebugModel,
  ) {}

  /** Sees VS Code's lists, before they are sent. */
  observe(event: DebugEvent): void {
    if (event.type === 'session_ended') {
      this.theirs.delete(event.key);
      this.ours.delete(event.key);
    }
    if (event.type !== 'to_adapter') return;
    const message = readMessage(event.message);
    if (message?.type !== 'request' || message.command !== 'setExceptionBreakpoints') return;
    const session = this.model.state.sessions.get(event.key);
    if (session === undefined || session.lifecycle === 'terminated') return;
    const onTheirWay = this.ours.get(event.key) ?? [];
    const own = onTheirWay.indexOf(JSON.stringify(message.arguments));
    if (own >= 0) {
      // Each of ours is known again once: the same list another time is VS Code's.
      this.ours.set(event.key, onTheirWay.filter((_, index) => index !== own));
      return;
    }
    this.theirs.set(event.key, message.arguments);
    if (this.wantedIn(session).length > 0) void this.send(session).catch(() => undefined);
  }

  /** Chooses for all sessions, those to come included. `ask` sends a session's request. @throws what `ask` throws */
  async choose(choice: ExceptionChoice, ask?: Ask): Promise<void> {
    this.choice = choice;
    await Promise.all(liveSessions(this.model.state).filter((session) => session.lifecycle !== 'starting' && offered(session).length > 0).map((session) => this.send(session, ask)));
  }

  /** The filters that are on in a session, and whose they are. */
  active(session: SessionState): { readonly filter: string; readonly by: 'agent' | 'user'; readonly condition?: string }[] {
    const theirs = filtersOf(this.theirs.get(session.key) ?? {}).map(({ filter, condition }) => ({ filter, by: 'user' as const, ...(condition !== undefined ? { condition } : {}) }));
    const ours = this.wantedIn(session).filter((filter) => !theirs.some((each) => each.filter === filter));
    return [...theirs, ...ours.map((filter) => ({ filter, by: 'agent' as const, ...this.conditionOf(session, filter) }))];
  }

  private wantedIn(session: SessionState): readonly string[] {
    const names = offered(session).map((each) => each.filter);
    if (this.choice !== undefined) return this.choice.filters.filter((filter) => names.includes(filter));
    return isAgentStarted(this.model.state, session) ? names.filter((filter) => UNCAUGHT.test(filter)) : [];
  }

  private conditionOf(session: SessionState, filter: string): { condition?: string } {
    const condition = this.choice?.conditions[filter];
    return condition !== undefined && takesCondition(session, filter) ? { condition } : {};
  }

  private async send(session: SessionState, ask: Ask = (to, args) => this.host.request(to.key, 'setExceptionBreakpoints', args)): Promise<void> {
    const theirs = this.theirs.get(session.key) ?? { filters: [] };
    const theirNames = filtersOf(theirs).map((each) => each.filter);
    const added = this.wantedIn(session).filter((filter) => !theirNames.includes(filter));
    const plain = added.filter((filter) => this.conditionOf(session, filter).condition === undefined);
    const conditional = added.flatMap((filterId) => this.conditionOf(session, filterId).condition !== undefined ? [{ filterId, ...this.conditionOf(session, filterId) }] : []);
    const options = session.capabilities.supportsExceptionFilterOptions === true ? { filterOptions: [...listOf(theirs['filterOptions']), ...conditional] } : {};
    const args = { ...theirs, filters: [...listOf(theirs['filters']), ...plain], ...options };
    this.ours.set(session.key, [...(this.ours.get(session.key) ?? []), JSON.stringify(args)]);
    await ask(session, args);
  }
}

export function offered(session: SessionState): readonly OfferedFilter[] {
  return listOf(session.capabilities.exceptionBreakpointFilters).flatMap((each) => {
    const filter = textOf(fields(each)['filter']);
    return filter === undefined ? [] : [{ filter, label: textOf(fields(each)['label']) ?? filter, supportsCondition: fields(each)['supportsCondition'] === true }];
  });
}

/** DAP `supportsExceptionFilterOptions`, and `supportsCondition` of the filter itself. */
export function takesCondition(session: SessionState, filter: string): boolean {
  return session.capabilities.supportsExceptionFilterOptions === true && offered(session).some((each) => each.filter === filter && each.supportsCondition);
}

function filtersOf(args: Fields): { filter: string; condition: string | undefined }[] {
  const plain = listOf(args['filters']).flatMap((each) => textOf(each) ?? []).map((filter) => ({ filter, condition: undefined }));
  const withOptions = listOf(args['filterOptions']).flatMap((each) => {
    const filter = textOf(fields(each)['filterId']);
    return filter === undefined ? [] : [{ filter, condition: textOf(fields(each)['condition']) }];
  });
  return [...plain, ...withOptions];
}
