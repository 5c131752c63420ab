import { strict as assert } from 'node:assert';
import { runnerHint } from '../../../../src/tools/launch/runnerHint';
import { bench } from '../../support/services';

const APP = '/home/ada/app';

/** The hint for a file with this text, if these package programs are installed. */
async function offered(
  file: string,
  outcome: object,
  text = '',
  installed: readonly string[] = [],
): Promise<string> {
  const { workspace, services } = bench();
  workspace.files.set(`${APP}/${file}`, text);
  for (const name of installed)
    workspace.files.set(`${APP}/node_modules/.bin/${name}`, '#!/usr/bin/env node\n');
  return (await runnerHint(services, file, { status: 'completed', ...outcome })) ?? '';
}

describe('runnerHint', () => {
  it('offers pytest for a Python test that did nothing, or unittest if the test uses it', async () => {
    assert.match(
      await offered('test_a.py', { exit_code: 0 }),
      /program: "pytest", args: \["\/home\/ada\/app\/test_a\.py"\]/,
    );
    assert.match(
      await offered('a_test.py', { exit_code: 0 }, 'import unittest\n'),
      /module: "unittest"/,
    );
    assert.equal(await offered('test_a.py', { exit_code: 0, output: ['ran 1 test'] }), '');
    assert.equal(await offered('test_a.py', { exit_code: 1 }), '');
    assert.equal(await offered('main.py', { exit_code: 0 }), '');
  });

  it('offers the installed runner for a JavaScript test, unless the test uses node:test', async () => {
    assert.match(
      await offered('a.test.ts', { exit_code: 1 }, '', ['vitest', 'mocha']),
      /program: "vitest", args: \["run","\/home\/ada\/app\/a\.test\.ts"\]/,
    );
    assert.match(await offered('a.spec.js', { exit_code: 1 }, '', ['mocha']), /program: "mocha"/);
    assert.equal(await offered('a.test.js', { exit_code: 1 }, '', []), '');
    assert.equal(
      await offered('a.test.js', { exit_code: 1 }, "import test from 'node:test';", ['mocha']),
      '',
    );
    assert.equal(await offered('a.test.js', { status: 'timeout' }, '', ['mocha']), '');
  });

  it('offers tsx for TypeScript that Node cannot run, or a way to compile it', async () => {
    const failed = {
      exit_code: 1,
      output: [
        'TypeError [ERR_UNKNOWN_FILE_EXTENSION]: Unknown file extension ".ts" for /app/a.ts',
      ],
    };
    assert.match(
      await offered('a.ts', failed, '', ['tsx']),
      /program: "tsx", args: \["\/home\/ada\/app\/a\.ts"\]/,
    );
    assert.match(await offered('a.ts', failed), /compile it/);
    const stopped = {
      status: 'stopped',
      stop_event_data: { reason: 'exception', exception: { type: 'SyntaxError', message: 'x' } },
    };
    assert.match(await offered('a.mts', stopped, '', ['tsx']), /program: "tsx"/);
    assert.equal(
      await offered('a.ts', { exit_code: 1, output: ['assertion failed'] }, '', ['tsx']),
      '',
    );
    assert.equal(await offered('a.js', failed, '', ['tsx']), '');
    const byTsx = { ...failed, configuration: { program: `${APP}/node_modules/.bin/tsx` } };
    assert.equal(await offered('a.ts', byTsx, '', ['tsx']), '', 'tsx has run it');
  });
});
