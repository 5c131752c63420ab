import path from 'node:path';
import * as l10n from '@vscode/l10n';
import { z } from 'zod';
import { isWithheldFrom, matches } from '../../debugger/breakpoints/breakpointMatching';
import type { Settled } from '../../debugger/state/debugModel';
import { listed } from '../../results/listing';
import { Failure } from '../../results/failure';
import type { HostBreakpoint, RequestedHostBreakpoint } from '../../debugger/host';
import { isMereText } from '../../debugger/breakpoints/logMessage';
import { samePath } from '../../debugger/sourcePath';
import {
  isLive,
  liveSessions,
  type DebugState,
  type SessionState,
} from '../../debugger/state/state';
import { defineTool, success, type Consent } from '../defineTool';
import { chosenView } from './exceptionChoice';
import { absolute, outsideOf, shortPath } from '../files/files';
import { followContent } from '../files/followContent';
import { echoOf } from './lineEcho';
import { languageByExtension } from '../launch/programConfiguration';
import { code, wholeCode } from '../question';
import {
  breakpoint,
  chosenFilters,
  filePath,
  lineNumber,
  maxChars,
  resultSchema,
} from '../schemas';
import type { Call, ToolServices } from '../services';
import { setInput, unsureOfParts, requestedBreakpoint, type SetInput } from './wantedBreakpoint';

/** For how many breakpoints adapters are asked why they have not bound them. */
const EXPLAINED = 20;

/** How long `set_breakpoint` waits for the adapters of running sessions to answer. */
const ANSWER_LIMIT_MS = 3000;

/** How long after their answers one of them may take to bind it. */
const BINDING_LIMIT_MS = 200;

export const setBreakpoint = defineTool({
  name: 'set_breakpoint',
  set: 'core',
  effect: 'control',
  title: 'Set Breakpoint',
  userDescription: 'Sets a breakpoint, conditional breakpoint or logpoint',
  modelDescription:
    'Set a breakpoint, conditional breakpoint, hit-count breakpoint or logpoint at file_path and line_number (or line_content, or function_name). Works before and while a program runs. Setting one where one is replaces its conditions.',
  icon: 'debug-breakpoint',
  input: setInput,
  output: resultSchema(['success'], {
    breakpoint: breakpoint.optional(),
    changed: z.record(z.string(), z.array(z.string().nullable()).readonly()).optional(),
  }),
  needs: 'nothing',
  doing: () => l10n.t('Setting a breakpoint'),
  consent: ({ input, services }) => consentOf(services, input),
  files: ({ file_path: file }) => [file],
  question: async ({ input, services }) => ({
    title: l10n.t('Set breakpoint'),
    message: await describeWanted(services, input),
  }),
  run: async ({ input, services, call }) => {
    const wanted = await requestedBreakpoint(services, input);
    const before = answerCounts(services.model.state, wanted);
    const placed = place(services, wanted, input.line_content?.trim());
    const { breakpoint: set, changed } = placed;
    if (placed.lists > 0) await untilAnswered(services, placed, before, call);
    const view = await services.inspector.limited(call.signal, (signal) =>
      services.breakpointViews.view(set, signal),
    );
    const unread = await aboutUnread(services, wanted);
    const echo = await echoOf(services, wanted, view, input.line_content !== undefined);
    const { line_text: text } = echo;
    const hint = echo.hint ?? unread.hint ?? (await unsureOfParts(services, wanted));
    return success({
      ...(unread.message === undefined ? {} : { message: unread.message }),
      breakpoint: {
        ...view,
        ...(text === undefined ? {} : { line_text: text }),
        timestamp: new Date().toISOString(),
      },
      ...(changed === undefined ? {} : { changed }),
      ...(hint === undefined ? {} : { hint }),
    });
  },
});

