import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import path from 'node:path';
import * as vscode from 'vscode';
import type { DebugModel } from '../../src/debugger/debugModel';
import { readMessage } from '../../src/debugger/protocol';
import { call, insideExtension, marked } from '../host/support/client';
import { stopOf, type StopData } from '../host/support/stopData';
import { RawClient, watchConnections } from './rawClient';

const STEPS = 40;
const WARM_UP = 5;

/** VS Code has no event for having drawn everything; when its connection has been still for so long, it has. */
const REST_MS = 500;

/** Speed of the extension against named baselines, measured in one run of one VS Code. */
export async function run(): Promise<void> {
  const { activationMilliseconds } = await insideExtension();
  console.log(`VS Code ${vscode.version}, Node ${process.version} in the extension host, ${process.platform} ${process.arch}`);
  await steps();
  activation(activationMilliseconds);
}

/**
 * Alternates our steps with a raw client's in one session, so that both meet the same program, adapter and load: once
 * from rest, as with an agent that thinks between its calls, and once back to back, while VS Code still draws the stop
 * before.
 */
async function steps(): Promise<void> {
  const watched = watchConnections();
  await call('set_breakpoint', { file_path: 'work.js', line_number: marked('work.js', 'start') });
  const stop = stopOf(await call('start_debugging', { configuration_name: 'Work' }));
  watched.restore();
  const raw = await clientOf(watched.sockets.map((socket) => new RawClient(socket)), stop);
  await compare(`from rest (no message for ${REST_MS} ms), median of ${STEPS}`, stop, raw, () => raw.quiet(REST_MS));
  await compare(`back to back, median of ${STEPS}`, stop, raw, async () => undefined);
  await breakpoints(raw);
  await call('stop_debugging', {});
}

async function compare(how: string, stop: StopData, raw: RawClient, rest: () => Promise<void>): Promise<void> {
  const ours: number[] = [];
  const looks: number[] = [];
  const bare: number[] = [];
  const inAdapter: number[] = [];
  const { model } = await insideExtension();
  const clock = adapterClock(model);
  const ourStep = async (): Promise<void> => {
    clock.restart();
    stopOf(await call('step_execution', { thread_id: stop.thread_id, step_type: 'over' }));
    inAdapter.push(clock.milliseconds());
  };
  const kinds = [
    { times: ours, action: ourStep },
    { times: looks, action: () => raw.stepAndLook(stop.thread_id) },
    { times: bare, action: () => raw.step(stop.thread_id) },
  ];
  for (let round = 0; round < STEPS + WARM_UP; round += 1) {
    for (const { times, action } of kinds) {
      await rest();
      const time = await timed(action);
      if (round >= WARM_UP) times.push(time);
    }
  }
  console.log(`\nA step on Node, ${how}:`);
  row('step_execution (next, stopped, stack, scopes, variables)', median(ours));
  row('  of it with a request at the adapter', median(inAdapter.slice(WARM_UP)));
  row('raw DAP client, the same, one after the other', median(looks), median(ours));
  row('raw DAP client, next and stopped alone', median(bare), median(ours));
}

/** 500 breakpoints in 50 files, set and cleared, beside the requests for them alone. */
async function breakpoints(raw: RawClient): Promise<void> {
  const folder = mkdtempSync(path.join(tmpdir(), 'agent-debugger-bench-'));
  const lines = Array.from({ length: 10 }, (_, index) => index + 1);
  const files = Array.from({ length: 50 }, (_, index) => path.join(folder, `file${index}.js`));
  for (const file of files) writeFileSync(file, lines.map((line) => `work(${line});\n`).join(''));
  const own = vscode.debug.breakpoints.length;
  const setting = await timed(async () => {
    for (const file of files) await Promise.all(lines.map((line) => call('set_breakpoint', { file_path: file, line_number: line })));
  });
  if (vscode.debug.breakpoints.length !== own + 500) throw new Error(`${vscode.debug.breakpoints.length - own} breakpoints of 500`);
  const listing = await timed(async () => {
    await call('get_breakpoints', {});
  });
  const clearing = await timed(async () => {
    await call('remove_breakpoint', { clear_all: true });
  });
  if (vscode.debug.breakpoints.length !== 0) throw new Error(`${vscode.debug.breakpoints.length} breakpoints are left`);
  const requests = await timed(async () => {
    for (const file of files) for (const line of lines) await raw.request('setBreakpoints', { source: { path: file }, breakpoints: lines.slice(0, line).map((each) => ({ line: each })) });
    for (const file of files) await raw.request('setBreakpoints', { source: { path: file }, breakpoints: [] });
  });
  rmSync(folder, { recursive: true });
  console.log('\n500 breakpoints in 50 files, ten calls at a time:');
  row('set_breakpoint, 500 times', setting);
  row('get_breakpoints', listing);
  row('remove_breakpoint with clear_all', clearing);
  row('raw setBreakpoints requests for the same', requests, setting + clearing);
}

/** How long at least one request was with an adapter: the rest of a step is VS Code's way there and back, and ours. */
function adapterClock(model: DebugModel): { restart(): void; milliseconds(): number } {
  const open = new Set<string>();
  let since = 0;
  let sum = 0;
  model.observe((event) => {
    if (event.type !== 'to_adapter' && event.type !== 'from_adapter') return;
    const message = readMessage(event.message);
    const now = performance.now();
    if (message?.type === 'request' && event.type === 'to_adapter') {
      if (open.size === 0) since = now;
      open.add(`${event.key} ${message.seq}`);
    } else if (message?.type === 'response' && open.delete(`${event.key} ${message.requestSeq}`) && open.size === 0) sum += now - since;
  });
  return {
    restart: () => {
      open.clear();
      sum = 0;
    },
    milliseconds: () => sum,
  };
}

/** The client whose connection has the thread that is stopped. */
async function clientOf(clients: readonly RawClient[], stop: StopData): Promise<RawClient> {
  const answers = clients.map(async (client) => {
    const body = await client.request('threads', {});
    const threads = body['threads'] as { id: number }[];
    if (!threads.some((thread) => thread.id === stop.thread_id)) throw new Error('not this one');
    return client;
  });
  return Promise.any(answers);
}

function activation(milliseconds: number): void {
  const file = path.resolve(__dirname, '../../../dist/extension.js');
  const load = createRequire(__filename);
  // The bundle once more, as VS Code loads it: read, compiled and run.
  const loading = timedSync(() => {
    Reflect.deleteProperty(load.cache, file);
    load(file);
  });
  console.log('\nActivation:');
  row('loading the bundle', loading);
  row('activate()', milliseconds);
}

function row(what: string, value: number, compared?: number): void {
  console.log(`  ${what.padEnd(60)} ${value.toFixed(1).padStart(8)} ms${compared === undefined ? '' : `   ratio ${(compared / value).toFixed(2)}`}`);
}

async function timed(action: () => Promise<void>): Promise<number> {
  const started = performance.now();
  await action();
  return performance.now() - started;
}

function timedSync(action: () => void): number {
  const started = performance.now();
  action();
  return performance.now() - started;
}

function median(values: readonly number[]): number {
  const sorted = [...values].sort((one, other) => one - other);
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
}
