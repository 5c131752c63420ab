import { strict as assert } from 'node:assert';
import { spawnSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import path from 'node:path';
import * as vscode from 'vscode';
import { LANGUAGES, skipWhereMissing } from '../languages/language';
import { call, inWorkspace, insideExtension, type Answer } from '../support/client';

/** Skips the test where the debugger of a language is missing. */
export function needs(context: Mocha.Context, name: string): void {
  const language = LANGUAGES.find((each) => each.name === name);
  assert.ok(language);
  skipWhereMissing(context, language);
}

export interface Traced extends Answer {
  readonly trace: readonly string[];
  /** The object of a method, where it is no parameter. */
  readonly this?: string;
  readonly arguments: Readonly<Record<string, string>>;
  readonly returned?: string;
  readonly executed_lines: number;
  readonly stepped_lines?: number;
  readonly argument_changes?: readonly string[];
  readonly at?: string;
}

/** Traces a call, with time enough on a machine that does other work. @throws where the program did not stop behind it */
export async function trace(input: object): Promise<Traced> {
  const answer = (await call('trace_function', { max_seconds: 150, ...input })) as Traced;
  assert.equal(answer.status, 'stopped', JSON.stringify(answer));
  assert.ok(Array.isArray(answer.trace), JSON.stringify(answer));
  return answer;
}

/** Further rounds until one is quick, on a machine that does other work. */
const MAX_FURTHER = 4;

/**
 * Repeats a run until one takes less than a limit. On a machine that does other work, single runs take long.
 * @param run returns the seconds that it took @throws if no run is that quick
 */
export async function untilQuick(limit: number, run: () => Promise<number>): Promise<void> {
  let quickest = Infinity;
  for (let round = 0; round <= MAX_FURTHER && quickest >= limit; round += 1)
    quickest = Math.min(quickest, await run());
  assert.ok(quickest < limit, `${quickest} s, at most ${limit} s`);
}

/** The value that a call returned, or the word for a value that the debugger did not show. */
export const returnedIn = (answer: Answer): unknown =>
  answer['returned'] ?? answer['returned_value'];

/** The lines of a trace that contain a text. */
export const withText = (answer: Traced, text: string): readonly string[] =>
  answer.trace.filter((each) => each.includes(text));

/** Asserts that nothing of a trace is left: no lease, and only the given number of the person's breakpoints. */
export async function assertNothingLeft(breakpoints = 0): Promise<void> {
  assert.equal(vscode.debug.breakpoints.length, breakpoints);
  const { model } = await insideExtension();
  const injected = [...model.state.sessions.values()]
    .filter((each) => each.lifecycle !== 'terminated')
    .flatMap((each) => [...each.sourceBreakpoints.values()])
    .flatMap((each) => each.breakpoints)
    .filter((each) => each.injected !== undefined);
  assert.deepEqual(injected, []);
}

export const NATIVE = 'native/out/traced';

/** Builds `native/<name>.cpp`. @returns the program, as a path in the workspace */
export function compileNative(name: string): string {
  const program = `native/out/${name}`;
  mkdirSync(path.dirname(inWorkspace(program)), { recursive: true });
  const args = [
    '-g',
    '-O0',
    '-pthread',
    '-o',
    inWorkspace(program),
    inWorkspace(`native/${name}.cpp`),
  ];
  const result = spawnSync('g++', args, { encoding: 'utf8' });
  assert.equal(result.status, 0, result.stderr);
  return program;
}
