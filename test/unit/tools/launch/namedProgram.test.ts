import { strict as assert } from 'node:assert';
import type { Failure } from '../../../../src/results/failure';
import { packageProgram } from '../../../../src/tools/launch/namedProgram';
import { APP, holding, made } from '../../support/programs';
import { failsWith } from '../../support/services';

const NODE_SCRIPT = '#!/usr/bin/env node\nrun();\n';
const OF_NODE = {
  request: 'launch',
  cwd: APP,
  type: 'node',
  skipFiles: ['<node_internals>/**'],
  outputCapture: 'std',
};

describe('programs by name', () => {
  it('resolve a package’s program to the script that its link leads to, in the folder or above it', async () => {
    for (const folder of [APP, '/home/ada']) {
      const script = `${folder}/node_modules/vitest/vitest.mjs`;
      const on = holding(
        { [script]: NODE_SCRIPT },
        { [`${folder}/node_modules/.bin/vitest`]: script },
      );
      assert.deepEqual(await made(on, { program: 'vitest', args: ['run'] }), {
        ...OF_NODE,
        skipFiles: ['<node_internals>/internal/**'],
        name: 'vitest',
        program: script,
        args: ['run'],
      });
    }
  });

  it('resolve a shell script of npm or pnpm to the script that it names', async () => {
    const script = `${APP}/node_modules/vitest/vitest.mjs`;
    const shell =
      '#!/bin/sh\nbasedir=$(dirname "$0")\nif [ -x "$basedir/node" ]; then\n  exec "$basedir/node"  "$basedir/../vitest/vitest.mjs" "$@"\nelse\n  exec node  "$basedir/../vitest/vitest.mjs" "$@"\nfi\n';
    const on = holding({ [script]: 'import "x";\n', [`${APP}/node_modules/.bin/vitest`]: shell });
    assert.equal(await packageProgram(on.services, 'vitest', `${APP}/packages/one`), script);
  });

  it('resolve a package’s program by its package.json, whatever the entry in .bin looks like', async () => {
    const script = `${APP}/node_modules/.pnpm/vitest@4/node_modules/vitest/vitest.mjs`;
    for (const bin of [
      '"bin": "./vitest.mjs"',
      '"bin": { "other": "x.js", "vitest": "vitest.mjs" }',
    ]) {
      const on = holding(
        {
          [script]: NODE_SCRIPT,
          [`${APP}/node_modules/vitest/package.json`]: `{ "name": "vitest", ${bin}, "more`,
          [`${APP}/node_modules/.bin/vitest`]: '#!/bin/sh\nexec pnpm-shim\n',
        },
        { [`${APP}/node_modules/vitest/vitest.mjs`]: script },
      );
      assert.equal(await packageProgram(on.services, 'vitest', `${APP}/packages/one`), script);
    }
  });

  it('do not resolve a package’s program that is not a Node script', async () => {
    const on = holding({
      [`${APP}/node_modules/.bin/esbuild`]: null,
      [`${APP}/node_modules/.bin/tool`]: '#!/bin/sh\nexec "$basedir/../gone/tool.js"\n',
    });
    for (const name of ['esbuild', 'tool', 'absent'])
      assert.equal(await packageProgram(on.services, name, APP), undefined, name);
  });

  it('use npm and similar tools as the runtime, with the arguments', async () => {
    const on = holding({ '/usr/bin/npm': NODE_SCRIPT });
    assert.deepEqual(await made(on, { program: 'npm', args: ['test'], env: { CI: '1' } }), {
      ...OF_NODE,
      name: 'npm',
      runtimeExecutable: '/usr/bin/npm',
      runtimeArgs: ['test'],
      env: { CI: '1' },
    });
    await assert.rejects(made(on, { program: 'pnpm' }), failsWith('program_not_found'));
  });

  it('run modules, pytest and python -m as modules of the debugger’s interpreter', async () => {
    const on = holding({ '/usr/bin/pytest': '#!/bin/sh\n' });
    const module = { request: 'launch', cwd: APP, type: 'debugpy', showReturnValue: true };
    assert.deepEqual(await made(on, { module: 'http.server', args: ['8000'] }), {
      ...module,
      name: 'http.server',
      module: 'http.server',
      args: ['8000'],
    });
    assert.deepEqual(await made(on, { program: 'pytest', args: ['-x'] }), {
      ...module,
      name: 'pytest',
      module: 'pytest',
      args: ['-x'],
    });
    assert.deepEqual(await made(on, { program: 'python3', args: ['-m', 'pytest', '-x'] }), {
      ...module,
      name: 'python3',
      module: 'pytest',
      args: ['-x'],
    });
    assert.deepEqual(await made(on, { program: 'python', args: ['app.py', 'a'] }), {
      ...module,
      name: 'python',
      program: 'app.py',
      args: ['a'],
    });
    await assert.rejects(
      made(on, { program: 'python', args: ['-c', 'print(1)'] }),
      failsWith('not_supported'),
    );
  });

  it('are searched for on the PATH otherwise: scripts by their first line, then binaries', async () => {
    const on = holding({
      '/usr/bin/eslint': NODE_SCRIPT,
      '/usr/local/bin/flask': '#!/usr/bin/python3\n',
      '/usr/bin/python3': null,
      '/usr/bin/sort': null,
      '/usr/bin/script': '#!/bin/bash\n',
      '/usr/bin/go': null,
    });
    assert.deepEqual(await made(on, { program: 'eslint' }), {
      ...OF_NODE,
      name: 'eslint',
      program: '/usr/bin/eslint',
    });
    assert.deepEqual(await made(on, { program: 'flask' }), {
      request: 'launch',
      cwd: APP,
      name: 'flask',
      type: 'debugpy',
      program: '/usr/local/bin/flask',
      jinja: true,
      python: '/usr/bin/python3',
    });
    assert.deepEqual(await made(on, { program: 'sort' }), {
      request: 'launch',
      cwd: APP,
      name: 'sort',
      type: 'lldb-dap',
      program: '/usr/bin/sort',
    });
    for (const program of ['script', 'go'])
      await assert.rejects(made(on, { program }), failsWith('not_supported'), program);
  });

  it('prefer a file of that name, and fail with file_not_found for an unknown name', async () => {
    const on = holding({ [`${APP}/npm`]: 'console.log(1)', '/usr/bin/npm': NODE_SCRIPT });
    assert.equal(
      ((await made(on, { program: 'npm', type: 'node' })) as { program?: string }).program,
      `${APP}/npm`,
    );
    await assert.rejects(made(on, { program: 'nowhere' }), failsWith('file_not_found'));
    await assert.rejects(made(on, { program: 'src/npm' }), failsWith('file_not_found'));
  });

  it('mean the program where a folder that can be run has its name, and the folder where there is no program', async () => {
    const on = holding({
      [`${APP}/node/package.json`]: '{ "main": "index.js" }',
      [`${APP}/node/index.js`]: 'console.log(1)',
      [`${APP}/pytest/__main__.py`]: 'print(1)',
      [`${APP}/eslint/package.json`]: '{}',
      [`${APP}/shop/package.json`]: '{}',
      [`${APP}/pnpm/package.json`]: '{}',
      [`${APP}/go/go.mod`]: 'module go',
      '/usr/bin/node': null,
      '/usr/bin/go': null,
      '/usr/bin/eslint': NODE_SCRIPT,
    });
    const started = async (input: object): Promise<Readonly<Record<string, unknown>>> => ({
      ...(await made(on, input)),
    });
    const byName = await started({ program: 'node', args: ['scripts/sum.js'] });
    assert.deepEqual(
      [byName['runtimeExecutable'], byName['runtimeArgs']],
      ['/usr/bin/node', ['scripts/sum.js']],
    );
    assert.equal((await started({ program: 'pytest' }))['module'], 'pytest');
    assert.equal((await started({ program: 'eslint' }))['program'], '/usr/bin/eslint');
    assert.equal((await started({ program: './node' }))['program'], `${APP}/node/index.js`);
    for (const name of ['shop', 'pnpm'])
      assert.equal((await started({ program: name }))['program'], `${APP}/${name}/index.js`);
    await assert.rejects(made(on, { program: 'go' }), (error: unknown) => {
      assert.ok(failsWith('not_supported')(error));
      assert.match((error as Failure).hint, /\.\/go/);
      return true;
    });
  });

  it('accept exactly one of the three ways to name a program', async () => {
    const on = holding({});
    for (const input of [
      {},
      { module: 'a', program: 'b' },
      { module: 'a', configuration_name: 'b' },
    ])
      await assert.rejects(made(on, input), failsWith('invalid_input'));
  });
});
