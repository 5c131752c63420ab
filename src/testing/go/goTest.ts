import path from 'node:path';
import { adapterOf } from '../../debugger/adapters/registry';
import { typeOfLanguage } from '../../tools/launch/programConfiguration';
import { fixedParts } from '../javascript/scanJavaScript';
import { scanGo } from '../scan/braces';
import type { Evaluate, Observation, TestFramework } from '../testFramework';

const RUN = 'testing.tRunner';
const FAIL = 'testing.(*common).Fail';
const SKIP = 'testing.(*common).SkipNow';
const EXAMPLE = 'testing.(*InternalExample).processRunResult';

/** Returns the `go test` pattern for a name, with underscores instead of spaces. */
function asPattern(name: string): string {
  const escaped = fixedParts(name).map((part) =>
    part.replace(/\s/g, '_').replace(/[.*+?^${}()|[\]\\]/g, '\\$&'),
  );
  return `^${escaped.join('.*')}$`;
}

export const goTest: TestFramework = {
  id: 'go_test',
  title: 'go test',
  files: /_test\.go$/,
  markers: ['go.mod'],
  evidence: 'a file whose name ends with _test.go',
  detect: () => 10,
  list: scanGo,
  configuration: async ({ project, test, args }) => {
    const type = typeOfLanguage(project.services, 'go', project.file);
    // In a pattern, a slash in a name also separates two patterns.
    const names = test.path.flatMap((name) => name.split('/'));
    return {
      configuration: {
        type,
        ...adapterOf(type).testProperties,
        mode: 'test',
        program: path.dirname(project.file),
        // As `go test` does. A test may read files next to it.
        cwd: path.dirname(project.file),
        args: [
          ...['-test.run', names.map(asPattern).join('/')],
          ...['-test.count=1', '-test.timeout=0'],
          ...args,
        ],
      },
      files: {},
      report: 'none',
    };
  },
  // The runner's output does not reach the debug session, and the library buffers the test's own lines.
  observer: { functions: [RUN, FAIL, SKIP, EXAMPLE], observe },
  readOutcome: () => ({ tests: [] }),
};

async function observe(
  functionName: string,
  evaluate: Evaluate,
  callers: readonly string[],
): Promise<Observation | undefined> {
  if (functionName === RUN) {
    const name = unquoted(await evaluate('t.common.name'));
    // The runner also runs all tests as one test without a name.
    return name === undefined || name === '' ? undefined : { kind: 'ran', path: name.split('/') };
  }
  if (functionName === EXAMPLE) return await exampleOf(evaluate);
  // A panic also fails the test. Afterwards, it stops the program with its own message.
  if (isAtPanic(callers)) return undefined;
  const path = (unquoted(await evaluate('c.name')) ?? '').split('/');
  const printed = await outputOf(evaluate);
  // The library writes the place before the message, and indents its other lines.
  const lines = printed.trim().split('\n');
  const message = lines
    .map((line) => line.trim())
    .join('\n')
    .replace(/^\S+\.go:\d+: /, '');
  return functionName === SKIP
    ? { kind: 'skipped', path, reason: message }
    : { kind: 'failed', path, message };
}

/** The number of bytes of a slice that delve shows, and the number of slices that are read. */
const SHOWN_BYTES = 32;
const MOST_SLICES = 48;

/** Reads the output of a test, up to 1,536 bytes. */
async function outputOf(evaluate: Evaluate): Promise<string> {
  const length = Number((await evaluate('len(c.output)')) ?? 0);
  const count = Math.min(MOST_SLICES, Math.ceil(length / SHOWN_BYTES));
  const slices = await Promise.all(
    Array.from({ length: count }, async (_, index) => {
      const from = index * SHOWN_BYTES;
      const shown = await evaluate(`c.output[${from}:${Math.min(length, from + SHOWN_BYTES)}]`);
      const [, numbers = ''] = /\[([\d,]*)\]$/.exec(shown ?? '') ?? [];
      return numbers.split(',').map(Number);
    }),
  );
  const text = Buffer.from(slices.flat()).toString('utf8');
  return length > count * SHOWN_BYTES ? `${text}…` : text;
}

/** Whether the runner fails a test because of a panic. A deferred function of the test may fail it, too. */
function isAtPanic(callers: readonly string[]): boolean {
  const panic = callers.indexOf('runtime.gopanic');
  return callers.slice(0, Math.max(0, panic)).some((name) => name.startsWith(`${RUN}.`));
}

/** Compares the output of an example with its comment, as the library does. */
async function exampleOf(evaluate: Evaluate): Promise<Observation | undefined> {
  const [name, printed, comment, isUnordered] = await Promise.all(
    ['eg.Name', 'stdout', 'eg.Output', 'eg.Unordered'].map(evaluate),
  );
  const path = [unquoted(name) ?? ''];
  const ordered = (text: string | undefined): string => {
    const lines = (unquoted(text) ?? '').trim().split('\n');
    return (isUnordered === 'true' ? lines.sort() : lines).join('\n');
  };
  const [got, want] = [ordered(printed), ordered(comment)];
  if (got === want) return { kind: 'ran', path };
  return { kind: 'failed', path, message: `got:\n${got}\nwant:\n${want}` };
}

/** Returns the text of a string in delve's notation. */
function unquoted(shown: string | undefined): string | undefined {
  if (shown === undefined) return undefined;
  try {
    const text: unknown = JSON.parse(shown);
    return typeof text === 'string' ? text : undefined;
  } catch {
    return shown.replace(/^"|"$/g, '');
  }
}
