import { strict as assert } from 'node:assert';
import { TEST_AT_LINE } from '../../../src/debugger/host';
import { planTest } from '../../../src/testing/planTest';
import { endVerdict } from '../../../src/testing/report/verdict';
import { ask } from '../support/asking';
import { readCard } from '../support/card';
import { cardText } from '../support/cards';
import { bench, type Bench } from '../support/services';

const FILE = '/home/ada/app/spec/cart_spec.lua';
const TEXT = `describe("cart", function()
  it("adds [prices]", function()
  end)
  it("adds [prices] twice", function() end)
end)`;

function project(): Bench {
  const services = bench();
  services.workspace.files.set(FILE, TEXT);
  return services;
}

describe('a test in a file of no known runner', () => {
  it('is started by VS Code at its line, and the card says so', async () => {
    const on = project();
    const { framework, start, test } = await planTest(on.services, { file_path: FILE, line: 2 });
    assert.equal(framework.id, 'test_controller');
    assert.deepEqual(test.path, ['it("adds [prices]", function()']);
    const [launch] = start.launches;
    assert.deepEqual(
      [launch?.type, launch?.configuration['file'], launch?.configuration['line']],
      [TEST_AT_LINE, FILE, 2],
    );
    const card = await cardText(on, 'debug_test', { file_path: FILE, line: 2 });
    assert.deepEqual(readCard(card), [
      'Let VS Code debug the test at line 2 of cart_spec.lua: it("adds [prices]", function()',
      'The extension that shows this test in VS Code decides how it is started, as with “Debug Test at Cursor”',
      'The file is shown in an editor until the test has started',
      'At most 60 seconds; then the program is ended',
    ]);
  });

  it('may be named by a part of its only line', async () => {
    const on = project();
    const { test } = await planTest(on.services, { file_path: FILE, test_name: 'prices] twice' });
    assert.equal(test.line, 4);
    const several = await ask(on, 'debug_test', { file_path: FILE, test_name: 'adds' });
    assert.deepEqual([several['code'], several['candidates']], ['ambiguous_test', [2, 4]]);
    const none = await ask(on, 'debug_test', { file_path: FILE, test_name: 'removes' });
    assert.equal(none['code'], 'test_not_found');
    assert.equal((await ask(on, 'debug_test', { file_path: FILE }))['code'], 'test_not_found');
  });

  it('has no outcome if only a successful end of its process was observed', () => {
    assert.equal(endVerdict(0).outcome, 'unknown');
    assert.equal(endVerdict(undefined).outcome, 'unknown');
    const { outcome, error } = endVerdict(3);
    assert.deepEqual([outcome, error?.message], ['failed', 'The process ended with code 3.']);
  });

  it('is started by VS Code on request, whatever its language', async () => {
    const on = project();
    const file = '/home/ada/app/cart.test.js';
    on.workspace.files.set(file, 'it("adds", () => {});');
    const { framework } = await planTest(on.services, {
      ...{ file_path: file, line: 1, framework: 'test_controller' },
    });
    assert.equal(framework.id, 'test_controller');
  });
});
