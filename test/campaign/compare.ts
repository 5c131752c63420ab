import { realpathSync } from 'node:fs';
import { withoutColors } from './command';
import type { TruthTest } from './project';

/** The parts of an answer of `debug_test` that are compared. */
export interface Told {
  readonly status: string;
  readonly outcome?: string;
  readonly code?: string;
  readonly message?: string;
  readonly expected?: string;
  readonly actual?: string;
  readonly exception?: { readonly type?: string };
  readonly at?: { readonly file_path: string; readonly line_number: number };
  readonly frames?: readonly {
    readonly function_name: string;
    readonly file_path?: string;
    readonly line_number?: number;
    readonly variables?: Readonly<Record<string, string>>;
  }[];
  readonly without_values?: string;
  readonly program?: string;
  readonly session_id?: string;
  readonly [property: string]: unknown;
}

/** Whether an answer says what the plain runner says about one thing. */
export interface Check {
  readonly isRight: boolean;
  readonly expected: string;
  readonly got: string;
}

export interface Compared {
  readonly verdict: Check;
  /** Only of a test whose runner tells one. */
  readonly message?: Check;
  /** Only where the runner names a place. */
  readonly place?: Check;
  /** Only where the error was thrown, and its line uses local variables. */
  readonly variables?: Check;
}

export function compare(test: TruthTest, told: Told): Compared {
  const verdict = verdictCheck(test, told);
  if (test.verdict === 'passed') return { verdict };
  const truth = { ...test, ...meantIn(test, told) };
  const { at, locals } = truth;
  return {
    verdict,
    ...(firstLine(truth) === '' ? {} : { message: messageCheck(truth, told) }),
    ...(at === undefined ? {} : { place: placeCheck(truth, told) }),
    ...(locals === undefined || locals.length === 0 || isNeverThrown(told)
      ? {}
      : { variables: variablesCheck(locals, told) }),
  };
}

/** Of all that the runner printed, the part at the place that the answer names. */
function meantIn({ besides = [] }: TruthTest, told: Told): object {
  return besides.find((each) => placeCheck(each, told).isRight) ?? {};
}

/** An error that was created but not thrown has no values; the answer says so itself. */
function isNeverThrown({ without_values: reason }: Told): boolean {
  return reason === 'never_thrown';
}

/** An error outside of a test's assertions may be told as `errored`. */
function verdictCheck({ verdict }: TruthTest, { status, outcome, code, message }: Told): Check {
  const right = verdict === 'passed' ? ['passed'] : ['failed', 'errored'];
  return {
    isRight: right.includes(outcome ?? ''),
    expected: verdict,
    got: outcome ?? `${status} ${code ?? ''} ${message ?? ''}`.trim(),
  };
}

/** The longest part of a message that is compared. Answers shorten long messages. */
const MAX_COMPARED = 200;

function firstLine({ message = '' }: TruthTest): string {
  const lines = normalized(message).split('\n');
  return lines.find((line) => line !== '')?.slice(0, MAX_COMPARED) ?? '';
}

function messageCheck(truth: TruthTest, told: Told): Check {
  const expected = firstLine(truth);
  const got = [told.exception?.type, told.message].filter((part) => part !== undefined).join(': ');
  const compared = (text: string): string =>
    truth.varies === true ? text.replace(/\d+/g, '#') : text;
  const isRight = compared(normalized(got)).includes(compared(expected));
  return { isRight, expected, got: normalized(got).slice(0, 300) };
}

function normalized(text: string): string {
  return withoutColors(text)
    .split('\n')
    .map((line) => line.replace(/\s+/g, ' ').trim())
    .join('\n');
}

function placeCheck({ at }: Pick<TruthTest, 'at'>, told: Told): Check {
  const [expected, got] = [
    at === undefined ? '' : `${realPath(at.file)}:${at.line}`,
    told.at === undefined ? 'none' : `${realPath(told.at.file_path)}:${told.at.line_number}`,
  ];
  return { isRight: expected === got, expected, got };
}

function realPath(file: string): string {
  try {
    return realpathSync(file);
  } catch {
    return file;
  }
}

function variablesCheck(locals: readonly string[], told: Told): Check {
  const own = (told.frames ?? []).filter(({ file_path: file }) => file !== undefined);
  // An assertion of the project itself has frames of its own.
  const failing = own.find(({ line_number: line }) => line === told.at?.line_number);
  const frame = failing ?? own[0];
  const shown = Object.keys(frame?.variables ?? {});
  const missing = locals.filter((name) => !shown.includes(name));
  return {
    isRight: missing.length === 0,
    expected: locals.join(', '),
    got: shown.length === 0 ? `none (${told.without_values ?? 'no reason'})` : shown.join(', '),
  };
}

/** The runners whose tests are built first. They may take twice the plain time, and a second. */
const BUILT = new Set(['go_test', 'cargo_test', 'googletest', 'junit4', 'junit5']);

/** The longest time that the aims allow for a call. */
export function timeLimitOf(runner: string, plainMs: number): number {
  return (BUILT.has(runner) ? 2 : 1.5) * plainMs + 1000;
}

export function median(values: readonly number[]): number {
  const sorted = [...values].sort((one, other) => one - other);
  const middle = sorted.length / 2;
  const [low, high] = [sorted[Math.ceil(middle) - 1], sorted[Math.floor(middle)]];
  return low === undefined || high === undefined ? NaN : (low + high) / 2;
}
