import { strict as assert } from 'node:assert';
import { scriptOptions } from '../../../src/testing/javascript/commandLine';

const MOCHA = {
  runner: /(?:^|\s)mocha(?:$|\s)/,
  takesValue: /^--(?:require|grep|jobs|timeout)$/,
  replaced: /^--grep$/,
  dropped: /^--(?:jobs|watch)$/,
};
const NODE = {
  ...{ runner: /(?:^|\s)--test(?:\s|$)/, takesValue: /^$/, replaced: /^$/, dropped: /^$/ },
  isNode: true,
};

const read = (test: string, line: Parameters<typeof scriptOptions>[1]) =>
  scriptOptions({ scripts: { test } }, line);

describe('the command line of a project’s own test script', () => {
  it('is kept as it is, without its files', () => {
    const test =
      "cross-env TZ=UTC mocha --require ts-node/register --timeout 5 --check-leaks 'test/**/*.ts'";
    const { runner, node, env, dropped } = read(test, MOCHA);
    assert.deepEqual(runner, [
      ...['--require', 'ts-node/register', '--timeout', '5', '--check-leaks'],
    ]);
    assert.deepEqual([node, env, dropped], [[], { TZ: 'UTC' }, []]);
  });

  it('is searched in the scripts whose names begin with test first', () => {
    const scripts = { build: 'tsc', test: 'tsc && node --import tsx --test test/*.ts' };
    assert.deepEqual(scriptOptions({ scripts }, NODE).node, ['--import', 'tsx']);
  });

  it('loses only what the run of one test cannot keep, and names it', () => {
    const { runner, dropped } = read('mocha --jobs 4 --grep x --watch --exit -- test', MOCHA);
    assert.deepEqual([runner, dropped], [['--exit'], ['--jobs 4', '--watch']]);
  });

  it('has options of the runner, and options of Node before it', () => {
    const { runner, node, env } = read(
      'A=1 node --import tsx x.js && B="two words" node --conditions dev --no-warnings node_modules/.bin/mocha --require a.js',
      { ...MOCHA, runner: /(?:^|[\s/])mocha(?:$|\s)/ },
    );
    assert.deepEqual(runner, ['--require', 'a.js']);
    assert.deepEqual(node, ['--conditions', 'dev', '--no-warnings']);
    assert.deepEqual(env, { B: 'two words' });
  });

  it('has no options of a program around the runner', () => {
    const { runner, node } = read('c8 --reporter lcov mocha --exit', MOCHA);
    assert.deepEqual([runner, node], [['--exit'], []]);
  });

  it('has values in quotes without them, and without references to variables', () => {
    const { env } = read(
      `NODE_OPTIONS="$NODE_OPTIONS --experimental-vm-modules" X='a b' mocha`,
      MOCHA,
    );
    assert.deepEqual(env, { NODE_OPTIONS: '--experimental-vm-modules', X: 'a b' });
  });

  it('has the options of Node on both sides if Node runs the tests', () => {
    const { node, isTsx } = read(
      'node --import tsx --test --require ./setup.cjs --test-concurrency 4 --watch t/*.js',
      NODE,
    );
    assert.deepEqual(node, ['--import', 'tsx', '--require', './setup.cjs']);
    assert.equal(isTsx, false);
    assert.equal(read('tsx --conditions dev --test', NODE).isTsx, true);
  });
});