/** The debug types whose adapters may be sent a breakpoint of the file: of the sessions there are, and of those that its language has. */
function typesThatPrint(
  { model, workspace }: ToolServices,
  file: string | undefined,
): readonly string[] {
  const live = liveSessions(model.state).map((session) => session.type);
  const language = file === undefined ? undefined : languageByExtension(file);
  const installed = workspace
    .debuggers()
    .filter((each) => language !== undefined && each.languages.includes(language));
  // Without a debugger of its language, nobody knows which will be sent it.
  return file !== undefined && installed.length === 0
    ? []
    : [...live, ...installed.map((each) => each.type)];
}

/** A breakpoint is set in a file that may not be read, too; what is not known of it is told. */
async function aboutUnread(
  { workspace }: ToolServices,
  wanted: RequestedHostBreakpoint,
): Promise<{ message?: string; hint?: string }> {
  if (wanted.kind === 'function' || (await workspace.outside(wanted.path)) === undefined) return {};
  const candidates = await workspace.filesNamed(path.basename(wanted.path));
  return {
    message: l10n.t(
      '{0} is outside the workspace and was not read: whether it has line {1} is not known.',
      wanted.path,
      wanted.line,
    ),
    ...(candidates.length > 0
      ? {
          hint: `Files of that name in the workspace: ${candidates.slice(0, MOST_NAMED).join(', ')}`,
        }
      : {}),
  };
}

/** How many files of the workspace are named that have the name of one outside. */
const MOST_NAMED = 5;

/** A condition is evaluated in the program, and so may be what a log message holds. */
export function consentOf(
  services: ToolServices,
  { condition, log_message: message, file_path: file }: SetInput,
): Consent {
  const mayRunCode =
    condition !== undefined ||
    (message !== undefined && !isMereText(message, typesThatPrint(services, file)));
  return mayRunCode ? 'change' : 'control';
}

/** What will be set, resolved: the file, the line and its text as they are. @throws Failure where the call would fail, too */
export async function describeWanted(services: ToolServices, input: SetInput): Promise<string> {
  // Before the person's yes, a file outside the workspace is not looked into: not even to see whether the call would fail.
  const isOutside = (await outsideOf(services, [input.file_path])).length > 0;
  const sought = isOutside ? input.line_content : undefined;
  const wanted = await requestedBreakpoint(
    services,
    sought === undefined
      ? input
      : { ...input, line_content: undefined, line_number: input.line_number ?? 1 },
  );
  const where = wholeCode(
    wanted.kind === 'function'
      ? wanted.functionName
      : [
          shortPath(services, wanted.path),
          ...(sought === undefined ? [wanted.line] : []),
          ...(wanted.column === undefined ? [] : [wanted.column]),
        ].join(':'),
  );
  const text =
    sought ??
    (wanted.kind === 'function' || isOutside
      ? ''
      : ((await services.workspace.readText(wanted.path))
          .split(/\r\n|\r|\n/)
          [wanted.line - 1]?.trim() ?? ''));
  const conditions = listed([
    ...(input.condition === undefined ? [] : [wholeCode(input.condition)]),
    ...(input.hit_condition === undefined ? [] : [l10n.t('hits {0}', code(input.hit_condition))]),
  ]);
  const print = input.log_message === undefined ? undefined : wholeCode(input.log_message);
  const what =
    print === undefined
      ? conditions === ''
        ? l10n.t('Break at {0}', where)
        : l10n.t('Break at {0} when {1}', where, conditions)
      : conditions === ''
        ? l10n.t('Print {0} at {1}', print, where)
        : l10n.t('Print {0} at {1} when {2}', print, where, conditions);
  return text === '' ? what : l10n.t('{0}: {1}', what, code(text));
}

export interface Placed {
  readonly breakpoint: HostBreakpoint;
  /** What was otherwise before, where one was there already: before and now; null for nothing. */
  readonly changed?: Readonly<Record<string, readonly [string | null, string | null]>>;
  /** How many lists VS Code sends each session for it. */
  readonly lists: number;
}

