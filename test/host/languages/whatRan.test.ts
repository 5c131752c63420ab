import { strict as assert } from 'node:assert';
import path from 'node:path';
import { call, cleanUp, errorOf, marked, switchLive, type Answer } from '../support/client';
import { LANGUAGES, skipWhereMissing } from './language';

const PLACE = 'tests/lines';

interface Ran extends Answer {
  readonly outcome?: string;
  readonly unit?: string;
  readonly compared_with?: { readonly test: string; readonly outcome?: string };
  readonly files?: readonly {
    readonly file: string;
    readonly ran: string;
    readonly not_run?: string;
  }[];
  readonly only_here?: readonly { readonly at: string; readonly code_line: string }[];
  readonly only_there?: readonly { readonly at: string }[];
  readonly notes?: readonly string[];
}

const ask = async (file: string, input: object): Promise<Ran> =>
  await call('what_ran', { file_path: path.join(PLACE, file), max_seconds: 120, ...input });

/** Compares a failing test with a passing one. The programs do the same in each language. */
async function compare(file: string, code: string, failing: string, passing: string) {
  const answer = await ask(file, { test_name: failing, compare_with: passing });
  const text = JSON.stringify(answer);
  assert.deepEqual([answer.outcome, answer.compared_with?.outcome], ['failed', 'passed'], text);
  const at = (line: number): string => `${path.join(PLACE, code)}:${line}`;
  const here = answer.only_here ?? [];
  assert.equal(here[0]?.at, at(marked(path.join(PLACE, code), 'cheaper')), text);
  assert.match(here[0].code_line, /^total = cheaper\(total\)/, text);
  assert.ok(here[1]?.at.startsWith(path.join(PLACE, code)), text);
  // What both have run is in neither list: only the passing test itself is there.
  assert.ok(
    answer.only_there?.every((only) => only.at.startsWith(path.join(PLACE, file))),
    text,
  );
  assert.ok(text.length < 1600, `${text.length} characters: ${text}`);
  return answer;
}

describe('what_ran', function () {
  this.timeout(600_000);
  const python = LANGUAGES.find(({ name }) => name === 'Python');
  before(() => switchLive(true));
  afterEach(cleanUp);
  after(() => switchLive(false));

  it('shows what only a failing test of Node ran', async () => {
    const answer = await compare('price.test.js', 'price.js', 'cheap', 'tea');
    assert.equal(answer.unit, 'block');
  });

  it('shows what only a failing test of Python ran, and counts lines of threads', async function () {
    assert.ok(python);
    skipWhereMissing(this, python);
    const answer = await compare('test_price.py', 'price.py', 'test_cheap', 'test_tea');
    assert.equal(answer.unit, 'line');
    const many = await ask('test_price.py', {
      ...{ test_name: 'test_many', source: path.join(PLACE, 'price.py') },
    });
    const text = JSON.stringify(many);
    const [file] = many.files ?? [];
    assert.equal(many.files?.length, 1, text);
    assert.match(file?.ran ?? '', /\b5-6 ×4\b/, text);
    assert.match(file?.not_run ?? '', /^7, /, text);
    assert.ok(many.notes?.includes('Child processes are not counted.'), text);
    // Nothing is known of a process that has written no counts.
    const ended = await ask('test_price.py', { test_name: 'test_ends[1]' });
    assert.deepEqual([ended.files, ended.only_here], [undefined, undefined]);
    assert.match(ended.notes?.join() ?? '', /No counts/, JSON.stringify(ended));
  });

  it('ranks the lines that a failing test ran and its passing neighbors did not', async () => {
    const answer = await call('debug_test', {
      ...{ file_path: path.join(PLACE, 'price.test.js'), test_name: 'cheap' },
      ...{ suspects: true, timeout_seconds: 120 },
    });
    const text = JSON.stringify(answer);
    assert.equal(answer['outcome'], 'failed', text);
    assert.deepEqual([answer['suspects_against'], answer['suspects_unit']], [1, 'block'], text);
    const [first] = answer['suspects'] as readonly {
      at: string;
      code_line: string;
      score: number;
    }[];
    const code = path.join(PLACE, 'price.js');
    assert.equal(first?.at, `${code}:${marked(code, 'cheaper')}`, text);
    assert.equal(first.score, 1, text);
  });

  it('starts nothing with a runner whose lines are not counted', async () => {
    const input = { file_path: 'tests/go/cart_test.go', test_name: 'TestAdds' };
    const { hint } = errorOf(await call('what_ran', input), 'not_supported');
    assert.match(hint, /pytest.*Nothing was started/s);
  });
});
