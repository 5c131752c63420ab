import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { CAMPAIGN_FOLDER, type Fault, type Installed, type TruthTest } from '../project';
import { runFor } from '../runtime';
import { runnerOf } from '../runners/all';
import { changed, changesIn, shuffled } from './changes';

/** The seed of the whole campaign. Another seed plants other faults. */
export const SEED = process.env['AGENT_DEBUGGER_CAMPAIGN_SEED'] ?? 'agent-debugger-1';

const MAX_FAILING = 20;
/** A change may make a test run without end. A build is a part of the run. */
const MAX_OF_A_RUN_MS = 300_000;
const MAX_TRIES = 60;
/** How many changes are tried in search of a better one than the first that fits. */
const MAX_TRIES_AFTER = 8;
const TEST_FILE =
  /(?:^|[\\/])(?:tests?|__tests__|spec|testing|node_modules|vendor|\.venv|target|build)[\\/]|(?:[._-](?:test|spec)s?)\.\w+$|[\\/]test_[^\\/]*$|\.d\.ts$|Test\.java$|\.min\.js$/;
const EXTENSIONS: Readonly<Record<string, RegExp>> = {
  python: /\.py$/,
  javascript: /\.(?:[cm]?js|tsx?)$/,
  go: /\.go$/,
  rust: /\.rs$/,
  cpp: /\.(?:cc|cpp|h|hpp)$/,
  java: /\.java$/,
};

/** A fault, and what the runner reports about the tests with it. */
export interface Planted {
  readonly fault: Fault;
  readonly tests: readonly TruthTest[];
}

/**
 * Plants a pinned fault, or tries changes in the order of the seed until 1 to 20 tests fail. The fault stays in the
 * project's source.
 */
export async function plant(
  installed: Installed,
  pinned: Fault | undefined,
  say: (text: string) => void,
): Promise<Planted> {
  const { project } = installed;
  restore(installed);
  const before = await reportOf(installed);
  const failing = failingOf(before);
  if (failing === undefined)
    throw new Error(`${project.name}: its tests do not run: ${String(brokenOf(before))}`);
  const known = new Set(failing.map(keyOf));
  const candidates = pinned === undefined ? changesOf(installed) : [pinned];
  let kept: Planted | undefined;
  let after = 0;
  for (const fault of candidates.slice(0, MAX_TRIES)) {
    if (kept !== undefined && (after += 1) > MAX_TRIES_AFTER) break;
    apply(installed, fault);
    const all = await reportOf(installed);
    restore(installed);
    const tests = 'broken' in all ? [] : all.filter((test) => !known.has(keyOf(test)));
    const failed = failingOf(tests) ?? [];
    const seen = brokenOf(all) ?? `${failed.length} fail`;
    say(`${fault.file}:${fault.line} ${fault.from} → ${fault.to}: ${seen}`);
    if (failed.length < 1 || failed.length > MAX_FAILING) continue;
    if (kept === undefined || worthOf(tests) > worthOf(kept.tests)) kept = { fault, tests };
    if (worthOf(tests) === MAX_WORTH) break;
  }
  if (kept !== undefined) {
    apply(installed, kept.fault);
    return kept;
  }
  throw new Error(`${project.name}: no change makes 1 to ${MAX_FAILING} tests fail`);
}

const MAX_WORTH = 2;

/** How much the failures of a fault show: those with a place and with local variables show the most. */
function worthOf(tests: readonly TruthTest[]): number {
  const failed = tests.filter(({ verdict }) => verdict === 'failed');
  if (failed.some(({ locals = [] }) => locals.length > 0)) return MAX_WORTH;
  return failed.some(({ at }) => at !== undefined) ? 1 : 0;
}

/**
 * Runs the tests with the planted fault once more.
 * @returns the tests that failed or passed in both runs. A message that was another one is marked.
 */
export async function seenTwice(
  installed: Installed,
  tests: readonly TruthTest[],
): Promise<readonly TruthTest[]> {
  const again = await reportOf(installed);
  if ('broken' in again) throw new Error(`${installed.project.name}: ${String(brokenOf(again))}`);
  const second = new Map(again.map((test) => [keyOf(test), test]));
  return tests.flatMap((test) => {
    const other = second.get(keyOf(test));
    if (other?.verdict !== test.verdict) return [];
    return other.message === test.message ? test : { ...test, varies: true as const };
  });
}

type Report = Awaited<ReturnType<typeof reportOf>>;

function failingOf(report: Report): readonly TruthTest[] | undefined {
  return 'broken' in report ? undefined : report.filter(({ verdict }) => verdict === 'failed');
}

function brokenOf(report: Report): string | undefined {
  return 'broken' in report ? report.broken.trim().split('\n').slice(0, 3).join(' ⏎ ') : undefined;
}

function keyOf({ file, name }: TruthTest): string {
  return `${file}\n${name}`;
}

async function reportOf(installed: Installed) {
  const runner = runnerOf(installed.project.runner);
  const report = path.join(CAMPAIGN_FOLDER, `${installed.project.name}.report`);
  rmSync(report, { force: true });
  const ran = await runFor(installed.project, runner.whole(installed, report), MAX_OF_A_RUN_MS);
  if (ran.isTooLong) return { broken: 'it did not end' };
  const text = existsSync(report) ? readFileSync(report, 'utf8') : '';
  return await runner.read(installed, text, ran);
}

function changesOf({ project, folder }: Installed): readonly Fault[] {
  const files = project.sources
    .flatMap((source) => filesBelow(path.join(folder, source)))
    .map((file) => path.relative(folder, file))
    .filter((file) => EXTENSIONS[project.language]?.test(file) === true && !TEST_FILE.test(file));
  const all = files.flatMap((file) =>
    changesIn(readFileSync(path.join(folder, file), 'utf8'), project.language, file),
  );
  return shuffled(all, `${SEED} ${project.name}`);
}

function filesBelow(place: string): readonly string[] {
  if (statSync(place).isFile()) return [place];
  return readdirSync(place, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile())
    .map((entry) => path.join(entry.parentPath, entry.name))
    .sort();
}

function apply({ project, folder }: Installed, fault: Fault): void {
  const file = path.join(folder, fault.file);
  const text = readFileSync(file, 'utf8');
  const copy = path.join(CAMPAIGN_FOLDER, `${project.name}.original`);
  mkdirSync(CAMPAIGN_FOLDER, { recursive: true });
  writeFileSync(copy, JSON.stringify({ file: fault.file, text }));
  writeFileSync(file, changed(text, fault));
}

/** Takes the fault out of a project's source again. */
function restore({ project, folder }: Installed): void {
  const copy = path.join(CAMPAIGN_FOLDER, `${project.name}.original`);
  if (!existsSync(copy)) return;
  const { file, text } = JSON.parse(readFileSync(copy, 'utf8')) as { file: string; text: string };
  if (existsSync(path.join(folder, file))) writeFileSync(path.join(folder, file), text);
  rmSync(copy);
}
