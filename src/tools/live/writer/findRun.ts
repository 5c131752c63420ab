import * as l10n from '@vscode/l10n';
import { recorderName } from '../../../recording/recordings';
import type { RecordedHit } from '../../../recording/recordedRows';
import type { FrameHandle } from '../../../debugger/inspection/handles';
import type { SessionState } from '../../../debugger/state/state';
import { Interrupted } from '../../../debugger/requests';
import { Failure } from '../../../results/failure';
import type { Call, ToolServices } from '../../services';
import { chooseWrite, type Choice } from './chooseWrite';
import { confirmWrite, type Confirmation } from './confirmWrite';
import {
  askedFor,
  languageOf,
  languageOfType,
  programOf,
  readFirstStop,
  type FirstStop,
} from './firstStop';
import { readCaller } from './inputs';
import type { Origin } from './origin';
import { planProbes, type PlannedProbes } from './plannedProbes';
import { expressionsFor } from './probeExpressions';
import { replay, type ReplayContext, type Replayed } from './replay';
import { sameMoments, type Difference } from './sameRuns';
import { judgeWrite, type Verdict } from './verdict';
import { readWrites } from './writeSources';

/** The maximum number of hits of all probes in one run. */
const MAX_HITS = 20_000;

/** The maximum number of lines that are watched. Each one is a breakpoint of the debugger. */
const MAX_CANDIDATES = 300;

/** The part of the time that the second run may take, so that the third has as much. */
const PART_OF_SECOND = 0.55;

export interface Found {
  readonly stop: FirstStop;
  readonly probes: PlannedProbes;
  readonly hits: readonly RecordedHit[];
  /** The index of the hit at the place that is like the stop, if there is one. */
  readonly moment: number | undefined;
  readonly differs: Difference | undefined;
  readonly choice: Choice;
  readonly confirmed: Confirmation | undefined;
  readonly verdict: Verdict;
  /** How often the program was started. */
  readonly runs: number;
  readonly searched: readonly string[];
  readonly unread: readonly string[];
}

/** What the second run has shown. */
interface Second {
  readonly hits: readonly RecordedHit[];
  readonly gaps: readonly string[];
}

/** The value of an expression at the stop of a thread. @throws Failure */
export async function originAt(
  services: ToolServices,
  call: Call,
  session: SessionState,
  handle: FrameHandle,
  expression: string,
): Promise<Origin> {
  const language = languageOf(session);
  const program = programOf(services, session);
  const expressions = expressionsFor(language, recorderName());
  const asked = askedFor(expression);
  const { signal } = call;
  const stop = await readFirstStop(services, signal, session, handle, asked, expressions);
  const reader = { services, language, expressions, signal };
  return { program, stop, caller: async () => await readCaller(reader, session, handle) };
}

/** Finds the last write of a value before a moment, by further runs. @throws Failure */
export async function findWrite(
  services: ToolServices,
  call: Call,
  { program: { plan, type, trigger }, stop, ...origin }: Omit<Origin, 'caller'>,
  deadline: number,
): Promise<Found> {
  const begin = performance.now();
  const language = languageOfType(type);
  const expressions = expressionsFor(language, recorderName());
  const sources = await readWrites(services, stop.files, language);
  const source = sources.byFile.get(stop.path);
  if (source === undefined) throw noSyntax(stop.path);
  const name = stop.asked.kind === 'variable' ? stop.asked.name : undefined;
  const probes = planProbes({
    ...{ asked: stop.asked, facts: stop.facts, names: stop.names, language, expressions },
    scope: name === undefined ? undefined : await source.scopeOf(name, stop.frame.line),
    place: { path: stop.path, line: stop.frame.line, column: stop.column },
    writes: sources.writes,
  });
  if (probes.candidates.length > MAX_CANDIDATES) throw tooMany(probes.candidates.length);
  const context = { services, call, plan, type, trigger, points: probes.points };
  const half = begin + (deadline - begin) * PART_OF_SECOND;
  call.progress?.(l10n.t('Running the program again'));
  const second = await replay(context, MAX_HITS, half, (replayed) =>
    Promise.resolve({
      hits: replayed.hits,
      gaps: [...(origin.gaps ?? []), ...gapsOf(replayed)],
    }),
  );
  if (call.signal.aborted) throw new Interrupted();
  const chosen = chooseIn(second, stop, probes);
  const known = { ...chosen, differs: origin.differs ?? chosen.differs };
  const confirmed = await confirm(
    context,
    { ...known, second, probes, expressions, files: sources.searched },
    deadline,
  );
  const value = stop.read.values[probes.at.value];
  const shown = { ...known, choice: confirmed?.choice ?? known.choice };
  const verdict = judgeWrite({ value, ...shown, gaps: second.gaps, confirmed: confirmed?.seen });
  return {
    ...{ stop, probes, hits: second.hits, ...shown, verdict },
    confirmed: confirmed?.seen,
    runs: (origin.runs ?? 0) + 1 + (confirmed?.runs ?? 0),
    searched: sources.searched,
    unread: sources.unread,
  };
}

