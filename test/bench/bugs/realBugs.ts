import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { toolPath } from '../../support/toolchain';
import { cleanUp, inWorkspace } from '../../host/support/client';
import { progress, WANTED } from '../calling';
import { timed } from '../measuring';
import type { Report } from '../report';
import type { Bug, BugLanguage } from './bug';
import { Cost } from './findings';
import { NATIVE_BUGS } from './nativeBugs';
import { NODE_BUGS } from './nodeBugs';
import { byOneCalls, type Reach } from './oneCall';
import { PYTHON_BUGS } from './pythonBugs';
import { launchAlone, launchInVsCode, RawStepper, type LaunchRaw } from './rawStepper';
import { byStepping } from './stepping';
import { ToolStepper } from './toolStepper';

/** The maximum ratio of the cost of the one-call tools to that of stepping, over all bugs. */
const MOST = { calls: 1 / 4, tokens: 1 / 5 } as const;

const LLDB = toolPath('lldbDap');
const PYTHON = toolPath('python');

/** The ways to a bug, in the order of the tables. */
const WAYS = ['steps', 'oneCalls', 'raw'] as const;
type Way = (typeof WAYS)[number];

interface Found {
  readonly calls: number;
  readonly tokens: number;
  readonly seconds: number;
}

type FoundBug = Bug & { readonly found: Readonly<Record<Way, Found>> };

/** Finds real bugs in small programs in three ways: from the symptom to the wrong line and the wrong value. */
export async function realBugs(report: Report): Promise<void> {
  report.part('bugs');
  const folder = mkdtempSync(path.join(tmpdir(), 'agent-debugger-bench-'));
  const found: FoundBug[] = [];
  const failures: string[] = [];
  try {
    for (const bug of chosen()) {
      progress(`${bug.language}: ${bug.title}`);
      try {
        found.push(await findBug(bug, folder));
      } catch (error) {
        failures.push(`${bug.file}: ${String(error)}`);
        await cleanUp();
      }
    }
  } finally {
    rmSync(folder, { recursive: true });
  }
  tables(report, found);
  if (failures.length > 0) throw new Error(failures.join('\n\n'));
}

/** The bugs that are selected by the languages of the command line, or by name. */
function chosen(): readonly Bug[] {
  const names = (process.env['AGENT_DEBUGGER_BENCH_BUGS'] ?? '').split(/[ ,]+/).filter(Boolean);
  const all = [...NODE_BUGS, ...PYTHON_BUGS, ...(existsSync(LLDB) ? NATIVE_BUGS : [])];
  const languages = all.filter((each) => WANTED.includes(each.language.toLowerCase()));
  return (languages.length > 0 ? languages : all).filter(
    ({ file }) => names.length === 0 || names.some((each) => file.includes(each)),
  );
}

async function findBug(bug: Bug, folder: string): Promise<FoundBug> {
  const file = inWorkspace(bug.file);
  const ways = waysTo(bug, file, folder);
  const steps = await measured(bug, 'steps', (cost) =>
    byStepping(bug, file, new ToolStepper(cost, file, ways.start)),
  );
  const oneCalls = await measured(bug, 'oneCalls', (cost) =>
    byOneCalls(bug, file, ways.reach, cost),
  );
  const raw = await measured(bug, 'raw', (cost) =>
    byStepping(bug, file, new RawStepper(cost, file, ways.launch)),
  );
  return { ...bug, found: { steps, oneCalls, raw } };
}

async function measured(bug: Bug, way: Way, find: (cost: Cost) => Promise<void>): Promise<Found> {
  const cost = new Cost();
  try {
    const seconds = (await timed(() => find(cost))) / 1000;
    return { calls: cost.calls, tokens: cost.tokens, seconds };
  } finally {
    keepTranscript(bug, way, cost);
    await cleanUp();
  }
}

interface Ways {
  /** The input of start_debugging. */
  readonly start: object;
  readonly reach: Reach;
  readonly launch: LaunchRaw;
}

function waysTo(bug: Bug, file: string, folder: string): Ways {
  const test = { file_path: file, test_name: bug.test };
  switch (bug.language) {
    case 'Node':
      return {
        start: { program: file },
        reach: { test },
        launch: launchInVsCode({ type: 'node', request: 'launch', name: 'raw', program: file }),
      };
    case 'Python': {
      const run = { module: 'pytest', args: [file] };
      return { start: run, reach: { test }, launch: launchPython(run) };
    }
    case 'C++': {
      const program = compiled(file, folder);
      return {
        start: { program },
        reach: { program },
        launch: launchAlone([LLDB], { program }),
      };
    }
  }
}

function launchPython(run: object): LaunchRaw {
  return launchAlone([PYTHON, '-m', 'debugpy.adapter'], {
    ...run,
    cwd: inWorkspace('.'),
    python: [PYTHON],
    console: 'internalConsole',
    justMyCode: true,
  });
}

function compiled(file: string, folder: string): string {
  const program = path.join(folder, path.basename(file, '.cpp'));
  const { status, stderr } = spawnSync('g++', ['-g', '-O0', '-o', program, file]);
  if (status !== 0) throw new Error(String(stderr));
  return program;
}

/** Writes the requests and answers of each way to a file, to show what the figures are based on. */
function keepTranscript(bug: Bug, way: Way, { transcript }: Cost): void {
  const folder = process.env['AGENT_DEBUGGER_BENCH_TRANSCRIPTS'];
  if (folder === undefined) return;
  const name = `${path.basename(bug.file)}.${way}.txt`;
  writeFileSync(path.join(folder, name), `${transcript.join('\n')}\n`);
}

function tables(report: Report, bugs: readonly FoundBug[]): void {
  report.text(
    'Calls, tokens (o200k, of what was asked and answered) and seconds until an answer has held the wrong line and the wrong value.',
  );
  const heads = ['steps', 'one-call', 'raw'];
  report.table(
    [
      'bug',
      ...heads.map((each) => `calls: ${each}`),
      ...heads.map((each) => `tokens: ${each}`),
      ...heads.map((each) => `seconds: ${each}`),
    ],
    bugs.map((bug) => [
      `${bug.language}: ${bug.title}`,
      ...(['calls', 'tokens', 'seconds'] as const).flatMap((figure) =>
        WAYS.map((way) => bug.found[way][figure]),
      ),
    ]),
  );
  report.text('Over all, and of each language.');
  const languages: readonly BugLanguage[] = ['Node', 'Python', 'C++'];
  report.table(
    ['', 'steps', 'one-call', 'raw', 'one-call to steps', 'one-call to raw', 'aim'],
    [
      ...languages.flatMap((each) =>
        sums(
          report,
          each,
          bugs.filter(({ language }) => language === each),
        ),
      ),
      ...sums(report, 'all', bugs),
    ],
  );
}

function sums(
  report: Report,
  title: string,
  bugs: readonly FoundBug[],
): readonly (readonly (string | number)[])[] {
  if (bugs.length === 0) return [];
  return (['calls', 'tokens', 'seconds'] as const).map((figure) => {
    const [steps = 0, oneCalls = 0, raw = 0] = WAYS.map((way) =>
      bugs.reduce((sum, { found }) => sum + found[way][figure], 0),
    );
    const ratio = oneCalls / steps;
    const aim =
      title === 'all' && figure !== 'seconds'
        ? report.aim(`bugs, ${figure} of the one-call tools to steps`, ratio, {
            most: MOST[figure],
          })
        : '';
    return [`${title}: ${figure}`, steps, oneCalls, raw, ratio, oneCalls / raw, aim];
  });
}
