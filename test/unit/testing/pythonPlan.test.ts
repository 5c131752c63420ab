import { strict as assert } from 'node:assert';
import path from 'node:path';
import { fields, listOf, textOf } from '../../../src/debugger/protocol';
import { planTest, type TestInput } from '../../../src/testing/planTest';
import { errorInPython, withoutPytestLines } from '../../../src/testing/python/pythonReport';
import { bench, type Bench } from '../support/services';

const FOLDER = '/home/ada/app';

function benchWith(files: Readonly<Record<string, string>>): Bench {
  const on = bench();
  for (const [name, text] of Object.entries(files))
    on.workspace.files.set(`${FOLDER}/${name}`, text);
  on.workspace.debuggers = () => [{ type: 'debugpy', label: 'Python', languages: ['python'] }];
  return on;
}

/** What is started for a test. */
async function started(on: Bench, file: string, more: Partial<TestInput>) {
  const plan = await planTest(on.services, { file_path: `${FOLDER}/${file}`, ...more });
  const { cwd, args, module, env } = fields(plan.start.launches[0]?.configuration);
  const variables = fields(env);
  return {
    ...{ plan, cwd, module, args: listOf(args), variables },
    names: JSON.parse(textOf(variables['AGENT_DEBUGGER_TEST']) ?? '') as unknown,
  };
}

const TESTS = `import pytest

class StoreTests:
    def test_roundtrip(self):
        pass

class TestLoud(StoreTests):
    make = None

def test_total(name):
    pass
`;

describe('a run of a Python test', () => {
  it('has a reporter, and the options of the project', async () => {
    const on = benchWith({ 'test_it.py': TESTS });
    const { args, variables, plan } = await started(on, 'test_it.py', {
      test_name: 'test_total',
      args: ['-x'],
    });
    const scratch = on.services.scratch.pathOf(plan.scratch.name);
    assert.deepEqual(args, [
      ...['-p', 'agent_debugger_report', '-o', `cache_dir=${scratch}/cache`, '-x'],
      `${FOLDER}/test_it.py::test_total`,
    ]);
    assert.equal(variables['PYTHONPATH'], path.join(on.services.reporters, 'python'));
    assert.equal(variables['AGENT_DEBUGGER_REPORT'], `${scratch}/report.jsonl`);
    assert.equal(variables['AGENT_DEBUGGER_ROOTS'], FOLDER);
  });

  it('hands each name to the runner as it is', async () => {
    const on = benchWith({ 'test_it.py': TESTS });
    const names = async (name: string): Promise<unknown> =>
      (await started(on, 'test_it.py', { test_name: name })).names;
    for (const [name, parts] of [
      ['test_it.py::TestLoud::test_roundtrip', ['TestLoud', 'test_roundtrip']],
      ['TestLoud.test_roundtrip', ['TestLoud', 'test_roundtrip']],
      ['TestLoud > test_roundtrip', ['TestLoud', 'test_roundtrip']],
      ['tests.test_it.TestLoud.test_x', ['tests', 'test_it', 'TestLoud', 'test_x']],
      ['TestLoud', ['TestLoud']],
      ['test_total[ä-咖😀]', ['test_total[ä-咖😀]']],
      ['tests/test_it.py::TestLoud::test_x[a::b.c]', ['TestLoud', 'test_x[a::b.c]']],
      ['test_total[tests/it.py::x]', ['test_total[tests/it.py::x]']],
    ] as const)
      assert.deepEqual(await names(name), parts, name);
  });

  it('has the test around a line, the class that inherits, or the method that is inherited', async () => {
    const on = benchWith({ 'test_it.py': TESTS });
    const names = async (line: number): Promise<unknown> =>
      (await started(on, 'test_it.py', { line })).names;
    assert.deepEqual(await names(5), ['StoreTests', 'test_roundtrip']);
    assert.deepEqual(await names(7), ['TestLoud']);
    assert.deepEqual(await names(10), ['test_total']);
  });

  it('begins where pytest finds its configuration, not at a list of requirements', async () => {
    const folder = async (files: Readonly<Record<string, string>>): Promise<unknown> => {
      const on = benchWith({ 'sub/tests/test_it.py': TESTS, ...files });
      return (await started(on, 'sub/tests/test_it.py', { test_name: 'test_total' })).cwd;
    };
    const requirements = { 'sub/tests/requirements.txt': '' };
    assert.equal(await folder(requirements), `${FOLDER}/sub/tests`);
    assert.equal(await folder({ ...requirements, 'pyproject.toml': '' }), FOLDER);
    const toml = '[build-system]\n\n[tool.pytest.ini_options]\n';
    const both = { 'pyproject.toml': toml, 'sub/setup.py': '' };
    assert.equal(await folder(both), FOLDER);
    assert.equal(await folder({ ...both, 'sub/pytest.ini': '' }), `${FOLDER}/sub`);
    assert.equal(await folder({ ...both, 'sub/tox.ini': '[tox]\n' }), FOLDER);
    assert.equal(await folder({ ...both, 'sub/tox.ini': '[pytest]\n' }), `${FOLDER}/sub`);
    assert.equal(await folder({ ...both, 'sub/setup.cfg': '[tool:pytest]\n' }), `${FOLDER}/sub`);
    assert.equal(await folder({ 'sub/setup.py': '' }), `${FOLDER}/sub`);
  });

  it('begins in the folder of the settings', async () => {
    const on = benchWith({ 'sub/tests/test_it.py': TESTS, 'pytest.ini': '' });
    on.workspace.settings.set('python.testing.cwd', '${workspaceFolder}/sub');
    const { cwd } = await started(on, 'sub/tests/test_it.py', { test_name: 'test_total' });
    assert.equal(cwd, `${FOLDER}/sub`);
  });

  it('has the arguments of the settings', async () => {
    const on = benchWith({ 'tests/test_it.py': TESTS });
    on.workspace.settings.set('python.testing.pytestArgs', ['--ds=shop.settings', 'tests']);
    on.workspace.settings.set('python.testing.unittestArgs', ['-v', '-s', './tests']);
    const { args } = await started(on, 'tests/test_it.py', { test_name: 'test_total' });
    assert.deepEqual(args.slice(4, -1), ['--ds=shop.settings', 'tests']);
    const { variables } = await started(on, 'tests/test_it.py', {
      ...{ test_name: 'test_total', framework: 'unittest' },
    });
    assert.equal(variables['AGENT_DEBUGGER_TOP'], `${FOLDER}/tests`);
  });

  it('uses the runner that the settings enable', async () => {
    const text =
      'import unittest\n\nclass Cart(unittest.TestCase):\n    def test_total(self): pass\n';
    const on = benchWith({ 'test_it.py': text });
    const module = async (): Promise<unknown> =>
      (await started(on, 'test_it.py', { test_name: 'test_total' })).module;
    assert.equal(await module(), 'agent_debugger_unittest');
    on.workspace.settings.set('python.testing.pytestEnabled', true);
    assert.equal(await module(), 'pytest');
  });

  it('runs the file with unittest', async () => {
    const text =
      'import unittest\n\nclass Cart(unittest.TestCase):\n    def test_total(self): pass\n';
    const on = benchWith({ 'tests/cart.py': text });
    const { module, args, names } = await started(on, 'tests/cart.py', {
      test_name: 'tests.cart.Cart.test_total',
      args: ['-b'],
    });
    assert.deepEqual(
      [module, ...args],
      ['agent_debugger_unittest', '-b', `${FOLDER}/tests/cart.py`],
    );
    assert.deepEqual(names, ['tests', 'cart', 'Cart', 'test_total']);
  });
});

