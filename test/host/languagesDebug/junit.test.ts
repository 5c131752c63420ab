import { strict as assert } from 'node:assert';
import { hasTools } from '../../support/toolchain';
import { skip } from '../../support/skip';
import { call, cleanUp, marked, type Answer } from '../support/client';
import { LANGUAGES, skipWhereMissing } from '../languages/language';

const FILE = 'tests/java/test/shop/NamesTest.java';
const BASE = 'tests/java/test/shop/BaseTest.java';

interface Told extends Answer {
  readonly outcome?: string;
  readonly at?: { readonly file_path: string; readonly line_number: number };
  readonly frames?: readonly {
    readonly variables?: Readonly<Record<string, string>>;
    readonly line_number?: number;
  }[];
  readonly further_failures?: readonly { readonly at?: { readonly line_number: number } }[];
  readonly exception?: {
    readonly type?: string;
    readonly inner?: readonly { readonly type: string; readonly message?: string }[];
  };
}

async function debug(test: string, more: object = {}): Promise<Told> {
  const began = performance.now();
  const answer = await call('debug_test', {
    file_path: FILE,
    test_name: test,
    timeout_seconds: 120,
    ...more,
  });
  if (process.env['SHOW'] !== undefined)
    console.log(`${test}: ${Math.round(performance.now() - began)} ms ${JSON.stringify(answer)}`);
  return answer;
}

describe('debug_test with JUnit', function () {
  this.timeout(300_000);
  const java = LANGUAGES.find(({ name }) => name === 'Java');
  assert.ok(java);

  before(function () {
    skipWhereMissing(this, java);
    if (!hasTools('junit5')) skip(this, 'JUnit needs npm run adapters:setup');
  });
  afterEach(cleanUp);

  for (const [name, ran, message, marker] of [
    [
      'shop.NamesTest#inherited',
      'NamesTest > inherited',
      'expected: <5> but was: <4>',
      'inherited',
    ],
    [
      'NamesTest.adds(int)[2]',
      'NamesTest > adds > [2] -2',
      'price -2 ==> expected: <true> but was: <false>',
    ],
    [
      'NamesTest > adds(int) > [2] -2',
      'NamesTest > adds > [2] -2',
      'price -2 ==> expected: <true> but was: <false>',
    ],
    ['2 is odd', 'NamesTest > odd > 2 is odd', 'expected: <1> but was: <0>'],
    ['made()[2]', 'NamesTest > made > makes 2', 'expected: <1> but was: <2>'],
    ['NamesTest > Inner > a name (with words)', 'NamesTest > Inner > nice', 'outer'],
  ] as const)
    it(`finds ${name}, as runners print it`, async () => {
      const answer = await debug(name);
      const text = JSON.stringify(answer);
      assert.deepEqual(
        [answer.outcome, answer['test'], answer['message'], answer['others']],
        ['failed', ran, message, undefined],
        text,
      );
      if (marker !== undefined) assert.equal(answer.at?.line_number, marked(BASE, marker), text);
    });

  it('runs nothing for the row of a table that is not there', async () => {
    const answer = await debug('adds[4]');
    assert.deepEqual([answer['code'], answer.outcome], ['test_not_found', 'not_found']);
  });

  it('reports the rows of a table that fail, and counts those that pass', async () => {
    const answer = await debug('adds');
    assert.deepEqual(
      [answer.outcome, answer['test'], answer['others'], answer.frames?.[0]?.variables?.['price']],
      ['failed', 'NamesTest > adds > [2] -2', { passed: 2 }, '-2'],
      JSON.stringify(answer),
    );
  });

  it('reports all failures of assertAll, causes, and failures of a clean-up', async () => {
    const several = await debug('several');
    assert.deepEqual(
      several.further_failures?.map(({ at }) => at?.line_number),
      [marked(FILE, 'first'), marked(FILE, 'second')],
      JSON.stringify(several),
    );
    const caused = await debug('nice');
    assert.deepEqual(
      caused.exception?.inner?.map(({ type, message }) => [type, message]),
      [
        ['RuntimeException', 'inner'],
        ['Exception', 'root'],
      ],
      JSON.stringify(caused),
    );
    const cleaned = await debug('CleanUpTest.fails');
    assert.deepEqual(
      [cleaned['message'], cleaned.further_failures?.[0]?.at?.line_number],
      ['expected: <1> but was: <2>', marked(FILE, 'clean-up')],
      JSON.stringify(cleaned),
    );
  });

  it('reports a set-up that fails as errored, and an assumption as skipped', async () => {
    const setUp = await debug('SetUpTest.never');
    assert.deepEqual(
      [setUp.outcome, setUp['message'], setUp.at?.line_number],
      ['errored', 'no server', marked(FILE, 'set-up')],
      JSON.stringify(setUp),
    );
    const assumed = await debug('assumes');
    assert.deepEqual(
      [assumed.outcome, assumed['reason']],
      ['skipped', 'Assumption failed: no database'],
    );
  });

  it('reports where a test is when its own time, or that of the call, is up', async () => {
    const slow = await debug('slow');
    assert.deepEqual(
      [
        slow.outcome,
        slow['message'],
        slow.at?.line_number,
        slow.frames?.[0]?.variables?.['waited'],
      ],
      ['failed', 'slow() timed out after 1 second', marked(FILE, 'slow'), '7'],
      JSON.stringify(slow),
    );
    const hanging = await debug('hangs', { timeout_seconds: 30 });
    const [frame] = hanging.frames ?? [];
    assert.deepEqual(
      [hanging.status, frame?.line_number, frame?.variables?.['prices']],
      ['timeout', marked(FILE, 'hangs'), '{"tea"=[3, 4]}'],
      JSON.stringify(hanging),
    );
  });

  it('stays at the failure itself, not at an exception before it with the same text', async () => {
    const stayed = await debug('thirdTime', { on_failure: 'stay' });
    const text = JSON.stringify(stayed);
    assert.deepEqual([stayed.status, stayed['program']], ['stopped', 'stopped'], text);
    assert.equal(stayed.at?.line_number, marked(FILE, 'thrown'), text);
    assert.equal(stayed.frames?.[0]?.variables?.['tried'], '3', text);
    const { result } = await call('evaluate_expression', { expression: 'tried + 1' });
    assert.equal(result, '4');
    const ended = await call('continue_debugging', { timeout_seconds: 60 });
    assert.equal(ended.status, 'completed', JSON.stringify(ended));
  });

  it('collects values from a test that is named as runners print it', async () => {
    const collected = await call('collect_values', {
      test: { file_path: FILE, test_name: 'shop.NamesTest#thirdTime' },
      probes: [{ file_path: FILE, line: marked(FILE, 'thrown'), expressions: ['tried'] }],
      max_seconds: 60,
    });
    const text = JSON.stringify(collected);
    assert.match(text, /"hits":3/, text);
  });
});
