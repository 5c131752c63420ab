import path from 'node:path';
import * as l10n from '@vscode/l10n';
import type { CapturePlan, CaptureState } from '../../investigation/captures';
import { uriOf } from '../../investigation/paths';
import { Failure } from '../../results/failure';
import { defined } from '../../util/defined';
import { absolute } from '../files/files';
import { launchQuestion } from '../launch/launchQuestion';
import { startInput } from '../launch/startInput';
import { code, wholeCode, type Question } from '../question';
import type { Call, ToolServices } from '../services';
import { debugRun } from './debugRun';

/** The run that a call requests. Exactly one of `command`, `configurationName` and `url` is set. */
export interface RequestedRun {
  readonly command?: string | undefined;
  readonly configurationName?: string | undefined;
  readonly url?: string | undefined;
  readonly cwd?: string | undefined;
  readonly env?: Readonly<Record<string, string>> | undefined;
  readonly webRoot?: string | undefined;
  readonly screenshots?: boolean | undefined;
  readonly timeoutSec: number;
}

/** A checked run. */
export type CheckedRun = { readonly timeoutSec: number } & (
  | {
      readonly source: 'command';
      readonly command: string;
      readonly cwd: string;
      readonly env: Readonly<Record<string, string>>;
    }
  | { readonly source: 'configuration'; readonly name: string }
  | {
      readonly source: 'page';
      readonly url: string;
      readonly webRoot: string | undefined;
      readonly hasScreenshots: boolean;
    }
);

/**
 * Checks the parameters of a run.
 * @throws Failure `invalid_input` if not exactly one of `command`, `configurationName` and `url` is set
 */
export async function checkedRun(
  services: ToolServices,
  requested: RequestedRun,
): Promise<CheckedRun> {
  const { command, configurationName, url, timeoutSec } = requested;
  const given = [command, configurationName, url].filter((value) => value !== undefined);
  if (given.length !== 1) throw notOne();
  if (command !== undefined)
    return {
      source: 'command',
      command,
      cwd: await folderOf(services, requested.cwd),
      env: requested.env ?? {},
      timeoutSec,
    };
  if (configurationName !== undefined)
    return { source: 'configuration', name: configurationName, timeoutSec };
  return {
    source: 'page',
    url: pageUrl(url ?? ''),
    webRoot:
      requested.webRoot === undefined ? undefined : await folderOf(services, requested.webRoot),
    hasScreenshots: requested.screenshots === true,
    timeoutSec,
  };
}

/** Returns the question to the person about a run. It shows everything that will be run, in full. */
export async function runQuestion(
  services: ToolServices,
  run: CheckedRun,
  title: string,
): Promise<Question> {
  const limit = l10n.t('It is ended after {0} seconds.', run.timeoutSec);
  if (run.source === 'configuration') {
    const { message } = await launchQuestion(services, startOf(run.name));
    return { title, message: `${message}\n\n${limit}` };
  }
  if (run.source === 'page')
    return { title, message: pageMessage(run.url, run.hasScreenshots, limit) };
  const lines = [
    l10n.t(
      'Run {0} in {1}, and record what it prints. {2}',
      wholeCode(run.command),
      code(run.cwd, 4096),
      limit,
    ),
    ...Object.entries(run.env).map(
      ([name, value]) => `- ${l10n.t('Environment: {0}', wholeCode(`${name}=${value}`))}`,
    ),
  ];
  return { title, message: lines.join('\n') };
}

function pageMessage(url: string, hasScreenshots: boolean, limit: string): string {
  const message = l10n.t(
    'Open {0} in a browser under the debugger, and record its console, its requests and your actions on the page. {1}',
    wholeCode(url),
    limit,
  );
  if (!hasScreenshots) return message;
  const pictures = l10n.t(
    'A screenshot of the page is kept after each action. Screenshots are not redacted.',
  );
  return `${message} ${pictures}`;
}

