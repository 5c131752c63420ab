import path from 'node:path';
import * as l10n from '@vscode/l10n';
import { z } from 'zod';
import { isWithheldFrom, matches } from '../../debugger/breakpoints/breakpointMatching';
import { listed } from '../../results/listing';
import { Failure } from '../../results/failure';
import type { HostBreakpoint, RequestedHostBreakpoint } from '../../debugger/host';
import { isMereText } from '../../debugger/breakpoints/logMessage';
import { liveSessions, type DebugState } from '../../debugger/state/state';
import { defined } from '../../util/defined';
import { defineTool, success, type Consent } from '../defineTool';
import { outsideOf, shortPath } from '../files/files';
import { echoOf } from './lineEcho';
import { languageByExtension } from '../launch/programConfiguration';
import { code, wholeCode } from '../question';
import { breakpoint, resultSchema } from '../schemas';
import { answerCounts, ANSWER_LIMIT_MS, type AnswerCounts } from './breakpointAnswers';
import type { Call, ToolServices } from '../services';
import { setInput, unsureOfParts, requestedBreakpoint, type SetInput } from './wantedBreakpoint';

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
    const requested = await requestedBreakpoint(services, input);
    const before = answerCounts(services.model.state, requested);
    const placed = place(services, requested, input.line_content?.trim());
    const { breakpoint: set, changed } = placed;
    if (placed.lists > 0) await untilAnswered(services, placed, before, call);
    const view = await services.inspector.limited(call.signal, (signal) =>
      services.breakpointViews.view(set, signal),
    );
    const unread = await aboutUnread(services, requested);
    const echo = await echoOf(services, requested, view, input.line_content !== undefined);
    const { line_text: text } = echo;
    const hint = echo.hint ?? unread.hint ?? (await unsureOfParts(services, requested));
    return success(
      defined({
        message: unread.message,
        breakpoint: {
          ...view,
          ...(text === undefined ? {} : { line_text: text }),
          timestamp: new Date().toISOString(),
        },
        changed,
        hint,
      }),
    );
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
  requested: RequestedHostBreakpoint,
): Promise<{ message?: string; hint?: string }> {
  if (requested.kind === 'function' || (await workspace.outside(requested.path)) === undefined)
    return {};
  const candidates = await workspace.filesNamed(path.basename(requested.path));
  return {
    message: l10n.t(
      '{0} is outside the workspace and was not read: whether it has line {1} is not known.',
      requested.path,
      requested.line,
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
  const requested = await requestedBreakpoint(
    services,
    sought === undefined
      ? input
      : { ...input, line_content: undefined, line_number: input.line_number ?? 1 },
  );
  const where = wholeCode(
    requested.kind === 'function'
      ? requested.functionName
      : [
          shortPath(services, requested.path),
          ...(sought === undefined ? [requested.line] : []),
          ...(requested.column === undefined ? [] : [requested.column]),
        ].join(':'),
  );
  const text =
    sought ??
    (requested.kind === 'function' || isOutside
      ? ''
      : ((await services.workspace.readText(requested.path))
          .split(/\r\n|\r|\n/)
          [requested.line - 1]?.trim() ?? ''));
  const conditions = listed([
    ...(input.condition === undefined ? [] : [wholeCode(input.condition)]),
    ...(input.hit_condition === undefined ? [] : [l10n.t('hits {0}', code(input.hit_condition))]),
  ]);
  const print = input.log_message === undefined ? undefined : wholeCode(input.log_message);
  const what = breakpointText(where, conditions, print);
  return text === '' ? what : l10n.t('{0}: {1}', what, code(text));
}

function breakpointText(where: string, conditions: string, print: string | undefined): string {
  if (print === undefined)
    return conditions === ''
      ? l10n.t('Break at {0}', where)
      : l10n.t('Break at {0} when {1}', where, conditions);
  return conditions === ''
    ? l10n.t('Print {0} at {1}', print, where)
    : l10n.t('Print {0} at {1} when {2}', print, where, conditions);
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
  requested: RequestedHostBreakpoint,
  content: string | undefined,
): Placed {
  const before = breakpoints.inPlaceOf(requested);
  if (before === undefined) {
    const added = host.addBreakpoint(requested);
    breakpoints.claim(added, { content });
    return { breakpoint: added, lists: 1 };
  }
  const changed = changesOf(before, requested);
  if (before.enabled && Object.keys(changed).length === 0) {
    if (breakpoints.ownerOf(before) === 'agent')
      breakpoints.claim(before, { content: content ?? breakpoints.contentOf(before) });
    return { breakpoint: before, changed, lists: 0 };
  }
  refuseTheirs(breakpoints, before);
  const as = breakpoints.marksOf(before);
  host.removeBreakpoints([before.hostId]);
  const added = host.addBreakpoint(requested);
  breakpoints.claim(added, { as, content });
  return {
    breakpoint: added,
    changed: before.enabled ? changed : { ...changed, enabled: ['false', 'true'] },
    lists: 2,
  };
}

/** Whether one could be set: a breakpoint of the person's that differs is left as it is. @throws Failure `not_supported` */
export function checkPlace(
  { breakpoints }: ToolServices,
  requested: RequestedHostBreakpoint,
): void {
  const before = breakpoints.inPlaceOf(requested);
  if (
    before !== undefined &&
    !(before.enabled && Object.keys(changesOf(before, requested)).length === 0)
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
  return defined({
    condition: each.condition || undefined,
    hit_condition: each.hitCondition || undefined,
    log_message: each.logMessage || undefined,
  });
}

function changesOf(
  before: HostBreakpoint,
  requested: RequestedHostBreakpoint,
): Readonly<Record<string, readonly [string | null, string | null]>> {
  const [old, now] = [conditionsIn(before), conditionsIn(requested)];
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
