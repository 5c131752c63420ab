import { strict as assert } from 'node:assert';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { countTokens } from 'gpt-tokenizer/encoding/o200k_base';
import { setTimeout as pause } from 'node:timers/promises';
import * as vscode from 'vscode';
import { call, inWorkspace, insideExtension } from '../support/client';
import { ask } from './asking';
import { assertNothingLeft, withText, type Traced } from './tracing';

/** A file that `npm run test-runners:setup` installs. */
export const installed = (file: string): string =>
  path.resolve(inWorkspace('.'), '../../../.vscode-test', file);

/** A virtual environment with the frameworks and today's debugpy. */
export const PYTHON = installed('web/bin/python');

/** A function that answers a request, and what a trace of one of its calls shows. */
export interface Endpoint {
  readonly name: string;
  readonly path: string;
  readonly lines: number;
  readonly shows: readonly string[];
  readonly returned?: RegExp;
  readonly threw?: RegExp;
  /** How many traces; two if absent. */
  readonly rounds?: number;
  /** The time in seconds within which the quickest of them ends, with its request; two if absent. */
  readonly seconds?: number;
  /** Whether the program stays paused after a traced call, as Node's does. */
  readonly staysPaused?: true;
}

/** Starts an application. @returns the port on which it serves */
export async function served(configuration: object, ready = /ready (\d+)/): Promise<number> {
  const [folder] = vscode.workspace.workspaceFolders ?? [];
  const started = await vscode.debug.startDebugging(folder, {
    ...{ name: 'application', type: 'debugpy', request: 'launch', console: 'internalConsole' },
    ...configuration,
  });
  assert.ok(started);
  const answer = await call('wait_for_stop', {
    output_pattern: ready.source,
    timeout_seconds: 60,
  });
  const port = ready.exec(JSON.stringify(answer))?.[1];
  assert.ok(port !== undefined, JSON.stringify(answer));
  return Number(port);
}

/**
 * The milliseconds between two requests of one person. Flask makes a thread for each request, and each thread makes
 * events that the window must read: without a pause, a slow machine falls behind for minutes.
 */
const PAUSE = 40;

/** People who ask at the same time. */
const PEOPLE = 4;

/** Requests during ten traces, at least. */
const REQUESTS = 40;

/** Further rounds until one is quick, on a machine that does other work. */
const MAX_FURTHER = 20;

/** The maximum number of tokens of an answer about a function of six lines, and for each line of a longer one. */
const MAX_TOKENS = { answer: 300, line: 50 };

/**
 * Traces calls of each endpoint while several people ask for it. A program that stays paused after a call goes on with
 * the next one, and at last. @returns the number of requests
 */
export async function tracedWhileServing(
  port: number,
  file: string,
  endpoints: readonly Endpoint[],
): Promise<number> {
  let requests = 0;
  for (const endpoint of endpoints) {
    const { name, path: asked, rounds = 2, seconds = 2 } = endpoint;
    const least = requests + (rounds * REQUESTS) / 10;
    let isTraced = false;
    const asking = async (): Promise<void> => {
      while (!isTraced || requests < least) {
        requests += 1;
        await ask(port, asked);
        await pause(PAUSE);
      }
    };
    const people = Promise.all(Array.from({ length: PEOPLE }, asking));
    // A failing trace is told first.
    people.catch(() => undefined);
    let [quickest, smallest] = [Infinity, Infinity];
    const most = rounds + MAX_FURTHER;
    try {
      for (let round = 0; round < rounds || (quickest >= seconds && round < most); round += 1) {
        const begun = performance.now();
        const traced = await call('trace_function', {
          ...{ function_name: name, file_path: file },
          // The time of a busy machine. The quickest round is held to its own limit.
          max_seconds: 150,
        });
        quickest = Math.min(quickest, (performance.now() - begun) / 1000);
        assertTraced(traced as Traced, endpoint);
        smallest = Math.min(smallest, countTokens(JSON.stringify(traced)));
      }
    } finally {
      isTraced = true;
    }
    if (endpoint.staysPaused === true) await call('continue_debugging', { timeout_seconds: 1 });
    await people;
    // The quickest of all: on a machine that does other work, single requests take long.
    assert.ok(quickest < seconds, `${name}: ${quickest} s`);
    // What others change meanwhile is in the answers, too.
    const tokens = Math.max(MAX_TOKENS.answer, MAX_TOKENS.line * endpoint.lines);
    assert.ok(smallest <= tokens, `${name}: ${smallest} tokens`);
  }
  return requests;
}

function assertTraced(traced: Traced, endpoint: Endpoint): void {
  const { lines, returned, threw, shows, staysPaused } = endpoint;
  const text = JSON.stringify(traced);
  assert.equal(traced.status, staysPaused === true ? 'stopped' : 'running', text);
  assert.equal(traced.executed_lines, lines, text);
  if (returned !== undefined) assert.match(String(traced.returned), returned, text);
  if (threw !== undefined) assert.match(String(traced['threw']), threw, text);
  for (const each of shows) assert.equal(withText(traced, each).length, 1, text);
  assert.ok(text.length < 2500, text);
}

/** Ends the program, and asserts that none of its processes lives on. */
export async function assertEnds(): Promise<void> {
  await assertNothingLeft();
  const { model } = await insideExtension();
  const processes = [...model.state.sessions.values()].flatMap((each) => each.process?.pid ?? []);
  assert.ok(processes.length > 0, 'the program has a process');
  assert.equal((await call('stop_debugging')).status, 'success');
  assert.deepEqual(processes.filter(isAlive), []);
}

/** Whether a process still runs. One that only waits for its parent to read its exit code has ended. */
function isAlive(pid: number): boolean {
  try {
    return !/^\d+ \(.*\) [ZX]/s.test(readFileSync(`/proc/${pid}/stat`, 'utf8'));
  } catch {
    return false;
  }
}
