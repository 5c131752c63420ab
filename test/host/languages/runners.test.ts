import { strict as assert } from 'node:assert';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { call, cleanUp, errorOf, inWorkspace, stopOf, type Answer } from '../support/client';
import { LANGUAGES, skipWhereMissing } from './language';

const WAIT = { timeout_seconds: 120 };

const FILES: Readonly<Record<string, string>> = {
  'package.json':
    '{ "name": "demo", "private": true, "scripts": { "test": "node app.js test" } }\n',
  'app.js':
    "const mode = process.argv[2]; // here\nconsole.log(`mode=${mode}`);\nprocess.stdout.write('written\\n');\nprocess.exitCode = mode === 'fail' ? 4 : 0;\n",
  'sum.test.js':
    "const assert = require('node:assert');\ndescribe('sum', () => {\n  it('adds', () => assert.equal(1 + 1, process.env.WRONG ? 3 : 2)); // here\n});\n",
  'app.ts': 'enum Colour { Red }\nconsole.log(Colour.Red);\n',
  'test_sum.py':
    'import os\n\n\ndef test_sum():\n    total = 1 + 1  # here\n    assert total == (3 if os.environ.get("WRONG") else 2)\n',
  'node_modules/demo-tool/cli.js':
    "#!/usr/bin/env node\nprocess.stdout.write(`tool ${process.argv.slice(2).join(' ')}\\n`);\n",
};

/** A minimal tsx for one file: compiles the modules that Node loads, with source maps. */
const TSX = `#!/usr/bin/env node
const ts = require(${JSON.stringify(path.resolve(__dirname, '../../../../node_modules/typescript'))});
const { readFileSync } = require('node:fs');
require.extensions['.ts'] = (module, file) => {
  const compilerOptions = { module: ts.ModuleKind.CommonJS, target: ts.ScriptTarget.ES2022, inlineSourceMap: true };
  module._compile(ts.transpileModule(readFileSync(file, 'utf8'), { compilerOptions, fileName: file }).outputText, file);
};
process.argv.splice(1, 1);
require(process.argv[1]);
`;

