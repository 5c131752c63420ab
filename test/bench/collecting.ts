import { spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { countTokens } from 'gpt-tokenizer/encoding/o200k_base';
import * as vscode from 'vscode';
import { fields, listOf, numberOf } from '../../src/debugger/protocol';
import { call, cleanUp, inWorkspace, marked } from '../host/support/client';
import { answerText, LANGUAGES, progress, type Language } from './calling';
import { median, timed } from './measuring';
import { RawClient } from './rawClient';
import type { Report } from './report';
import { WithoutUs } from './withoutUs';

const HITS = 10_000;
const STOPS = 200;
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

const LLDB = '/usr/bin/lldb-dap-19';

/** Compares collect_values on lldb-dap, with and without a claim, with a logpoint and with a raw client. */
async function native(report: Report): Promise<void> {
  if (!existsSync(LLDB)) return;
  const folder = mkdtempSync(path.join(tmpdir(), 'agent-debugger-bench-'));
  const program = path.join(folder, 'collected');
  const built = spawnSync('g++', ['-g', '-O0', '-o', program, inWorkspace('collected.cpp')]);
  if (built.status !== 0) throw new Error(String(built.stderr));
  const [ours, logs, raws]: [number[], number[], number[]] = [[], [], []];
  const file = 'collected.cpp';
  const own = { type: 'lldb-dap', program, file, hits: STOPS, expressions: ['n', 'total'] };
  for (let round = 0; round < ROUNDS; round += 1) {
    progress(`C++: ${STOPS} stops, round ${round + 1}`);
    ours.push(await stopping(program, false));
    logs.push(await logged(own));
    raws.push(await raw(program));
  }
  const claims: number[] = [];
  for (let round = 0; round < ROUNDS; round += 1) claims.push(await stopping(program, true));
  const claimed = median(claims);
  rmSync(folder, { recursive: true });
  const [seconds, log, alone] = [median(ours), median(logs), median(raws)];
  report.text(
    `${STOPS} hits of a line of C++ with two values on lldb-dap, from the start of the program to its end, in seconds: medians of ${ROUNDS}. The raw client has an adapter of its own, stops at each hit, asks for two frames and the two values, and goes on. VS Code’s own logpoint has the same values, with the extension asleep: what it takes is VS Code’s own start and end of a session. With a claim, a script in the debugger evaluates it at each hit; only the first hit stops.`,
  );
  report.table(
    ['', 'seconds', 'to raw', 'aim'],
    [
      [
        '`collect_values`',
        seconds,
        seconds / alone,
        report.aim('C++: to a raw client', seconds / alone, { most: MOST.ofRaw }),
      ],
      [
        '`collect_values` with a claim',
        claimed,
        claimed / alone,
        report.aim('C++, with a claim: to a raw client', claimed / alone, { most: MOST.ofRaw }),
      ],
      ['VS Code’s own logpoint', log, log / alone, ''],
      ['raw client', alone, 1, ''],
    ],
  );
}

async function stopping(program: string, stops: boolean): Promise<number> {
  let text = '';
  const milliseconds = await timed(
    async () =>
      (text = await answerText('collect_values', {
        probes: [
          {
            ...probeOf('collected.cpp', ['n', 'total']),
            ...(stops ? { expect: 'total >= 0' } : {}),
          },
        ],
        program,
        args: [String(STOPS)],
        max_hits: STOPS + 1,
        max_seconds: 120,
      })),
  );
  if (fields(JSON.parse(text))['hits'] !== STOPS) throw new Error(text.slice(0, 1000));
  await cleanUp();
  return milliseconds / 1000;
}

async function raw(program: string): Promise<number> {
  const child = spawn(LLDB, [], { stdio: ['pipe', 'pipe', 'ignore'] });
  const client = new RawClient({ input: child.stdin, output: child.stdout });
  const gone = new Promise((resolve) => child.once('exit', resolve));
  const milliseconds = await timed(async () => {
    await client.request('initialize', { adapterID: 'lldb-dap', linesStartAt1: true });
    const initialized = client.event('initialized');
    const launched = client.request('launch', { program, args: [String(STOPS)] });
    await initialized;
    await client.request('setBreakpoints', {
      source: { path: inWorkspace('collected.cpp') },
      breakpoints: [{ line: marked('collected.cpp', 'add') }],
    });
    const ended = client.event('terminated').then(() => undefined);
    let stopped = client.event('stopped');
    await client.request('configurationDone', {});
    await launched;
    for (;;) {
      const stop = await Promise.race([stopped, ended]);
      if (stop === undefined) return;
      const threadId = numberOf(fields(stop['body'])['threadId']) ?? 0;
      stopped = client.event('stopped');
      await hit(client, threadId);
    }
  });
  await client.request('disconnect', {});
  child.kill();
  await gone;
  return milliseconds / 1000;
}

async function hit(client: RawClient, threadId: number): Promise<void> {
  const stack = await client.request('stackTrace', { threadId, startFrame: 0, levels: 2 });
  const frameId = numberOf(fields(listOf(stack['stackFrames'])[0])['id']);
  for (const expression of ['n', 'total'])
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