/** Returns the plan for capturing a checked run. */
export function planOf(
  services: ToolServices,
  call: Call,
  run: CheckedRun,
  kind: CapturePlan['kind'],
): CapturePlan {
  const { commands, browser } = services.investigation;
  const timeoutMs = run.timeoutSec * 1000;
  switch (run.source) {
    case 'command': {
      const { command, cwd } = run;
      const line = { text: command, cwd, env: services.investigation.environment(run.env) };
      return {
        kind,
        mode: 'cli',
        source: run.source,
        what: command,
        cwd,
        envNames: Object.keys(run.env),
        timeoutMs,
        run: async ({ sink }, stop) => await commands.run(line, sink, stop),
      };
    }
    case 'configuration': {
      const { personPresent } = call;
      return {
        kind,
        mode: 'cli',
        source: run.source,
        what: run.name,
        timeoutMs,
        run: async (recorder, stop) =>
          await debugRun(services, startOf(run.name), recorder, stop, personPresent),
      };
    }
    case 'page':
      return {
        kind,
        mode: 'web',
        source: run.source,
        what: run.url,
        webRoot: run.webRoot,
        timeoutMs,
        run: async (recorder, stop) => await browser.capture(run, recorder, stop),
      };
  }
}

/** Returns the result fields about a run. */
export function runResult(sid: string, { record, stats }: CaptureState) {
  const { id, via, endedBy, exitCode, signal, note, file, files } = record;
  const named = [file, ...files].map((name) => [nameOf(name), uriOf(sid, name)] as const);
  return defined({
    captureId: id,
    via,
    endedBy,
    exitCode,
    signal,
    note,
    events: stats.events,
    errors: stats.errors,
    warnings: stats.warnings,
    dropped: stats.dropped > 0 ? stats.dropped : undefined,
    firstErrors: stats.firstErrors.length > 0 ? stats.firstErrors : undefined,
    output: stats.tail.length > 0 ? stats.tail : undefined,
    links: Object.fromEntries(named),
  });
}

/** Returns the time that a call waits for a run. Clients stop waiting before long runs end. */
export function waitMs(call: Call, timeoutSec: number): number {
  return Math.min(call.maxWaitSeconds, timeoutSec + 10) * 1000;
}

function nameOf(file: string): string {
  return path.posix.basename(file).replace(/\.(?:ndjson|md|json)$/, '');
}

function startOf(name: string) {
  return startInput.parse({ configuration_name: name });
}

/**
 * Returns the folder in which a command runs.
 * @throws Failure `no_folder`, `file_not_found`, `file_outside_workspace`
 */
async function folderOf(services: ToolServices, requested: string | undefined): Promise<string> {
  const { workspace } = services;
  const [first] = workspace.folders;
  if (first === undefined)
    throw new Failure(
      'no_folder',
      l10n.t('No folder is open, so a command has no folder to run in.'),
      'Ask the person to open the project. Nothing was run.',
    );
  const folder = requested === undefined ? first.path : await absolute(services, requested);
  if ((await workspace.outside(folder)) !== undefined)
    throw new Failure(
      'file_outside_workspace',
      l10n.t('{0} is outside the workspace.', folder),
      'Pass a folder of the workspace as cwd. Nothing was run.',
    );
  if (await workspace.isFolder(folder)) return folder;
  throw new Failure(
    'file_not_found',
    l10n.t('There is no folder {0}.', folder),
    'Pass a folder of the workspace as cwd. Nothing was run.',
  );
}

function pageUrl(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url !== undefined && (url.protocol === 'http:' || url.protocol === 'https:')) return url.href;
  throw new Failure(
    'invalid_input',
    l10n.t('{0} is not the address of a page.', text.slice(0, 200)),
    'Pass url as http://… or https://…. Nothing was opened.',
  );
}

function notOne(): Failure {
  return new Failure(
    'invalid_input',
    l10n.t('Exactly one thing can be captured.'),
    'Pass command or configurationName with mode "cli", or url with mode "web". Nothing was run.',
  );
}
