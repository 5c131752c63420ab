import { requestedCondition } from '../../debugger/adapters/pythonCondition';
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
import { answerCounts, ANSWER_LIMIT_MS, type AnswerCounts } from './answerCounts';
import type { Call, ToolServices } from '../services';
import { setInput, unsureOfParts, requestedBreakpoint, type SetInput } from './requestedBreakpoint';

/** The time to wait after the adapters' responses until one of them binds the breakpoint. */
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
    message: await describeRequested(services, input),
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
          ...defined({ line_text: text }),
          timestamp: new Date().toISOString(),
        },
        changed,
        hint,
      }),
    );
  },
});

/**
 * Returns the debug types whose adapters may get a breakpoint of the file. These are the types of live sessions, and
 * the types that are installed for the file's language.
 */
function typesThatPrint(
  { model, workspace }: ToolServices,
  file: string | undefined,
): readonly string[] {
  const live = liveSessions(model.state).map((session) => session.type);
  const language = file === undefined ? undefined : languageByExtension(file);
  const installed = workspace
    .debuggers()
    .filter(({ languages }) => language !== undefined && languages.includes(language));
  // Without a debugger for the file's language, it is unknown which adapter will get the breakpoint.
  return file !== undefined && installed.length === 0
    ? []
    : [...live, ...installed.map(({ type }) => type)];
}

/**
 * Returns a message and a hint for a breakpoint in a file that may not be read. The message says what is unknown. The
 * hint lists similar files.
 */
async function aboutUnread(
  { workspace }: ToolServices,
  requested: RequestedHostBreakpoint,
): Promise<{ message?: string; hint?: string }> {
  if (requested.kind === 'function' || (await workspace.outside(requested.path)) === undefined)
    return {};
  const candidates = await workspace.filesNamed(path.basename(requested.path));
  return defined({
    message: l10n.t(
      '{0} is outside the workspace and was not read, so it is not known whether it has line {1}.',
      requested.path,
      requested.line,
    ),
    hint:
      candidates.length > 0
        ? `Files of that name in the workspace: ${candidates.slice(0, MAX_NAMED).join(', ')}`
        : undefined,
  });
}

/** The maximum number of listed workspace files that have the same name as a file outside. */
const MAX_NAMED = 5;

/**
 * Returns the required consent. A condition is evaluated in the program, and expressions in a log message may be
 * evaluated too.
 */
export function consentOf(
  services: ToolServices,
  { condition, log_message: message, file_path: file }: SetInput,
): Consent {
  const mayRunCode =
    condition !== undefined ||
    (message !== undefined && !isMereText(message, typesThatPrint(services, file)));
  return mayRunCode ? 'change' : 'control';
}

/** Returns the resolved breakpoint for the question: file, line and text. @throws Failure if the call would fail too */
export async function describeRequested(services: ToolServices, input: SetInput): Promise<string> {
  // A file outside the workspace is not read before the person's approval, not even to find out whether the call would
  // fail.
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
  /**
   * If the breakpoint replaces another one: the changed properties, with the old and the new value. Null means no
   * value.
   */
  readonly changed?: Readonly<Record<string, readonly [string | null, string | null]>>;
  /** The number of breakpoint lists that VS Code sends to each session because of the change. */
  readonly lists: number;
}

/**
 * Adds a breakpoint or replaces the existing one. The function awaits nothing in between, so concurrent calls do not
 * lose a breakpoint.
 */
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

/**
 * Checks that a breakpoint could be set. A different breakpoint of the person is not replaced.
 * @throws Failure `not_supported`
 */
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
    l10n.t('The person has a breakpoint there. It was not changed.'),
    `Use breakpoint ${breakpoints.idOf(before)}, or set one on another line.`,
    {
      existing: { id: breakpoints.idOf(before), enabled: before.enabled, ...conditionsIn(before) },
    },
  );
}

function conditionsIn({
  condition,
  hitCondition,
  logMessage,
}: HostBreakpoint | RequestedHostBreakpoint): Readonly<Record<string, string>> {
  return defined({
    condition: requestedCondition(condition ?? '') || undefined,
    hit_condition: hitCondition || undefined,
    log_message: logMessage || undefined,
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
 * Waits until the adapters of all running sessions have responded, and then briefly for adapters that bind the
 * breakpoint later (DAP event `breakpoint`).
 */
async function untilAnswered(
  { model, breakpoints }: ToolServices,
  { breakpoint, lists }: Placed,
  before: AnswerCounts,
  call: Call,
): Promise<void> {
  const asked = liveSessions(model.state).filter(
    ({ lifecycle }) => lifecycle === 'running' || lifecycle === 'stopped',
  );
  if (asked.length === 0) return;
  // A response may belong to an earlier list, because VS Code sends a list for each breakpoint that is added or
  // removed.
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
    breakpoints.boundIn(breakpoint).some(({ adapter }) => adapter.verified);
  const all = (state: DebugState): true | undefined =>
    asked.every(({ key }) => hasAnswered(state, key)) || undefined;
  const answered = await model.wait(
    (state) =>
      all(state) ?? ((asked.some(({ key }) => hasAnswered(state, key)) && isBound()) || undefined),
    { timeoutMs: ANSWER_LIMIT_MS, signal: call.signal },
  ).settled;
  if (answered.kind === 'found' && !isBound())
    await model.wait(() => isBound() || undefined, {
      timeoutMs: BINDING_LIMIT_MS,
      signal: call.signal,
    }).settled;
}
