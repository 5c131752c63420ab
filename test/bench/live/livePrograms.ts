import { execFileSync } from 'node:child_process';
import { cpSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fields } from '../../../src/debugger/protocol';
import { cleanUp, inWorkspace, switchLive } from '../../host/support/client';
import { progress, WANTED } from '../calling';
import { timed } from '../measuring';
import type { Report } from '../report';
import type { Agent } from './agent';
import type { LiveProgram } from './liveProgram';
import { LIVE_PROGRAMS } from './programs';
import { ShellAgent } from './shellAgent';
import { ToolAgent } from './toolAgent';

const FIGURES = ['calls', 'tokens', 'seconds'] as const;
type Found = Readonly<Record<(typeof FIGURES)[number], number>>;

type FoundProgram = LiveProgram & { readonly tools: Found; readonly shell: Found };

/** Finds the causes in live programs: with the tools, and with prints and the shell. */
export async function livePrograms(report: Report): Promise<void> {
  report.part('live');
  const found: FoundProgram[] = [];
  const failures: string[] = [];
  await switchLive(true);
  try {
    for (const program of chosen()) {
      progress(`${program.language}: ${program.title}`);
      try {
        found.push({ ...program, tools: await byTools(program), shell: await byShell(program) });
      } catch (error) {
        failures.push(`${program.file}: ${String(error)}`);
      }
    }
  } finally {
    await switchLive(false);
  }
  tables(report, found);
  if (failures.length > 0) throw new Error(failures.join('\n\n'));
}

/** The programs in the languages of the command line. */
function chosen(): readonly LiveProgram[] {
  const wanted = LIVE_PROGRAMS.filter((each) => WANTED.includes(each.language.toLowerCase()));
  return wanted.length > 0 ? wanted : LIVE_PROGRAMS;
}

async function byTools(program: LiveProgram): Promise<Found> {
  const agent = new ToolAgent(inWorkspace('.'), program.file, await freePort());
  try {
    return await measured(program, agent, 'tools', () => program.byTools(agent));
  } finally {
    await cleanUp();
  }
}

/** The shell works in a copy of the programs, which is under version control like a project. */
async function byShell(program: LiveProgram): Promise<Found> {
  const folder = mkdtempSync(path.join(tmpdir(), 'agent-debugger-bench-'));
  try {
    cpSync(inWorkspace('.'), folder, { recursive: true });
    for (const args of [
      ['init', '-q'],
      ['add', '.'],
    ])
      execFileSync('git', args, { cwd: folder });
    const agent = new ShellAgent(folder, program.file, await freePort());
    return await measured(program, agent, 'shell', () => program.byShell(agent));
  } finally {
    rmSync(folder, { recursive: true });
  }
}

async function measured(
  { file, shows }: LiveProgram,
  agent: Agent,
  way: string,
  find: () => Promise<void>,
): Promise<Found> {
  const pattern = shows(agent.line);
  try {
    const seconds = (await timed(find)) / 1000;
    agent.check(pattern);
    const { calls, tokens } = agent.cost;
    return { calls, tokens, seconds };
  } finally {
    keepTranscript(`${path.basename(file)}.${way}.txt`, agent);
  }
}

/** Writes what was asked and answered to a file, to show what the figures are based on. */
function keepTranscript(name: string, { cost }: Agent): void {
  const folder = process.env['AGENT_DEBUGGER_BENCH_TRANSCRIPTS'];
  if (folder === undefined) return;
  writeFileSync(path.join(folder, name), `${cost.transcript.join('\n')}\n`);
}

/** A port that is free now. */
async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const port = Number(fields(server.address())['port']);
  await new Promise((resolve) => server.close(resolve));
  return port;
}

function tables(report: Report, programs: readonly FoundProgram[]): void {
  report.text(
    'Calls, tokens (o200k, of what was asked and answered) and seconds until the cause was shown and everything was put back.',
  );
  report.table(
    ['program', ...FIGURES.flatMap((each) => [`${each}: tools`, `${each}: shell`])],
    programs.map(({ language, title, tools, shell }) => [
      `${language}: ${title}`,
      ...FIGURES.flatMap((each) => [tools[each], shell[each]]),
    ]),
  );
  report.text('Over all.');
  const sum = (way: 'tools' | 'shell', figure: (typeof FIGURES)[number]): number =>
    programs.reduce((total, each) => total + each[way][figure], 0);
  report.table(
    ['', 'tools', 'shell', 'tools to shell'],
    FIGURES.map((each) => {
      const [tools, shell] = [sum('tools', each), sum('shell', each)];
      return [each, tools, shell, tools / shell];
    }),
  );
}
