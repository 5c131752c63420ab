import { spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync } from 'node:fs';
import { toolPath } from '../support/toolchain';
import { countTokens } from 'gpt-tokenizer/encoding/o200k_base';
import * as vscode from 'vscode';
import { fields, listOf, numberOf } from '../../src/debugger/protocol';
import { call, cleanUp, inWorkspace, marked } from '../host/support/client';
import { answerText, LANGUAGES, progress, type Language } from './calling';
import { median, timed } from './measuring';
import { RawClient, withRawClient } from './rawClient';
import type { Report } from './report';
import { WithoutUs } from './withoutUs';

const HITS = 10_000;
/** Few hits, where the start of VS Code's session counts most, and many. */
const NATIVE_HITS = [200, 2000];
const ROUNDS = 3;
/** The number of hits whose answers are compared with those of single calls. */
const FEW = 50;

const MOST = { ofLogpoint: 1.3, seconds: 10, ofRaw: 1.15, ofTokens: 0.1 } as const;

const EXPRESSIONS = ['n', 'total', 'label'];

/** Compares collect_values with a logpoint without the extension, a raw client that stops, and single calls. */
export async function collecting(report: Report): Promise<void> {
  report.part('collecting');
  const rows = [];
  for (const language of LANGUAGES) rows.push(await beside(report, language));
  report.text(
    `${HITS.toLocaleString('en-US')} hits of a line with three values, from the start of the program to its end, in seconds: medians of ${ROUNDS}. The logpoint is VS Code’s own, with the same values and with the extension asleep.`,
  );
  report.table(['', '`collect_values`', 'hits a second', 'logpoint', 'to logpoint', 'aims'], rows);
  await native(report);
  const sizes = [];
  for (const language of LANGUAGES) sizes.push(await tokens(report, language));
  report.text(`Tokens of the answers about ${FEW} hits with three values.`);
  report.table(['', '`collect_values`', `${FEW} × \`continue_debugging\``, 'part', 'aim'], sizes);
}

function fileOf({ type }: Language): string {
  return type === 'node' ? 'collected.js' : 'collected.py';
}

function probeOf(file: string, expressions: readonly string[] = EXPRESSIONS): object {
  return { file_path: inWorkspace(file), line: marked(file, 'add'), expressions };
}

async function beside(report: Report, language: Language): Promise<(string | number)[]> {
  const file = fileOf(language);
  const [ours, theirs]: [number[], number[]] = [[], []];
  for (let round = 0; round < ROUNDS; round += 1) {
    progress(`${language.name}: ${HITS} hits, round ${round + 1}`);
    ours.push(await collected(file));
    const { type } = language;
    theirs.push(
      await logged({
        type,
        program: inWorkspace(file),
        file,
        hits: HITS,
        expressions: EXPRESSIONS,
      }),
    );
  }
  const [seconds, log] = [median(ours), median(theirs)];
  return [
    language.name,
    seconds,
    HITS / seconds,
    log,
    seconds / log,
    `${report.aim(`${language.name}: ${HITS} hits, seconds`, seconds, { most: MOST.seconds })}; ${report.aim(`${language.name}: to the logpoint`, seconds / log, { most: MOST.ofLogpoint })}`,
  ];
}

async function collected(file: string): Promise<number> {
  let text = '';
  const milliseconds = await timed(
    async () =>
      (text = await answerText('collect_values', {
        probes: [probeOf(file)],
        program: inWorkspace(file),
        args: [String(HITS)],
        max_hits: 100_000,
        max_seconds: 120,
      })),
  );
  const { hits, ended_by: endedBy } = fields(JSON.parse(text));
  if (hits !== HITS || endedBy !== 'program_end') throw new Error(text.slice(0, 1000));
  await cleanUp();
  return milliseconds / 1000;
}

interface Logged {
  readonly type: string;
  readonly program: string;
  readonly file: string;
  readonly hits: number;
  readonly expressions: readonly string[];
}

/** Logs the same values with VS Code's own logpoint while the extension's model is inactive. @returns seconds */
async function logged({ type, program, file, hits, expressions }: Logged): Promise<number> {
  const at = new vscode.Location(
    vscode.Uri.file(inWorkspace(file)),
    new vscode.Position(marked(file, 'add') - 1, 0),
  );
  const message = expressions.map((each) => `{${each}}`).join(' ');
  const logpoint = new vscode.SourceBreakpoint(at, true, undefined, undefined, message);
  vscode.debug.addBreakpoints([logpoint]);
  const without = await WithoutUs.begin();
  try {
    return (
      (await timed(() =>
        without.runToEnd({
          name: 'logpoint',
          type,
          request: 'launch',
          program,
          args: [String(hits)],
        }),
      )) / 1000
    );
  } finally {
    without.end();
    vscode.debug.removeBreakpoints([logpoint]);
  }
}