/** Adds it, in the place of the one that is there. Nothing is awaited between the two: concurrent calls lose none. */
export function place(
  { host, breakpoints }: ToolServices,
  wanted: RequestedHostBreakpoint,
  content: string | undefined,
): Placed {
  const before = breakpoints.inPlaceOf(wanted);
  if (before === undefined) {
    const added = host.addBreakpoint(wanted);
    breakpoints.claim(added, { content });
    return { breakpoint: added, lists: 1 };
  }
  const changed = changesOf(before, wanted);
  if (before.enabled && Object.keys(changed).length === 0) {
    if (breakpoints.ownerOf(before) === 'agent')
      breakpoints.claim(before, { content: content ?? breakpoints.contentOf(before) });
    return { breakpoint: before, changed, lists: 0 };
  }
  refuseTheirs(breakpoints, before);
  const as = breakpoints.marksOf(before);
  host.removeBreakpoints([before.hostId]);
  const added = host.addBreakpoint(wanted);
  breakpoints.claim(added, { as, content });
  return {
    breakpoint: added,
    changed: before.enabled ? changed : { ...changed, enabled: ['false', 'true'] },
    lists: 2,
  };
}

/** Whether one could be set: a breakpoint of the person's that differs is left as it is. @throws Failure `not_supported` */
export function checkPlace({ breakpoints }: ToolServices, wanted: RequestedHostBreakpoint): void {
  const before = breakpoints.inPlaceOf(wanted);
  if (
    before !== undefined &&
    !(before.enabled && Object.keys(changesOf(before, wanted)).length === 0)
  )
    refuseTheirs(breakpoints, before);
}

function refuseTheirs(breakpoints: ToolServices['breakpoints'], before: HostBreakpoint): void {
  if (breakpoints.ownerOf(before) !== 'user') return;
  throw new Failure(
    'not_supported',
    l10n.t('The person has a breakpoint there; it is left as it is.'),
    `Use breakpoint ${breakpoints.idOf(before)}, or set one on another line.`,
    {
      existing: { id: breakpoints.idOf(before), enabled: before.enabled, ...conditionsIn(before) },
    },
  );
}

function conditionsIn(
  each: HostBreakpoint | RequestedHostBreakpoint,
): Readonly<Record<string, string>> {
  return {
    ...(each.condition ? { condition: each.condition } : {}),
    ...(each.hitCondition ? { hit_condition: each.hitCondition } : {}),
    ...(each.logMessage ? { log_message: each.logMessage } : {}),
  };
}

function changesOf(
  before: HostBreakpoint,
  wanted: RequestedHostBreakpoint,
): Readonly<Record<string, readonly [string | null, string | null]>> {
  const [old, now] = [conditionsIn(before), conditionsIn(wanted)];
  const names = ['condition', 'hit_condition', 'log_message'].filter(
    (name) => old[name] !== now[name],
  );
  return Object.fromEntries(
    names.map((name) => [name, [old[name] ?? null, now[name] ?? null] as const]),
  );
}

/**
 * Waits until the adapter of every session that runs has answered, and a little for those that bind it only then
 * (DAP event `breakpoint`).
 */
async function untilAnswered(
  { model, breakpoints }: ToolServices,
  { breakpoint, lists }: Placed,
  before: AnswerCounts,
  call: Call,
): Promise<void> {
  const asked = liveSessions(model.state).filter(
    (each) => each.lifecycle === 'running' || each.lifecycle === 'stopped',
  );
  if (asked.length === 0) return;
  /** An answer that comes may be to an earlier list: VS Code sends one for each breakpoint that is added or taken away. */
  const hasAnswered = (state: DebugState, key: string): boolean => {
    const session = state.sessions.get(key);
    if (session === undefined || session.lifecycle === 'terminated') return true;
    const answers = (answerCounts(state, breakpoint).get(key) ?? 0) - (before.get(key) ?? 0);
    return (
      (answers > 0 && matches(session, breakpoint).length > 0) ||
      (answers >= lists && isWithheldFrom(session, breakpoint))
    );
  };
  const isBound = (): boolean =>
    breakpoints.boundIn(breakpoint).some((each) => each.adapter.verified);
  const all = (state: DebugState): true | undefined =>
    asked.every((each) => hasAnswered(state, each.key)) || undefined;
  const answered = await model.wait(
    (state) =>
      all(state) ??
      ((asked.some((each) => hasAnswered(state, each.key)) && isBound()) || undefined),
    { timeoutMs: ANSWER_LIMIT_MS, signal: call.signal },
  ).settled;
  if (answered.kind === 'found' && !isBound())
    await model.wait(() => isBound() || undefined, {
      timeoutMs: BINDING_LIMIT_MS,
      signal: call.signal,
    }).settled;
}

