import { defined } from '../../util/defined';
import type { DebugModel } from '../state/debugModel';
import { ExceptionFilters, filterType, offered } from './exceptionFilters';
import { OwnRequests } from './ownRequests';
import type { DebugHost } from '../host';
import { isAgentStarted, LAUNCH_MARK } from '../state/launchMark';
import { fields, listOf, readMessage, textOf, type Fields } from '../protocol';
import { liveSessions, rootOf, type DebugEvent, type SessionState } from '../state/state';

/** The exception filters that a tool chose. */
export interface ExceptionChoice {
  readonly filters: readonly string[];
  readonly conditions: Readonly<Record<string, string>>;
}

/** A choice and its scope: a debug type, one session, or every other debug type if neither is set. */
export interface MadeChoice extends ExceptionChoice {
  readonly type?: string;
  readonly session?: SessionState;
}

const NO_FILTERS: ExceptionChoice = { filters: [], conditions: {} };

type SendFilters = (session: SessionState, args: object) => Promise<unknown>;

/** The names that adapters give to filters for uncaught exceptions. */
const UNCAUGHT = /^(uncaught|unhandled|unrecovered|runtime-fatal)/i;

export function isUncaught(filter: string): boolean {
  return UNCAUGHT.test(filter);
}

/**
 * Exception breakpoints of agents, in addition to the person's own. VS Code has no API for them and may send its own
 * list at any time. So after each of VS Code's lists, a list with both is sent before VS Code receives the response to
 * its own, and therefore before the program starts. Every list that is sent contains the person's filters.
 *
 * A choice belongs to a debug type, because the filters of one debugger have no meaning for another.
 */
export class ExceptionBreakpoints {
  /** The names of the events that `observe` needs. */
  readonly observes = ['setExceptionBreakpoints', 'sessionEnded'] as const;
  /** The filters of each debugger. */
  readonly filters = new ExceptionFilters();
  /** The choices by `filterType`; undefined if the type was reset to its default. */
  private readonly choices = new Map<string, ExceptionChoice | undefined>();
  /** The choice for all other types; undefined until a tool turns all filters off. */
  private others: ExceptionChoice | undefined;
  /** The choices for launches, by launch mark. A choice for the session's type takes precedence over them. */
  private readonly ofLaunches = new Map<string, ExceptionChoice>();
  /** The choices for runs, by `runOf`. They take precedence over a choice for the session's type. */
  private readonly ofRuns = new Map<string, ExceptionChoice>();
  /** VS Code's own list, by session. */
  private readonly theirs = new Map<string, Fields>();
  private readonly ownRequests = new OwnRequests();

  constructor(
    private readonly host: DebugHost,
    private readonly model: DebugModel,
  ) {}

  /** Called with VS Code's lists before they are sent. */
  observe(event: DebugEvent): void {
    if (event.type === 'sessionEnded') this.forget(event.key);
    if (event.type !== 'toAdapter') return;
    const message = readMessage(event.message);
    if (message?.type !== 'request' || message.command !== 'setExceptionBreakpoints') return;
    const session = this.model.state.sessions.get(event.key);
    if (session === undefined || session.lifecycle === 'terminated') return;
    if (this.ownRequests.take(event.key, message.arguments)) return;
    this.theirs.set(event.key, message.arguments);
    if (this.requestedIn(session).length > 0) void this.send(session).catch(() => undefined);
  }

  /**
   * Sets the choices for debug types, including their future sessions. The choices for all other types stay unchanged.
   * @param send sends a session's request
   * @throws what `send` throws
   */
  async choose(choices: ReadonlyMap<string, ExceptionChoice>, send?: SendFilters): Promise<void> {
    for (const [type, choice] of choices) this.choices.set(filterType(type), choice);
    await this.sendTo((session) => choices.has(filterType(session.type)), send);
  }

  /** Turns the agent's filters off for all debug types. @throws what `send` throws */
  async chooseNone(send?: SendFilters): Promise<void> {
    this.choices.clear();
    this.others = NO_FILTERS;
    await this.sendTo(() => true, send);
  }

  /** Resets a debug type, or all of them, to the default filters. @throws what `send` throws */
  async returnToDefault(type?: string, send?: SendFilters): Promise<void> {
    if (type === undefined) {
      this.choices.clear();
      this.others = undefined;
    } else {
      this.choices.set(filterType(type), undefined);
    }
    await this.sendTo(
      (session) => type === undefined || filterType(session.type) === filterType(type),
      send,
    );
  }

  /**
   * Sets the choice for the sessions of one launch, unless a tool has made a choice for their type. Has to be called
   * before the launch.
   */
  chooseForLaunch(mark: string, choice: ExceptionChoice): void {
    this.ofLaunches.set(mark, choice);
  }

  /**
   * Sets the choice for the sessions of one launch, regardless of the choice for their type. Has to be called before
   * the launch.
   */
  chooseForRun(mark: string, choice: ExceptionChoice): void {
    this.ofRuns.set(mark, choice);
  }

  /**
   * Sets the choice for the sessions of one run while they run, see `chooseForRun`.
   * @param run a launch mark, or `runOf` a session
   * @throws what `send` throws
   */
  async chooseDuringRun(run: string, choice: ExceptionChoice, send?: SendFilters): Promise<void> {
    this.chooseForRun(run, choice);
    await this.sendTo((session) => this.runOf(session) === run, send);
  }

