import { strict as assert } from 'node:assert';
import { skip } from '../../../support/skip';
import { spawnSync } from 'node:child_process';
import { fieldsAmong, objectsToRead } from '../../../../src/debugger/inspection/objectFields';
import {
  fieldsRequest,
  isFieldsRequest,
  readFieldsAnswer,
} from '../../../../src/debugger/inspection/pythonFields';
import { readMessage } from '../../../../src/debugger/protocol';
import { readVariables, variablesOf } from '../../../../src/debugger/inspection/stackAndVariables';
import { runTool } from '../../../../src/tools/run';
import { stepExecution } from '../../../../src/tools/core/stepExecution';
import { launched, stopped, eventOf } from '../../support/events';
import { readTrace } from '../../support/trace';
import { bench, FILE, paused, type Bench } from '../../support/services';

const chosen = (...variables: object[]): string[] =>
  objectsToRead(variablesOf(variables)).map((each) => each.name);
const object = (name: string, value: string, more: object = {}): object => ({
  name,
  value,
  variablesReference: 7,
  ...more,
});

describe('objects whose fields are read', () => {
  it('are those whose text is an address or a class name, in the format of each debugger', () => {
    for (const value of [
      'Counter',
      'Counter {}',
      'Foo {…}',
      '{…}',
      'Person@17',
      'int[3]@11',
      'com.shop.Scenario$Person@1f',
      '0x00007ffe12',
      'Person @ 0x7fffffffd9a0',
      'std::pair<int, int> @ 0x7f',
      '{...}',
      '(*main.Node)(0xc000012345)',
      '*main.Node (0xc0)',
      '<__main__.Cat object at 0x7f43>',
      '<a.f.<locals>.B object at 0x1>',
      'struct { name string; assertion assert.ComparisonAssertionF...',
    ])
      assert.deepEqual(chosen(object('x', value)), ['x'], value);
  });

  it('are, in the recorded traces, those that a person would have to expand', () => {
    const opened = (trace: string): string[] => {
      const bodies = readTrace(trace).flatMap((event) => {
        const message = event.type === 'fromAdapter' ? readMessage(event.message) : undefined;
        return message?.type === 'response' && message.command === 'variables'
          ? [message.body]
          : [];
      });
      return [
        ...new Set(
          bodies.flatMap((body) => objectsToRead(readVariables(body)).map((each) => each.name)),
        ),
      ];
    };
    assert.deepEqual(opened('debugpy.jsonl'), ['person']);
    assert.deepEqual(opened('delve.jsonl'), []);
    assert.deepEqual(opened('java-debug.jsonl'), ['numbers', 'person']);
    assert.deepEqual(opened('js-debug.jsonl'), []);
    assert.deepEqual(
      opened('lldb-dap.jsonl'),
      ['numbers', 'person', 'old_mask'],
      'the last is of the C library',
    );
  });

  it('are not those with a meaningful text, and not functions, lazy values or entries in addition to the variables', () => {
    for (const value of [
      "{name: 'Ada', age: 36}",
      '(3) [1, 2, 3]',
      '[]',
      '{}',
      'ArrayList@20 size=3',
      '"shop"',
      '0x0000555555558013 "shop"',
      'Map(1) {size: 1, a => 2}',
      '<module re>',
      '[<__main__.Cat object at 0x1>]',
    ])
      assert.deepEqual(chosen(object('x', value)), [], value);
    assert.deepEqual(
      [
        chosen(object('this', 'global')),
        chosen(object('this', 'Object')),
        fieldsAmong([
          { name: 'a', value: '1' },
          { name: 'globalThis', value: 'Object' },
        ]).fields,
      ],
      [[], ['this'], []],
      'the global object is nobody’s',
    );
    assert.deepEqual(
      chosen(object('large', 'int[101] @ 0x7fff', { indexedVariables: 101 })),
      [],
      'lldb-dap takes half a minute for 100,000',
    );
    assert.deepEqual(
      chosen(
        object('f', 'Foo', { type: 'Function' }),
        object('g', 'Foo', { presentationHint: { lazy: true } }),
        object('[[Prototype]]', 'Object'),
        object('special variables', '', { type: '' }),
        { name: 'x', value: 'Foo', variablesReference: 0 },
      ),
      [],
    );
  });

  it('are this and self first, unless their text shows everything, and at most five', () => {
    const many = Array.from({ length: 7 }, (_, index) => object(`x${index}`, 'Foo'));
    assert.deepEqual(
      chosen(
        ...many,
        object('this', "Account {owner: 'Ada', …}"),
        object('self', '<T testMethod=test_a>'),
      ),
      ['this', 'self', 'x0', 'x1', 'x2'],
    );
    assert.deepEqual(
      chosen(object('this', 'Point {x: 1}'), object('self', "Order(name='a', amount=1)")),
      [],
    );
  });

  it('show at most ten plain members, and none that are computed or belong to their class', () => {
    const { fields, omitted } = fieldsAmong([
      { name: 'total', value: '3', variablesReference: 0 },
      { name: 'getter', value: 'ƒ', variablesReference: 5, presentationHint: { lazy: true } },
      { name: 'run', value: 'ƒ run()', type: 'Function', variablesReference: 5 },
      { name: '[[Prototype]]', value: 'Object', variablesReference: 6 },
      { name: 'long', value: 'x'.repeat(500), variablesReference: 0 },
      ...Array.from({ length: 10 }, (_, index) => ({
        name: `f${index}`,
        value: '1',
        variablesReference: 0,
      })),
    ]);
    assert.deepEqual([fields.length, omitted, fields[0]], [10, 2, ['total', '3']]);
    assert.match(fields[1]?.[1] ?? '', /^x{160}… \(500 characters\)$/);
  });
});

