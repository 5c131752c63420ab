import { strict as assert } from 'node:assert';
import { missingTags } from '../../../src/testing/go/buildTags';
import { sortFlags } from '../../../src/testing/go/goFlags';
import { goName, goPattern, namedInGo, pathOf } from '../../../src/testing/go/goNames';
import { goOptions } from '../../../src/testing/go/goSettings';
import { goTest } from '../../../src/testing/go/goTest';
import { scanGo, scanPackage } from '../../../src/testing/go/scanGo';
import { planTest } from '../../../src/testing/planTest';
import type { ChosenTest, TestProject } from '../../../src/testing/testFramework';
import { bench, type Bench } from '../support/services';

const FOLDER = '/home/ada/app';
const FILE = `${FOLDER}/cart_test.go`;

const project = (on: Bench, text = 'package cart\n'): TestProject => ({
  ...{ services: on.services, file: FILE, text, folder: FOLDER, manifest: {} },
});

describe('the flags of a Go test', () => {
  it('go to the build or to the program, and those that select or report are left out', () => {
    const flags = ['-race', '-mod=vendor', '-ldflags', '-X a=b', '-short', '-test.parallel', '2'];
    const sorted = sortFlags([...flags, '-v', '-run', 'TestA', '-tags=a,b', '-count=3', '-own=1']);
    assert.deepEqual(sorted, {
      build: ['-race', '-mod=vendor', '-ldflags', '-X a=b'],
      program: ['-test.short', '-test.parallel', '2', '-own=1'],
      dropped: ['-v', '-run', 'TestA', '-count=3'],
      tags: ['a', 'b'],
    });
    assert.deepEqual(sortFlags(['-tags', 'a b', '-args', '-v', 'x']), {
      ...{ build: [], program: ['-v', 'x'], dropped: [], tags: ['a', 'b'] },
    });
  });

  it('come from the settings of Go’s extension, with the call’s', () => {
    const on = bench();
    on.workspace.settings.set('go.buildFlags', ['-race']);
    on.workspace.settings.set('go.buildTags', 'db,slow');
    on.workspace.settings.set('go.toolsEnvVars', { GOFLAGS: '-mod=mod', N: 1, no: null });
    on.workspace.settings.set('go.testEnvVars', { DATABASE: '${workspaceFolder}/db', N: 2 });
    const options = goOptions(project(on), ['-short']);
    assert.deepEqual(
      [options.build, options.program, options.tags],
      [['-race'], ['-test.short'], ['db', 'slow']],
    );
    assert.deepEqual(options.buildEnv['GOFLAGS'], '-mod=mod');
    assert.deepEqual(options.env, { GOFLAGS: '-mod=mod', N: '2', DATABASE: `${FOLDER}/db` });
    on.workspace.settings.set('go.testFlags', ['-v']);
    on.workspace.settings.set('go.testTags', 'fast');
    const own = goOptions(project(on), []);
    assert.deepEqual([own.build, own.dropped, own.tags], [[], ['-v'], ['fast']]);
  });

  it('may choose another Go', () => {
    const on = bench();
    on.workspace.settings.set('go.goroot', '/opt/go');
    assert.match(goOptions(project(on), []).buildEnv['PATH'] ?? '', /^\/opt\/go\/bin:/);
  });
});

describe('the build tags of a Go file', () => {
  const own = process.platform === 'linux' ? 'linux' : 'unix';
  for (const [constraint, given, expected] of [
    ['integration', [], ['integration']],
    ['integration', ['integration'], []],
    ['integration && !short', ['short'], []],
    ['a && b', [], ['a', 'b']],
    ['a || b', [], ['a']],
    ['!windows && (db || cache)', [], ['db']],
    [`${own} && go1.18`, [], []],
    ['!race', [], []],
  ] as const)
    it(`are added for ${constraint} with [${given.join()}]`, () => {
      const text = `// A comment.\n\n//go:build ${constraint}\n\npackage cart\n`;
      assert.deepEqual(missingTags(text, given), expected);
    });

  it('are only read before the package', () => {
    assert.deepEqual(missingTags('package cart\n\n//go:build no\n', []), []);
  });
});