interface Known {
  readonly moment: number | undefined;
  readonly differs: Difference | undefined;
  readonly isAnyOfSeveral: boolean;
  readonly choice: Choice;
}

/** Chooses the last write in a run. If several moments are like the stop, it has to be the same for all of them. */
function chooseIn({ hits }: Second, stop: FirstStop, probes: PlannedProbes): Known {
  const { found, differs } = sameMoments(hits, stop.read, probes, stop.hit);
  const nearest = hits.findLastIndex(({ point }) => point === probes.place);
  const [moment] = found;
  if (moment === undefined) {
    const missing = { what: 'the place of the stop', first: 'reached', again: 'not reached' };
    const choice: Choice = nearest < 0 ? { kind: 'none' } : chooseWrite(hits, nearest, probes);
    return { moment: undefined, differs: differs ?? missing, isAnyOfSeveral: false, choice };
  }
  const choices = found.map((at) => chooseWrite(hits, at, probes));
  const choice = choices[0] ?? { kind: 'none' };
  const isAnyOfSeveral = choices.some((other) => !isSameChoice(choice, other));
  return { moment, differs: undefined, isAnyOfSeveral, choice };
}

function isSameChoice(one: Choice, other: Choice): boolean {
  if (one.kind === 'written' && other.kind === 'written')
    return one.write.index === other.write.index && one.write.candidate === other.write.candidate;
  return one.kind === other.kind && one.kind !== 'unclear';
}

/** Confirms a write in a third run, if nothing is in doubt yet. */
async function confirm(
  context: ReplayContext,
  known: Known & {
    readonly second: Second;
    readonly probes: PlannedProbes;
    readonly expressions: ReturnType<typeof expressionsFor>;
    readonly files: readonly string[];
  },
  deadline: number,
): Promise<Confirmed | undefined> {
  const { choice, moment, isAnyOfSeveral, second, probes, expressions, files } = known;
  if (choice.kind !== 'written' || moment === undefined || isAnyOfSeveral) return undefined;
  if (second.gaps.length > 0) return undefined;
  context.call.progress?.(l10n.t('Running the program to the line that was found'));
  const input = { context, probes, expressions, hits: second.hits, moment, deadline, files };
  const first = await confirmWrite({ ...input, write: choice.write });
  if (first?.kind !== 'later') return { seen: first, choice, runs: 1 };
  const { write } = first;
  context.call.progress?.(l10n.t('Running the program to the line that was found'));
  const later = await confirmWrite({ ...input, write });
  const seen = later?.kind === 'confirmed' ? later : undefined;
  return { seen, choice: { kind: 'written', write }, runs: 2 };
}

/** What the runs to the line have shown. */
interface Confirmed {
  readonly seen: Confirmation | undefined;
  /** The write that was confirmed: the one that was chosen, or a line around it that assigns later. */
  readonly choice: Choice;
  readonly runs: number;
}

/** What the second run may have hidden. */
function gapsOf({ recording, hits, step, trigger }: Replayed): readonly string[] {
  const gaps: string[] = [];
  const { failure } = trigger;
  if (failure !== undefined) gaps.push(`In the second run, the trigger failed: ${failure}`);
  if (step.kind === 'stopped' && recording.isAtLimit)
    gaps.push(`The probes were hit more than ${MAX_HITS} times; later hits were not recorded.`);
  else if (step.kind !== 'ended' && !trigger.isOver)
    gaps.push('The second run did not end in time, so it may have reached the place again.');
  if (recording.gaps.lost > 0) gaps.push('Some hits of the probes were lost.');
  if (new Set(hits.map(({ pid }) => pid)).size > 1)
    gaps.push('Several processes reached the probes.');
  // Each worker of Node numbers its own hits.
  const threads = new Set(hits.map(({ thread }) => thread));
  if (threads.size > 1 && [...threads].some((name) => name.startsWith('worker ')))
    gaps.push('Several workers reached the probes.');
  return gaps;
}

function noSyntax(file: string): Failure {
  return new Failure(
    'not_supported',
    l10n.t('The source of {0} cannot be read or parsed.', file),
    'Fix the syntax, save the file, and call again. Nothing was started.',
  );
}

function tooMany(count: number): Failure {
  return new Failure(
    'not_supported',
    l10n.t('{0} lines may change this object, which are too many to watch.', count),
    'Ask about one member or element of it, such as order.total instead of order. Nothing was started.',
  );
}