const LLDB = toolPath('lldbDap');
const NATIVE_EXPRESSIONS = ['n', 'total'];
const CLAIM = 'total >= 0';

/** Compares collect_values on lldb-dap, in each of its ways, with a logpoint and with raw clients. */
async function native(report: Report): Promise<void> {
  if (!existsSync(LLDB)) return;
  mkdirSync(inWorkspace('out'), { recursive: true });
  const program = inWorkspace('out/collected');
  const built = spawnSync('g++', ['-g', '-O0', '-o', program, inWorkspace('collected.cpp')]);
  if (built.status !== 0) throw new Error(String(built.stderr));
  const rows = [];
  for (const hits of NATIVE_HITS) rows.push(...(await nativeRows(report, program, hits)));
  rows.push(...(await stopRows(report, program)));
  report.text(
    `Hits of a line of C++ with two values on lldb-dap, from the start of the program to its end, in seconds: medians of ${ROUNDS}. Plain values are printed by logpoints. The baseline is VS Code’s own logpoint with the same values, with the extension asleep. A claim is evaluated by a script in the debugger. The baseline is a raw client with its own adapter, without VS Code’s start and end of a session. It stops at each hit, requests two frames, the two values and the claim, and continues. If the configuration turns the debugger’s commands off, the program stops at each hit. The baseline is a raw client that writes into VS Code’s own connection, with the extension asleep.`,
  );
  report.table(['', 'hits', 'seconds', 'hits a second', 'ratio', 'aim'], rows);
}

async function nativeRows(
  report: Report,
  program: string,
  hits: number,
): Promise<(string | number)[][]> {
  const measured = {
    plain: [] as number[],
    claim: [] as number[],
    log: [] as number[],
    raw: [] as number[],
    rawClaim: [] as number[],
  };
  const file = 'collected.cpp';
  for (let round = 0; round < ROUNDS; round += 1) {
    progress(`C++: ${hits} hits, round ${round + 1}`);
    measured.plain.push(await collectedNative(program, hits, {}));
    measured.claim.push(await collectedNative(program, hits, { expect: CLAIM }));
    measured.log.push(
      await logged({ type: 'lldb-dap', program, file, hits, expressions: NATIVE_EXPRESSIONS }),
    );
    measured.raw.push(await raw(program, hits, NATIVE_EXPRESSIONS));
    measured.rawClaim.push(await raw(program, hits, [...NATIVE_EXPRESSIONS, CLAIM]));
  }
  const log = median(measured.log);
  const rawClaim = median(measured.rawClaim);
  const raws = median(measured.raw);
  return [
    nativeRow(report, '`collect_values`', hits, median(measured.plain), log, MOST.ofLogpoint),
    nativeRow(report, 'VS Code’s own logpoint', hits, log, log),
    nativeRow(report, 'raw client, to the logpoint', hits, raws, log),
    nativeRow(report, 'with a claim', hits, median(measured.claim), rawClaim, MOST.ofRaw),
    nativeRow(report, 'raw client with the claim', hits, rawClaim, rawClaim),
  ];
}

function nativeRow(
  report: Report,
  name: string,
  hits: number,
  seconds: number,
  baseline: number,
  most?: number,
): (string | number)[] {
  const ratio = seconds / baseline;
  const what = `C++, ${hits} hits, ${name}: to the baseline`;
  const aim = most === undefined ? '' : report.aim(what, ratio, { most });
  return [name, hits, seconds, hits / seconds, ratio, aim];
}

/** Compares stops at each hit with a raw client in VS Code's own session. */
async function stopRows(report: Report, program: string): Promise<(string | number)[][]> {
  const [hits = 0] = NATIVE_HITS;
  const [ours, theirs]: [number[], number[]] = [[], []];
  const start = { configuration_name: 'Collected by stops', program: undefined };
  for (let round = 0; round < ROUNDS; round += 1) {
    progress(`C++: ${hits} hits by stops, round ${round + 1}`);
    ours.push(await collectedNative(program, hits, { expect: CLAIM }, start));
    theirs.push(await rawInVsCode(program, hits, [...NATIVE_EXPRESSIONS, CLAIM]));
  }
  const [seconds, baseline] = [median(ours), median(theirs)];
  return [
    nativeRow(report, 'with a claim, by stops', hits, seconds, baseline, MOST.ofRaw),
    nativeRow(report, 'raw client in VS Code’s session', hits, baseline, baseline),
  ];
}

