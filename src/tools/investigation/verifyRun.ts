import * as l10n from '@vscode/l10n';
import { z } from 'zod';
import type { CaptureRecord, InvestigationRecord } from '../../investigation/record';
import { Failure } from '../../results/failure';
import { defineTool } from '../defineTool';
import { wholeCode } from '../question';
import { filePathText, maxChars, resultSchema } from '../schemas';
import type { ToolServices } from '../services';
import {
  command,
  configurationName,
  cwd,
  DEFAULT_SECONDS,
  env,
  errorShape,
  runShape,
  seconds,
  sid,
  verdictShape,
} from './investigationSchemas';
import { compareRuns } from './verification';
import { checkedRun, planOf, runQuestion, runResult, waitMs, type CheckedRun } from './runs';

const input = z.strictObject({
  sid,
  command: command.optional().describe('Default: what the capture ran.'),
  configurationName: configurationName.optional(),
  url: z.string().min(1).max(4000).optional(),
  webRoot: filePathText.optional(),
  standsForCapture: z
    .boolean()
    .optional()
    .describe('True if the person has named this other run as equal to the captured one.'),
  captureId: z.string().min(1).max(10).optional().describe('Compare with it; default: the newest.'),
  cwd: cwd.optional(),
  env: env.optional(),
  timeoutSec: seconds.optional().describe('Default: that of the capture.'),
  max_chars: maxChars,
});
type Input = z.output<typeof input>;

export const verifyRun = defineTool({
  name: 'verify_run',
  set: 'investigation',
  effect: 'change',
  title: 'Verify the Fix',
  userDescription: 'Runs the captured command again and compares the errors',
  modelDescription:
    'After a fix: run the same again (the captured run, or one that the person has named as its equal, such as a test) and compare it with the capture. verdict: fixed, still_failing, changed (other errors), inconclusive; with gone, remaining and appeared errors.',
  icon: 'verified',
  input,
  output: resultSchema(['completed', 'timeout'], {
    ...errorShape,
    ...runShape,
    ...verdictShape,
    link: z.string().optional(),
  }),
  needs: 'nothing',
  doing: () => l10n.t('Verifying a fix'),
  consent: ({ input: { configurationName: name, url } }) =>
    name === undefined && url === undefined ? 'change' : 'control',
  question: async ({ input, services }) => {
    const found = await services.investigation.investigations.find(input.sid);
    const before = against(found, input.captureId);
    const run = await runOf(services, input, before);
    const asked = await runQuestion(services, run, l10n.t('Verify the fix'));
    if (input.standsForCapture !== true) return asked;
    const stands = l10n.t(
      'Its result stands for that of the captured run: {0}',
      wholeCode(before.what),
    );
    return { ...asked, message: `${asked.message}\n\n${stands}` };
  },
  run: async ({ input, services, call }) => {
    const { investigations, captures } = services.investigation;
    const before = against(await investigations.find(input.sid), input.captureId);
    const run = await runOf(services, input, before);
    const { id } = await captures.start(input.sid, {
      ...planOf(services, call, run, 'verify'),
      against: before.id,
      ...(input.standsForCapture === true && { standsForCapture: true }),
    });
    const state = await captures.wait(input.sid, id, waitMs(call, run.timeoutSec), call.signal);
    const result = runResult(input.sid, state);
    if (state.isRunning)
      return {
        status: 'timeout' as const,
        ...result,
        message: l10n.t(
          'The run continues and is still recorded. Call analyze_capture with captureId {0}: it waits for the end and compares.',
          id,
        ),
      };
    return {
      status: 'completed' as const,
      ...result,
      ...(await compareRuns(services, input.sid, before, state.record)),
    };
  },
});

/** Returns the capture that a verification is compared with. @throws Failure `invalid_input` if there is none */
function against({ captures }: InvestigationRecord, id: string | undefined): CaptureRecord {
  const own = captures.filter(
    (capture) => capture.kind === 'capture' && capture.endedAt !== undefined,
  );
  const found = id === undefined ? own.at(-1) : own.find((capture) => capture.id === id);
  if (found !== undefined) return found;
  throw new Failure(
    'invalid_input',
    l10n.t('There is no capture to compare with.'),
    `Captures that have ended: ${own.map((capture) => capture.id).join(', ') || 'none; call capture_run first'}. Nothing was run.`,
  );
}

/** Returns the run of a verification: the run that the call requests, or otherwise the captured run. */
async function runOf(
  services: ToolServices,
  given: Input,
  before: CaptureRecord,
): Promise<CheckedRun> {
  const { command: line, configurationName: name, url } = given;
  const timeoutSec = given.timeoutSec ?? before.timeoutSec ?? DEFAULT_SECONDS;
  if (line !== undefined || name !== undefined || url !== undefined)
    return await checkedRun(services, { ...given, timeoutSec });
  checkKept(given, before);
  return await checkedRun(services, {
    ...given,
    timeoutSec,
    cwd: given.cwd ?? before.cwd,
    webRoot: given.webRoot ?? before.webRoot,
    command: before.source === 'command' ? before.what : undefined,
    configurationName: before.source === 'configuration' ? before.what : undefined,
    url: before.source === 'page' ? before.what : undefined,
  });
}

/**
 * Checks that all values of the captured run are stored or passed again, because a different run would prove nothing.
 * @throws Failure `invalid_input`
 */
function checkKept(given: Input, before: CaptureRecord): void {
  if (isRedacted(before.what))
    throw new Failure(
      'invalid_input',
      l10n.t('The captured command contained a credential, which was not stored.'),
      `Pass ${PARAMETER[before.source]}. Nothing was run.`,
    );
  for (const [name, value, kept] of [
    ['cwd', given.cwd, before.cwd],
    ['webRoot', given.webRoot, before.webRoot],
  ] as const)
    if (value === undefined && kept !== undefined && isRedacted(kept))
      throw new Failure(
        'invalid_input',
        l10n.t('The folder of the captured run contained a credential, which was not stored.'),
        `Pass ${name}. Nothing was run.`,
      );
  const missing = before.envNames.filter((name) => !Object.hasOwn(given.env ?? {}, name));
  if (missing.length > 0)
    throw new Failure(
      'invalid_input',
      l10n.t(
        'The capture was run with environment variables whose values are not kept: {0}',
        missing.join(', '),
      ),
      'Pass env with all of them again. Nothing was run.',
    );
}

const PARAMETER: Readonly<Record<CaptureRecord['source'], string>> = {
  command: 'command',
  configuration: 'configurationName',
  page: 'url',
};

function isRedacted(text: string): boolean {
  return text.includes('[redacted');
}
