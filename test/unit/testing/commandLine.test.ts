import { strict as assert } from 'node:assert';
import { scriptOptions } from '../../../src/testing/javascript/nodeRunner';

const MOCHA = { runner: /(?:^|\s)mocha(?:$|\s)/, options: /^--require$/, flags: /^--exit$/ };
const NODE = { runner: /(?:^|\s)--test(?:\s|$)/, flags: /^$/, isNode: true };

const read = (test: string, line: Parameters<typeof scriptOptions>[1]) =>
  scriptOptions({ scripts: { test } }, line);

describe('the command line of a project’s own test script', () => {
  it('shows how its files are loaded', () => {
    const test = "cross-env TZ=UTC mocha --require ts-node/register --timeout 5 'test/**/*.ts'";
    const runner = ['--require', 'ts-node/register'];
    assert.deepEqual(read(test, MOCHA), { runner, node: [], env: { TZ: 'UTC' } });
    const own = { scripts: { build: 'tsc', test: 'tsc && node --import tsx --test test/*.ts' } };
    const node = ['--import', 'tsx'];
    assert.deepEqual(scriptOptions(own, NODE), { runner: [], node, env: {} });
  });

  it('has options and flags of the runner, and options of Node before it', () => {
    assert.deepEqual(
      read(
        'A=1 node --import tsx node_modules/.bin/x && B="two words" mocha --require a.js --exit',
        MOCHA,
      ),
      { runner: ['--require', 'a.js', '--exit'], node: [], env: { B: 'two words' } },
    );
  });

  it('has values in quotes without them, and without references to variables', () => {
    const { env } = read(
      `NODE_OPTIONS="$NODE_OPTIONS --experimental-vm-modules" X='a b' mocha`,
      MOCHA,
    );
    assert.deepEqual(env, { NODE_OPTIONS: '--experimental-vm-modules', X: 'a b' });
  });

  it('has the options of Node on both sides if Node runs the tests', () => {
    const { node } = read('node --import tsx --test --require ./setup.cjs --test-force-exit', NODE);
    assert.deepEqual(node, ['--import', 'tsx', '--require', './setup.cjs', '--test-force-exit']);
  });
});
