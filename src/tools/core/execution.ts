import * as l10n from '@vscode/l10n';
import { z } from 'zod';
import { Failure } from '../../results/failure';
import { threadNotFound } from '../../debugger/debuggerError';
import { samePath } from '../../debugger/sourcePath';
import { rootOf, treeOf, type SessionState } from '../../debugger/state/state';
import type { RunLimits } from '../../control/outcome';
import { runToLine } from '../../control/runToLine';
import { readPattern } from '../agentPattern';
import { defineTool } from '../defineTool';
import { locate, shortPath } from '../files/files';
import { runningSession, stoppedThread } from './place';
import { code, type Question } from '../question';
import {
  filePath,
  lineNumber,
  matched,
  maxChars,
  outputPattern,
  runOutcome,
  type RunResult,
  threadId,
  timeoutSeconds,
} from '../schemas';
import { limitsOf, reportLine, reportRun, reportStop } from '../reports/runReport';
import { triggerLines } from '../trigger/triggerCard';
import { mayChange, readTrigger, sameTriggerInput } from '../trigger/triggerInput';
import { triggerFor, withTrigger } from '../trigger/triggered';

export const continueDebugging = defineTool({
  name: 'continue_debugging',
  set: 'core',
  effect: 'control',
  title: 'Continue',
  userDescription: 'Continues the paused program to the next stop',
  modelDescription:
    'Resume the paused program and wait until it stops again or ends. Returns the next stop with stack, local variables and output. With until_line and file_path it runs to that line.',
  icon: 'debug-continue',
  input: z.strictObject({
    until_line: lineNumber.optional().describe('Run to this line; needs file_path.'),
    file_path: filePath.optional().describe('The file of until_line.'),
    trigger: sameTriggerInput,
    timeout_seconds: timeoutSeconds,
    max_chars: maxChars,
  }),
  output: runOutcome,
  needs: 'thread',
  doing: () => l10n.t('Continuing'),
  consent: ({ input, services }) => (mayChange(services, input.trigger) ? 'change' : 'control'),
  files: ({ file_path: file }) => [file],
  question: async ({ input, target, services }) => {
    const where = await stoppedThread(services, target);
    const title = l10n.t('Continue');
    const trigger = await triggerLines(services, input.trigger);
    const withItems = (message: string): Question => ({
      title,
      message: [message, ...trigger].join('\n- '),
    });
    if (input.until_line === undefined || input.file_path === undefined)
      return withItems(l10n.t('Continue from {0}', where));
    const file = shortPath(services, await locate(services, input.file_path, input.until_line));
    return withItems(l10n.t('Run on from {0} to {1}', where, code(`${file}:${input.until_line}`)));
  },
  run: async ({ input, target, services, call }) => {
    const { until_line: line, file_path: file } = input;
    if ((line === undefined) !== (file === undefined)) {
      throw new Failure(
        'invalid_input',
        l10n.t('until_line and file_path must be passed together.'),
        'Pass both or neither. Nothing was changed.',
      );
    }
    const read =
      input.trigger === undefined ? undefined : await readTrigger(services, input.trigger);
    const { session, threadId: thread } = target;
    const { control, breakpoints } = services;
    const path =
      line === undefined || file === undefined ? undefined : await locate(services, file, line);
    const run = async (limits: RunLimits): Promise<RunResult> => {
      if (line === undefined || path === undefined) {
        const outcome = await control.move(session, thread, 'continue', limits);
        return await reportRun(services, call, session.key, outcome, limits);
      }
      const place = { session, thread, path, line };
      const { outcome, boundLine } = await runToLine(control, breakpoints, place, limits);
      const result = await reportRun(services, call, session.key, outcome, limits);
      return { ...result, ...elsewhere(result, path, line, boundLine) };
    };
    return await withTrigger(services, {
      ...{ call, limits: limitsOf(input.timeout_seconds, call), run },
      trigger: triggerFor(services, session, read),
      session: () => services.model.state.sessions.get(session.key),
    });
  },
});

/**
 * Returns a message if the program stopped at another line than the requested one. On a line without code, an adapter
 * stops before or after the line. Without the message, the stop would look as if it were at the requested line.
 */
function elsewhere(
  { stop_event_data: stop }: RunResult,
  path: string,
  requested: number,
  bound: number | undefined,
): { message?: string } {
  if (
    bound === undefined ||
    bound === requested ||
    stop?.line !== bound ||
    !samePath(stop.source?.path ?? '', path)
  )
    return {};
  return {
    message: l10n.t(
      'The debugger cannot stop at line {0}. It stopped at line {1} instead.',
      requested,
      bound,
    ),
  };
}

/** Whether the thread is stopped, or the session if no thread is passed. */
function isStopped(session: SessionState, threadId: number | undefined): boolean {
  if (threadId === undefined) return session.lifecycle === 'stopped';
  return session.threads.get(threadId)?.stop !== undefined;
}