describe('a name of a Go test', () => {
  const scanned = scanGo(`package cart
func TestRows(t *testing.T) {
	for _, row := range rows {
		t.Run(row.name, func(t *testing.T) { t.Run("inner one", func(t *testing.T) {}) })
	}
}
func TestTable(t *testing.T) {
	rows := []row{{"two words", 1}, {\`raw\`, 2}, {"shared", 3}}
	_ = rows
}
func TestOther(t *testing.T) { _ = "shared" }
`);
  const source = `\n\n\n\n\n\n\n	rows := []row{{"two words", 1}, {\`raw\`, 2}, {"shared", 3}}\n\n\nfunc TestOther(t *testing.T) { _ = "shared" }`;
  const named = (name: string): readonly unknown[] | undefined => {
    const test = namedInGo(name, scanned, source);
    return test && [goName(test), test.line];
  };

  it('is handed to the runner as it prints it', () => {
    assert.deepEqual(named('TestRows/a b/inner_one'), ['TestRows/a_b/inner_one', 4]);
    assert.deepEqual(named('TestNew/one'), ['TestNew/one', undefined]);
    assert.deepEqual(named('TestNew'), ['TestNew', undefined]);
    assert.deepEqual(named('FuzzHalf/seed#1'), ['FuzzHalf/seed#1', undefined]);
    assert.deepEqual(named('BenchmarkAdd'), ['BenchmarkAdd', undefined]);
    assert.equal(named('TestRows'), undefined, 'the text has it');
    assert.equal(named('inner one'), undefined);
  });

  it('may be the name of a row in the text of one test', () => {
    assert.deepEqual(named('two words'), ['TestTable/two_words', 7]);
    assert.deepEqual(named('raw'), ['TestTable/raw', 7]);
    assert.equal(named('shared'), undefined, 'several tests have it');
    assert.equal(named('nothing'), undefined);
  });

  const test = (...path: string[]): ChosenTest => ({ path, line: 1, isTemplate: false });

  it('becomes a pattern of one test only', () => {
    assert.equal(goPattern(test('TestA', 'b c/d', 'e#01 $5?')), '^TestA$/^b_c$/^d$/^e#01_\\$5\\?$');
    assert.equal(goPattern(test('TestA', '${…}', 'x')), '^TestA$/.*/^x$');
    assert.equal(goName(test('TestA', '${…}', 'x')), 'TestA');
  });

  it('is told as the call has it', () => {
    assert.deepEqual(pathOf('TestA/b_c', test('TestA', 'b c')), ['TestA', 'b c']);
    assert.deepEqual(pathOf('TestA/b_c/d', test('TestA', 'b c')), ['TestA', 'b c', 'd']);
    assert.deepEqual(pathOf('TestA', test('TestA', 'b c')), ['TestA']);
    assert.deepEqual(pathOf('TestAB', test('TestA')), ['TestAB']);
  });
});

describe('the methods of a suite in Go', () => {
  const text = `package cart
func (s *CartSuite) TestAdd() {
	s.Run("one", func() {})
}
func (s *CartSuite) helper() {}
`;
  const runner = 'package cart\nfunc TestCart(t *testing.T) { suite.Run(t, new(CartSuite)) }\n';

  it('are subtests of the test that names the suite', () => {
    assert.deepEqual(
      scanGo(text + runner.slice('package cart\n'.length)).map(({ path, line }) => [path, line]),
      [
        [['TestCart', 'TestAdd'], 2],
        [['TestCart', 'TestAdd', 'one'], 3],
        [['TestCart'], 6],
      ],
    );
    assert.deepEqual(scanGo(text), []);
  });

  it('are found if that test is in another file of the package', async () => {
    const on = bench();
    on.workspace.files.set(`${FOLDER}/runner_test.go`, runner);
    on.workspace.files.set(`${FOLDER}/other/runner_test.go`, runner.replace('TestCart', 'TestNo'));
    const found = await scanPackage(text, FILE, on.services);
    assert.deepEqual(
      found.map(({ path }) => path.join('/')),
      ['TestCart/TestAdd', 'TestCart/TestAdd/one'],
    );
  });
});

describe('the build of a Go test', () => {
  const plan = async (on: Bench, text = 'package cart\n\nfunc TestA(t *testing.T) {}\n') => {
    on.workspace.files.set(FILE, text);
    on.workspace.files.set(`${FOLDER}/go.mod`, 'module cart\n');
    on.workspace.debuggers = () => [{ type: 'go', label: 'Go', languages: ['go'] }];
    return await planTest(on.services, { file_path: FILE, test_name: 'TestA' });
  };

  it('is of its package, for the debugger, with the tags of the file', async () => {
    const on = bench();
    const calls: unknown[][] = [];
    on.services.go.run = (args, folder) => {
      calls.push([...args, folder]);
      return Promise.resolve({ exitCode: 0, stdout: '', stderr: '' });
    };
    const { build, start } = await plan(
      on,
      '//go:build db\n\npackage cart\n\nfunc TestA(t *testing.T) {}\n',
    );
    const [launch] = start.launches;
    const { mode, program, cwd, args } = launch?.configuration ?? {};
    assert.deepEqual([mode, cwd], ['exec', FOLDER]);
    assert.deepEqual(args, [
      '-test.run',
      '^TestA$',
      '-test.count=1',
      '-test.timeout=0',
      '-test.paniconexit0',
    ]);
    await build?.run(new AbortController().signal);
    assert.equal(build?.command, 'go test -c -tags=db');
    assert.deepEqual(calls, [
      [
        'test',
        '-c',
        '-o',
        program,
        '-gcflags=all=-N -l',
        '-trimpath=false',
        '-tags=db',
        '.',
        FOLDER,
      ],
    ]);
  });

  it('reports the errors of the compiler, and that Go is missing', async () => {
    const on = bench();
    const { build } = await plan(on);
    const run = async (): Promise<unknown> => {
      try {
        return await build?.run(new AbortController().signal);
      } catch (error) {
        return error;
      }
    };
    assert.equal(((await run()) as { code?: string }).code, 'runner_not_installed');
    const stderr = '# cart [cart.test]\n./cart_test.go:3:7: undefined: x\n';
    on.services.go.run = () => Promise.resolve({ exitCode: 1, stdout: '', stderr });
    const failed = (await run()) as { code?: string; message?: string };
    assert.equal(failed.code, 'build_failed');
    assert.match(failed.message ?? '', /: \.\/cart_test\.go:3:7: undefined: x$/);
    on.services.go.run = () =>
      Promise.resolve({ exitCode: 0, stdout: '? cart [no test files]', stderr: '' });
    assert.equal(((await run()) as { code?: string }).code, 'build_failed');
    assert.equal(goTest.detect(project(on)), 10);
  });
});
