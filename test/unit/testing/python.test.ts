import { strict as assert } from 'node:assert';
import { fields } from '../../../src/debugger/protocol';
import { planTest } from '../../../src/testing/planTest';
import { bench } from '../support/services';

const FILE = '/home/ada/app/test_cart.py';

describe('a Python test', () => {
  for (const [framework, text] of [
    ['pytest', 'def test_total():\n    assert total() == 3\n'],
    [
      'unittest',
      'import unittest\n\nclass Cart(unittest.TestCase):\n    def test_total(self): pass\n',
    ],
  ] as const)
    it(`is started so that a trace of ${framework} can show the return value of a function`, async () => {
      const { services, workspace } = bench();
      workspace.files.set(FILE, text);
      workspace.debuggers = () => [{ type: 'debugpy', label: 'Python', languages: ['python'] }];
      const { start } = await planTest(services, { file_path: FILE, test_name: 'test_total' });
      const { module, showReturnValue } = fields(start.shown);
      assert.match(String(module), new RegExp(framework));
      assert.equal(showReturnValue, true);
    });
});
