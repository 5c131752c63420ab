import * as vscode from 'vscode';
import { call, cleanUp } from '../host/support/client';
import type { Command } from './command';
import { compare, type Check, type Compared, type Told } from './compare';
import type { Prepared, TruthTest } from './project';
import { runnerOf } from './runners/all';
import { runFor } from './runtime';

/** One test: what was compared, and its two times, measured one right after the other. */
export interface Measured {
  readonly test: string;
  readonly file: string;
  readonly isFailing: boolean;
  readonly compared: Compared;
  readonly plainMs: number;
  readonly oursMs: number;
  /** The answer, if something in it is wrong. */
  readonly answer?: Told;
}

/** The seconds that a call may take. Builds are included. */
const MAX_SECONDS = 120;

/** The time after which a call is cancelled that does not keep its own limit. */
const CANCELLED_AFTER_MS = 330_000;

/** Calls a tool. An answer that breaks its own schema is an answer, too: it is reported. */
async function answerOf(name: string, input: object): Promise<Told> {
  const cancellation = new vscode.CancellationTokenSource();
  const timer = setTimeout(() => cancellation.cancel(), CANCELLED_AFTER_MS);
  try {
    return await call(name, input, cancellation.token);
  } catch (error) {
    return { status: 'error', code: 'campaign_call_failed', message: String(error).slice(0, 500) };
  } finally {
    clearTimeout(timer);
    cancellation.dispose();
  }
}

function debugTest({ file, name }: TruthTest, more: object = {}): Promise<Told> {
  return answerOf('debug_test', {
    file_path: file,
    test_name: name,
    timeout_seconds: MAX_SECONDS,
    ...more,
  });
}

/** The command with which a person runs one test. */
function plainOf({ project, folder }: Prepared, truth: TruthTest): Command {
  return runnerOf(project.runner).one({ project, folder }, truth);
}

/** Runs a test plainly, and then by `debug_test`. */
export async function measured(prepared: Prepared, truth: TruthTest): Promise<Measured> {
  const { project } = prepared;
  const plain = await runFor(project, plainOf(prepared, truth), 120_000);
  const began = performance.now();
  const told = await debugTest(truth);
  const oursMs = performance.now() - began;
  await cleanUp();
  const compared = compare(truth, told);
  const isRight = Object.values(compared).every((check: Check) => check.isRight);
  return {
    test: truth.name,
    file: truth.file,
    isFailing: truth.verdict === 'failed',
    compared,
    plainMs: plain.ms,
    oursMs,
    ...(isRight ? {} : { answer: told }),
  };
}

/** Runs a test in both ways, so that builds and activations are not measured. */
export async function warmUp(prepared: Prepared, truth: TruthTest): Promise<void> {
  await runFor(prepared.project, plainOf(prepared, truth), 300_000);
  await debugTest(truth, { timeout_seconds: 300 });
  await cleanUp();
}

/** Whether a failing test can be left stopped at its failure, evaluated there, and continued to its end. */
export async function stays(truth: TruthTest): Promise<Check> {
  const expected = 'stopped; a local is read there; continuing ends the run';
  try {
    const told = await debugTest(truth, { on_failure: 'stay' });
    if (told.status !== 'stopped' || told.program !== 'stopped' || told.session_id === undefined)
      return { isRight: false, expected, got: `not stopped: ${shortened(told)}` };
    const session = { session_id: told.session_id };
    const [name = '1'] = truth.locals ?? [];
    const value = await answerOf('evaluate_expression', { expression: name, ...session });
    if (value.status !== 'success')
      return { isRight: false, expected, got: `${name} is not read: ${shortened(value)}` };
    const end = await answerOf('continue_debugging', { ...session, timeout_seconds: 40 });
    return { isRight: end.status === 'completed', expected, got: `continued: ${shortened(end)}` };
  } finally {
    await cleanUp();
  }
}

/** An answer without its longest parts. */
function shortened({
  frames: _frames,
  stop_event_data: _stop,
  message = '',
  ...told
}: Told): string {
  return JSON.stringify({ ...told, message: message.slice(0, 120) }).slice(0, 800);
}
