import path from 'node:path';
import * as l10n from '@vscode/l10n';
import { z } from 'zod';
import { Failure } from '../debugger/failure';
import { LAUNCH_MARK } from '../debugger/launchMark';
import { textOf, type Fields } from '../debugger/protocol';
import { isOver, rootOf, treeOf, type DebugState, type SessionState } from '../debugger/state';
import { findConfiguration, membersOf } from './configurations';
import { defineTool } from './defineTool';
import { absolute } from './files';
import { readLaunches } from './launchFile';
import { fillVariables, questionsOf } from './launchVariables';
import { configurationFor } from './programConfiguration';
import { code, oneLine, plain } from './question';
import { filePath, runOutcome, timeoutSeconds } from './schemas';
import type { Call, ToolServices } from './services';
import { completed, interrupted, outcomeOf, stopCounts, timedOut, waitMilliseconds, type Happening, type RunOutcome, type StopCounts } from './waiting';

const input = z.strictObject({
  configuration_name: z.string().min(1).max(500).optional().describe('Name of a configuration or compound from get_debugger_configurations.'),
  no_debug: z.boolean().default(false).describe('Run without debugging and wait for the end; breakpoints are not hit.'),
  folder: z.string().min(1).max(4096).optional().describe('Workspace folder, where several have a configuration of that name.'),
  program: filePath.optional().describe('Without a configuration: the file to debug.'),
  type: z.string().min(1).max(100).optional().describe('Debug type for program, such as "node". Default: by its language.'),
  args: z.array(z.string().max(10_000)).max(1000).optional().describe('Arguments of program.'),
  cwd: filePath.optional().describe('Working directory of program.'),
  env: z.record(z.string(), z.string()).optional().describe('Environment variables of program.'),
  inputs: z.record(z.string(), z.string().max(10_000)).optional().describe('Values for the configuration\'s ${input:…} variables by id, and for ${command:…} ones by command.'),
  stop_on_entry: z.boolean().optional().describe('Stop program at its first line.'),
  timeout_seconds: timeoutSeconds,
});

type Input = z.output<typeof input>;

/** What is handed to VS Code. */
interface Plan {
  readonly name: string;
  readonly folderPath: string | undefined;
  /** A compound is started by its name, everything else as an object that carries the mark. */
  readonly start: string | Fields;
  /** Names of the configurations that belong to it. */
  readonly members: readonly string[];
  readonly types: readonly string[];
  readonly task: unknown;
  /** The configuration that was made up for `program`; its caller wants to see it. */
  readonly madeUp: Fields | undefined;
}

export const startDebugging = defineTool({
  name: 'start_debugging',
  set: 'core',
  effect: 'control',
  title: 'Start Debugging',
  userDescription: 'Starts a program under the debugger',
  modelDescription: 'Start a debug configuration by name (or program, without launch.json) and wait until it first stops or ends. Set breakpoints before. Returns where it stopped with stack, local variables and output, or the exit code.',
  icon: 'debug-start',
  input,
  output: runOutcome,
  needs: 'nothing',
  doing: ({ configuration_name: name, program }) => l10n.t('Starting {0}', oneLine(name ?? program ?? '')),
  question: async ({ input: wanted, services }) => {
    if (wanted.configuration_name === undefined) return { title: l10n.t('Start debugging'), message: l10n.t('Start debugging {0}', code([wanted.program ?? '', ...(wanted.args ?? []), ...Object.entries(wanted.env ?? {}).map(([name, value]) => `${name}=${value}`)].join(' '))) };
    const plan = await planFor(services, wanted).catch((error: unknown) => (error instanceof Failure ? undefined : Promise.reject(error instanceof Error ? error : new Error(String(error)))));
    const name = `**${plain(wanted.configuration_name)}**`;
    const what = plan === undefined ? name : `${name} (${plain(plan.types.join(', '))})`;
    const folder = plan?.folderPath === undefined ? undefined : plain(path.basename(plan.folderPath));
    const message = folder === undefined ? l10n.t('Start debugging {0}', what) : l10n.t('Start debugging {0} in {1}', what, `*${folder}*`);
    return { title: l10n.t('Start debugging'), message };
  },
  run: async ({ input: wanted, services, call }) => {
    const plan = await planFor(services, wanted);
    checkTypes(services, plan);
    if (!call.personPresent) await checkVariables(services, plan);
    const deadline = Date.now() + waitMilliseconds(wanted.timeout_seconds, call);
    const untasked = await runTask(services, plan, call, deadline);
    return await launch(services, call, untasked, wanted, deadline);
  },
});