describe('programs that are started by name', function () {
  this.timeout(300_000);
  let folder = '';
  const file = (name: string): string => path.join(folder, name);

  before(() => {
    folder = realpathSync(mkdtempSync(path.join(tmpdir(), 'agent-debugger-')));
    for (const [name, text] of Object.entries(FILES)) {
      mkdirSync(path.dirname(file(name)), { recursive: true });
      writeFileSync(file(name), text, { mode: 0o755 });
    }
    mkdirSync(file('node_modules/.bin'), { recursive: true });
    symlinkSync('../demo-tool/cli.js', file('node_modules/.bin/demo-tool'));
    symlinkSync(
      path.resolve(__dirname, '../../../../node_modules/mocha'),
      file('node_modules/mocha'),
    );
    symlinkSync('../mocha/bin/mocha.js', file('node_modules/.bin/mocha'));
  });
  after(() => rmSync(folder, { recursive: true }));
  afterEach(cleanUp);

  const start = async (input: object): Promise<Answer> =>
    await call('start_debugging', { cwd: folder, ...input, ...WAIT });
  const here = (name: string): object => ({
    file_path: file(name),
    line_number: (FILES[name] ?? '').split('\n').findIndex((line) => line.includes('here')) + 1,
  });
  const needsPython = (context: Mocha.Context): void => {
    const language = LANGUAGES.find((each) => each.name === 'Python');
    assert.ok(language);
    skipWhereMissing(context, language);
  };
  const ended = (answer: Answer, code: number, output: RegExp): void => {
    const answerText = JSON.stringify(answer);
    assert.deepEqual([answer.status, answer['exit_code']], ['completed', code], answerText);
    assert.match((answer['output'] as string[]).join('\n'), output, answerText);
  };

  it('npm runs a script, and its program stops at breakpoints', async () => {
    const answer = await start({ program: 'npm', args: ['test'], breakpoints: [here('app.js')] });
    assert.equal(stopOf(answer).source?.path, file('app.js'), JSON.stringify(answer));
    assert.match(
      (answer['configuration'] as { runtimeExecutable: string }).runtimeExecutable,
      /^\/.*npm$/,
    );
    ended(await call('continue_debugging', WAIT), 0, /mode=test/);
  });

  it('node takes the arguments of a command line', async () => {
    ended(
      await start({ program: 'node', args: ['--no-warnings', 'app.js', 'fail'] }),
      4,
      /mode=fail\nwritten/,
    );
  });

  it('a package’s program is run by its script, and its output is shown, also if it ends normally', async () => {
    const answer = await start({ program: 'demo-tool', args: ['a', 'b'] });
    ended(answer, 0, /tool a b/);
    assert.equal(
      (answer['configuration'] as { program: string }).program,
      file('node_modules/demo-tool/cli.js'),
    );
  });

  it('a test runner stops in the test, and the end has its exit code', async () => {
    stopOf(
      await start({ program: 'mocha', args: ['sum.test.js'], breakpoints: [here('sum.test.js')] }),
    );
    await call('remove_breakpoint', { clear_all: true });
    ended(await call('continue_debugging', WAIT), 0, /1 passing/);
    const failed = await start({ program: 'mocha', args: ['sum.test.js'], env: { WRONG: '1' } });
    ended(
      failed.status === 'stopped' ? await call('continue_debugging', WAIT) : failed,
      1,
      /sum\.test\.js:3/,
    );
  });

  it('pytest stops in the test, and the end of pytest as a program and as a module has its exit code', async function () {
    needsPython(this);
    stopOf(
      await start({
        program: 'pytest',
        args: ['-q', 'test_sum.py'],
        breakpoints: [here('test_sum.py')],
      }),
    );
    await call('remove_breakpoint', { clear_all: true });
    ended(await call('continue_debugging', WAIT), 0, /1 passed/);
    const failed = await start({
      module: 'pytest',
      args: ['-q', 'test_sum.py'],
      env: { WRONG: '1' },
    });
    ended(
      failed.status === 'stopped' ? await call('continue_debugging', WAIT) : failed,
      1,
      /1 failed/,
    );
  });

  it('a file that needs a runner is answered with a hint that names the runner', async function () {
    const test = await start({ program: file('sum.test.js') });
    assert.match(String(test['hint']), /program: "mocha", args: \["/, JSON.stringify(test));
    await cleanUp();
    const typescript = await start({ program: file('app.ts') });
    assert.match(
      String(typescript['hint']),
      /Node cannot run this TypeScript/,
      JSON.stringify(typescript),
    );
    await cleanUp();
    needsPython(this);
    const python = await start({ program: file('test_sum.py') });
    assert.deepEqual(
      [python.status, python['exit_code']],
      ['completed', 0],
      JSON.stringify(python),
    );
    assert.match(String(python['hint']), /program: "pytest"/);
  });

  it('a TypeScript file is run by the project’s own tsx, and stops at its lines', async () => {
    const project = mkdtempSync(inWorkspace('tsx-'));
    try {
      const tool = path.join(project, 'node_modules/tsx/cli.js');
      const program = path.join(project, 'main.ts');
      mkdirSync(path.dirname(tool), { recursive: true });
      mkdirSync(path.join(project, 'node_modules/.bin'));
      writeFileSync(tool, TSX, { mode: 0o755 });
      symlinkSync('../tsx/cli.js', path.join(project, 'node_modules/.bin/tsx'));
      writeFileSync(
        program,
        'enum Colour { Red = 3 }\nconst args: string[] = process.argv.slice(2);\nconsole.log(Colour.Red, ...args);\n',
      );
      const answer = await call('start_debugging', {
        program,
        args: ['one'],
        breakpoints: [{ file_path: program, line_number: 3 }],
        ...WAIT,
      });
      const stop = stopOf(answer);
      assert.deepEqual([stop.source?.path, stop.line], [program, 3], JSON.stringify(answer));
      const { program: started, args } = answer['configuration'] as {
        program: string;
        args: string[];
      };
      assert.deepEqual([realpathSync(started), args], [tool, [program, 'one']]);
      ended(await call('continue_debugging', WAIT), 0, /3 one/);
    } finally {
      await cleanUp();
      rmSync(project, { recursive: true });
    }
  });

  it('a program that no debugger can follow is refused with what to pass, and a missing one as not found', async () => {
    assert.match(
      errorOf(await start({ program: 'bash', args: ['-c', 'true'] }), 'not_supported').hint,
      /Pass the file/,
    );
    errorOf(await start({ program: 'no-such-tool' }), 'file_not_found');
    errorOf(await start({ program: 'python3', args: ['-c', 'print(1)'] }), 'not_supported');
  });
});
