import * as l10n from '@vscode/l10n';
import { z } from 'zod';
import type { BreakpointView } from '../debugger/breakpointBook';
import { Failure } from '../debugger/failure';
import type { HostBreakpoint, WantedBreakpoint } from '../debugger/host';
import { liveSessions, type DebugState } from '../debugger/state';
import { defineTool, success } from './defineTool';
import { absolute, locate } from './files';
import { code, oneLine } from './question';
import { breakpoint, filePath, lineNumber, resultSchema } from './schemas';
import type { Call, ToolServices } from './services';

/** How long `set_breakpoint` waits for the adapters of running sessions. */
const ANSWER_LIMIT_MS = 2000;

const conditionText = z.string().min(1).max(10_000);

const setInput = z.strictObject({
  file_path: filePath.optional(),
  line_number: lineNumber.optional().describe('1-based line.'),
  line_content: z.string().min(1).max(2000).optional().describe('Instead of line_number: the text of the line, which must occur once in the file.'),
  function_name: z.string().min(1).max(500).optional().describe('Instead of file and line: break when this function is entered.'),
  column_number: z.int().min(1).max(1_000_000).optional().describe('1-based column; default: the whole line.'),
  condition: conditionText.optional().describe('Expression in the program\'s language; stop only when it is true.'),
  hit_condition: conditionText.optional().describe('Hit count, such as "> 5", "== 3", "% 2 == 0".'),
  log_message: conditionText.optional().describe('Do not stop but print this; {expression} is filled in.'),
});

export const setBreakpoint = defineTool({
  name: 'set_breakpoint',
  set: 'core',
  effect: 'control',
  title: 'Set Breakpoint',
  userDescription: 'Sets a breakpoint, conditional breakpoint or logpoint',
  modelDescription: 'Set a breakpoint, conditional breakpoint, hit-count breakpoint or logpoint at file_path and line_number (or line_content, or function_name). Works before and while a program runs. Setting one where one is replaces its conditions.',
  icon: 'debug-breakpoint',
  input: setInput,
  output: resultSchema(['success'], { breakpoint: breakpoint.optional(), replaced: z.boolean().optional() }),
  needs: 'nothing',
  doing: () => l10n.t('Setting a breakpoint'),
  question: async ({ input, services }) => ({ title: l10n.t('Set breakpoint'), message: await describeWanted(services, input) }),
  run: async ({ input, services, call }) => {
    const wanted = await wantedBreakpoint(services, input);
    const { breakpoint: set, replaced } = await place(services, call, wanted);
    return success({ breakpoint: { ...set, timestamp: new Date().toISOString() }, ...(replaced ? { replaced } : {}) });
  },
});

type SetInput = z.output<typeof setInput>;

async function describeWanted(services: ToolServices, input: SetInput): Promise<string> {
  const where = code(input.function_name ?? `${input.file_path ?? ''}:${input.line_number ?? oneLine(input.line_content ?? '')}`);
  const text = await lineText(services, input);
  const at = text === undefined ? where : `${where}: ${code(text)}`;
  const conditions = [input.condition, input.hit_condition].flatMap((each) => (each === undefined ? [] : [code(each)])).join(', ');
  if (input.log_message !== undefined) return conditions === '' ? l10n.t('Print {0} at {1}', code(input.log_message), at) : l10n.t('Print {0} at {1} when {2}', code(input.log_message), at, conditions);
  return conditions === '' ? l10n.t('Break at {0}', at) : l10n.t('Break at {0} when {1}', at, conditions);
}

/** The text of the line, for the question; the call itself tells what is wrong with it. */
async function lineText(services: ToolServices, input: SetInput): Promise<string | undefined> {
  if (input.file_path === undefined || input.line_number === undefined) return undefined;
  try {
    return (await services.workspace.readText(await absolute(services, input.file_path))).split(/\r\n|\r|\n/)[input.line_number - 1]?.trim() || undefined;
  } catch (error) {
    if (error instanceof Failure) return undefined;
    throw error;
  }
}

async function wantedBreakpoint(services: ToolServices, input: SetInput): Promise<WantedBreakpoint> {
  const conditions = { condition: input.condition, hitCondition: input.hit_condition, logMessage: input.log_message };
  const ways = [input.line_number, input.line_content, input.function_name].filter((each) => each !== undefined).length;
  if (ways !== 1) throw new Failure('invalid_input', l10n.t('Exactly one of line_number, line_content and function_name is needed.'), 'Nothing was changed.');
  if (input.function_name !== undefined) {
    if (input.file_path !== undefined) throw new Failure('invalid_input', l10n.t('function_name stands alone, without file_path.'), 'Leave out file_path. Nothing was changed.');
    return { kind: 'function', functionName: input.function_name, ...conditions };
  }
  if (input.file_path === undefined) throw new Failure('invalid_input', l10n.t('file_path is needed with line_number or line_content.'), 'Pass file_path. Nothing was changed.');
  if (input.line_number !== undefined) {
    return { kind: 'source', path: await locate(services, input.file_path, input.line_number), line: input.line_number, column: input.column_number, ...conditions };
  }
  const path = await absolute(services, input.file_path);
  return { kind: 'source', path, line: await findLine(services, path, input.line_content ?? ''), column: input.column_number, ...conditions };
}