export const pauseDebugging = defineTool({
  name: 'pause_debugging',
  set: 'core',
  effect: 'control',
  title: 'Pause',
  userDescription: 'Pauses the running program',
  modelDescription:
    'Pause the running program where it is and return the stop. Works while another call waits.',
  icon: 'debug-pause',
  input: z.strictObject({
    thread_id: threadId.optional().describe('Default: any thread.'),
    timeout_seconds: timeoutSeconds,
    max_chars: maxChars,
  }),
  output: runOutcome,
  needs: 'session',
  doing: () => l10n.t('Pausing'),
  question: ({ input, target }) => ({
    title: l10n.t('Pause'),
    message: l10n.t('Pause {0}', runningSession(target.session, input.thread_id)),
  }),
  run: async ({ input, target, services, call }) => {
    const { session } = target;
    if (isStopped(session, input.thread_id))
      return await reportStop(services, call, session.key, input.thread_id);
    // An adapter that has not started or found the program yet may take a long time to answer a `threads` request.
    const isStarting = session.lifecycle === 'starting' && session.threads.size === 0;
    const thread =
      input.thread_id ??
      (isStarting ? undefined : (await services.inspector.threads(session, call.signal))[0]?.id);
    if (thread === undefined)
      throw new Failure(
        'not_running',
        l10n.t('The session {0} has no thread to pause yet.', session.id),
        'Call wait_for_stop, or pause_debugging again a little later.',
      );
    const limits = limitsOf(input.timeout_seconds, call);
    const paused = await services.control.pause(session, thread, limits);
    if (paused.kind === 'timeout') await services.control.giveUpPause(session, thread);
    const outcome = await reportRun(services, call, session.key, paused, limits);
    return outcome.status === 'timeout'
      ? {
          ...outcome,
          message: l10n.t(
            'The program has not stopped, and the pause was taken back: it may be idle and wait for something. Set a breakpoint where it will continue, trigger that, and call wait_for_stop.',
          ),
        }
      : outcome;
  },
});

const waitOutcome = runOutcome.extend({
  status: z.enum(['success', 'stopped', 'completed', 'timeout', 'error', 'interrupted']),
  matched,
});

type WaitResult = z.input<typeof waitOutcome>;

export const waitForStop = defineTool({
  name: 'wait_for_stop',
  set: 'core',
  effect: 'control',
  asksWith: 'trigger',
  title: 'Wait for a Stop',
  userDescription: 'Waits until the running program stops or ends',
  modelDescription:
    'Wait until the running program stops, ends, or prints a line that matches output_pattern (a regular expression). Answers at once if it is already stopped. Never moves the program.',
  icon: 'watch',
  input: z.strictObject({
    thread_id: threadId
      .optional()
      .describe('Wait for this running thread, even while another is stopped.'),
    output_pattern: outputPattern.describe(
      'Regular expression (RE2); also end the wait at a matching line, printed now or since the last answer.',
    ),
    trigger: sameTriggerInput,
    timeout_seconds: timeoutSeconds,
    max_chars: maxChars,
  }),
  output: waitOutcome,
  evidence: true,
  needs: 'session',
  doing: () => l10n.t('Waiting for the program to stop'),
  consent: ({ input, services }) => (mayChange(services, input.trigger) ? 'change' : 'control'),
  question: async ({ input, target, services }) => ({
    title: l10n.t('Wait for a stop'),
    message: [
      l10n.t('Wait until {0} stops', runningSession(target.session, input.thread_id)),
      ...(await triggerLines(services, input.trigger)),
    ].join('\n- '),
  }),
  run: async ({ input, target, services, call }) => {
    const pattern =
      input.output_pattern === undefined ? undefined : await readPattern(input.output_pattern);
    const read =
      input.trigger === undefined ? undefined : await readTrigger(services, input.trigger);
    const session = services.model.state.sessions.get(target.session.key) ?? target.session;
    if (input.thread_id !== undefined && !session.threads.has(input.thread_id))
      throw threadNotFound(session, input.thread_id);
    const { model, control, stops } = services;
    const tree = (): readonly SessionState[] =>
      treeOf(model.state, rootOf(model.state, model.state.sessions.get(session.key) ?? session));
    const find = pattern === undefined ? undefined : stops.output.watch(tree, pattern);
    const run = async (limits: RunLimits): Promise<WaitResult> => {
      if (isStopped(session, input.thread_id))
        return await reportStop(services, call, session.key, input.thread_id);
      const outcome = await control.nextOrPrinted(session.key, find, limits, input.thread_id);
      return outcome.kind === 'printed'
        ? reportLine(session.id, outcome.line)
        : await reportRun(services, call, session.key, outcome, limits);
    };
    return await withTrigger(services, {
      ...{ call, limits: limitsOf(input.timeout_seconds, call), run },
      trigger: triggerFor(services, session, read, 'running'),
      waitsOn: pattern !== undefined,
      session: () => model.state.sessions.get(session.key),
    });
  },
});
