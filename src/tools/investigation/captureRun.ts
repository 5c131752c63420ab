import * as l10n from '@vscode/l10n';
import { z } from 'zod';
import { defineTool } from '../defineTool';
import { filePathText, maxChars, resultSchema } from '../schemas';
import {
  command,
  configurationName,
  cwd,
  env,
  errorShape,
  runShape,
  sid,
  timeoutSec,
} from './investigationSchemas';
import { checkedRun, planOf, runQuestion, runResult, waitMs, type RequestedRun } from './runs';
import { Failure } from '../../results/failure';

const input = z.strictObject({
  sid,
  mode: z.enum(['cli', 'web']).default('cli').describe('A command or configuration, or a page.'),
  command: command.optional(),
  configurationName: configurationName.optional(),
  url: z.string().min(1).max(4000).optional().describe('Page to open, with mode "web".'),
  webRoot: filePathText.optional().describe('Folder of the sources of the page.'),
  screenshots: z.boolean().optional().describe('Keep a screenshot of the page after each action.'),
  cwd: cwd.optional(),
  env: env.optional(),
  timeoutSec,
  max_chars: maxChars,
});

export const captureRun = defineTool({
  name: 'capture_run',
  set: 'investigation',
  effect: 'change',
  title: 'Capture a Run',
  userDescription: 'Runs a command, a debug configuration or a page and records what happens',
  modelDescription:
    'Run a command (or a debug configuration, or a page in a browser) once and record everything that happens as logs/capture.ndjson of the investigation. Call analyze_capture next. status "timeout": the run goes on; analyze_capture waits for it.',
  icon: 'record',
  input,
  output: resultSchema(['completed', 'timeout'], { ...errorShape, ...runShape }),
  needs: 'nothing',
  doing: () => l10n.t('Capturing a run'),
  consent: ({ input: { command: line } }) => (line === undefined ? 'control' : 'change'),
  question: async ({ input, services }) => {
    checkMode(input.mode, input);
    await services.investigation.investigations.find(input.sid);
    return await runQuestion(services, await checkedRun(services, input), l10n.t('Capture a run'));
  },
  run: async ({ input, services, call }) => {
    checkMode(input.mode, input);
    const { captures } = services.investigation;
    const run = await checkedRun(services, input);
    const { id } = await captures.start(input.sid, planOf(services, call, run, 'capture'));
    const state = await captures.wait(input.sid, id, waitMs(call, run.timeoutSec), call.signal);
    const result = runResult(input.sid, state);
    return state.isRunning
      ? { status: 'timeout' as const, ...result, message: stillRunning() }
      : { status: 'completed' as const, ...result };
  },
});

export function stillRunning(): string {
  return l10n.t(
    'The run continues and is still recorded. Call analyze_capture to wait for its end.',
  );
}

function checkMode(mode: 'cli' | 'web', { url }: RequestedRun): void {
  if ((mode === 'web') === (url !== undefined)) return;
  throw new Failure(
    'invalid_input',
    l10n.t('mode "web" and url must be passed together.'),
    'Pass url with mode "web", command or configurationName with mode "cli". Nothing was run.',
  );
}