  /** Resets the sessions of one run to the choice for their type. @throws what `send` throws */
  async releaseRun(run: string, send?: SendFilters): Promise<void> {
    if (!this.ofRuns.delete(run)) return;
    await this.sendTo((session) => this.runOf(session) === run, send);
  }

  /** The run of a session: its launch mark, or the key of its root if no tool has launched it. */
  runOf(session: SessionState): string {
    return this.markOf(session) ?? rootOf(this.model.state, session).key;
  }

  /** Whether a tool has made a choice for a debug type. */
  hasChosen(type: string): boolean {
    return this.madeFor(type) !== undefined;
  }

  /** All choices, for types and for live sessions. Sessions with the default filters have no choice. */
  chosen(): readonly MadeChoice[] {
    const roots = liveSessions(this.model.state).filter(({ parentKey }) => parentKey === undefined);
    const ofSessions = roots.flatMap((session) => {
      const choice = this.hasChosen(session.type) ? undefined : this.ofLaunch(session);
      return choice === undefined ? [] : [{ ...choice, session }];
    });
    const ofTypes = [...this.choices].flatMap(([type, choice]) =>
      choice === undefined ? [] : [{ ...choice, type }],
    );
    return [...ofTypes, ...(this.others === undefined ? [] : [this.others]), ...ofSessions];
  }

  /** The filters that are active in a session, and who set them. */
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
    const ours = this.requestedIn(session).filter(
      (filter) => !theirs.some((their) => their.filter === filter),
    );
    return [
      ...theirs,
      ...ours.map((filter) => ({
        filter,
        by: 'agent' as const,
        ...defined({ condition: this.conditionOf(session, filter) }),
      })),
    ];
  }

  /** The chosen filters that a session's adapter does not have. */
  missingIn(session: SessionState): readonly string[] {
    const filters = this.choiceFor(session)?.filters ?? [];
    const requested = this.requestedIn(session);
    return filters.filter((filter) => !requested.includes(filter));
  }

  private forget(key: string): void {
    this.theirs.delete(key);
    this.ownRequests.forget(key);
    const ended = this.model.state.sessions.get(key);
    if (ended === undefined) return;
    this.filters.remember(ended);
    const mark = textOf(ended.configuration[LAUNCH_MARK]);
    if (ended.parentKey !== undefined) return;
    this.ofRuns.delete(mark ?? key);
    if (mark !== undefined) this.ofLaunches.delete(mark);
  }

  private choiceFor(session: SessionState): ExceptionChoice | undefined {
    return (
      this.ofRuns.get(this.runOf(session)) ?? this.madeFor(session.type) ?? this.ofLaunch(session)
    );
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

  /**
   * The agent's filters for a session. A filter whose condition the adapter does not support is left out, because it
   * would stop at every exception.
   */
  private requestedIn(session: SessionState): readonly string[] {
    const filters = offered(session);
    const choice = this.choiceFor(session);
    if (choice === undefined) {
      return isAgentStarted(this.model.state, session)
        ? filters.map(({ filter }) => filter).filter(isUncaught)
        : [];
    }
    return choice.filters.filter((filter) => {
      const found = filters.find((offer) => offer.filter === filter);
      return (
        found !== undefined && (conditionOf(choice, filter) === undefined || found.takesCondition)
      );
    });
  }

  private conditionOf(session: SessionState, filter: string): string | undefined {
    const choice = this.choiceFor(session);
    return choice === undefined ? undefined : conditionOf(choice, filter);
  }

  private async sendTo(
    isIncluded: (session: SessionState) => boolean,
    send?: SendFilters,
  ): Promise<void> {
    const meant = liveSessions(this.model.state).filter(
      (session) =>
        isIncluded(session) && session.lifecycle !== 'starting' && offered(session).length > 0,
    );
    await Promise.all(meant.map((session) => this.send(session, send)));
  }

  private async send(
    session: SessionState,
    request: SendFilters = (to, args) => this.host.request(to.key, 'setExceptionBreakpoints', args),
  ): Promise<void> {
    const theirs = this.theirs.get(session.key) ?? { filters: [] };
    const theirNames = filtersOf(theirs).map(({ filter }) => filter);
    const added = this.requestedIn(session).filter((filter) => !theirNames.includes(filter));
    const plain = added.filter((filter) => this.conditionOf(session, filter) === undefined);
    const conditional = added.flatMap((filterId) => {
      const condition = this.conditionOf(session, filterId);
      return condition === undefined ? [] : [{ filterId, condition }];
    });
    const options =
      session.capabilities.supportsExceptionFilterOptions === true
        ? { filterOptions: [...listOf(theirs['filterOptions']), ...conditional] }
        : {};
    const args = { ...theirs, filters: [...listOf(theirs['filters']), ...plain], ...options };
    this.ownRequests.add(session.key, args);
    await request(session, args);
  }
}

/** The condition of a filter. A filter may have the name of a member of all objects, such as `constructor`. */
export function conditionOf({ conditions }: ExceptionChoice, filter: string): string | undefined {
  return Object.hasOwn(conditions, filter) ? conditions[filter] : undefined;
}

function filtersOf(args: Fields): { filter: string; condition: string | undefined }[] {
  const plain = listOf(args['filters'])
    .flatMap((filter) => textOf(filter) ?? [])
    .map((filter) => ({ filter, condition: undefined }));
  const withOptions = listOf(args['filterOptions']).flatMap((option) => {
    const filter = textOf(fields(option)['filterId']);
    return filter === undefined ? [] : [{ filter, condition: textOf(fields(option)['condition']) }];
  });
  return [...plain, ...withOptions];
}
