import path from 'node:path';
import { adapterOf } from '../../../../debugger/adapters/registry';
import { typeOfLanguage } from '../../../launch/programConfiguration';
import { fixedParts } from '../scan/javascript';
import { scanGo } from '../scan/braces';
import type { Evaluate, Observation, TestFramework } from '../testFramework';

const RUN = 'testing.tRunner';
const FAIL = 'testing.(*common).Fail';
const SKIP = 'testing.(*common).SkipNow';

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
  observer: { functions: [RUN, FAIL, SKIP], observe },
  readOutcome: () => ({ tests: [] }),
};

async function observe(
  functionName: string,
  evaluate: Evaluate,
  callers: readonly string[],
): Promise<Observation | undefined> {
  if (functionName === RUN) {
    const name = unquoted(await evaluate('t.common.name'));
    return name === undefined ? undefined : { kind: 'ran', path: name.split('/') };
  }
  // A panic also fails the test. Afterwards, it stops the program with its own message.
  if (callers.includes('runtime.gopanic')) return undefined;
  const path = (unquoted(await evaluate('c.name')) ?? '').split('/');
  const printed = unquoted(await evaluate('string(c.output)')) ?? '';
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