describe('what Python printed before it ended', () => {
  const read = (text: string): unknown => {
    const error = errorInPython(text.split('\n'));
    const at = error?.frames[0];
    return error && [error.type, error.message, at && `${at.path}:${at.line}`];
  };

  it('is an error only if it is a traceback or an error of pytest', () => {
    assert.equal(read('retry.ConnectionError: first attempt failed'), undefined);
    assert.equal(read('LegacyConfigWarning: option colour is unset'), undefined);
    const chained = `KeyError: 'x'
Traceback (most recent call last):
  File "/app/a.py", line 1, in <module>
    one()
KeyError: 'x'

During handling of the above exception, another exception occurred:

Traceback (most recent call last):
  File "/app/a.py", line 3, in <module>
    raise shop.errors.NoTea('two\\nlines')
shop.errors.NoTea: two
lines`;
    assert.deepEqual(read(chained), ['NoTea', 'two\nlines', '/app/a.py:3']);
  });

  it('is the error that pytest names', () => {
    const internal = `LegacyWarning: old
INTERNALERROR> Traceback (most recent call last):
INTERNALERROR>   File "/lib/main.py", line 9, in wrap
INTERNALERROR>   File "/app/conftest.py", line 4, in start
INTERNALERROR>     raise RuntimeError("gone")
INTERNALERROR> RuntimeError: gone`;
    assert.deepEqual(read(internal), ['RuntimeError', 'gone', '/app/conftest.py:4']);
    const conftest = `ImportError while loading conftest '/app/conftest.py'.
/app/conftest.py:1: in <module>
    import nowhere
E   ModuleNotFoundError: No module named 'nowhere'`;
    assert.deepEqual(read(conftest), [
      'ModuleNotFoundError',
      "No module named 'nowhere'",
      '/app/conftest.py:1',
    ]);
    const usage = `ERROR: usage: __main__.py [options] [file_or_dir]
__main__.py: error: unrecognized arguments: --ds=x
  inifile: /app/pytest.ini

`;
    const message = 'unrecognized arguments: --ds=x\n  inifile: /app/pytest.ini';
    assert.deepEqual(read(usage), ['UsageError', message, undefined]);
    const asModule = usage.replaceAll('__main__.py', 'python -m pytest');
    assert.deepEqual(read(asModule), ['UsageError', message, undefined]);
    assert.deepEqual(read('ERROR: /app/pytest.ini:2: no value\n\n'), [
      'UsageError',
      '/app/pytest.ini:2: no value',
      undefined,
    ]);
  });

  it('is the output of the test without the lines of pytest', () => {
    const lines = `platform linux
collected 2 items / 1 deselected / 1 selected

test_it.py said
more
F                                                         [100%]

=================== FAILURES ===================
said later`.split('\n');
    assert.deepEqual(withoutPytestLines(lines, ['test_it']), ['said', 'more']);
    assert.deepEqual(withoutPytestLines(lines), lines);
  });
});
