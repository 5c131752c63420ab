import { readFileSync } from 'node:fs';
import path from 'node:path';
import * as vscode from 'vscode';
import { call, insideExtension, marked } from '../host/support/client';
import { stopOf, type StopData } from '../host/support/stopData';
import { RawClient, watchConnections } from './rawClient';

const STEPS = 60;
const WARM_UP = 10;

/** Speed of the extension against named baselines, measured in one run of one VS Code. */
export async function run(): Promise<void> {
  const { activationMilliseconds } = await insideExtension();
  console.log(`VS Code ${vscode.version}, Node ${process.version} in the extension host, ${process.platform} ${process.arch}`);
  await steps();
  activation(activationMilliseconds);
}

/** Alternates our steps with a raw client's in one session, so that both meet the same program, adapter and load. */
async function steps(): Promise<void> {
  const watched = watchConnections();
  await call('set_breakpoint', { file_path: 'work.js', line_number: marked('work.js', 'start') });
  let stop = stopOf(await call('start_debugging', { configuration_name: 'Work' }));
  watched.restore();
  const raw = await clientOf(watched.sockets.map((socket) => new RawClient(socket)), stop);
  const ours: number[] = [];
  const looks: number[] = [];
  const bare: number[] = [];
  for (let round = 0; round < STEPS + WARM_UP; round += 1) {
    const keep = round >= WARM_UP;
    const our = await timed(async () => {
      stop = stopOf(await call('step_execution', { thread_id: stop.thread_id, step_type: 'over' }));
    });
    const look = await timed(() => raw.stepAndLook(stop.thread_id));
    const step = await timed(() => raw.step(stop.thread_id));
    if (!keep) continue;
    ours.push(our);
    looks.push(look);
    bare.push(step);
  }
  console.log(`\nA step on Node, median of ${STEPS}, alternating in one session:`);
  row('step_execution (next, stopped, stack, scopes, variables)', median(ours));
  row('raw DAP client, the same, one after the other', median(looks), median(ours));
  row('raw DAP client, next and stopped alone', median(bare), median(ours));
  await call('stop_debugging', {});
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
  const load = timedSync(() => {
    // The bundle once more, as VS Code loads it: read, compiled and run, without its exports being used.
    const module: { exports: unknown } = { exports: {} };
    const compiled = new Function('require', 'module', 'exports', readFileSync(file, 'utf8'));
    compiled((name: string): unknown => (name === 'vscode' ? vscode : require(name)), module, module.exports);
  });
  console.log('\nActivation:');
  row('loading the bundle', load);
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
