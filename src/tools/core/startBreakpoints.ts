import { z } from 'zod';
import type { BreakpointView } from '../../results/views/breakpointView';
import type { HostBreakpoint, WantedBreakpoint } from '../../debugger/host';
import type { SessionState } from '../../debugger/state/state';
import { checkPlace, describeWanted, place } from './breakpoints';
import { echoOf } from './lineEcho';
import { outsideOf } from '../files/files';
import { matched, runOutcome } from '../schemas';
import type { Call, ToolServices } from '../services';
import { wantedBreakpoint, type SetInput } from './wantedBreakpoint';

/** A breakpoint of a start, as its answer tells it: what the caller does not know of it. */
const startedBreakpoint = z.object({
  id: z.int(),
  verified: z.boolean(),
  line: z.int().optional(),
  line_text: z.string().optional(),
  function_name: z.string().optional(),
  message: z.string().optional(),
  nearest_lines: z.array(z.int()).readonly().optional(),
  hits: z.int().optional().describe('In this run alone; get_breakpoints counts all runs.'),
});

type StartedBreakpoint = z.input<typeof startedBreakpoint>;

/** What a start answers with; a printed line that ends its wait is a `timeout` with that line. */
export const startOutcome = runOutcome.extend({
  matched,
  breakpoints: z.array(startedBreakpoint).readonly().optional(),
});

export type StartOutcome = z.input<typeof startOutcome>;

export interface WantedAtStart {
  readonly wanted: WantedBreakpoint;
  readonly content: string | undefined;
}

/** What a start is to set, resolved and checked. @throws Failure; nothing has been changed */
export async function breakpointsFor(
  services: ToolServices,
  inputs: readonly SetInput[],
): Promise<readonly WantedAtStart[]> {
  const resolved: WantedAtStart[] = [];
  for (const input of inputs) {
    const wanted = await wantedBreakpoint(services, input);
    checkPlace(services, wanted);
    resolved.push({ wanted, content: input.line_content?.trim() });
  }
  return resolved;
}

/** What a person is asked about each, in Markdown. @throws Failure where the call would fail */
export async function breakpointLines(
  services: ToolServices,
  inputs: readonly SetInput[],
): Promise<readonly string[]> {
  const isInside = await Promise.all(
    inputs.map(async ({ file_path: file }) => (await outsideOf(services, [file])).length === 0),
  );
  // A file outside the workspace is not looked into before the person's yes.
  await breakpointsFor(
    services,
    inputs.filter((_, index) => isInside[index]),
  );
  return await Promise.all(inputs.map((input) => describeWanted(services, input)));
}

/** Sets them, in the place of those that are there. */
export function setAll(
  services: ToolServices,
  all: readonly WantedAtStart[],
): readonly HostBreakpoint[] {
  return all.map(({ wanted, content }) => place(services, wanted, content).breakpoint);
}

/** What became of them in the run that was started, which may have ended. @param run its sessions */
export async function startedBreakpoints(
  services: ToolServices,
  all: readonly WantedAtStart[],
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
      const asked = all[index];
      const echo =
        asked === undefined
          ? {}
          : await echoOf(services, asked.wanted, view, asked.content !== undefined);
      return shownAtStart(view, echo.line_text);
    }),
  );
}

function shownAtStart(
  { id, verified, line, function_name: functionName, message, hits, bound = [] }: BreakpointView,
  text: string | undefined,
): StartedBreakpoint {
  const nearest = verified
    ? undefined
    : bound.find((answer) => answer.nearest_lines !== undefined)?.nearest_lines;
  return {
    id,
    verified,
    ...(line === undefined ? {} : { line }),
    ...(text === undefined ? {} : { line_text: text }),
    ...(functionName === undefined ? {} : { function_name: functionName }),
    ...(message === undefined || verified ? {} : { message }),
    ...(nearest === undefined ? {} : { nearest_lines: nearest }),
    ...(hits === undefined ? {} : { hits }),
  };
}
