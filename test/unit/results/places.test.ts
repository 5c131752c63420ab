import { strict as assert } from 'node:assert';
import { z } from 'zod';
import { isOwnKey, isSteering, member, ResultSchema } from '../../../src/results/places';

const text = z.string();

describe('places in results', () => {
  it('have the declared schema of an object’s property or a list’s entry', () => {
    assert.equal(member(z.object({ name: text }), 'name'), text);
    assert.equal(member(z.array(text), 0), text);
    assert.equal(member(z.array(text), 'length'), text);
    assert.equal(member(z.record(z.string(), text), 'anything'), text);
  });

  it('are unknown if nothing declares them', () => {
    const schema = z.object({ name: text });
    assert.equal(member(schema, 'other'), undefined);
    assert.equal(member(schema, 'toString'), undefined, 'of every object');
    assert.equal(member(text, 'name'), undefined);
    assert.equal(member(undefined, 'name'), undefined);
  });

  it('are the same if a value may be absent or null, is read-only, or has a default', () => {
    const inner = z.object({ name: text });
    for (const schema of [
      inner.optional(),
      inner.nullable(),
      inner.readonly(),
      inner.default({ name: '' }),
      inner.readonly().nullable().optional(),
    ]) {
      assert.equal(member(schema, 'name'), text);
      assert.equal(isOwnKey(schema, 'name'), true);
    }
  });

  it('have our own keys in objects, and a program’s keys in records and lists', () => {
    assert.equal(isOwnKey(z.object({ name: text }), 'name'), true);
    assert.equal(isOwnKey(z.object({ name: text }), 'toString'), false);
    assert.equal(isOwnKey(z.record(z.string(), text), 'name'), false);
    assert.equal(isOwnKey(z.array(text), 'length'), false);
    assert.equal(isOwnKey(undefined, 'name'), false);
  });

  it('are first those of the tool, then those of all results', () => {
    const schema = new ResultSchema(z.object({ hint: text }));
    assert.equal(schema.at('hint'), text);
    assert.ok(schema.at('code') !== undefined && schema.at('status') !== undefined);
    assert.equal(schema.at('other'), undefined);
    assert.ok(new ResultSchema(undefined).at('code') !== undefined);
  });
});

describe('steering texts', () => {
  it('are the words that an enum declares', () => {
    const schema = z.enum(['step', 'breakpoint']).optional();
    assert.equal(isSteering(schema, 'kind', 'step'), true);
    assert.equal(isSteering(schema, 'kind', 'exception'), false);
    assert.equal(isSteering(schema, 'status', 'exception'), false);
  });

  it('are times in our format', () => {
    const schema = z.iso.datetime();
    assert.equal(isSteering(schema, 'timestamp', '2026-11-24T10:36:47.123Z'), true);
    assert.equal(isSteering(schema, 'timestamp', '2026-11-24T10:36:47Z'), true);
    for (const other of [
      '2026-11-24T10:36:47.123',
      'at 2026-11-24T10:36:47.123Z',
      '2026-11-24T10:36:47.123Z or so',
      '2026-11-24TsecretZ',
      '2026-11-24TZ',
      `2026-11-24T${'1'.repeat(21)}Z`,
    ])
      assert.equal(isSteering(schema, 'timestamp', other), false, other);
  });

  it('are short words and ids in fields that contain nothing else', () => {
    for (const word of ['stopped', 'invalid_input', 's1', 's12', 'a'.repeat(40)])
      assert.equal(isSteering(text, 'code', word), true, word);
    for (const other of [
      '',
      'Stopped',
      'no session',
      '_session',
      'no__session',
      'session_',
      's1x',
      'x1',
      'a-b',
      'a'.repeat(41),
    ])
      assert.equal(isSteering(text, 'code', other), false, other);
  });

  it('are in no other field, and in no undeclared place', () => {
    assert.equal(isSteering(text, 'message', 'stopped'), false);
    assert.equal(isSteering(text, 0, 'stopped'), false);
    assert.equal(isSteering(undefined, 'status', 'stopped'), false);
  });
});
