import { strict as assert } from 'node:assert';
import type { HostBreakpoint } from '../../../src/debugger/host';
import type { BoundView, BreakpointView } from '../../../src/results/views/breakpointView';
import { answered, asked, eventOf } from './events';
import { bench, FILE, running, type Bench } from './services';

export const LINE = 3;
export const LOCATIONS = { supportsBreakpointLocationsRequest: true };
export const SOURCES = { supportsLoadedSourcesRequest: true };

/** Makes the adapter respond for a breakpoint on `LINE`. */
export function answer(
  on: Bench,
  bound: object,
  key = 'a',
  path: string = FILE,
  more: object = {},
): void {
  const breakpoints = [{ line: LINE, ...more }];
  on.model.dispatch(asked(50, 'setBreakpoints', { source: { path }, breakpoints }, key));
  on.model.dispatch(answered(50, 'setBreakpoints', { breakpoints: [bound] }, key));
}

/** VS Code sends a file's breakpoints while they are deactivated: an empty list. */
export function answerNone(on: Bench, path: string = FILE): void {
  on.model.dispatch(asked(50, 'setBreakpoints', { source: { path }, breakpoints: [] }));
  on.model.dispatch(answered(50, 'setBreakpoints', { breakpoints: [] }));
}

export const set = (on: Bench, path: string = FILE): HostBreakpoint =>
  on.host.addBreakpoint({ kind: 'source', path, line: LINE });

export const viewOf = (
  on: Bench,
  breakpoint: HostBreakpoint,
  explain?: boolean,
): Promise<BreakpointView> => on.services.breakpointViews.view(breakpoint, on.call.signal, explain);

export interface Unbound {
  readonly on: Bench;
  readonly made: HostBreakpoint;
}

/** A breakpoint for which the adapter of the session `a` has responded, but which it has not bound. */
export function unbound(
  capabilities: object = {},
  { path = FILE, message }: { path?: string; message?: string } = {},
): Unbound {
  const on = running(bench());
  on.model.dispatch(eventOf('capabilities', { capabilities }));
  const made = set(on, path);
  answer(on, { id: 1, verified: false, ...(message === undefined ? {} : { message }) }, 'a', path);
  return { on, made };
}

export async function boundOf({ on, made }: Unbound): Promise<BoundView> {
  const [bound] = (await viewOf(on, made)).bound ?? [];
  assert.ok(bound !== undefined);
  return bound;
}

export const lines =
  (...numbers: readonly number[]) =>
  () => ({ breakpoints: numbers.map((line) => ({ line })) });