type AnswerCounts = ReadonlyMap<string, number>;

/** How many answers each session has given about the breakpoint's file, or about functions. */
function answerCounts(state: DebugState, breakpoint: RequestedHostBreakpoint): AnswerCounts {
  const count = (session: SessionState): number => {
    if (breakpoint.kind === 'function') return session.functionBreakpoints?.answers ?? 0;
    return [...session.sourceBreakpoints].reduce(
      (sum, [file, each]) => (samePath(file, breakpoint.path) ? sum + each.answers : sum),
      0,
    );
  };
  return new Map([...state.sessions.values()].map((session) => [session.key, count(session)]));
}

const removeInput = z.strictObject({
  breakpoint_id: z
    .int()
    .min(1)
    .max(Number.MAX_SAFE_INTEGER)
    .optional()
    .describe('id from set_breakpoint or get_breakpoints.'),
  location: z
    .strictObject({ file_path: filePath, line_number: lineNumber })
    .optional()
    .describe('All breakpoints on this line.'),
  clear_all: z.boolean().optional().describe('true: all breakpoints that agents set.'),
});

export const removeBreakpoint = defineTool({
  name: 'remove_breakpoint',
  set: 'core',
  effect: 'control',
  title: 'Remove Breakpoint',
  userDescription: 'Removes breakpoints that the agent set',
  modelDescription:
    "Remove breakpoints: exactly one of breakpoint_id, location, or clear_all (all that agents set; the person's stay).",
  icon: 'debug-breakpoint-unverified',
  input: removeInput,
  output: resultSchema(['success'], {
    removed: z.array(z.int()).readonly().optional(),
    kept: z.int().optional(),
  }),
  needs: 'nothing',
  doing: () => l10n.t('Removing breakpoints'),
  question: async ({ input, services }) => {
    const title = l10n.t('Remove breakpoint');
    const chosen = await chosenBreakpoints(services, input);
    const [found] = chosen;
    if (input.clear_all === true || found === undefined)
      return {
        title,
        message: l10n.t('Remove all breakpoints that agents set: {0}', chosen.length),
      };
    const where = code(
      found.kind === 'source'
        ? `${shortPath(services, found.path)}:${found.line}`
        : found.functionName,
    );
    const isTheirs = services.breakpoints.ownerOf(found) === 'user';
    return {
      title,
      message: isTheirs
        ? l10n.t('Remove **your own** breakpoint at {0}', where)
        : l10n.t('Remove the breakpoint at {0}', where),
    };
  },
  run: async ({ input, services, call }) => {
    const { breakpoints, host } = services;
    const chosen = await chosenBreakpoints(services, input);
    const kept = input.clear_all === true ? breakpoints.all().length - chosen.length : 0;
    const removed = chosen.map((each) => breakpoints.idOf(each));
    const released = untilReleased(services, chosen, call);
    host.removeBreakpoints(chosen.map((each) => each.hostId));
    const message =
      (await released).kind === 'timeout'
        ? l10n.t(
            'Breakpoints removed: {0}. A debugger has not confirmed it yet, so the program may still stop there.',
            removed.length,
          )
        : l10n.t('Breakpoints removed: {0}.', removed.length);
    return success({ message, removed, ...(kept > 0 ? { kept } : {}) });
  },
});

