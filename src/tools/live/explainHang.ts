import * as l10n from '@vscode/l10n';
import { z } from 'zod';
import type { Lease } from '../../control/leases';
import { adapterOf } from '../../debugger/adapters/registry';
import type { SessionState } from '../../debugger/state/state';
import { defined } from '../../util/defined';
import { runningSession } from '../core/place';
import { defineTool, success } from '../defineTool';
import { reportEnd } from '../reports/endReport';
import { interrupted } from '../reports/runReport';
import {
  maxChars,
  resultFields,
  resultSchema,
  stopEventData,
  triggerResult,
  type RunResult,
} from '../schemas';
import type { Call, ToolServices } from '../services';
import { reachFor, type Reach } from '../trace/reach';
import { mayChange } from '../trigger/triggerInput';
import { follow, followInput, followLines, follows, waitSeconds } from './follow';
import { explainJava } from './javaHang';
import { hangFields, type HangReport } from './hangReport';
import { isEnding, unlessItMoves } from './meanwhile';
import { explainNode } from './nodeHang';
import { pauseProgram, type Paused } from './programPause';
import { explainPython } from './pythonHang';
import { explainStacks } from './stackHang';

const output = resultSchema(['success', 'stopped', 'completed', 'timeout'], {
  session_id: z.string().optional(),
  program: z.enum(['running', 'stopped', 'ended']).optional(),
  exit_code: z.int().optional(),
  output: resultFields.output.optional(),
  stop_event_data: stopEventData.optional(),
  trigger: triggerResult.optional(),
  ...hangFields,
});

const hangInput = z.strictObject({
  ...followInput,
  keep_paused: z
    .boolean()
    .default(false)
    .describe('Leave the program paused, if it can be paused.'),
  max_chars: maxChars,
});

export const explainHang = defineTool({
  name: 'explain_hang',
  set: 'live',
  effect: 'control',
  title: 'Explain a Hang',
  userDescription: 'Says what each thread and task of a program waits for',
  modelDescription:
    'Say why nothing happens: what each group of threads with equal stacks waits for and who has it, deadlocks, asyncio tasks with what they await, what Node waits for or what blocks its event loop. A running program may be paused for that; then it goes on. With program, configuration_name or test: starts it, sends trigger, waits wait_seconds (5), explains, and ends it.',
  icon: 'debug-pause',
  input: hangInput,
  output,
  needs: 'nothing',
  doing: () => l10n.t('Reading what the program waits for'),
  consent: ({ input: { trigger }, services }) =>
    mayChange(services, trigger) ? 'change' : 'control',
  files: ({ test }) => (test === undefined ? [] : [test.file_path]),
  question: async ({ input, services }) => {
    const reach = await reachFor(services, input);
    const lines = [...(await followLines(services, input, reach)), ...planLines(input, reach)];
    return { title: l10n.t('Explain a hang'), message: lines.join('\n- ') };
  },
  run: async ({ input, services, call }) => {
    const reach = await reachFor(services, input);
    const { keep_paused: keepsPaused } = input;
    if (reach.kind === 'session' && !follows(input, reach))
      return await explain(services, reach.session, call, { keeps: keepsPaused });
    const plan = { holder: 'explain_hang', input, reach, keepsPaused, untilAnswered: false };
    return await follow(services, call, plan, async ({ run, session }) => {
      const how = { keeps: keepsPaused, lease: run.heldLease };
      return await explain(services, session, call, how);
    });
  },
});

/** Returns the lines of the question about what is read, and what becomes of the program. */
function planLines(input: z.output<typeof hangInput>, reach: Reach): readonly string[] {
  if (reach.kind === 'launch')
    return [
      l10n.t(
        'After {0} seconds, read what its threads and tasks wait for; it may be paused for that',
        waitSeconds(input),
      ),
      input.keep_paused
        ? l10n.t('Then the program stays paused')
        : l10n.t('Then the program is ended'),
    ];
  const name = runningSession(reach.session, undefined);
  return [
    input.keep_paused
      ? l10n.t('Pause {0}, read what its threads and tasks wait for, and leave it paused', name)
      : l10n.t(
          'Read what the threads and tasks of {0} wait for; a running program may be paused for a moment',
          name,
        ),
  ];
}

/** How a program is explained. */
interface How {
  /** Whether it stays paused. */
  readonly keeps: boolean;
  /** The lease of a call that follows the program. */
  readonly lease?: Lease | undefined;
}

