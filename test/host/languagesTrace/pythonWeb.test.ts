import { strict as assert } from 'node:assert';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { skip } from '../../support/skip';
import { textOf } from '../../../src/debugger/protocol';
import { run } from '../../unit/support/recorderRuns';
import { LANGUAGES, skipWhereMissing } from '../languages/language';
import { cleanUp, inWorkspace } from '../support/client';
import { ask } from './asking';
import { assertEnds, PYTHON, served, tracedWhileServing, type Endpoint } from './webTracing';

const APPLICATIONS: readonly { readonly file: string; readonly endpoints: readonly Endpoint[] }[] =
  [
    {
      file: 'flask_app.py',
      endpoints: [
        {
          ...{ name: 'products', path: '/products?page=2', lines: 6, returned: /^<Response/ },
          rounds: 10,
          shows: ['get(…)', 'page = 2', 'start = 3', 'total(items=items) → 405'],
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
          rounds: 10,
          shows: ['twice = 8'],
        },
        {
          ...{ name: 'slow', path: '/slow?page=4', lines: 5, returned: /^\{'twice': 9\}$/ },
          rounds: 10,
          shows: ['twice = 8', 'twice: 8 → 9'],
        },
        { name: 'refused', path: '/refused', lines: 2, threw: /^HTTPException/, shows: [] },
      ],
    },
    {
      file: 'django_app.py',
      endpoints: [
        {
          ...{ name: 'invoice', path: '/invoice/3?amount=2', lines: 6 },
          ...{ returned: /^<JsonResponse/, rounds: 10 },
          shows: ['get(…)', 'price = 121', 'price: 121 → 242'],
        },
        { name: 'crash', path: '/crash', lines: 2, threw: /^KeyError/, shows: ['threw'] },
      ],
    },
    {
      // Each request waits for a task, which the one worker runs.
      file: 'celery_app.py',
      endpoints: [
        {
          ...{ name: 'bill', path: '/bill', lines: 9, returned: /^\{'total': 14\}$/ },
          rounds: 10,
          shows: ['total: 0 → 6'],
        },
        { name: 'refuse', path: '/refuse', lines: 2, threw: /^ValueError/, shows: ['threw'] },
      ],
    },
  ];

describe('a traced Python call that a web framework makes', function () {
  this.timeout(300_000);
  before(function () {
    const python = LANGUAGES.find(({ name }) => name === 'Python');
    assert.ok(python);
    skipWhereMissing(this, python);
    if (!existsSync(PYTHON)) skip(this, 'needs npm run test-runners:setup');
  });
  afterEach(cleanUp);

  for (const { file, endpoints } of APPLICATIONS)
    it(`is recorded while ${file} serves others, and the session stops cleanly`, async () => {
      const program = inWorkspace(`web/${file}`);
      const port = await served({ program, python: [PYTHON], subProcess: false });
      const requests = await tracedWhileServing(port, `web/${file}`, endpoints);
      assert.equal(await ask(port, '/log'), String(requests));
      await assertEnds();
    });

  it('is recorded in the worker of gunicorn that serves the request, while both serve', async () => {
    const folder = mkdtempSync(path.join(tmpdir(), 'agent-debugger-'));
    const log = path.join(folder, 'served');
    try {
      const port = await served(
        {
          ...{ module: 'gunicorn', cwd: inWorkspace('web'), python: [PYTHON] },
          args: ['-w2', '-t0', '-b127.0.0.1:0', '--no-control-socket', 'gunicorn_app:app'],
          env: { SERVED_LOG: log },
        },
        /Listening at: http:\/\/127\.0\.0\.1:(\d+)/,
      );
      const requests = await tracedWhileServing(port, 'web/gunicorn_app.py', [
        {
          ...{ name: 'order', path: '/order?number=4', lines: 6, rounds: 10 },
          ...{ returned: /^\{'number': 5, 'worker': \d+\}$/, shows: ['number: 4 → 5'] },
        },
      ]);
      const workers = readFileSync(log, 'utf8').trim().split('\n');
      assert.equal(workers.length, requests);
      assert.equal(new Set(workers).size, 2);
      await assertEnds();
    } finally {
      rmSync(folder, { recursive: true });
    }
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