async function planFor(services: ToolServices, wanted: Input): Promise<Plan> {
  if ((wanted.configuration_name === undefined) === (wanted.program === undefined)) {
    throw new Failure('invalid_input', l10n.t('Exactly one of configuration_name and program is needed.'), 'Call get_debugger_configurations for the names. Nothing was changed.');
  }
  if (wanted.configuration_name === undefined) return await planForProgram(services, wanted, wanted.program ?? '');
  const { kind, entry } = await findConfiguration(services, wanted.configuration_name, wanted.folder);
  const folderPath = entry.folder?.path ?? services.workspace.folders[0]?.path;
  if (kind === 'compound') {
    const all = await Promise.all(membersOf(entry).map((each) => findConfiguration(services, each.name, each.folder)));
    const members = all.map((each) => each.entry.name);
    const types = [...new Set(all.map((each) => textOf(each.entry.configuration['type']) ?? ''))];
    return { name: entry.name, folderPath, start: entry.name, members, types, task: undefined, madeUp: undefined };
  }
  const type = textOf(entry.configuration['type']);
  if (type === undefined || textOf(entry.configuration['request']) === undefined) {
    throw new Failure('launch_failed', l10n.t('The configuration “{0}” has no “type” or no “request”.', entry.name), 'Add them in launch.json: type names the debugger, request is "launch" or "attach".');
  }
  const start = fillVariables(entry.configuration, wanted.inputs ?? {});
  return { name: entry.name, folderPath, start, members: [entry.name], types: [type], task: start['preLaunchTask'], madeUp: undefined };
}

async function planForProgram(services: ToolServices, wanted: Input, file: string): Promise<Plan> {
  const program = await absolute(services, file);
  if (!(await services.workspace.exists(program))) throw new Failure('program_not_found', l10n.t('There is no program {0}.', program), 'Pass the path of an existing file.');
  const folder = services.workspace.folders.find((each) => program.startsWith(`${each.path}${path.sep}`)) ?? services.workspace.folders[0];
  const made = await configurationFor(services, program, wanted.type);
  const configuration = {
    request: 'launch',
    name: path.basename(program),
    cwd: wanted.cwd === undefined ? (folder?.path ?? path.dirname(program)) : await absolute(services, wanted.cwd),
    ...made,
    ...(wanted.args !== undefined ? { args: wanted.args } : {}),
    ...(wanted.env !== undefined ? { env: wanted.env } : {}),
    ...(wanted.stop_on_entry !== undefined ? { stopOnEntry: wanted.stop_on_entry } : {}),
  };
  return { name: configuration.name, folderPath: folder?.path, start: configuration, members: [configuration.name], types: [made.type], task: undefined, madeUp: configuration };
}

/** An unknown type would open a dialog: it is refused before VS Code sees it. */
function checkTypes({ workspace }: ToolServices, plan: Plan): void {
  const installed = new Set(workspace.debuggers().map((each) => each.type));
  const unknown = plan.types.find((type) => !installed.has(type));
  if (unknown === undefined) return;
  throw new Failure('debugger_not_installed', l10n.t('No installed debugger has the type “{0}” that “{1}” asks for.', unknown, plan.name), 'Ask the person to install the extension for it, or use one of installed.', { installed: [...installed] });
}

/** Where nobody is there to answer, a configuration that asks is refused with what it asks, rather than left waiting. */
async function checkVariables({ workspace }: ToolServices, plan: Plan): Promise<void> {
  if (typeof plan.start === 'string') return;
  const asked = questionsOf(plan.start, readLaunches(await workspace.launchSources()).inputs);
  if (asked.length === 0) return;
  throw new Failure('input_needed', l10n.t('“{0}” asks for input: {1}.', plan.name, asked.map((each) => each.id).join(', ')), 'Pass inputs with a value for each id in questions.', { questions: asked });
}

/** Runs the `preLaunchTask` here, so that its failure is an answer rather than a dialog. */
async function runTask(services: ToolServices, plan: Plan, call: Call, deadline: number): Promise<Plan> {
  if (plan.task === undefined || typeof plan.start === 'string') return plan;
  const limit = AbortSignal.timeout(Math.max(1, deadline - Date.now()));
  const result = await services.workspace.runTask(plan.task, plan.folderPath, AbortSignal.any([call.signal, limit])).catch((error: unknown) => {
    throw limit.aborted && !call.signal.aborted ? taskStillRuns(plan) : error;
  });
  if (result === undefined) return plan;
  if (result.exitCode !== 0) {
    throw new Failure(
      'task_failed',
      l10n.t('The preLaunchTask “{0}” ended with exit code {1}.', result.name, result.exitCode ?? '?'),
      'Fix what the task reports; its terminal in VS Code shows all of its output.',
      { ...(result.problems.length > 0 ? { problems: result.problems } : {}), ...(result.output.length > 0 ? { output: result.output } : {}) },
    );
  }
  const { preLaunchTask: _done, ...start } = plan.start;
  return { ...plan, start };
}

function taskStillRuns(plan: Plan): Failure {
  return new Failure('task_failed', l10n.t('The preLaunchTask of “{0}” has not ended within the time limit; it still runs, and nothing was started.', plan.name), 'Wait for the task in its terminal, or pass a larger timeout_seconds; a task that never ends needs isBackground in tasks.json.');
}

