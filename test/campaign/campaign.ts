import { readFileSync, writeFileSync } from 'node:fs';
import { insideExtension } from '../host/support/client';
import { measured, stays, warmUp, type Measured } from './calls';
import { shuffled } from './change/changes';
import { SEED } from './change/plant';
import type { Check } from './compare';
import { resultFile, type Prepared, type TruthTest } from './project';
import { runnerOf } from './runners/all';

/** What was seen of one project. */
export interface Result {
  readonly prepared: Omit<Prepared, 'tests'>;
  readonly failing: number;
  readonly measured: readonly Measured[];
  readonly stay: (Check & { readonly test: string }) | undefined;
}

/** What the script passes: the projects, and how many failing tests of each are called at most. */
export interface Task {
  readonly prepared: readonly string[];
  readonly most: number;
  readonly passing: number;
}

/** Calls `debug_test` with the prepared projects, inside VS Code. */
export async function run(): Promise<void> {
  await insideExtension();
  const file = process.env['AGENT_DEBUGGER_CAMPAIGN_TASK'] ?? '';
  const task = JSON.parse(readFileSync(file, 'utf8')) as Task;
  for (const each of task.prepared) {
    const prepared = JSON.parse(readFileSync(each, 'utf8')) as Prepared;
    console.error(`… ${prepared.project.name} (${prepared.project.runner} ${prepared.version})`);
    const result = await resultOf(prepared, task);
    writeFileSync(resultFile(prepared.project), JSON.stringify(result, undefined, 1));
  }
}

async function resultOf(prepared: Prepared, { most, passing }: Task): Promise<Result> {
  const { tests, ...rest } = prepared;
  const failing = tests.filter(({ verdict }) => verdict === 'failed');
  const chosen = [...failing.slice(0, most), ...passingOf(prepared, failing[0], passing)];
  const [first] = failing;
  if (first !== undefined) await prepareFor(prepared, first);
  const all: Measured[] = [];
  for (const test of chosen) {
    const one = await measured(prepared, test);
    console.error(`  ${Math.round(one.plainMs)} ms, ${Math.round(one.oursMs)} ms: ${test.name}`);
    all.push(one);
  }
  const toStay = failing.find(({ locals = [] }) => locals.length > 0) ?? first;
  const stay = toStay === undefined ? undefined : { ...(await stays(toStay)), test: toStay.name };
  return { prepared: rest, failing: failing.length, measured: all, stay };
}

/** The languages whose debugger has been used in this window. */
const WARM = new Set<string>();

/** Makes what happens once: the build of a test, and in a new window the activation of its debugger. */
async function prepareFor(prepared: Prepared, test: TruthTest): Promise<void> {
  const { language, runner } = prepared.project;
  if (runnerOf(runner).builds !== true && WARM.has(language)) return;
  WARM.add(language);
  await warmUp(prepared, test);
}

/** Passing tests, first those of the file of a failing one. */
function passingOf(
  { tests, project }: Prepared,
  failing: TruthTest | undefined,
  count: number,
): readonly TruthTest[] {
  const passed = shuffled(
    tests.filter(({ verdict }) => verdict === 'passed'),
    `${SEED} ${project.name}`,
  );
  const beside = passed.filter(({ file }) => file === failing?.file);
  return [...beside, ...passed.filter((test) => !beside.includes(test))].slice(0, count);
}