/** The one line with that text, blanks around it aside. @throws Failure `line_not_found` with the candidates */
async function findLine({ workspace }: ToolServices, path: string, content: string): Promise<number> {
  const lines = (await workspace.readText(path)).split(/\r\n|\r|\n/);
  const wanted = content.trim();
  const numbered = lines.map((text, index) => ({ line: index + 1, text: text.trim() }));
  const equal = numbered.filter((each) => each.text === wanted);
  const fitting = equal.length > 0 ? equal : numbered.filter((each) => each.text.includes(wanted));
  const [only, second] = fitting;
  if (only !== undefined && second === undefined) return only.line;
  const message = only === undefined ? l10n.t('No line of {0} holds that text.', path) : l10n.t('{0} lines of {1} hold that text.', fitting.length, path);
  throw new Failure('line_not_found', message, 'Pass line_number, or more of the line. Nothing was changed.', only === undefined ? {} : { candidates: fitting.slice(0, 20) });
}

/** Adds it, in the place of the one that is there, and waits for the adapters of running sessions. */
async function place(services: ToolServices, call: Call, wanted: WantedBreakpoint): Promise<{ breakpoint: BreakpointView; replaced: boolean }> {
  const { host, breakpoints, model } = services;
  const before = breakpoints.all().find((each) => isSamePlace(each, wanted));
  const answers = answerCounts(model.state);
  if (before !== undefined && breakpoints.ownerOf(before) === 'user') {
    if (before.enabled && isSameCondition(before, wanted)) return { breakpoint: breakpoints.view(before), replaced: false };
    throw new Failure('not_supported', l10n.t('The person has a breakpoint there; it is left as it is.'), `Use breakpoint ${breakpoints.idOf(before)}, or set one on another line.`, { breakpoint: breakpoints.view(before) });
  }
  const number = before === undefined ? undefined : breakpoints.idOf(before);
  if (before !== undefined) host.removeBreakpoints([before.hostId]);
  const added = host.addBreakpoint(wanted);
  breakpoints.claim(added, number);
  const asked = liveSessions(model.state).filter((session) => session.lifecycle === 'running' || session.lifecycle === 'stopped');
  if (asked.length > 0) {
    const isBound = (state: DebugState): true | undefined => (isAnswered(state, answers) && breakpoints.boundIn(added).some((each) => each.adapter.verified)) || undefined;
    await model.wait(isBound, { timeoutMs: ANSWER_LIMIT_MS, signal: call.signal }).settled;
  }
  return { breakpoint: breakpoints.view(added), replaced: before !== undefined };
}

function isSamePlace(there: HostBreakpoint, wanted: WantedBreakpoint): boolean {
  if (there.kind === 'function' || wanted.kind === 'function') return there.kind === wanted.kind && there.kind === 'function' && wanted.kind === 'function' && there.functionName === wanted.functionName;
  return there.path === wanted.path && there.line === wanted.line && there.column === wanted.column;
}

function isSameCondition(there: HostBreakpoint, wanted: WantedBreakpoint): boolean {
  return (there.condition || undefined) === wanted.condition && (there.hitCondition || undefined) === wanted.hitCondition && (there.logMessage || undefined) === wanted.logMessage;
}

/** How many answers about breakpoints each session has given. */
function answerCounts(state: DebugState): ReadonlyMap<string, number> {
  return new Map([...state.sessions.values()].map((session) => [session.key, countAnswers(session.sourceBreakpoints, session.functionBreakpoints)]));
}

function countAnswers(sources: ReadonlyMap<string, { answers: number }>, functions: { answers: number } | undefined): number {
  return [...sources.values()].reduce((sum, each) => sum + each.answers, functions?.answers ?? 0);
}

function isAnswered(state: DebugState, before: ReadonlyMap<string, number>): boolean {
  return [...state.sessions.values()].some((session) => countAnswers(session.sourceBreakpoints, session.functionBreakpoints) > (before.get(session.key) ?? 0));
}

