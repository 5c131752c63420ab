import { strict as assert } from 'node:assert';
import { hasTools } from '../../support/toolchain';
import { skip } from '../../support/skip';
import { call, cleanUp, marked, type Answer } from '../support/client';

const FOLDER = 'tests/ruby';
const TEST = `${FOLDER}/test/cart_test.rb`;
const SPEC = `${FOLDER}/spec/cart_spec.rb`;
const CART = `${FOLDER}/lib/cart.rb`;

interface Told extends Answer {
  readonly outcome?: string;
  readonly at?: { readonly line_number: number };
  readonly frames?: readonly { readonly variables?: Readonly<Record<string, string>> }[];
}

async function debug(file: string, test: string, more: object = {}): Promise<Told> {
  const answer = await call('debug_test', {
    file_path: file,
    test_name: test,
    timeout_seconds: 60,
    ...more,
  });
  if (process.env['SHOW'] !== undefined) console.log(JSON.stringify(answer, undefined, 1));
  return answer;
}

describe('debug_test with Ruby', function () {
  this.timeout(300_000);
  before(function () {
    if (!hasTools('rdbg')) skip(this, 'Ruby needs npm run adapters:setup');
  });
  afterEach(cleanUp);

  it('minitest: reports a pass, a failure with its values, and a skip', async () => {
    assert.equal((await debug(TEST, 'CartTest#test_adds')).outcome, 'passed');
    const failed = await debug(TEST, 'test_counts_each_item');
    const text = JSON.stringify(failed);
    assert.deepEqual(
      [failed.outcome, failed['expected'], failed['actual'], failed['framework']],
      ['failed', '6', '3', 'minitest'],
      text,
    );
    assert.equal(failed.at?.line_number, marked(TEST, 'minitest'), text);
    assert.equal(failed.frames?.[0]?.variables?.['total'], '3', text);
    const skipped = await debug(TEST, 'test_skips');
    assert.deepEqual([skipped.outcome, skipped['reason']], ['skipped', 'no database']);
  });

  it('RSpec: reports a failure with what let and subject made, and one row of a table', async () => {
    const failed = await debug(SPEC, 'Cart with items counts each item');
    const text = JSON.stringify(failed);
    assert.deepEqual(
      [failed.outcome, failed['expected'], failed['actual']],
      ['failed', '6', '3'],
      text,
    );
    assert.equal(failed.at?.line_number, marked(SPEC, 'rspec'), text);
    assert.deepEqual(
      [failed.frames?.[0]?.variables?.['total'], failed.frames?.[0]?.variables?.['price']],
      ['3', '3'],
      text,
    );
    const row = await debug(SPEC, 'Cart row 2');
    assert.deepEqual([row.outcome, row['actual']], ['failed', '2'], JSON.stringify(row));
  });

  it('stays at the failure itself, not at the same exception that was caught before', async () => {
    const stayed = await debug(TEST, 'test_finds', { on_failure: 'stay' });
    const text = JSON.stringify(stayed);
    assert.deepEqual([stayed.status, stayed.outcome], ['stopped', 'failed'], text);
    assert.equal(stayed.at?.line_number, marked(CART, 'origin'), text);
    assert.equal(stayed.frames?.[0]?.variables?.['name'], '"milk"', text);
  });

  it('runs nothing for a test that is not there', async () => {
    const answer = await debug(TEST, 'test_nothing');
    assert.equal(answer['code'], 'test_not_found', JSON.stringify(answer));
  });
});