describe('the expression for the fields of Python objects', () => {
  it('is distinguished from any other expression', () => {
    assert.ok(isFieldsRequest('evaluate', fieldsRequest(3)));
    assert.equal(
      isFieldsRequest('evaluate', {
        ...fieldsRequest(3),
        expression: `${fieldsRequest(3).expression} `,
      }),
      false,
    );
    assert.equal(isFieldsRequest('variables', fieldsRequest(3)), false);
  });

  it('returns no fields for an invalid response', () => {
    for (const answer of [undefined, 3, '', "''", "'zz'", "'616'", "'6161...6161'"])
      assert.equal(readFieldsAnswer(answer).size, 0, String(answer));
  });

  it('runs no code of the program: no property, no __getattr__, no __repr__, no __dict__ of its own', function () {
    const program = [
      'def ran(what): print("ran", what)',
      'class Meta(type):',
      '    def __getattribute__(cls, name): ran("metaclass"); return type.__getattribute__(cls, name)',
      'class Note(metaclass=Meta):',
      '    def __repr__(self): ran("repr"); return "note"',
      '    def __len__(self): ran("len"); return 1',
      '    def __eq__(self, other): ran("eq"); return True',
      '    __hash__ = None',
      'class Proxy:',
      '    __dict__ = property(lambda self: ran("dict"))',
      '    def __getattribute__(self, name): ran("getattribute")',
      'class Texts(list):',
      '    def __iter__(self): ran("iter"); return iter(())',
      '    def __len__(self): ran("len"); return 0',
      'class Slots:',
      '    __slots__ = ("set", "unset")',
      '    def __getattr__(self, name): ran("getattr")',
      'class Cat:',
      '    @property',
      '    def risky(self): ran("property")',
      '    def __getattr__(self, name): ran("getattr")',
      'def main():',
      '    self = Cat(); self.note = Note(); self.texts = Texts("ab"); self.name = "x" * 300; self.big = 10 ** 5000; self.same = self',
      '    slots = Slots(); slots.set = 1',
      '    proxy = Proxy()',
      '    list = type = object = exec = 1',
      `    print(repr(eval(${JSON.stringify(fieldsRequest(1).expression)}, {**globals(), **locals()}, locals())))`,
      'main()',
    ].join('\n');
    const stdout = printed(this, program);
    const lines = stdout.trim().split('\n');
    assert.equal(lines.length, 1, stdout);
    const answer = readFieldsAnswer(lines[0]);
    assert.deepEqual([...answer.keys()], ['self', 'slots']);
    const fields = Object.fromEntries(answer.get('self')?.fields ?? []);
    assert.match(fields['name'] ?? '', /^'x{100}… \(300 characters\)$/);
    assert.deepEqual(
      { ...fields, name: '' },
      {
        note: '<Note object>',
        texts: "Texts(['a', 'b'])",
        name: '',
        big: '<int of 16610 bits>',
        same: '<Cat object>',
      },
    );
    assert.deepEqual(answer.get('slots')?.fields, [['set', '1']]);
  });

  it('shows the digits of times, and of a time zone only what runs no code', function () {
    const program = [
      'import datetime, zoneinfo',
      'class Zone(datetime.tzinfo):',
      '    def __repr__(self): print("ran"); return "zone"',
      '    def utcoffset(self, moment): print("ran"); return datetime.timedelta(0)',
      'class Late(datetime.timedelta):',
      '    def __repr__(self): print("ran"); return "late"',
      'class Event: pass',
      'def main():',
      '    self = Event()',
      '    self.local = datetime.datetime(2024, 3, 1, 9, 30)',
      '    self.utc = datetime.datetime(2024, 3, 1, 9, 30, tzinfo=datetime.timezone.utc)',
      '    self.own = datetime.datetime(2024, 3, 1, 9, 30, fold=1, tzinfo=Zone())',
      '    Zone.utc = self.own.tzinfo',
      '    self.fixed = datetime.datetime(2024, 3, 1, tzinfo=datetime.timezone(Late(hours=2)))',
      '    self.time = datetime.time(17, 0)',
      '    self.zone = zoneinfo.ZoneInfo.no_cache("UTC")',
      `    print(repr(eval(${JSON.stringify(fieldsRequest(1).expression)}, {**globals(), **locals()}, locals())))`,
      'main()',
    ].join('\n');
    const lines = printed(this, program).trim().split('\n');
    assert.equal(lines.length, 1, lines.join('\n'));
    assert.deepEqual(Object.fromEntries(readFieldsAnswer(lines[0]).get('self')?.fields ?? []), {
      local: 'datetime.datetime(2024, 3, 1, 9, 30)',
      utc: 'datetime.datetime(2024, 3, 1, 9, 30, tzinfo=datetime.timezone.utc)',
      own: 'datetime.datetime(2024, 3, 1, 9, 30, fold=1, tzinfo=<Zone object>)',
      fixed: 'datetime.datetime(2024, 3, 1, 0, 0, tzinfo=<timezone object>)',
      time: 'datetime.time(17, 0)',
      zone: "ZoneInfo(key='UTC')",
    });
  });
});

/** The output of a Python program. The test is skipped if Python does not start. */
function printed(test: Mocha.Context, program: string): string {
  const { stdout, error } = spawnSync('python3', ['-c', program], { encoding: 'utf8' });
  if (error === undefined) return stdout;
  return skip(test, `python3 does not start: ${error.message}`);
}

/** A program with one object that has the given fields. */
function withObject(on: Bench, fields: Record<string, string>, name = 'this'): void {
  on.host.on('variables', ({ variablesReference: from }) => ({
    variables:
      from === 50
        ? Object.entries(fields).map(([field, value]) => ({
            name: field,
            value,
            variablesReference: 0,
          }))
        : [{ name, value: 'Account', type: 'Account', variablesReference: 50 }],
  }));
}

describe('the fields of an object', () => {
  it('are part of a stop, and their changes are part of a step’s changes', async () => {
    const on = paused(bench());
    withObject(on, { total: '3', name: "'a'" });
    const stop = await on.services.stops.report(on.session('a'), 1, on.call.signal);
    assert.deepEqual(stop.top_frame_variables?.variables[0]?.fields, { total: '3', name: "'a'" });
    on.host.emit('continued', { threadId: 1 });
    on.host.emit('stopped', { reason: 'step', threadId: 1 });
    withObject(on, { total: '7', name: "'a'", fresh: '1' });
    const stepped = await on.services.stops.report(on.session('a'), 1, on.call.signal, 'step');
    assert.deepEqual(stepped.changed, [
      { name: 'this.total', before: '3', now: '7' },
      { name: 'this.fresh', before: null, now: '1' },
    ]);
    assert.deepEqual(stepped.top_frame_variables?.variables, [], 'what has changed is said once');
    assert.equal(stepped.same_text, undefined, 'plain fields hide nothing');
  });

  it('are part of the path of several steps, and are requested while each stop is delivered', async () => {
    const on = paused(bench());
    let total = 3;
    withObject(on, { total: String(total) });
    await on.services.stops.report(on.session('a'), 1, on.call.signal);
    const late: string[] = [];
    on.host.on('next', () => {
      total += 4;
      withObject(on, { total: String(total) });
      const before = on.host.sent('variables').length;
      on.host.emit('stopped', { reason: 'step', threadId: 1 });
      late.push(String(on.host.sent('variables').length - before));
      return {};
    });
    const result = await runTool(
      stepExecution,
      { thread_id: 1, step_type: 'over', count: 2 },
      on.services,
      on.call,
    );
    assert.deepEqual(
      (result['path'] as { changed: object }[]).map((each) => each.changed),
      [{ 'this.total': '7' }, { 'this.total': '11' }],
    );
    assert.equal(
      on.host.sent('variables').filter((args) => args['variablesReference'] === 50).length,
      3,
      'once at each stop',
    );
  });

  it('leave the object unchanged if they cannot be read', async () => {
    const on = paused(bench());
    on.host.on('variables', ({ variablesReference: from }) => {
      if (from === 50) throw new Error('no');
      return { variables: [{ name: 'this', value: 'Account', variablesReference: 50 }] };
    });
    const stop = await on.services.stops.report(on.session('a'), 1, on.call.signal);
    assert.deepEqual(
      [stop.top_frame_variables?.variables[0]?.fields, stop.unreadable],
      [undefined, undefined],
    );
  });

  it('are requested from Python in debugpy’s frames, together with the scopes, and never from the list of members', async () => {
    const on = bench();
    for (const event of launched('a', { sessionType: 'debugpy' })) on.model.dispatch(event);
    const hex = Buffer.from(['self', '2', 'total', '3', 'name', "'a'"].join('\u001f')).toString(
      'hex',
    );
    on.host
      .on('stackTrace', () => ({
        stackFrames: [{ id: 10, name: 'main', line: 3, column: 1, source: { path: FILE } }],
        totalFrames: 1,
      }))
      .on('scopes', () => ({ scopes: [{ name: 'Locals', variablesReference: 1 }] }))
      .on('variables', () => ({
        variables: [
          {
            name: 'self',
            value: '<__main__.Cat object at 0x1>',
            type: 'Cat',
            variablesReference: 50,
          },
        ],
      }))
      .on('evaluate', () => ({ result: `'${hex}'`, variablesReference: 0 }));
    on.model.dispatch(stopped(1));
    const stop = await on.services.stops.report(on.session('a'), 1, on.call.signal);
    assert.deepEqual(stop.top_frame_variables?.variables[0]?.fields, { total: '3', name: "'a'" });
    assert.deepEqual(on.host.sent('variables'), [{ variablesReference: 1 }]);
    assert.ok(
      on.model.answers.cached('a', 'scopes', { frameId: 10 }) !== undefined,
      'the question changes nothing, so what is known stays',
    );
    on.model.dispatch(eventOf('continued', { threadId: 1 }));
  });
});