/** Stops at each hit in VS Code's own session, and reads the values over its connection. @returns seconds */
async function rawInVsCode(
  program: string,
  hits: number,
  expressions: readonly string[],
): Promise<number> {
  const at = new vscode.Location(
    vscode.Uri.file(inWorkspace('collected.cpp')),
    new vscode.Position(marked('collected.cpp', 'add') - 1, 0),
  );
  const breakpoint = new vscode.SourceBreakpoint(at);
  vscode.debug.addBreakpoints([breakpoint]);
  const without = await WithoutUs.begin();
  const configuration = { name: 'raw', type: 'lldb-dap', request: 'launch', program };
  const over = without.runToEnd.bind(without);
  try {
    const milliseconds = await timed(async () => {
      let ended: Promise<void> = Promise.resolve();
      const { started, raw } = await withRawClient(
        () => {
          const stopped = without.stop();
          ended = over({ ...configuration, args: [String(hits)] });
          return stopped;
        },
        (thread) => thread,
      );
      await hitAll(raw, started, expressions);
      await ended;
    });
    return milliseconds / 1000;
  } finally {
    without.end();
    vscode.debug.removeBreakpoints([breakpoint]);
  }
}

/** Reads the values at each stop of a program until it ends. */
async function hitAll(
  client: RawClient,
  firstThread: number,
  expressions: readonly string[],
): Promise<void> {
  const ended = client.event('terminated').then(() => undefined);
  let threadId = firstThread;
  for (;;) {
    const stopped = client.event('stopped');
    await hit(client, threadId, expressions);
    const stop = await Promise.race([stopped, ended]);
    if (stop === undefined) return;
    threadId = numberOf(fields(stop['body'])['threadId']) ?? 0;
  }
}

async function collectedNative(
  program: string,
  hits: number,
  claim: object,
  start: object = {},
): Promise<number> {
  let text = '';
  const milliseconds = await timed(
    async () =>
      (text = await answerText('collect_values', {
        probes: [{ ...probeOf('collected.cpp', NATIVE_EXPRESSIONS), ...claim }],
        program,
        args: [String(hits)],
        max_hits: hits + 1,
        max_seconds: 120,
        ...start,
      })),
  );
  if (fields(JSON.parse(text))['hits'] !== hits) throw new Error(text.slice(0, 1000));
  await cleanUp();
  return milliseconds / 1000;
}

async function raw(program: string, hits: number, expressions: readonly string[]): Promise<number> {
  const child = spawn(LLDB, [], { stdio: ['pipe', 'pipe', 'ignore'] });
  const client = new RawClient({ input: child.stdin, output: child.stdout });
  const gone = new Promise((resolve) => child.once('exit', resolve));
  const milliseconds = await timed(async () => {
    await client.request('initialize', { adapterID: 'lldb-dap', linesStartAt1: true });
    const initialized = client.event('initialized');
    const launched = client.request('launch', { program, args: [String(hits)] });
    await initialized;
    await client.request('setBreakpoints', {
      source: { path: inWorkspace('collected.cpp') },
      breakpoints: [{ line: marked('collected.cpp', 'add') }],
    });
    const stopped = client.event('stopped');
    await client.request('configurationDone', {});
    await launched;
    const { body } = await stopped;
    await hitAll(client, numberOf(fields(body)['threadId']) ?? 0, expressions);
  });
  await client.request('disconnect', {});
  child.kill();
  await gone;
  return milliseconds / 1000;
}

async function hit(
  client: RawClient,
  threadId: number,
  expressions: readonly string[],
): Promise<void> {
  const stack = await client.request('stackTrace', { threadId, startFrame: 0, levels: 2 });
  const frameId = numberOf(fields(listOf(stack['stackFrames'])[0])['id']);
  for (const expression of expressions)
    await client.request('evaluate', { expression, frameId, context: 'watch' });
  await client.request('continue', { threadId });
}

async function tokens(report: Report, language: Language): Promise<(string | number)[]> {
  progress(`${language.name}: tokens of ${FEW} hits`);
  const file = fileOf(language);
  const start = { program: inWorkspace(file), args: [String(FEW)] };
  const table = await answerText('collect_values', { probes: [probeOf(file)], ...start });
  await cleanUp();
  await call('set_breakpoint', { file_path: inWorkspace(file), line_number: marked(file, 'add') });
  let single = countTokens(await answerText('start_debugging', start));
  for (let hits = 1; hits < FEW; hits += 1)
    single += countTokens(await answerText('continue_debugging', {}));
  await cleanUp();
  const count = countTokens(table);
  return [
    language.name,
    count,
    single,
    count / single,
    report.aim(`${language.name}: part of the tokens`, count / single, { most: MOST.ofTokens }),
  ];
}
