import { scannedText } from '../files/scannedText';
import path from 'node:path';
import { Failure } from '../../results/failure';
import { absolute } from '../files/files';
import { packageProgram } from './namedProgram';
import type { ToolServices } from '../services';
import type { StartOutcome } from '../core/startBreakpoints';

/** The runners of JavaScript tests, and the arguments with which they run one file and then end. */
const RUNNERS: readonly {
  readonly name: string;
  readonly args: (file: string) => readonly string[];
}[] = [
  { name: 'vitest', args: (file) => ['run', file] },
  { name: 'jest', args: (file) => ['--runInBand', file] },
  { name: 'mocha', args: (file) => [file] },
  { name: 'ava', args: (file) => ['--serial', file] },
];

const JS_TEST = /[._-](?:test|spec)\.[cm]?[jt]sx?$/;
const PYTHON_TEST = /^(?:test_.*|.*_test)\.py$/;
const TYPESCRIPT = /\.[cm]?tsx?$/;

/** Matches the messages of Node if it cannot run TypeScript, or if it finds no compiled file. */
const NOT_RUN_BY_NODE =
  /ERR_UNKNOWN_FILE_EXTENSION|Unknown file extension|ERR_UNSUPPORTED_TYPESCRIPT_SYNTAX|not supported in strip-only mode|SyntaxError|ERR_MODULE_NOT_FOUND|Cannot find module|Cannot use import statement/;

/**
 * Returns a hint that names the program to start instead of a file that has no effect by itself, or that its runtime
 * cannot run.
 */
export async function runnerHint(
  services: ToolServices,
  program: string | undefined,
  outcome: StartOutcome,
): Promise<string | undefined> {
  if (
    program === undefined ||
    (outcome.status !== 'completed' && outcome.stop_event_data?.reason !== 'exception')
  )
    return undefined;
  const file = await absolute(services, program).catch(() => undefined);
  if (file === undefined) return undefined;
  const name = path.basename(file);
  if (PYTHON_TEST.test(name))
    return didNothing(outcome) ? await forPythonTest(services, file) : undefined;
  if (JS_TEST.test(name) && !(await textOf(services, file)).includes('node:test')) {
    const hint = await forJavaScriptTest(services, file);
    if (hint !== undefined) return hint;
  }
  return TYPESCRIPT.test(name) &&
    !isRunByAnother(outcome, file) &&
    NOT_RUN_BY_NODE.test(outputOf(outcome))
    ? await forTypeScript(services, file)
    : undefined;
}

/** Whether another program (the tsx of its project) ran the file. */
function isRunByAnother({ configuration }: StartOutcome, file: string): boolean {
  const program = configuration?.['program'];
  return typeof program === 'string' && program !== file;
}

function didNothing({ exit_code: code, output = [], configuration }: StartOutcome): boolean {
  return code === 0 && configuration?.['module'] === undefined && output.length === 0;
}

function outputOf({ output = [], stop_event_data: stop }: StartOutcome): string {
  return [
    ...output,
    ...(stop?.output ?? []),
    stop?.text ?? '',
    stop?.exception?.type ?? '',
    stop?.exception?.message ?? '',
  ].join('\n');
}

async function forPythonTest(services: ToolServices, file: string): Promise<string> {
  const isUnittest = /^[ \t]*(?:import|from) unittest\b/m.test(await textOf(services, file));
  const start = isUnittest
    ? `module: "unittest", args: [${JSON.stringify(file)}]`
    : `program: "pytest", args: [${JSON.stringify(file)}]`;
  return `The file ran to its end and printed nothing: tests need a runner. Call start_debugging with ${start}.`;
}

async function forJavaScriptTest(
  services: ToolServices,
  file: string,
): Promise<string | undefined> {
  for (const { name, args } of RUNNERS) {
    if ((await packageProgram(services, name, path.dirname(file))) === undefined) continue;
    return `This file's tests need their runner: call start_debugging with program: "${name}", args: ${JSON.stringify(args(file))}.`;
  }
  return undefined;
}

async function forTypeScript(services: ToolServices, file: string): Promise<string> {
  if ((await packageProgram(services, 'tsx', path.dirname(file))) === undefined)
    return 'Node cannot run this TypeScript file: compile it with source maps, or let the person add tsx to the project, then start program: "tsx" with the file in args.';
  return `Node cannot run this TypeScript file: call start_debugging with program: "tsx", args: [${JSON.stringify(file)}].`;
}

async function textOf({ workspace }: ToolServices, file: string): Promise<string> {
  return await scannedText(workspace, file).catch((error: unknown) => {
    if (error instanceof Failure) return '';
    throw error;
  });
}
