import type { StartPlan } from '../../launch/launchPlan';
import type { ReadTrigger } from '../../trigger/triggerInput';
import type { FirstStop } from './firstStop';
import type { Difference } from './sameRuns';

/** A value at a moment of a run, whose writer can be searched. */
export interface Origin {
  readonly program: ProgramAgain;
  readonly stop: FirstStop;
  /** Reads what the caller of this frame passed, if that is still possible. */
  readonly caller: () => Promise<readonly FirstStop[]>;
  /** What was different when a further run reached the moment. */
  readonly differs?: Difference | undefined;
  /** Why it is not known whether that was the same moment. */
  readonly gaps?: readonly string[];
  /** How often the program was started to reach the moment. */
  readonly runs?: number;
}

/** How a program is started again. */
export interface ProgramAgain {
  readonly name: string;
  readonly type: string;
  readonly plan: StartPlan;
  /** The plan as a person is asked about it. */
  readonly shown: StartPlan;
  /** What was sent to it in its first run, and is sent again. */
  readonly trigger?: ReadTrigger | undefined;
}