export const removeBreakpoint = defineTool({
  name: 'remove_breakpoint',
  set: 'core',
  effect: 'control',
  title: 'Remove Breakpoint',
  userDescription: 'Removes breakpoints that the agent set',
  modelDescription: 'Remove breakpoints: exactly one of breakpoint_id, location, or clear_all (all that agents set; the person\'s stay).',
  icon: 'debug-breakpoint-unverified',
  input: z.strictObject({
    breakpoint_id: z.int().min(1).max(Number.MAX_SAFE_INTEGER).optional().describe('id from set_breakpoint or get_breakpoints.'),
    location: z.strictObject({ file_path: filePath, line_number: lineNumber }).optional().describe('All breakpoints on this line.'),
    clear_all: z.boolean().optional().describe('true: all breakpoints that agents set.'),
  }),
  output: resultSchema(['success'], { removed: z.array(z.int()).readonly().optional(), kept: z.int().optional() }),
  needs: 'nothing',
  doing: () => l10n.t('Removing breakpoints'),
  question: ({ input, services }) => {
    const title = l10n.t('Remove breakpoint');
    if (input.clear_all === true) return { title, message: l10n.t('Remove all breakpoints that agents set') };
    if (input.location !== undefined) return { title, message: l10n.t('Remove the breakpoint at {0}', code(`${input.location.file_path}:${input.location.line_number}`)) };
    const found = input.breakpoint_id === undefined ? undefined : services.breakpoints.find(input.breakpoint_id);
    const where = found === undefined ? `${input.breakpoint_id ?? ''}` : code(found.kind === 'source' ? `${found.path}:${found.line}` : found.functionName);
    const isTheirs = found !== undefined && services.breakpoints.ownerOf(found) === 'user';
    return { title, message: isTheirs ? l10n.t('Remove **your own** breakpoint at {0}', where) : l10n.t('Remove the breakpoint at {0}', where) };
  },
  run: async ({ input, services }) => {
    const ways = [input.breakpoint_id !== undefined, input.location !== undefined, input.clear_all === true].filter(Boolean).length;
    if (ways !== 1) throw new Failure('invalid_input', l10n.t('Exactly one of breakpoint_id, location and clear_all: true is needed.'), 'Nothing was changed.');
    const { breakpoints, host } = services;
    const chosen = input.breakpoint_id !== undefined ? [byId(services, input.breakpoint_id)] : input.location !== undefined ? await onLine(services, input.location) : breakpoints.all().filter((each) => breakpoints.ownerOf(each) === 'agent');
    const kept = input.clear_all === true ? breakpoints.all().length - chosen.length : 0;
    const removed = chosen.map((each) => breakpoints.idOf(each));
    host.removeBreakpoints(chosen.map((each) => each.hostId));
    return success({ message: l10n.t('Breakpoints removed: {0}.', removed.length), removed, ...(kept > 0 ? { kept } : {}) });
  },
});

function byId({ breakpoints }: ToolServices, id: number): HostBreakpoint {
  const found = breakpoints.find(id);
  if (found !== undefined) return found;
  throw new Failure('breakpoint_not_found', l10n.t('There is no breakpoint {0}.', id), 'Call get_breakpoints for those there are.', { ids: breakpoints.all().map((each) => breakpoints.idOf(each)) });
}

async function onLine(services: ToolServices, location: { readonly file_path: string; readonly line_number: number }): Promise<readonly HostBreakpoint[]> {
  const path = await absolute(services, location.file_path);
  const found = services.breakpoints.at(path, location.line_number);
  if (found.length === 0) throw new Failure('breakpoint_not_found', l10n.t('There is no breakpoint at {0}:{1}.', path, location.line_number), 'Call get_breakpoints for those there are.');
  const agents = found.filter((each) => services.breakpoints.ownerOf(each) === 'agent');
  if (agents.length > 0) return agents;
  throw new Failure('not_supported', l10n.t('The breakpoint there is the person\'s own.'), 'Leave it, or pass its breakpoint_id so that the person is asked about it.', { ids: found.map((each) => services.breakpoints.idOf(each)) });
}

export const getBreakpoints = defineTool({
  name: 'get_breakpoints',
  set: 'core',
  effect: 'read',
  title: 'List Breakpoints',
  userDescription: 'Lists all breakpoints and whether they are verified',
  modelDescription: 'List all breakpoints, the person\'s included, with what each running debug session made of them.',
  icon: 'list-flat',
  input: z.strictObject({}),
  output: resultSchema(['success'], { timestamp: z.iso.datetime().optional(), breakpoints: z.array(breakpoint).optional() }),
  needs: 'nothing',
  doing: () => l10n.t('Listing the breakpoints'),
  run: async ({ services: { breakpoints } }) => success({ timestamp: new Date().toISOString(), breakpoints: breakpoints.all().map((each) => breakpoints.view(each)) }),
});
