import { strict as assert } from 'node:assert';
import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import {
  call,
  cleanUp,
  marked,
  stopOf,
  variable,
  type Answer,
  type StopData,
} from '../support/client';
import { LANGUAGES, skipWhereMissing } from './language';
import { stoppedIn, WAIT } from './stoppedProgram';

type PathEntry = { readonly line: number; readonly changed?: Record<string, string> };

const step = async ({ thread_id, session_id }: StopData, more: object = {}): Promise<Answer> =>
  await call('step_execution', { thread_id, session_id, step_type: 'over', ...WAIT, ...more });

describe('the fields of objects', function () {
  this.timeout(300_000);
  let folder = '';

  beforeEach(() => {
    folder = realpathSync(mkdtempSync(path.join(tmpdir(), 'agent-debugger-')));
  });
  afterEach(async () => {
    await cleanUp();
    rmSync(folder, { recursive: true });
  });

  for (const language of LANGUAGES) {
    it(`${language.name}: are shown at a stop, in the value or next to it`, async function () {
      skipWhereMissing(this, language);
      await call('set_breakpoint', {
        file_path: language.source,
        line_number: marked(language.source, 'call'),
      });
      const person = variable(
        stopOf(
          await call('start_debugging', { configuration_name: language.configuration, ...WAIT }),
        ),
        'person',
      );
      assert.match(JSON.stringify([person.value, person.fields]), /36/);
    });
  }

  const PYTHON = [
    'import sys',
    'class Account:',
    '    def __init__(self, owner):',
    '        self.owner = owner',
    '        self.total = 3',
    '        self.entries = [owner]',
    '    @property',
    '    def risky(self):',
    '        print("the property ran")',
    '        return 1',
    '    def add(self, amount):',
    '        more = amount + 1',
    '        self.total = amount  # stop here',
    '        self.total = 99',
    '        return self.total',
    'class Note:',
    '    def __repr__(self):',
    '        print("the representation ran")',
    '        return "Note"',
    'a = Account("Ada")',
    'a.note = Note()',
    'a.add(7)',
    'sys.stdout.flush()',
  ];

  it('Python: are shown for self, with their changes in one step and in several, without running the program’s code', async function () {
    skipWhereMissing(this, LANGUAGES[1] ?? assert.fail());
    const stop = await stoppedIn(folder, 'account.py', PYTHON);
    assert.deepEqual(variable(stop, 'self').fields, {
      owner: "'Ada'",
      total: '3',
      entries: "['Ada']",
      note: '<Note object>',
    });
    const stepped = stopOf(await step(stop));
    assert.deepEqual(stepped.changed, [{ name: 'self.total', before: '3', now: '7' }]);
    assert.ok((stepped.same_text?.['self'] ?? 0) > 0, JSON.stringify(stepped));
    const again = stopOf(
      await call('start_debugging', { program: path.join(folder, 'account.py'), ...WAIT }),
    );
    const steps = await step(again, { count: 2 });
    assert.deepEqual(
      (steps['path'] as PathEntry[]).map((each) => each.changed),
      [{ 'self.total': '7' }, { 'self.total': '99' }],
    );
    assert.doesNotMatch(
      JSON.stringify(await call('get_debug_output', { session_id: stop.session_id })),
      /ran/,
    );
  });

  it('Python: are shown at the top level, with slots, and if Python’s own names are hidden', async function () {
    skipWhereMissing(this, LANGUAGES[1] ?? assert.fail());
    const stop = await stoppedIn(folder, 'hidden.py', [
      'class Point:',
      '    __slots__ = ("x", "y")',
      '    def __init__(self, x):',
      '        self.x = x',
      'class Cat:',
      '    def __init__(self, name): self.name = name',
      'type = object = list = str = dict = locals = repr = exec = None',
      'point = Point(1)',
      'cat = Cat("Tom" * 100)',
      'number = 1  # stop here',
    ]);
    assert.deepEqual(variable(stop, 'point').fields, { x: '1' });
    assert.match(variable(stop, 'cat').fields?.['name'] ?? '', /^'TomTom.*… \(300 characters\)$/);
  });

  it('Node: include the private fields of this, and their changes', async () => {
    const stop = await stoppedIn(folder, 'account.js', [
      'class Account {',
      '  #total = 3;',
      '  get risky() { console.log("the getter ran"); return 1; }',
      '  add(amount) {',
      '    this.#total = amount; // stop here',
      '    this.#total = 99;',
      '    return this.#total;',
      '  }',
      '}',
      'const a = new Account();',
      'a.add(7);',
    ]);
    assert.deepEqual(variable(stop, 'this').fields, { '#total': '3' });
    const steps = await step(stop, { count: 2 });
    assert.deepEqual(
      (steps['path'] as PathEntry[]).map((each) => each.changed),
      [{ 'this.#total': '7' }, { 'this.#total': '99' }],
    );
    assert.doesNotMatch(
      JSON.stringify(await call('get_debug_output', { session_id: stop.session_id })),
      /ran/,
    );
  });
});