async function launch(services: ToolServices, call: Call, plan: Plan, wanted: Input, deadline: number): Promise<RunOutcome> {
  const { model, host } = services;
  const mark = `${Date.now().toString(36)}-${Math.random().toString(36).slice(2)}`;
  const before = new Set(model.state.sessions.keys());
  const since = stopCounts(model.state);
  const timeoutMs = Math.max(0, deadline - Date.now());
  const mine = (state: DebugState): readonly SessionState[] => rootsOf(state, plan, mark, before);
  const armed = model.wait((state) => firstHappening(state, mine(state), plan.members.length, since), { timeoutMs, signal: call.signal });
  const start = typeof plan.start === 'string' ? plan.start : { ...plan.start, [LAUNCH_MARK]: mark };
  const refused = host.start(plan.folderPath, start, { noDebug: wanted.no_debug }).then(
    (started) => (started ? new Promise<never>(() => undefined) : ('refused' as const)),
    (error: unknown) => (error instanceof Error ? error.message : String(error)),
  );
  const extra = (): Partial<RunOutcome> => ({
    ...(plan.madeUp === undefined ? {} : { configuration: plan.madeUp }),
    ...(plan.members.length > 1 ? { members: mine(model.state).map((each) => ({ session_id: each.id, name: each.name, state: treeLifecycle(model.state, each) })) } : {}),
  });
  const first = await Promise.race([armed.settled, refused]);
  if (typeof first === 'string') {
    armed.abandon();
    throw startFailure(services, plan, mine(model.state), first);
  }
  if (first.kind === 'timeout') return { ...(mine(model.state).length === 0 ? notStartedYet() : timedOut(model.state, mine(model.state)[0]?.key ?? '')), ...extra() };
  if (first.kind === 'cancelled') return { ...interrupted(), ...extra() };
  if (first.value.kind === 'failed') throw startFailure(services, plan, mine(model.state), first.value.message);
  if (first.value.kind === 'ended') return { ...completed(services, first.value.rootKey), ...extra() };
  const key = first.value.sessionKey;
  return { ...(await outcomeOf(services, call, key, { settled: Promise.resolve({ kind: 'found', value: first.value }), abandon: () => undefined }, deadline)), ...extra() };
}

/** What a member of a compound does, its children included: a parent of js-debug runs while its child is stopped. */
function treeLifecycle(state: DebugState, root: SessionState): string {
  return treeOf(state, root).some((each) => each.lifecycle === 'stopped') ? 'stopped' : root.lifecycle;
}

function notStartedYet(): RunOutcome {
  return { status: 'timeout', message: l10n.t('It has not started yet; VS Code may be asking the person something. Call get_debug_state to see whether it has.') };
}

type StartHappening = Happening | { readonly kind: 'failed'; readonly message: string };

/** The first stop in any of the trees, a launch that failed, or the end of all of them. */
function firstHappening(state: DebugState, roots: readonly SessionState[], expected: number, since: StopCounts): StartHappening | undefined {
  for (const root of roots) {
    for (const member of treeOf(state, root)) {
      if (member.end?.reason === 'launch_failed') return { kind: 'failed', message: member.end.message ?? '' };
      const stop = member.lastStop;
      if (stop !== undefined && stop.id > (since.get(member.key) ?? 0) && member.lifecycle === 'stopped') return { kind: 'stopped', sessionKey: member.key, stop };
    }
  }
  const last = roots[roots.length - 1];
  return last !== undefined && roots.length >= expected && roots.every((root) => isOver(state, root)) ? { kind: 'ended', rootKey: last.key } : undefined;
}

/**
 * The sessions that a call started: those whose configuration carries its mark; where a debugger's extension dropped
 * it, or for a compound's members, new ones of the right name.
 */
function rootsOf(state: DebugState, plan: Plan, mark: string, before: ReadonlySet<string>): readonly SessionState[] {
  const roots = [...state.sessions.values()].filter((session) => !before.has(session.key) && rootOf(state, session) === session);
  const marked = roots.filter((session) => session.configuration[LAUNCH_MARK] === mark);
  if (marked.length > 0) return marked;
  return roots.filter((session) => session.configuration[LAUNCH_MARK] === undefined && plan.members.includes(session.name));
}

function startFailure({ stops }: ToolServices, plan: Plan, roots: readonly SessionState[], words: string): Failure {
  const told = roots.map((root) => root.end?.message).find((message) => message !== undefined && message !== '');
  const output = stops.untold(roots).lines;
  const reason = told ?? (words === 'refused' ? undefined : words);
  if (reason === undefined || reason === '') {
    return new Failure('start_cancelled', l10n.t('VS Code did not start “{0}” and gave no reason; a person may have cancelled it.', plan.name), 'Ask the person, or check the configuration and call start_debugging again.');
  }
  return new Failure('launch_failed', l10n.t('“{0}” could not be started: {1}', plan.name, reason), 'Fix the cause, or change the configuration, then call start_debugging again.', output.length > 0 ? { output } : {});
}
