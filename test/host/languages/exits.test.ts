import { strict as assert } from 'node:assert';
import { chmodSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { call, cleanUp } from '../support/client';
import { LANGUAGES, skipWhereMissing } from './language';

const WAIT = { timeout_seconds: 120 };

/** A program run in one console, with one setting for its output. */
interface Setting {
  readonly language: string;
  readonly configuration: string;
  readonly inputs: Readonly<Record<string, string>>;
  /** False if nothing reports the exit code. */
  readonly isKnown: boolean;
}

const consoles = (
  language: string,
  configuration: string,
  known: Readonly<Record<string, boolean>>,
): Setting[] =>
  Object.entries(known).map(([console, isKnown]) => ({
    language,
    configuration,
    inputs: { console, capture: 'console' },
    isKnown,
  }));

const SETTINGS: readonly Setting[] = [
  ...consoles('Node', 'Node exit', {
    internalConsole: true,
    integratedTerminal: true,
    externalTerminal: false,
  }),
  {
    language: 'Node',
    configuration: 'Node exit',
    inputs: { console: 'internalConsole', capture: 'std' },
    isKnown: true,
  },
  ...consoles('Python', 'Python exit', {
    internalConsole: true,
    integratedTerminal: true,
    externalTerminal: true,
  }),
  { language: 'C++', configuration: 'Native exit', inputs: {}, isKnown: true },
  { language: 'C++', configuration: 'Native exit terminal', inputs: {}, isKnown: true },
  { language: 'Go', configuration: 'Go exit', inputs: { capture: 'local' }, isKnown: true },
  { language: 'Go', configuration: 'Go exit', inputs: { capture: 'remote' }, isKnown: true },
  ...consoles('Java', 'Java exit', {
    internalConsole: false,
    integratedTerminal: true,
    externalTerminal: false,
  }),
];

describe('the exit code of a program', function () {
  this.timeout(300_000);
  let folder = '';

  const searched = process.env['PATH'];

  before(() => {
    folder = realpathSync(mkdtempSync(path.join(tmpdir(), 'agent-debugger-')));
    // Replaces a terminal window, which needs a screen: the script runs the terminal's command in the background.
    const terminal = path.join(folder, 'x-terminal-emulator');
    writeFileSync(
      terminal,
      '#!/bin/sh\nwhile [ "$1" != bash ]; do shift; done\n"$@" </dev/null >/dev/null 2>&1 &\n',
    );
    chmodSync(terminal, 0o755);
    process.env['PATH'] = `${folder}${path.delimiter}${searched ?? ''}`;
  });
  after(() => {
    process.env['PATH'] = searched;
    rmSync(folder, { recursive: true });
  });
  afterEach(cleanUp);

  for (const { language: name, configuration, inputs, isKnown } of SETTINGS) {
    const title = [configuration, ...Object.values(inputs)].join(', ');
    it(`${title}: ${isKnown ? 'is reported' : 'is reported as unknown'}`, async function () {
      const language = LANGUAGES.find((each) => each.name === name);
      assert.ok(language);
      skipWhereMissing(this, language);
      for (const [mode, code] of [
        ['three', 3],
        ['zero', 0],
      ] as const) {
        const end = await call('start_debugging', {
          configuration_name: configuration,
          inputs: { ...inputs, mode },
          ...WAIT,
        });
        const answerText = JSON.stringify(end);
        assert.equal(end.status, 'completed', answerText);
        assert.equal(end['exit_code'], isKnown ? code : undefined, answerText);
        if (isKnown)
          assert.match(
            String(end['message']),
            code === 0 ? /ended normally/ : /exit code 3/,
            answerText,
          );
        else {
          assert.match(String(end['message']), /exit code of the program is unknown/, answerText);
          assert.ok(String(end['hint']).length > 0, answerText);
        }
      }
    });
  }
});
