import path from 'node:path';
import * as l10n from '@vscode/l10n';
import { z } from 'zod';
import { Failure } from '../../results/failure';
import type { BreakpointView } from '../../results/views/breakpointView';
import { listOf, textOf } from '../../debugger/protocol';
import { samePath } from '../../debugger/sourcePath';
import type { HostBreakpoint, RequestedHostBreakpoint } from '../../debugger/host';
import type { SessionState } from '../../debugger/state/state';
import { checkPlace, describeRequested, place } from './setBreakpoint';
import { echoOf, type LineEcho } from './lineEcho';
import { outsideOf } from '../files/files';
import { matched, runOutcome } from '../schemas';
import type { Call, ToolServices } from '../services';
import { defined } from '../../util/defined';
import { requestedBreakpoint, type SetInput } from './requestedBreakpoint';

/** A breakpoint in the result of a start. It contains only data that the caller does not know yet. */
const startedBreakpoint = z.object({
  id: z.int(),
  verified: z.boolean(),
  line: z.int().optional(),
  bound_line: z.int().optional(),
  line_text: z.string().optional(),
  hint: z.string().optional(),
  function_name: z.string().optional(),
  message: z.string().optional(),
  nearest_lines: z.array(z.int()).readonly().optional(),
  hits: z.int().optional().describe('In this run alone; get_breakpoints counts all runs.'),
});

type StartedBreakpoint = z.input<typeof startedBreakpoint>;

/** The result of a start. If a printed line ends the wait, the status is `timeout` and the result contains the line. */
export const startOutcome = runOutcome.extend({
  matched,
  breakpoints: z.array(startedBreakpoint).readonly().optional(),
});

export type StartOutcome = z.input<typeof startOutcome>;

export interface StartBreakpoint {
  readonly requested: RequestedHostBreakpoint;
  readonly content: string | undefined;
}

/** Resolves and checks the breakpoints that a start will set. @throws Failure. Nothing has been changed. */
export async function breakpointsFor(
  services: ToolServices,
  inputs: readonly SetInput[],
): Promise<readonly StartBreakpoint[]> {
  const resolved: StartBreakpoint[] = [];
  for (const input of inputs) {
    const requested = await requestedBreakpoint(services, input);
    checkPlace(services, requested);
    refuseSecond(resolved, requested);
    resolved.push({ requested, content: input.line_content?.trim() });
  }
  return resolved;
}

/**
 * Refuses a second breakpoint in the same place, because it would silently replace the first.
 * @throws Failure `invalid_input`
 */
function refuseSecond(
  before: readonly StartBreakpoint[],
  requested: RequestedHostBreakpoint,
): void {
  if (!before.some((earlier) => isSamePlace(earlier.requested, requested))) return;
  const where =
    requested.kind === 'function'
      ? requested.functionName
      : `${path.basename(requested.path)}:${requested.line}`;
  throw new Failure(
    'invalid_input',
    l10n.t('breakpoints contains {0} twice. A location can have one breakpoint.', where),
    'Leave one out, or move one to the next line that runs. Nothing was changed.',
  );
}

function isSamePlace(one: RequestedHostBreakpoint, other: RequestedHostBreakpoint): boolean {
  if (one.kind === 'function' || other.kind === 'function')
    return (
      one.kind === 'function' &&
      other.kind === 'function' &&
      one.functionName === other.functionName
    );
  return samePath(one.path, other.path) && one.line === other.line && one.column === other.column;
}

/** Returns the lines about the breakpoints for the question, in Markdown. @throws Failure if the call would fail */
export async function breakpointLines(
  services: ToolServices,
  inputs: readonly SetInput[],
): Promise<readonly string[]> {
  const isInside = await Promise.all(
    inputs.map(async ({ file_path: file }) => (await outsideOf(services, [file])).length === 0),
  );
  // A file outside the workspace is not read before the person's approval.
  await breakpointsFor(
    services,
    inputs.filter((_, index) => isInside[index]),
  );
  return await Promise.all(inputs.map((input) => describeRequested(services, input)));
}

/** Sets the breakpoints. Existing ones in the same places are replaced. */
export function setAll(
  services: ToolServices,
  all: readonly StartBreakpoint[],
): readonly HostBreakpoint[] {
  return all.map(({ requested, content }) => place(services, requested, content).breakpoint);
}

/**
 * Returns the state of the breakpoints in the started run. The run may have ended.
 * @param run the sessions of the run
 */
export async function startedBreakpoints(
  services: ToolServices,
  all: readonly StartBreakpoint[],
  set: readonly HostBreakpoint[],
  run: readonly SessionState[],
  call: Call,
): Promise<StartedBreakpoint[]> {
  const views = await services.inspector.limited(call.signal, (signal) =>
    Promise.all(
      set.map((breakpoint) => services.breakpointViews.view(breakpoint, signal, true, run)),
    ),
  );
  return await Promise.all(
    views.map(async (view, index) => {
      const breakpoint = all[index];
      if (breakpoint === undefined) return shownAtStart(view, {});
      const { requested, content } = breakpoint;
      const echo = await echoOf(services, requested, view, content !== undefined);
      const hint = echo.hint ?? vitestHint(requested, run);
      return shownAtStart(view, { ...echo, ...defined({ hint }) });
    }),
  );
}

const VITEST = /[\\/]node_modules[\\/]vitest[\\/]/;
const AT_ONCE = '--disable-console-intercept';

/**
 * Returns a hint for a logpoint that may seem silent. js-debug prints its message through the console, which vitest
 * replaces.
 */
function vitestHint(
  requested: RequestedHostBreakpoint,
  run: readonly SessionState[],
): string | undefined {
  const isDelayed =
    requested.logMessage !== undefined &&
    run.some(
      ({ configuration }) =>
        VITEST.test(textOf(configuration['program']) ?? '') &&
        !listOf(configuration['args']).includes(AT_ONCE),
    );
  return isDelayed
    ? `vitest prints the output of a test, logpoints included, when the test has ended. With "${AT_ONCE}" in args it is printed at once.`
    : undefined;
}

function shownAtStart(
  { id, verified, line, function_name: functionName, message, hits, bound = [] }: BreakpointView,
  { line_text: text, hint }: LineEcho,
): StartedBreakpoint {
  // The session that bound the breakpoint may have ended, while a session that never loaded its file is still live.
  const wasBound = verified || hits !== undefined;
  const boundLine = bound.find((answer) => answer.verified)?.line;
  return {
    id,
    verified: wasBound,
    ...defined({
      line,
      bound_line: boundLine === line ? undefined : boundLine,
      line_text: text,
      hint,
      function_name: functionName,
      message: wasBound ? undefined : message,
      nearest_lines: wasBound
        ? undefined
        : bound.find((answer) => answer.nearest_lines !== undefined)?.nearest_lines,
      hits,
    }),
  };
}