/** Waits until the adapters that hold them have answered without them: until then, the program still stops there. */
function untilReleased(
  { model }: ToolServices,
  chosen: readonly HostBreakpoint[],
  call: Call,
): Promise<Settled<true>> {
  const holders = liveSessions(model.state).flatMap((session) =>
    chosen
      .filter((each) => matches(session, each).length > 0)
      .map((each) => ({
        key: session.key,
        each,
        before: answerCounts(model.state, each).get(session.key) ?? 0,
      })),
  );
  const isReleased = (state: DebugState): boolean =>
    holders.every(({ key, each, before }) => {
      const session = state.sessions.get(key);
      // Another may stand where this one was bound: an answer that came since is about what is left.
      return (
        session === undefined ||
        !isLive(session) ||
        matches(session, each).length === 0 ||
        (answerCounts(state, each).get(key) ?? 0) > before
      );
    });
  return model.wait((state) => isReleased(state) || undefined, {
    timeoutMs: ANSWER_LIMIT_MS,
    signal: call.signal,
  }).settled;
}

/** @throws Failure `invalid_input`, `breakpoint_not_found`, `not_supported` */
async function chosenBreakpoints(
  services: ToolServices,
  input: z.output<typeof removeInput>,
): Promise<readonly HostBreakpoint[]> {
  const ways = [
    input.breakpoint_id !== undefined,
    input.location !== undefined,
    input.clear_all === true,
  ].filter(Boolean).length;
  if (ways !== 1)
    throw new Failure(
      'invalid_input',
      l10n.t('Exactly one of breakpoint_id, location and clear_all: true is needed.'),
      'Nothing was changed.',
    );
  if (input.breakpoint_id !== undefined) return [byId(services, input.breakpoint_id)];
  if (input.location !== undefined) return await onLine(services, input.location);
  return services.breakpoints.agents();
}

function byId({ breakpoints }: ToolServices, id: number): HostBreakpoint {
  const found = breakpoints.find(id);
  if (found !== undefined) return found;
  throw new Failure(
    'breakpoint_not_found',
    l10n.t('There is no breakpoint {0}.', id),
    'Call get_breakpoints for those there are.',
    { ids: breakpoints.all().map((each) => breakpoints.idOf(each)) },
  );
}

async function onLine(
  services: ToolServices,
  location: { readonly file_path: string; readonly line_number: number },
): Promise<readonly HostBreakpoint[]> {
  const file = await absolute(services, location.file_path);
  const found = services.breakpoints.at(file, location.line_number);
  if (found.length === 0)
    throw new Failure(
      'breakpoint_not_found',
      l10n.t('There is no breakpoint at {0}:{1}.', file, location.line_number),
      'Call get_breakpoints for those there are.',
    );
  const agents = found.filter((each) => services.breakpoints.ownerOf(each) === 'agent');
  if (agents.length > 0) return agents;
  throw new Failure(
    'not_supported',
    l10n.t("The breakpoint there is the person's own."),
    'Leave it, or pass its breakpoint_id so that the person is asked about it.',
    { ids: found.map((each) => services.breakpoints.idOf(each)) },
  );
}

export const getBreakpoints = defineTool({
  name: 'get_breakpoints',
  set: 'core',
  effect: 'read',
  title: 'List Breakpoints',
  userDescription: 'Lists all breakpoints and whether they are verified',
  modelDescription:
    "List all breakpoints, the person's included, with what each running debug session made of them.",
  icon: 'list-flat',
  input: z.strictObject({ max_chars: maxChars }),
  output: resultSchema(['success'], {
    timestamp: z.iso.datetime().optional(),
    breakpoints: z.array(breakpoint).optional(),
    exception_filters: z.array(chosenFilters).optional(),
  }),
  needs: 'nothing',
  doing: () => l10n.t('Listing the breakpoints'),
  run: async ({ services, call }) => {
    await followContent(services);
    const views = await services.inspector.limited(call.signal, (signal) =>
      Promise.all(
        services.breakpoints
          .all()
          .map((each, index) => services.breakpointViews.view(each, signal, index < EXPLAINED)),
      ),
    );
    return success({
      timestamp: new Date().toISOString(),
      breakpoints: views,
      ...chosenView(services),
    });
  },
});
