import * as l10n from '@vscode/l10n';
import type { BoundedRun } from '../../../control/boundedRun';
import type { Stopped } from '../../../control/outcome';
import type { EveryException } from '../../../debugger/adapters/adapterParts';
import { adapterOf } from '../../../debugger/adapters/registry';
import type { HostBreakpoint } from '../../../debugger/host';
import { offered } from '../../../debugger/breakpoints/exceptionFilters';
import type {
  ExceptionDetails,
  ReportedException,
} from '../../../debugger/inspection/exceptionDetails';
import type { FramePage } from '../../../debugger/inspection/framePage';
import { Interrupted } from '../../../debugger/requests';
import { stoppedThread, type SessionState } from '../../../debugger/state/state';
import { Failure } from '../../../results/failure';
import type { StopPlace } from '../../../results/views/stopFacts';
import { exceptionOf } from '../../../results/views/stopException';
import { RepeatedExceptions } from '../../../results/views/repeatedExceptions';
import { timeLimit } from '../../../util/timeLimit';
import { unlessAborted } from '../../../util/unlessAborted';
import { shortPath } from '../../files/files';
import type { ToolServices } from '../../services';
import { isOwn } from '../function/ownFrames';
import { isOfRun } from '../reach';
import type { StopVerdict } from './collector';
import { Thrown } from './thrown';

/** The numbers of frames that are read: first, and if none of them is own code. */
const FRAMES = 20;
const MOST_FRAMES = 200;

/** The time that a debugger may take to remove the exception filters, in milliseconds. */
const RELEASE_LIMIT_MS = 1000;

/** The newest throw of a thread. */
interface Newest {
  readonly group: string;
  readonly type: string;
  readonly message: string | undefined;
}

/**
 * Sees each exception that a program throws while the call runs, by stops at them. It uses the filters of the debugger
 * for that time only. The person's own ones, and those that a tool has chosen, apply again afterwards.
 */
export class ExceptionWatch {
  readonly thrown: Thrown;
  private readonly repeated = new RepeatedExceptions();
  /** The number of stops of each thread. debugpy stops again in each frame that an exception leaves. */
  private readonly stops = new Map<string, number>();
  private readonly newest = new Map<string, Newest>();
  private readonly unseen = new Set<string>();
  private run: BoundedRun | undefined;
  private chosenFor: string | undefined;

  private constructor(
    private readonly services: ToolServices,
    private readonly filters: readonly string[],
    private readonly maxThrows: number,
  ) {
    this.thrown = new Thrown({
      isOwn: (frame) => isOwn(services, frame),
      shortPath: (file) => shortPath(services, file),
    });
  }

  /** @throws Failure if the debugger has no filter for every exception. Nothing has been started. */
  static prepare(services: ToolServices, type: string, maxThrows: number): ExceptionWatch {
    return new ExceptionWatch(services, filtersFor(services, type), maxThrows);
  }

  /** Whether as many exceptions that concern own code were seen as the call allows. */
  get isFull(): boolean {
    return this.thrown.concerning >= this.maxThrows;
  }

  /** Lets the program stop at each exception. A program that the call starts does so from its start. */
  async begin(run: BoundedRun, signal: AbortSignal): Promise<void> {
    this.run = run;
    const { exceptions, model } = this.services;
    const choice = { filters: this.filters, conditions: {} };
    if (run.mark !== undefined) {
      this.chosenFor = run.mark;
      exceptions.chooseForRun(run.mark, choice);
      return;
    }
    const [session] = run.sessions;
    if (session === undefined) return;
    if (adapterOf(session.type).appliesFiltersLate === true)
      this.unseen.add('exceptions in functions that were already running when the call began');
    this.chosenFor = exceptions.runOf(model.state.sessions.get(session.key) ?? session);
    await unlessAborted(
      exceptions.chooseDuringRun(this.chosenFor, choice),
      signal,
      () => undefined,
    );
  }

  /** Reads an exception at which the program has stopped. @returns undefined for any other stop */
  async take({ sessionKey, stop }: Stopped, signal: AbortSignal): Promise<StopVerdict | undefined> {
    const { run, services } = this;
    const there = stoppedThread(services.model.state, sessionKey);
    if (run === undefined || there === undefined) return undefined;
    const { session, threadId } = there;
    const { everyException, failedCondition } = adapterOf(session.type);
    const isThrow = everyException?.isThrow?.(stop) ?? stop.reason === 'exception';
    if (!isThrow || failedCondition?.(stop) !== undefined) return undefined;
    if (!isOfRun({ services, run }, session)) return undefined;
    this.noteUnseen(session);
    try {
      await this.read(session, threadId, signal);
    } catch (error) {
      if (error instanceof Interrupted) return 'interrupted';
      // The program has continued in the meantime, or its debugger refuses.
      this.unseen.add('the details of exceptions that the debugger did not tell');
    }
    return this.isFull ? 'full' : 'taken';
  }

  /** Restores the filters that apply without the call. Does not change whether the program runs. */
  async release(): Promise<void> {
    const { chosenFor, services, run } = this;
    this.chosenFor = undefined;
    if (chosenFor === undefined) return;
    for (const session of run?.sessions ?? []) this.noteUnseen(session);
    // The debugger of a program that blocks in a system call may not answer.
    await unlessAborted(
      services.exceptions.releaseRun(chosenFor).catch(() => undefined),
      timeLimit(RELEASE_LIMIT_MS),
      () => undefined,
    );
  }

