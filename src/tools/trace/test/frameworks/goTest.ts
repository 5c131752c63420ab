import path from 'node:path';
import { adapterOf } from '../../../../debugger/adapters/registry';
import { typeOfLanguage } from '../../../launch/programConfiguration';
import { fixedParts } from '../scan/javascript';
import { scanGo } from '../scan/braces';
import type { Look, Seen, TestFramework } from '../testFramework';

const RUN = 'testing.tRunner';
const FAIL = 'testing.(*common).Fail';
const SKIP = 'testing.(*common).SkipNow';

/** A name as `go test` writes it: spaces are underscores. */
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
  lookedFor: 'a file whose name ends with _test.go',
  detect: () => 10,
  list: scanGo,
  configuration: async ({ project, test, args }) => {
    const type = typeOfLanguage(project.services, 'go', project.file);
    // A slash in a name is one between two patterns, too.
    const names = test.path.flatMap((each) => each.split('/'));
    return {
      configuration: {
        type,
        ...adapterOf(type).testProperties,
        mode: 'test',
        program: path.dirname(project.file),
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
  // Its output reaches no debug session, and the test's own lines are in a buffer of the library.
  watch: { functions: [RUN, FAIL, SKIP], see },
  readOutcome: () => ({ tests: [] }),
};

async function see(
  functionName: string,
  look: Look,
  callers: readonly string[],
): Promise<Seen | undefined> {
  if (functionName === RUN) {
    const name = unquoted(await look('t.common.name'));
    return name === undefined ? undefined : { kind: 'ran', path: name.split('/') };
  }
  // A panic fails the test on its way out, and stops the program after that with its own words.
  if (callers.includes('runtime.gopanic')) return undefined;
  const path = (unquoted(await look('c.name')) ?? '').split('/');
  const said = unquoted(await look('string(c.output)')) ?? '';
  // The library puts the place before each line, and indents the rest.
  const lines = said.trim().split('\n');
  const message = lines
    .map((line) => line.trim())
    .join('\n')
    .replace(/^\S+\.go:\d+: /, '');
  return functionName === SKIP
    ? { kind: 'skipped', path, reason: message }
    : { kind: 'failed', path, message };
}

/** A string as delve shows it. */
function unquoted(shown: string | undefined): string | undefined {
  if (shown === undefined) return undefined;
  try {
    const text: unknown = JSON.parse(shown);
    return typeof text === 'string' ? text : undefined;
  } catch {
    return shown.replace(/^"|"$/g, '');
  }
}
