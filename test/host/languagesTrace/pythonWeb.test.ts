import { strict as assert } from 'node:assert';
import { existsSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import * as vscode from 'vscode';
import { skip } from '../../support/skip';
import { textOf } from '../../../src/debugger/protocol';
import { run } from '../../unit/support/recorderRuns';
import { LANGUAGES, skipWhereMissing } from '../languages/language';
import { call, cleanUp, inWorkspace } from '../support/client';
import { ask } from './asking';
import { assertNothingLeft, withText, type Traced } from './tracing';

/** A virtual environment with the frameworks and today's debugpy, from `npm run test-runners:setup`. */
const PYTHON = path.resolve(inWorkspace('.'), '../../../.vscode-test/web/bin/python');

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

/**
 * The milliseconds between two requests of one person. Flask makes a thread for each request, and each thread makes
 * events that the window must read: without a pause, a slow machine falls behind for minutes.
 */
const PAUSE = 40;

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
    if (!existsSync(PYTHON)) skip(this, 'needs npm run test-runners:setup');
  });
  afterEach(cleanUp);

  for (const { file, endpoints } of APPLICATIONS)
    it(`is recorded while ${file} serves others, and the session stops cleanly`, async () => {
      const port = await served(file);
      let requests = 0;
      for (const { name, path: asked, lines, returned, threw, shows } of endpoints) {
        let quickest = Infinity;
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
              await pause(PAUSE);
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
          quickest = Math.min(quickest, seconds);
          assert.ok(text.length < 2500, text);
        }
        // On a machine that does other work, single requests take long.
        assert.ok(quickest < 2, `${name}: ${quickest} s`);
      }
      assert.equal(await ask(port, '/log'), String(requests));
      await assertNothingLeft();
      assert.equal((await call('stop_debugging')).status, 'success');
    });
});

describe('the recorded values of tables and arrays', function () {
  before(function () {
    if (!existsSync(PYTHON)) skip(this, 'needs npm run test-runners:setup');
  });

  it('describes them by their shape, type and first rows, and runs no code of the program', () => {
    const program = `
import numpy as np, pandas as pd
class Order(object):
    def __repr__(self): raise Exception('ran')
def f(values):
    hit(sys._getframe())
f([np.arange(3), np.zeros((20, 30)), np.float64(1.5), np.array([Order()]), pd.Timestamp('2026-01-02'), pd.Series([1, 2], name='n'),
   pd.Series([Order(), None]), pd.DataFrame({'a': range(9), 'b': ['x'] * 9})])
`;
    const limits = { items: 8, text: 900, depth: 3 };
    const ran = run('python', program, { values: ['values'] }, limits, PYTHON);
    const text = textOf(ran.hits[0]?.values[0]) ?? '';
    for (const part of [
      /^\[array\(\[0, 1, 2\]\), ndarray\(shape=\(20, 30\), dtype=float64, \[0\.0, .*… 592 more\]\), /,
      /(?:np\.float64\()?1\.5\)?, ndarray\(shape=\(1,\), dtype=object, \[<Order>\]\), /,
      /Timestamp\('2026-01-02 00:00:00'\), Series\(name='n', shape=\(2,\), dtype=int64, \[1, 2\]\), /,
      /Series\(shape=\(2,\), dtype=object, \[<Order>, None\]\), /,
      /DataFrame\(shape=\(9, 2\), \{'a': int64 \[0, 1, 2, … 6 more\], 'b': \w+ \['x', 'x', 'x', … 6 more\]\}\)\]$/,
    ])
      assert.match(text, part);
  });
});
