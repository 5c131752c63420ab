import { strict as assert } from 'node:assert';
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import path from 'node:path';
import * as vscode from 'vscode';
import { skip } from '../../support/skip';
import { LANGUAGES, skipWhereMissing } from '../languages/language';
import { call, cleanUp, inWorkspace } from '../support/client';
import { ask } from './asking';
import { assertNothingLeft, withText, type Traced } from './tracing';

/** A virtual environment with the frameworks and today's debugpy, which the first run creates. */
const ENVIRONMENT = path.resolve(inWorkspace('.'), '../../../.vscode-test/web');
const PYTHON = path.join(ENVIRONMENT, 'bin/python');

function install(context: Mocha.Context): void {
  const run = (program: string, ...args: string[]): boolean =>
    spawnSync(program, args, { timeout: 150_000 }).status === 0;
  const isThere =
    existsSync(PYTHON) && run(PYTHON, '-c', 'import debugpy, flask, fastapi, uvicorn');
  if (isThere) return;
  const isMade =
    run('python3', '-m', 'venv', ENVIRONMENT) &&
    run(PYTHON, '-m', 'pip', 'install', '-q', 'debugpy', 'flask', 'fastapi', 'uvicorn');
  if (!isMade) skip(context, 'needs Flask and FastAPI, which pip could not install');
}

/** Starts an application. @returns the port on which it serves */
async function served(file: string): Promise<number> {
  const [folder] = vscode.workspace.workspaceFolders ?? [];
  const program = inWorkspace(`web/${file}`);
  const started = await vscode.debug.startDebugging(folder, {
    ...{ name: file, type: 'debugpy', request: 'launch', program },
    ...{ python: [PYTHON], console: 'internalConsole', subProcess: false },
  });
  assert.ok(started);
  const answer = await call('wait_for_stop', { output_pattern: '^ready', timeout_seconds: 20 });
  const port = /ready (\d+)/.exec(JSON.stringify(answer))?.[1];
  assert.ok(port !== undefined, JSON.stringify(answer));
  return Number(port);
}

interface Endpoint {
  readonly name: string;
  readonly path: string;
  readonly lines: number;
  readonly shows: readonly string[];
  readonly returned?: RegExp;
  readonly threw?: RegExp;
}

const APPLICATIONS: readonly { readonly file: string; readonly endpoints: readonly Endpoint[] }[] =
  [
    {
      file: 'flask_app.py',
      endpoints: [
        {
          ...{ name: 'products', path: '/products?page=2', lines: 6, returned: /^<Response/ },
          shows: ['get(…)', 'page = 2', 'start = 3', "total(items=[{'id': 4, 'price': 128}"],
        },
        { name: 'crash', path: '/crash', lines: 2, threw: /^ZeroDivisionError/, shows: ['threw'] },
        { name: 'missing', path: '/missing', lines: 2, threw: /^NotFound/, shows: ['abort(…)'] },
      ],
    },
    {
      file: 'fastapi_app.py',
      endpoints: [
        {
          ...{ name: 'plain', path: '/plain?page=4', lines: 4, returned: /^\{'twice': 8\}$/ },
          shows: ['twice = 8'],
        },
        {
          ...{ name: 'slow', path: '/slow?page=4', lines: 5, returned: /^\{'twice': 9\}$/ },
          shows: ['twice = 8', 'twice: 8 → 9'],
        },
        { name: 'refused', path: '/refused', lines: 2, threw: /^HTTPException/, shows: [] },
      ],
    },
  ];

describe('a traced Python call that a web framework makes', function () {
  this.timeout(100_000);
  before(function () {
    const python = LANGUAGES.find(({ name }) => name === 'Python');
    assert.ok(python);
    skipWhereMissing(this, python);
    install(this);
  });
  afterEach(cleanUp);

  for (const { file, endpoints } of APPLICATIONS)
    it(`is recorded while ${file} serves others, and the session stops cleanly`, async () => {
      const port = await served(file);
      let requests = 0;
      for (const { name, path: asked, lines, returned, threw, shows } of endpoints) {
        for (let round = 0; round < 4; round += 1) {
          const begun = performance.now();
          let isTraced = false;
          const tracing = call('trace_function', {
            ...{ function_name: name, file_path: `web/${file}` },
          }).finally(() => (isTraced = true));
          const asking = async (): Promise<void> => {
            while (!isTraced) {
              await ask(port, asked);
              requests += 1;
            }
          };
          const [answer] = await Promise.all([tracing, asking(), asking(), asking()]);
          const seconds = (performance.now() - begun) / 1000;
          const traced = answer as Traced;
          const text = JSON.stringify(answer);
          assert.equal(traced.status, 'running', text);
          assert.equal(traced.executed_lines, lines, text);
          if (returned !== undefined) assert.match(String(traced.returned), returned, text);
          if (threw !== undefined) assert.match(String(traced['threw']), threw, text);
          for (const each of shows) assert.equal(withText(traced, each).length, 1, text);
          assert.ok(seconds < 2, `${seconds} s: ${text}`);
          assert.ok(text.length < 2500, text);
        }
      }
      assert.equal(await ask(port, '/log'), String(requests));
      await assertNothingLeft();
      assert.equal((await call('stop_debugging')).status, 'success');
    });
});
