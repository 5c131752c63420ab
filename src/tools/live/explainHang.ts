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
import { maxChars, resultFields, resultSchema } from '../schemas';
import type { Call, ToolServices } from '../services';
import { explainJava } from './javaHang';
import { hangFields, type HangReport } from './hangReport';
import { isEnding, unlessItMoves } from './meanwhile';
import { explainNode } from './nodeHang';
import { pauseProgram, type Paused } from './programPause';
import { explainPython } from './pythonHang';
import { explainStacks } from './stackHang';

const output = resultSchema(['success', 'stopped', 'completed', 'timeout'], {
  session_id: z.string().optional(),
  program: z.enum(['running', 'stopped']).optional(),
  exit_code: z.int().optional(),
  output: resultFields.output.optional(),
  ...hangFields,
});

export const explainHang = defineTool({
  name: 'explain_hang',
  set: 'live',
  effect: 'control',
  title: 'Explain a Hang',
  userDescription: 'Says what each thread and task of a program waits for',
  modelDescription:
    'Say why nothing happens: what each group of threads with equal stacks waits for and who has it, deadlocks, asyncio tasks with what they await, what Node waits for or what blocks its event loop. A running program may be paused for that; then it goes on.',
  icon: 'debug-pause',
  input: z.strictObject({
    keep_paused: z
      .boolean()
      .default(false)
      .describe('Leave the program paused, if it can be paused.'),
    max_chars: maxChars,
  }),
  output,
  needs: 'session',
  doing: () => l10n.t('Reading what the program waits for'),
  question: ({ input, target: { session } }) => {
    const name = runningSession(session, undefined);
    return {
      title: l10n.t('Explain a hang'),
      message: input.keep_paused
        ? l10n.t('Pause {0}, read what its threads and tasks wait for, and leave it paused', name)
        : l10n.t(
            'Read what the threads and tasks of {0} wait for; a running program may be paused for a moment',
            name,
          ),
    };
  },
  run: async ({ input, target: { session }, services, call }) => {
    const { recorder, virtualMachine } = adapterOf(session.type);
    const other = virtualMachine === undefined ? ofStopped : ofJava;
    const explain = recorder === undefined ? other : BY_LANGUAGE[recorder];
    return await unlessItMoves(
      services,
      session,
      call,
      async () => await explain(services, session, call, input.keep_paused),
    );
  },
});

type Result = z.input<typeof output>;

/** Python need not be paused. It could not be if all of its threads wait in C code. */
async function ofPython(
  services: ToolServices,
  session: SessionState,
  call: Call,
  keeps: boolean,
): Promise<Result> {
  const report = await explainPython(services, session, call);
  if (keeps) await pauseProgram(services, session, call);
  return explained(services, session, report, keeps);
}

/** The JDK lists the threads of a running program. Where it cannot, the program is stopped and its stacks are read. */
async function ofJava(
  services: ToolServices,
  session: SessionState,
  call: Call,
  keeps: boolean,
): Promise<Result> {
  const report = await explainJava(services, session, call);
  if (report !== undefined) {
    if (keeps) await pauseProgram(services, session, call);
    return explained(services, session, report, keeps);
  }
  const result = await ofStopped(services, session, call, keeps);
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
  keeps: boolean,
): Promise<Result> {
  const lease = services.control.leases.acquire(session, 'explain_hang');
  try {
    const paused = await pauseProgram(services, session, call, lease);
    if (paused.kind === 'cancelled') return interrupted();
    if (paused.kind === 'ended') return await reportEnd(services, call, paused.rootKey);
    if (paused.kind === 'timeout') return { status: 'timeout', message: notPaused() };
    const report = await explainThenLetGo(services, paused, call, { keeps, lease });
    return explained(services, paused.session, report, keeps);
  } finally {
    lease.dispose();
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
    'The program was asked to pause and has not stopped yet. It stops when it runs its own code again.',
  );
}

/** The ways for the languages whose programs tell themselves what they wait for. */
const BY_LANGUAGE = { python: ofPython, javascript: ofStopped } as const;
