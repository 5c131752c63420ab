import { defined } from '../../util/defined';
import type { DebugModel } from '../state/debugModel';
import { ExceptionFilters, filterType, offered } from './exceptionFilters';
import type { DebugHost } from '../host';
import { isAgentStarted, LAUNCH_MARK } from '../state/launchMark';
import { fields, listOf, readMessage, textOf, type Fields } from '../protocol';
import { liveSessions, rootOf, type DebugEvent, type SessionState } from '../state/state';

/** What a tool chose. */
export interface ExceptionChoice {
  readonly filters: readonly string[];
  readonly conditions: Readonly<Record<string, string>>;
}

/** A choice, and for what it was made: a debug type, one session, or, with neither, every other debug type. */
export interface MadeChoice extends ExceptionChoice {
  readonly type?: string;
  readonly session?: SessionState;
}

const NOTHING: ExceptionChoice = { filters: [], conditions: {} };

type SendFilters = (session: SessionState, args: object) => Promise<unknown>;

/** Filters that stop at what the program does not catch, by the names that adapters give them. */
const UNCAUGHT = /^(uncaught|unhandled)/i;

export function isUncaught(filter: string): boolean {
  return UNCAUGHT.test(filter);
}

/**
 * Exception breakpoints of agents, beside the person's own. VS Code has no API for them and sends its own list whenever
 * it likes, so ours is added each time: the request for it leaves before VS Code has the answer to its own, and so
 * reaches the adapter before the program is let go. The person's filters are in every list that is sent.
 *
 * A choice belongs to a debug type, because filters of one debugger mean nothing to another.
 */