/** Explains a session in the way of its language. */
async function explain(
  services: ToolServices,
  session: SessionState,
  call: Call,
  how: How,
): Promise<Result | RunResult> {
  const { recorder, virtualMachine } = adapterOf(session.type);
  const other = virtualMachine === undefined ? ofStopped : ofJava;
  const way = recorder === undefined ? other : BY_LANGUAGE[recorder];
  const explaining = async (): Promise<Result> => await way(services, session, call, how);
  return await unlessItMoves(services, session, call, explaining);
}

type Result = z.input<typeof output>;

/** Python need not be paused. It could not be if all of its threads wait in C code. */
async function ofPython(
  services: ToolServices,
  session: SessionState,
  call: Call,
  { keeps, lease }: How,
): Promise<Result> {
  const report = await explainPython(services, session, call);
  if (keeps) await pauseProgram(services, session, call, lease);
  return explained(services, session, report, keeps);
}

/** The JDK lists the threads of a running program. Where it cannot, the program is stopped and its stacks are read. */
async function ofJava(
  services: ToolServices,
  session: SessionState,
  call: Call,
  how: How,
): Promise<Result> {
  const report = await explainJava(services, session, call);
  if (report !== undefined) {
    if (how.keeps) await pauseProgram(services, session, call, how.lease);
    return explained(services, session, report, how.keeps);
  }
  const result = await ofStopped(services, session, call, how);
  return result.status === 'success'
    ? { ...result, unknown: [WITHOUT_JDK, ...(result.unknown ?? [])] }
    : result;
}

/** Said to the model. */
const WITHOUT_JDK =
  'Which thread has a monitor or a lock is not known: the JDK of the program has no jcmd, or it did not answer. It may not answer for a program that is stopped: call continue_debugging, and explain_hang while the program runs.';

/** The program is stopped for the explanation. One that this call has paused goes on afterwards. */
async function ofStopped(
  services: ToolServices,
  session: SessionState,
  call: Call,
  { keeps, lease: held }: How,
): Promise<Result> {
  const lease = held ?? services.control.leases.acquire(session, 'explain_hang');
  try {
    const paused = await pauseProgram(services, session, call, lease);
    if (paused.kind === 'cancelled') return interrupted();
    if (paused.kind === 'ended') return await reportEnd(services, call, paused.rootKey);
    if (paused.kind === 'timeout') return { status: 'timeout', message: notPaused() };
    const report = await explainThenLetGo(services, paused, call, { keeps, lease });
    return explained(services, paused.session, report, keeps);
  } finally {
    if (held === undefined) lease.dispose();
  }
}

async function explainThenLetGo(
  services: ToolServices,
  paused: Paused,
  call: Call,
  { keeps, lease }: { readonly keeps: boolean; readonly lease: Lease },
): Promise<HangReport> {
  const { session, ours } = paused;
  const stop = session.lastStop?.id;
  try {
    return adapterOf(session.type).recorder === 'javascript'
      ? await explainNode(services, paused, call)
      : await explainStacks(services, session, call);
  } finally {
    const now = services.model.state.sessions.get(session.key);
    // The person may have moved the program meanwhile. Then it is left where it is.
    const isSame = now?.lastStop?.id === stop && now?.lifecycle === 'stopped';
    if (ours !== undefined && !keeps && isSame && !lease.signal.aborted)
      await services.control.letGo(now, ours, lease);
  }
}

function explained(
  services: ToolServices,
  session: SessionState,
  report: HangReport,
  keeps: boolean,
): Result {
  if (isEnding(services, session))
    return success({
      session_id: session.id,
      message: l10n.t('The program has ended since it was read.'),
      ...report,
    });
  const isStopped = services.model.state.sessions.get(session.key)?.lifecycle === 'stopped';
  return success(
    defined({
      session_id: session.id,
      program: isStopped ? ('stopped' as const) : ('running' as const),
      message: keeps && !isStopped ? notPaused() : undefined,
      ...report,
    }),
  );
}

function notPaused(): string {
  return l10n.t(
    'The program has not stopped in time, and the pause was taken back. It stops only where it runs its own code.',
  );
}

/** The ways for the languages whose programs tell themselves what they wait for. */
const BY_LANGUAGE = { python: ofPython, javascript: ofStopped } as const;
