import type { BoundedRun } from '../../../control/boundedRun';
import type { ToolServices } from '../../services';
import type { TracedFunction } from './callTrace';
import type { Moment } from './moment';
import { recordCall, type RecordingLimits } from './recording';
import { functionsIn } from './source/functionsIn';
import { functionAround } from './source/sourceFunction';
import { seenAt, SteppingTracer, type SteppingPlan, type Traced } from './stepping';
import { titleOf, tracedOf, type TraceTarget } from './target';

export type TracePlan = Pick<
  SteppingPlan,
  'depth' | 'maxSteps' | 'deadline' | 'signal' | 'progress'
> &
  Pick<RecordingLimits, 'ahead' | 'ready'>;

/** What was seen of a call, and how. */
export interface TracedCall extends Traced {
  /** How many lines were stepped, each with a stop: the others were recorded while the program ran. */
  readonly stepped: number;
}

/** Lines that are stepped at the most: each takes as long as a step of a person. */
const MOST_STEPPED = 300;

/** Traces the call at whose beginning a thread is stopped. */
export async function traceCall(
  services: ToolServices,
  run: BoundedRun,
  target: TraceTarget,
  entry: Moment,
  plan: TracePlan,
): Promise<TracedCall> {
  const called = target.place === undefined ? await functionAt(services, entry) : tracedOf(target);
  const recorded = await byRecording(services, run, target, called, entry, plan);
  if (recorded !== undefined) return { ...recorded, stepped: 0 };
  const stepping = new SteppingTracer(services, run, {
    ...plan,
    maxSteps: Math.min(plan.maxSteps, MOST_STEPPED),
    functionAt: (moment) => functionAt(services, moment),
    isOwn: (moment) => isOwn(services, moment),
  });
  // What is told of the entry is read only now: a recorder tells it itself.
  const { session, threadId } = entry;
  const whole = await seenAt(services, session.key, threadId, plan.signal);
  const traced = await stepping.trace(called, typeof whole === 'string' ? entry : whole);
  return { ...traced, stepped: stepping.stepped };
}

/** Callees that are opened, and calls that are left in the middle, are stepped. */
async function byRecording(
  services: ToolServices,
  run: BoundedRun,
  { place }: TraceTarget,
  called: TracedFunction,
  entry: Moment,
  plan: TracePlan,
): Promise<Traced | undefined> {
  if (place === undefined || plan.depth > 0 || place.found.suspends !== undefined) return undefined;
  return await recordCall(services, run, called, place.found, entry, plan);
}

/** The function that a thread is in, as far as its source can be read. */
async function functionAt(
  { workspace }: Pick<ToolServices, 'workspace'>,
  { top }: Moment,
): Promise<TracedFunction> {
  const bare = { name: top.name, path: top.path, source: [] };
  if (top.path === undefined) return bare;
  const source = (await workspace.readSource(top.path))?.lines ?? [];
  const functions = (await functionsIn(top.path, source.join('\n'))) ?? [];
  const found = functionAround(functions, top.line);
  return found === undefined
    ? { ...bare, source }
    : tracedOf({ name: titleOf(found), place: { path: top.path, found }, source });
}

const LIBRARY = /[\\/](?:node_modules|(?:site|dist)-packages)[\\/]/;

function isOwn({ workspace }: Pick<ToolServices, 'workspace'>, { top }: Moment): boolean {
  const { path: file } = top;
  if (file === undefined || top.subtle || LIBRARY.test(file)) return false;
  return workspace.folders.some((folder) => file.startsWith(folder.path));
}
