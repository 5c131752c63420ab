import { strict as assert } from 'node:assert';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fields, listOf } from '../../../src/debugger/protocol';
import { call, cleanUp, inWorkspace, stopOf, type StopData } from '../support/client';
import { LANGUAGES, skipWhereMissing } from './language';

const WAIT = { timeout_seconds: 120 };

const FILES: Readonly<Record<string, string>> = {
  'node_modules/check/package.json': '{ "name": "check", "main": "check.js" }\n',
  'node_modules/check/check.js': `${Array.from({ length: 12 }, (_, index) => `const flag${index} = { name: 'flag', number: ${index}, more: [1, 2, 3] };`).join('\n')}
exports.equal = function equal(actual, expected) {
${Array.from({ length: 12 }, (_, index) => `  const part${index} = { ...flag${index}, actual, expected, chained: true };`).join('\n')}
  throw new Error(\`expected \${actual} to equal \${expected} (\${part0.name})\`);
};
`,
  'app.js': `const { equal } = require('check');
function test() {
  const total = 6;
  equal(total, 7);
}
try {
  test();
} catch (error) {
  console.log(error.message);
}
`,
  'again.js': `function inner() {
  throw new Error('broken');
}
function outer() {
  try {
    inner();
  } catch (error) {
    throw error;
  }
}
try {
  outer();
} catch {
  console.log('caught');
}
`,
  'again.py': `def inner():
    raise ValueError("broken")


def outer():
    try:
        inner()
    except ValueError:
        raise


try:
    outer()
except ValueError:
    print("caught")
`,
  'test_sum.py': `import unittest


class SumTest(unittest.TestCase):
    def setUp(self):
        self.price = 6

    def test_adds(self):
        total = self.price
        self.assertEqual(total, 7)


def test_plain():
    total = 1 + 1
    assert total * 2 == 3
`,
};

describe('reported exceptions', function () {
  this.timeout(300_000);
  /** A folder in the workspace: its files outside `node_modules` count as the person's own. */
  let folder = '';
  const file = (name: string): string => path.join(folder, name);

  before(() => {
    folder = mkdtempSync(inWorkspace('thrown-'));
    for (const [name, text] of Object.entries(FILES)) {
      mkdirSync(path.dirname(file(name)), { recursive: true });
      writeFileSync(file(name), text);
    }
  });
  after(() => rmSync(folder, { recursive: true }));
  beforeEach(async () => {
    await call('set_exception_breakpoints', {});
  });
  afterEach(async () => {
    await cleanUp();
    await call('set_exception_breakpoints', {});
  });

  const start = async (input: object): Promise<StopData> =>
    stopOf(await call('start_debugging', { cwd: folder, ...input, ...WAIT }));
  const needsPython = (context: Mocha.Context): void => {
    const language = LANGUAGES.find((each) => each.name === 'Python');
    assert.ok(language);
    skipWhereMissing(context, language);
  };

  it('Node: an exception thrown in a library has only the person’s own frame, without the library’s variables', async () => {
    await call('set_exception_breakpoints', { filters: ['all'], type: 'node' });
    const stop = await start({ program: file('app.js') });
    assert.equal(stop.exception?.own_frame?.function_name.includes('test'), true);
    assert.equal(stop.top_frame_variables, null, JSON.stringify(stop));
    assert.ok(Number(stop.omitted?.['top_frame_variables']) > 12);
    assert.ok(JSON.stringify(stop).length < 2500);
    const [top] = stop.call_stack;
    const [scope] = listOf((await call('get_scopes', { frame_id: top?.frame_id }))['scopes']);
    const shown = await call('get_variables', {
      variables_reference: fields(scope)['variables_reference'],
    });
    assert.match(JSON.stringify(shown), /part11/);
  });

  it('Node: the same exception thrown again is reported in short form', async () => {
    await call('set_exception_breakpoints', { filters: ['all'], type: 'node' });
    const first = await start({ program: file('again.js') });
    const again = stopOf(await call('continue_debugging', WAIT));
    assert.match(again.exception?.again ?? '', /stop 1/);
    assert.equal(again.line, 8);
    assert.ok(JSON.stringify(again).length < JSON.stringify(first).length);
  });

  it('Python: the same exception thrown again is reported in short form', async function () {
    needsPython(this);
    await call('set_exception_breakpoints', { filters: ['raised'], type: 'debugpy' });
    const first = await start({ program: file('again.py') });
    assert.equal(first.exception?.again, undefined);
    const again = stopOf(await call('continue_debugging', WAIT));
    assert.match(again.exception?.again ?? '', /stop 1/);
    assert.ok(JSON.stringify(again).length < JSON.stringify(first).length);
  });

  it('Python: a failed test is reported without the variables that its runner adds', async function () {
    needsPython(this);
    const unittest = await start({ module: 'unittest', args: ['test_sum.SumTest'] });
    await cleanUp();
    const pytest = await start({ program: 'pytest', args: ['-q', '-k', 'plain', 'test_sum.py'] });
    await cleanUp();
    const method = await start({ program: 'pytest', args: ['-q', '-k', 'adds', 'test_sum.py'] });
    for (const stop of [unittest, pytest, method]) {
      const answerText = JSON.stringify(stop);
      assert.doesNotMatch(answerText, /@py_|_testMethodName|_outcome|<method object>|\(note: /);
      assert.match(answerText, /total/);
    }
    assert.match(JSON.stringify(unittest), /"fields":\{"price":"6"\}/);
  });
});
