import { strict as assert } from 'node:assert';
import {
  fieldsAmong,
  isPlain,
  objectsToRead,
  readFields,
  showsMembers,
} from '../../../../src/debugger/inspection/objectFields';
import { readFieldsAnswer } from '../../../../src/debugger/inspection/pythonFields';
import { variablesOf } from '../../../../src/debugger/inspection/stackAndVariables';
import { bench, paused } from '../../support/services';

const chosen = (...variables: readonly object[]): string[] =>
  objectsToRead(
    variablesOf(variables.map((each) => ({ name: 'x', variablesReference: 7, ...each }))),
  ).map(({ name }) => name);
const member = (name: string, more: object = {}) => ({ name, value: '1', ...more });

/** debugpy's response to the expression for fields. */
const answerOf = (...rows: readonly (readonly string[])[]): string =>
  `'${Buffer.from(rows.map((row) => row.join('\u001f')).join('\u001e')).toString('hex')}'`;

describe('objects whose fields are not read', () => {
  it('are long arrays, functions, and long texts', () => {
    assert.deepEqual(chosen({ value: 'Counter', indexedVariables: 100 }), ['x']);
    assert.deepEqual(chosen({ value: 'Counter', indexedVariables: 101 }), []);
    for (const type of ['function', 'Function'])
      assert.deepEqual(chosen({ value: 'Counter', type }), []);
    assert.deepEqual(chosen({ value: 'C'.repeat(300) }), ['x']);
    assert.deepEqual(chosen({ value: 'C'.repeat(301) }), []);
  });

  it('include the global object of each environment', () => {
    for (const value of [
      'global',
      'Object [global]',
      'globalThis',
      'Window',
      'WorkerGlobalScope',
      'DedicatedWorkerGlobalScope',
    ])
      assert.deepEqual(chosen({ name: 'this', value }), [], value);
    for (const value of ['Myglobal', 'globalState', 'A1GlobalScope', 'aGlobalScope'])
      assert.deepEqual(chosen({ name: 'this', value }), ['this'], value);
  });
});

describe('the text of a value', () => {
  it('shows everything for a plain value, and all members if they are plain', () => {
    assert.deepEqual(['-1.5', '"a"', 'null', 'Order', ''].map(isPlain), [
      true,
      true,
      true,
      false,
      false,
    ]);
    assert.deepEqual(
      ['(2) [1, 2]', "Point {x: 1, y: 'a'}", 'Point {at: Place}'].map(showsMembers),
      [true, true, false],
    );
  });

  it('is not analyzed if it is long', () => {
    const text = (length: number): string => `"${'x'.repeat(length - 2)}"`;
    assert.deepEqual([isPlain(text(1000)), isPlain(text(1001))], [true, false]);
    const list = (length: number): string => `[${text(length - 2)}]`;
    assert.deepEqual([showsMembers(list(1000)), showsMembers(list(1001))], [true, false]);
  });
});

describe('the fields of an object', () => {
  it('do not include those of the global object or of the class', () => {
    for (const name of ['globalThis', 'global', 'window'])
      assert.deepEqual(fieldsAmong([member('x'), member(name)]), { fields: [], omitted: 0 });
    assert.deepEqual(fieldsAmong([member('__proto__'), member('x')]).fields, [['x', '1']]);
  });

  it('are counted beyond ten, including those that were not read', () => {
    const many = Array.from({ length: 130 }, (_, index) => member(`m${index}`));
    const { fields, omitted } = fieldsAmong(many);
    assert.deepEqual([fields.length, omitted], [10, 120]);
  });

  it('share one limit for all objects of a frame, and those beyond it are counted', async () => {
    const on = paused(bench());
    on.host.on('variables', () => ({
      variables: Array.from({ length: 10 }, (_, index) =>
        member(`m${index}`, { value: 'v'.repeat(98) }),
      ),
    }));
    const { inspector } = on.services;
    const objects = variablesOf(
      ['first', 'second'].map((name, index) => ({
        name,
        value: 'Order',
        variablesReference: 20 + index,
      })),
    );
    const found = await readFields(
      inspector,
      on.session(),
      inspector.placeOf(on.session(), 1),
      10,
      Promise.resolve(objects),
      on.call.signal,
      () => undefined,
    );
    assert.deepEqual(
      [...found].map(([{ name }, { fields, omitted }]) => [name, fields.length, omitted]),
      [
        ['first', 10, 0],
        ['second', 5, 5],
      ],
    );
  });
});

describe('debugpy’s response about fields', () => {
  it('contains the fields of each object and their number', () => {
    const read = readFieldsAnswer(
      answerOf(['self', '12', 'total', '3', '__proto__', '1', 'half'], ['empty', '0']),
    );
    assert.deepEqual(
      [...read],
      [
        ['self', { fields: [['total', '3']], total: 12 }],
        ['empty', { fields: [], total: 0 }],
      ],
    );
  });

  it('is empty if the text has another format', () => {
    const hex = answerOf(['self', '1']);
    for (const answer of [undefined, 7, '', "''", 'Error', `x${hex}`, `${hex}x`, "'0'"])
      assert.equal(readFieldsAnswer(answer).size, 0, String(answer));
  });
});
