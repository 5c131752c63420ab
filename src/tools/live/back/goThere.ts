import * as l10n from '@vscode/l10n';
import { stoppedThread, type StoppedThread } from '../../../debugger/state/state';
import { Interrupted } from '../../../debugger/requests';
import type { RunStep } from '../../../control/boundedRun';
import type { RecordingPoint } from '../../../recording/recordingPlan';
import { Failure } from '../../../results/failure';
import type { Call, ToolServices } from '../../services';
import { isOfRun } from '../../trace/reach';
import type { ProgramAgain } from '../writer/origin';
import { replay, resumed, type ReplayContext, type Replayed } from '../writer/replay';
import type { ComparedMoment } from './moment';

/** The maximum number of hits at which an earlier moment is searched. */
const MAX_SEARCHED = 100;

/** How a further run gets to an earlier moment. */
export interface WayBack {
  readonly program: ProgramAgain;
  /** The place, for a person. */
  readonly place: string;
  readonly point: RecordingPoint;
  /** The number of the hit of the point. */
  readonly number: number;
  /** Whether this number is only what is known of the stops, so that other hits may be the moment. */
  readonly isAssumed: boolean;
  readonly compare: (at: StoppedThread, call: Call) => Promise<ComparedMoment>;
  /** Why the moment may be another one than the first, although nothing differs. */
  readonly why: readonly string[];
}

/** Where a further run was left. */
export interface ReachedMoment {
  readonly sessionKey: string;
  readonly number: number;
  readonly compared: ComparedMoment;
  /** How often the program was started. */
  readonly runs: number;
}

/** The most starts of a way: to the number, to the hit with the same values, and back to the number. */
export function mostRuns({ isAssumed }: Pick<WayBack, 'isAssumed'>): number {
  return isAssumed ? 3 : 1;
}

/**
 * Starts the program again and leaves it stopped at the moment. If another moment is at the number that was assumed, the
 * first hit with the same values is searched. If there is none, the program is left at the number.
 * @throws Failure if the program does not reach the place
 */
export async function goThere(
  services: ToolServices,
  call: Call,
  way: WayBack,
  deadline: number,
): Promise<ReachedMoment> {
  const going = { services, call, way, deadline };
  call.progress?.(l10n.t('Running the program again'));
  const stays = ({ moment }: ComparedMoment): boolean => !way.isAssumed || moment !== 'differs';
  const first = await toNumber(going, stays);
  if (first !== undefined && stays(first.compared)) return { ...first, runs: 1 };
  if (way.isAssumed) {
    call.progress?.(l10n.t('Searching the hit with the same values'));
    const found = await search(going);
    if (found !== undefined) return { ...found, runs: 2 };
  }
  if (first === undefined) throw notReached(way);
  call.progress?.(l10n.t('Running the program again'));
  const last = await toNumber(going, () => true);
  if (last === undefined) throw notReached(way);
  return { ...last, runs: 3 };
}

interface Going {
  readonly services: ToolServices;
  readonly call: Call;
  readonly way: WayBack;
  readonly deadline: number;
}

function contextOf({ services, call, way: { program, point } }: Going): ReplayContext {
  const { plan, shown, type, trigger } = program;
  return { services, call, plan, shown, type, trigger, points: [point], holder: 'go_back' };
}

/** Runs to the number, and stays there if `stays` says so. Undefined if the program does not reach it. */
async function toNumber(
  going: Going,
  stays: (compared: ComparedMoment) => boolean,
): Promise<Omit<ReachedMoment, 'runs'> | undefined> {
  const { way, deadline } = going;
  const arrived = await replay(contextOf(going), way.number - 1, deadline, async (replayed) => {
    const at = reachedIn(going, replayed.step, replayed.recording.isAtLimit);
    if (at === undefined) return undefined;
    await replayed.recording.dispose();
    const compared = await way.compare(at, going.call);
    if (stays(compared)) replayed.keep();
    return { sessionKey: at.session.key, number: way.number, compared };
  });
  checkInterrupted(going);
  return arrived;
}

/** Stops at each hit until one is the same moment, and stays there. */
async function search(going: Going): Promise<Omit<ReachedMoment, 'runs'> | undefined> {
  const { way, deadline } = going;
  const found = await replay(contextOf(going), 0, deadline, async (replayed) => {
    let at = reachedIn(going, replayed.step, replayed.recording.isAtLimit);
    await replayed.recording.dispose();
    for (let number = 1; at !== undefined && number <= MAX_SEARCHED; number += 1) {
      const compared = await way.compare(at, going.call);
      if (compared.moment === 'same') {
        replayed.keep();
        return { sessionKey: at.session.key, number, compared };
      }
      if (performance.now() > deadline) break;
      at = await nextOf(going, replayed);
    }
    return undefined;
  });
  checkInterrupted(going);
  return found;
}

/** Continues to the next hit of the point. Undefined if there is none. */
async function nextOf(
  going: Going,
  { run, trigger }: Replayed,
): Promise<StoppedThread | undefined> {
  const { services, way } = going;
  const recording = await services.recordings.start({
    isIncluded: (each) => isOfRun({ services, run }, each),
    points: [way.point],
    maxHits: 0,
    stopAtLimit: true,
  });
  try {
    let step: RunStep | undefined = run.stopped();
    if (step === undefined) return undefined;
    do {
      step = await resumed(services, run, step, trigger.signal);
      await recording.settle();
    } while (step.kind === 'stopped' && !recording.isAtLimit);
    return reachedIn(going, step, recording.isAtLimit);
  } finally {
    await recording.dispose();
  }
}

function reachedIn(
  { services: { model } }: Going,
  step: RunStep,
  isAtLimit: boolean,
): StoppedThread | undefined {
  if (step.kind !== 'stopped' || !isAtLimit) return undefined;
  return stoppedThread(model.state, step.sessionKey);
}

function checkInterrupted({ call }: Going): void {
  if (call.signal.aborted) throw new Interrupted();
}

function notReached({ place, number }: WayBack): Failure {
  return new Failure(
    'not_supported',
    l10n.t('A further run did not reach {0}.', place),
    `It ended, or the time was up, before hit ${number} of this line. The program was ended. It may differ from run to run: pass a larger max_seconds, or call start_debugging with a breakpoint there.`,
  );
}