  /**
   * Returns what results show.
   * @param hasEnded whether the program has ended
   */
  shown(room: number, hasEnded: boolean): Readonly<Record<string, unknown>> {
    const sessions = this.run?.sessions ?? [];
    const isReported = sessions.every(
      ({ type }) => adapterOf(type).everyException?.reportsUnhandled !== undefined,
    );
    return {
      ...this.thrown.shown(room, hasEnded && isReported),
      ...(this.unseen.size > 0 ? { not_seen: [...this.unseen] } : {}),
    };
  }

  private async read(session: SessionState, threadId: number, signal: AbortSignal): Promise<void> {
    const { inspector } = this.services;
    const place = inspector.placeOf(session, threadId);
    const [page, reported] = await inspector.limited(signal, (limited) =>
      Promise.all([
        this.stack(session, place, limited),
        inspector.exception(session, place, limited).catch((error: unknown) => {
          if (error instanceof Interrupted) throw error;
          return undefined;
        }),
      ]),
    );
    this.count(session, place, page, reported);
  }

  private count(
    session: SessionState,
    { stop, threadId }: StopPlace,
    page: FramePage,
    reported: ReportedException | undefined,
  ): void {
    const thread = `${session.key}/${threadId}`;
    const { everyException } = adapterOf(session.type);
    const { type, message } = this.named(everyException, exceptionOf(stop, reported, true));
    const stopId = (this.stops.get(thread) ?? 0) + 1;
    this.stops.set(thread, stopId);
    const seen = { ...page, stopId, type, message };
    const isAgain = this.repeated.before(session.key, threadId, seen, true) !== undefined;
    const before = this.newest.get(thread);
    const isUnhandled = reported?.isUnhandled === true;
    const isSame =
      isAgain ||
      (isUnhandled &&
        everyException?.reportsUnhandled === 'afterwards' &&
        before?.type === type &&
        before.message === message);
    const group =
      isSame && before !== undefined
        ? before.group
        : this.thrown.add({ type, message, frames: page.frames });
    this.newest.set(thread, { group, type, message });
    if (isUnhandled) this.thrown.markUnhandled(group);
  }

  private named(
    every: EveryException | undefined,
    told: ExceptionDetails | undefined,
  ): Pick<ExceptionDetails, 'type' | 'message'> {
    const isTold = told !== undefined && told.type !== every?.namesAll;
    if (!isTold) this.unseen.add('the types and messages: this debugger tells only the places');
    return isTold ? told : { type: 'unknown' };
  }

  private async stack(
    session: SessionState,
    place: StopPlace,
    signal: AbortSignal,
  ): Promise<FramePage> {
    const { inspector, stops } = this.services;
    const page = await inspector.frames(session, place, 0, FRAMES, signal);
    const isWhole = page.total !== undefined && page.total <= page.frames.length;
    if (isWhole || page.frames.length < FRAMES) return page;
    if (page.frames.some((frame) => isOwn({ stops }, frame))) return page;
    return await inspector.frames(session, place, 0, MOST_FRAMES, signal);
  }

  /** Notes which exceptions of a session stop nothing. */
  private noteUnseen(session: SessionState): void {
    if (Object.keys(session.capabilities).length === 0) return;
    const { everyException } = adapterOf(session.type);
    const { breakpoints, exceptions } = this.services;
    const unseen = everyException?.unseen?.(session.configuration);
    if (unseen !== undefined) this.unseen.add(unseen);
    const isQuiet = ({ condition, logMessage, hitCondition, enabled }: HostBreakpoint): boolean =>
      enabled && [condition, logMessage, hitCondition].some(Boolean);
    if (everyException?.passesAtFalseConditions === true && breakpoints.all().some(isQuiet))
      this.unseen.add('exceptions at statements with a conditional breakpoint or a logpoint');
    if (this.chosenFor === undefined) return;
    const active = exceptions.active(session);
    for (const filter of this.filters) {
      const found = active.find((each) => each.filter === filter);
      if (found?.condition !== undefined)
        this.unseen.add(`exceptions outside of the person's condition for ${filter}`);
      if (found === undefined && offered(session).length > 0)
        this.unseen.add(`exceptions of ${session.name}: its debugger has no filter ${filter}`);
    }
  }
}

function filtersFor({ exceptions, model }: ToolServices, type: string): readonly string[] {
  const { name, everyException } = adapterOf(type);
  const known = exceptions.filters.of(model.state, type)?.filters.map(({ filter }) => filter);
  const filters = everyException?.filters ?? [];
  if (filters.length > 0 && filters.every((filter) => known?.includes(filter) ?? true))
    return filters;
  throw new Failure(
    'not_supported',
    l10n.t('The debugger “{0}” has no filter that stops at every exception.', name),
    `Pass probes instead of exceptions: where errors are made or handled.${known === undefined || known.length === 0 ? '' : ` Its filters for set_exception_breakpoints: ${known.join(', ')}.`} Nothing was started.`,
  );
}
