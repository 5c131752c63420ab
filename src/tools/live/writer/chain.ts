import * as l10n from '@vscode/l10n';
import { Failure } from '../../../results/failure';
import type { Call, ToolServices } from '../../services';
import type { FirstStop } from './firstStop';
import { findWrite, type Found } from './findRun';
import { passedFor } from './inputs';
import type { Origin } from './origin';
import type { WriterAnswer } from './writerAnswers';

/** One answer of a chain, and what it goes on from. */
export interface Link extends WriterAnswer {
  readonly id: string;
  readonly found: Found;
}

export interface Chain {
  readonly links: readonly [Link, ...Link[]];
  /** Why the chain has fewer steps than were asked for. */
  readonly end: string | undefined;
}

/**
 * Finds the last write of a value, then that of what was written, and so on, as long as there is only one value to go on
 * with. @throws Failure if the first step fails
 */
export async function findChain(
  services: ToolServices,
  call: Call,
  origin: Origin,
  steps: number,
  deadline: number,
): Promise<Chain> {
  const begin = performance.now();
  const first = await linkAt(services, call, origin, deadline);
  const rest: Link[] = [];
  const end = (why: string): Chain => ({ links: [first, ...rest], end: why });
  let last = first;
  let slowest = performance.now() - begin;
  while (rest.length + 1 < steps) {
    const { followed } = last;
    if (followed === undefined) return end(whyEnded(last));
    const from = performance.now();
    if (from + slowest > deadline) return end('The time is up: call again with of.');
    call.progress?.(l10n.t('Finding the line that wrote a value'));
    const next = await linkAt(services, call, followed, deadline).catch(asText);
    if (typeof next === 'string') return end(next);
    slowest = Math.max(slowest, performance.now() - from);
    rest.push(next);
    last = next;
  }
  return { links: [first, ...rest], end: undefined };
}

function asText(error: unknown): string {
  if (error instanceof Failure) return error.message;
  throw error;
}

async function linkAt(
  services: ToolServices,
  call: Call,
  origin: Origin,
  deadline: number,
): Promise<Link> {
  const found = await findWrite(services, call, origin, deadline);
  const answer = await answerOf(origin, found);
  return { ...answer, found, id: services.writers.add(answer) };
}

async function answerOf(origin: Origin, found: Found): Promise<WriterAnswer> {
  const { verdict, confirmed } = found;
  const { program } = origin;
  if (verdict.sure === 'none' && isArgument(found)) {
    const passed = passedFor(found.stop.read.values[0], await origin.caller());
    return followedBy(
      passed.map((stop) => ({ program, stop, caller: noCaller })),
      undefined,
    );
  }
  if (confirmed === undefined || (verdict.sure !== 'seen' && verdict.sure !== 'agreed'))
    return { inputs: [], followed: undefined };
  const { inputs, passed, returned } = confirmed;
  if (returned !== undefined && returned.inputs.stops.length > 0) {
    // The function got its arguments from the line that was found.
    const called = (): Promise<readonly FirstStop[]> => Promise.resolve(inputs.stops);
    return followedBy(
      returned.inputs.stops.map((stop) => ({ program, stop, caller: called })),
      returned.inputs.copied,
    );
  }
  const caller = (): Promise<readonly FirstStop[]> => Promise.resolve(passed);
  return followedBy(
    inputs.stops.map((stop) => ({ program, stop, caller })),
    inputs.copied,
  );
}

const noCaller = (): Promise<readonly FirstStop[]> => Promise.resolve([]);

function followedBy(inputs: readonly Origin[], copied: string | undefined): WriterAnswer {
  const [only, second] = inputs;
  const same = inputs.find(({ stop }) => stop.asked.expression === copied);
  return { inputs, followed: same ?? (second === undefined ? only : undefined) };
}

/** Whether a value that no line of its call wrote may be an argument. */
export function isArgument({ probes }: Pick<Found, 'probes'>): boolean {
  return probes.scope?.calls === 'own';
}

function whyEnded({ found, inputs }: Link): string {
  const { sure } = found.verdict;
  if (inputs.length > 1) return 'Several values were read: pass one of inputs as expression.';
  if (sure === 'ambiguous') return 'The last answer is not sure.';
  return sure === 'none'
    ? 'No earlier line is known.'
    : 'The line reads no variable or member that could be followed.';
}