export class ExceptionBreakpoints {
  /** The events that it has to see. */
  readonly observes = ['setExceptionBreakpoints', 'sessionEnded'] as const;
  /** Which filters each debugger has. */
  readonly known = new ExceptionFilters();
  /** By `filterType`; undefined for one that has its default again. */
  private readonly choices = new Map<string, ExceptionChoice | undefined>();
  /** For all types that have no choice of their own; undefined until a tool turns all filters off. */
  private others: ExceptionChoice | undefined;
  /** By the mark of the call that started the session. */
  private readonly ofLaunches = new Map<string, ExceptionChoice>();
  /** The same, whatever was chosen for the session's type. */
  private readonly ofRuns = new Map<string, ExceptionChoice>();
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
    if (event.type === 'sessionEnded') this.forget(event.key);
    if (event.type !== 'toAdapter') return;
    const message = readMessage(event.message);
    if (message?.type !== 'request' || message.command !== 'setExceptionBreakpoints') return;
    const session = this.model.state.sessions.get(event.key);
    if (session === undefined || session.lifecycle === 'terminated') return;
    const onTheirWay = this.ours.get(event.key) ?? [];
    const own = onTheirWay.indexOf(JSON.stringify(message.arguments));
    if (own >= 0) {
      // Each of ours is known again once: the same list another time is VS Code's.
      this.ours.set(
        event.key,
        onTheirWay.filter((_, index) => index !== own),
      );
      return;
    }
    this.theirs.set(event.key, message.arguments);
    if (this.wantedIn(session).length > 0) void this.send(session).catch(() => undefined);
  }

  /**
   * Chooses for debug types, their sessions to come included; the choices for all other types stay.
   * @param ask sends a session's request
   * @throws what `ask` throws
   */
  async choose(choices: ReadonlyMap<string, ExceptionChoice>, ask?: SendFilters): Promise<void> {
    for (const [type, choice] of choices) this.choices.set(filterType(type), choice);
    await this.sendTo((session) => choices.has(filterType(session.type)), ask);
  }

  /** Turns the agent's filters off for all debug types. @throws what `ask` throws */
  async chooseNone(ask?: SendFilters): Promise<void> {
    this.choices.clear();
    this.others = NOTHING;
    await this.sendTo(() => true, ask);
  }

  /** Gives a debug type, or all of them, what their sessions have by default. @throws what `ask` throws */
  async returnToDefault(type?: string, ask?: SendFilters): Promise<void> {
    if (type === undefined) {
      this.choices.clear();
      this.others = undefined;
    } else {
      this.choices.set(filterType(type), undefined);
    }
    await this.sendTo(
      (session) => type === undefined || filterType(session.type) === filterType(type),
      ask,
    );
  }

  /** Chooses for the sessions of one launch, where no tool has chosen for their type. Before it is started. */
  chooseForLaunch(mark: string, choice: ExceptionChoice): void {
    this.ofLaunches.set(mark, choice);
  }

  /** Chooses for the sessions of one launch, whatever was chosen for their type. Before it is started. */
  chooseForRun(mark: string, choice: ExceptionChoice): void {
    this.ofRuns.set(mark, choice);
  }

  /** The same while its sessions run. @throws what `ask` throws */
  async chooseDuringRun(mark: string, choice: ExceptionChoice, ask?: SendFilters): Promise<void> {
    this.chooseForRun(mark, choice);
    await this.sendTo((session) => this.markOf(session) === mark, ask);
  }

  /** From now on the sessions of that launch have what was chosen for their type. @throws what `ask` throws */
  async releaseRun(mark: string, ask?: SendFilters): Promise<void> {
    if (!this.ofRuns.delete(mark)) return;
    await this.sendTo((session) => this.markOf(session) === mark, ask);
  }

  /** Whether a tool has chosen for a debug type. */
  hasChosen(type: string): boolean {
    return this.madeFor(type) !== undefined;
  }

  /** What was chosen, for types and for sessions that run; nothing where sessions have what they have by default. */
  chosen(): readonly MadeChoice[] {
    const roots = liveSessions(this.model.state).filter((each) => each.parentKey === undefined);
    const ofSessions = roots.flatMap((session) => {
      const choice = this.hasChosen(session.type) ? undefined : this.ofLaunch(session);
      return choice === undefined ? [] : [{ ...choice, session }];
    });
    const ofTypes = [...this.choices].flatMap(([type, choice]) =>
      choice === undefined ? [] : [{ ...choice, type }],
    );
    return [...ofTypes, ...(this.others === undefined ? [] : [this.others]), ...ofSessions];
  }

  /** The filters that are on in a session, and whose they are. */
  active(
    session: SessionState,
  ): { readonly filter: string; readonly by: 'agent' | 'user'; readonly condition?: string }[] {
    const theirs = filtersOf(this.theirs.get(session.key) ?? {}).map(({ filter, condition }) =>
      defined({
        filter,
        by: 'user' as const,
        condition,
      }),
    );
    const ours = this.wantedIn(session).filter(
      (filter) => !theirs.some((each) => each.filter === filter),
    );
    return [
      ...theirs,
      ...ours.map((filter) => ({
        filter,
        by: 'agent' as const,
        ...this.conditionOf(session, filter),
      })),
    ];
  }

  /** What a session's adapter turned out not to have, of what was chosen for it. */
  missingIn(session: SessionState): readonly string[] {
    const filters = this.choiceFor(session)?.filters ?? [];
    const requested = this.wantedIn(session);
    return filters.filter((filter) => !requested.includes(filter));
  }

  private forget(key: string): void {
    this.theirs.delete(key);
    this.ours.delete(key);
    const ended = this.model.state.sessions.get(key);
    if (ended === undefined) return;
    this.known.remember(ended);
    const mark = textOf(ended.configuration[LAUNCH_MARK]);
    if (ended.parentKey !== undefined || mark === undefined) return;
    this.ofLaunches.delete(mark);
    this.ofRuns.delete(mark);
  }

  private choiceFor(session: SessionState): ExceptionChoice | undefined {
    const mark = this.markOf(session);
    const ofRun = mark === undefined ? undefined : this.ofRuns.get(mark);
    return ofRun ?? this.madeFor(session.type) ?? this.ofLaunch(session);
  }

  private markOf(session: SessionState): string | undefined {
    return textOf(rootOf(this.model.state, session).configuration[LAUNCH_MARK]);
  }

  private madeFor(type: string): ExceptionChoice | undefined {
    const named = filterType(type);
    return this.choices.has(named) ? this.choices.get(named) : this.others;
  }

  private ofLaunch(session: SessionState): ExceptionChoice | undefined {
    const mark = this.markOf(session);
    return mark === undefined ? undefined : this.ofLaunches.get(mark);
  }

  /** A filter whose condition the adapter does not take is left off: it would stop at every exception. */
  private wantedIn(session: SessionState): readonly string[] {
    const filters = offered(session);
    const choice = this.choiceFor(session);
    if (choice === undefined) {
      return isAgentStarted(this.model.state, session)
        ? filters.map((each) => each.filter).filter((filter) => UNCAUGHT.test(filter))
        : [];
    }
    return choice.filters.filter((filter) => {
      const found = filters.find((each) => each.filter === filter);
      return (
        found !== undefined && (conditionOf(choice, filter) === undefined || found.takesCondition)
      );
    });
  }

  private conditionOf(session: SessionState, filter: string): { condition?: string } {
    const choice = this.choiceFor(session);
    const condition = choice === undefined ? undefined : conditionOf(choice, filter);
    return condition === undefined ? {} : { condition };
  }

  private async sendTo(
    isMeant: (session: SessionState) => boolean,
    ask?: SendFilters,
  ): Promise<void> {
    const meant = liveSessions(this.model.state).filter(
      (session) =>
        isMeant(session) && session.lifecycle !== 'starting' && offered(session).length > 0,
    );
    await Promise.all(meant.map((session) => this.send(session, ask)));
  }

  private async send(
    session: SessionState,
    ask: SendFilters = (to, args) => this.host.request(to.key, 'setExceptionBreakpoints', args),
  ): Promise<void> {
    const theirs = this.theirs.get(session.key) ?? { filters: [] };
    const theirNames = filtersOf(theirs).map((each) => each.filter);
    const added = this.wantedIn(session).filter((filter) => !theirNames.includes(filter));
    const plain = added.filter(
      (filter) => this.conditionOf(session, filter).condition === undefined,
    );
    const conditional = added.flatMap((filterId) =>
      this.conditionOf(session, filterId).condition !== undefined
        ? [{ filterId, ...this.conditionOf(session, filterId) }]
        : [],
    );
    const options =
      session.capabilities.supportsExceptionFilterOptions === true
        ? { filterOptions: [...listOf(theirs['filterOptions']), ...conditional] }
        : {};
    const args = { ...theirs, filters: [...listOf(theirs['filters']), ...plain], ...options };
    this.ours.set(session.key, [...(this.ours.get(session.key) ?? []), JSON.stringify(args)]);
    await ask(session, args);
  }
}

/** A filter may be named like a member that all objects have. */
export function conditionOf({ conditions }: ExceptionChoice, filter: string): string | undefined {
  return Object.hasOwn(conditions, filter) ? conditions[filter] : undefined;
}

function filtersOf(args: Fields): { filter: string; condition: string | undefined }[] {
  const plain = listOf(args['filters'])
    .flatMap((each) => textOf(each) ?? [])
    .map((filter) => ({ filter, condition: undefined }));
  const withOptions = listOf(args['filterOptions']).flatMap((option) => {
    const filter = textOf(fields(option)['filterId']);
    return filter === undefined ? [] : [{ filter, condition: textOf(fields(option)['condition']) }];
  });
  return [...plain, ...withOptions];
}
