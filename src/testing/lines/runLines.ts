import path from 'node:path';
import * as l10n from '@vscode/l10n';
import { Failure } from '../../results/failure';
import { scannedText } from '../../tools/files/scannedText';
import type { Call, ToolServices } from '../../tools/services';
import { planTest, withVariables, type TestInput, type TestPlan } from '../planTest';
import type { TestResult } from '../report/testResult';
import { examine } from '../run/examineTest';
import { withTestFiles } from '../scratchOfRun';
import { readPythonLines } from './pythonLines';
import type { RanLines } from './ranLines';
import { readV8Lines } from './v8Lines';

/** The file and the folder of the counts in the scratch folder. */
const FILE = 'lines.json';
const FOLDER = 'coverage';

/** The result of a test, and the lines that ran. Undefined if its process wrote no counts. */
export interface CountedRun {
  readonly result: TestResult;
  readonly lines: RanLines | undefined;
}

/**
 * Returns the plan of a test whose lines are counted.
 * @throws Failure as `planTest`, and `not_supported` for a framework whose lines nothing counts
 */
export async function planCounted(services: ToolServices, input: TestInput): Promise<TestPlan> {
  const plan = await planTest(services, input);
  const { countsLines, title } = plan.framework;
  if (countsLines === undefined)
    throw new Failure(
      'not_supported',
      l10n.t('The lines that run are not counted with {0}.', title),
      'Supported: pytest, unittest, mocha and node:test. With another runner, set logpoints, or run its own coverage. Nothing was started.',
    );
  const scratch = services.scratch.pathOf(plan.scratch.name);
  return withVariables(
    plan,
    countsLines === 'reporter'
      ? { AGENT_DEBUGGER_LINES: path.join(scratch, FILE) }
      : { NODE_V8_COVERAGE: path.join(scratch, FOLDER) },
  );
}

/** Runs a test once, without the debugger, and counts its lines. */
export async function runCounted(
  services: ToolServices,
  call: Call,
  plan: TestPlan,
  seconds: number,
): Promise<CountedRun> {
  return await withTestFiles(services, plan, async () => {
    const options = { on_failure: 'report', timeout_seconds: seconds } as const;
    const result = await examine(services, call, plan, options);
    return { result, lines: await readLines(services, plan) };
  });
}

async function readLines(
  { scratch, stops, workspace }: ToolServices,
  { framework, scratch: { name } }: TestPlan,
): Promise<RanLines | undefined> {
  if (framework.countsLines === 'reporter') {
    const text = await scratch.read(name, FILE);
    return text === undefined ? undefined : readPythonLines(text);
  }
  const files = await scratch.names(name, FOLDER);
  const texts = await Promise.all(
    files.map(async (file) => await scratch.read(name, path.join(FOLDER, file))),
  );
  if (texts.length === 0) return undefined;
  const known = texts.flatMap((text) => text ?? []);
  const lines = await readV8Lines(
    known,
    (file) => stops.isOwn(file),
    async (file) => await scannedText(workspace, file).catch(() => undefined),
  );
  return known.length === texts.length
    ? lines
    : { ...lines, missed: 'the counts of a process could not be read' };
}
