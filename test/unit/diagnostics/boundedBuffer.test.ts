import { strict as assert } from 'node:assert';
import { BOUNDS, BoundedBuffer } from '../../../src/diagnostics/boundedBuffer';
import { MessageLog } from '../../../src/diagnostics/messages';
import { AT } from '../support/events';

describe('a bounded buffer', () => {
  const item = (text: string) => ({ text });

  it('keeps 1,000 events, 512,000 characters in all and 64,000 characters of each event', () => {
    assert.deepEqual(BOUNDS, { events: 1000, characters: 512_000, eventCharacters: 64_000 });
  });

  it('drops the oldest events when there are too many events', () => {
    const buffer = new BoundedBuffer({ events: 3, characters: 100, eventCharacters: 50 });
    for (const text of ['1', '2', '3', '4', '5']) buffer.add(item(text));
    assert.deepEqual(
      buffer.items.map((each) => each.text),
      ['3', '4', '5'],
    );
    assert.deepEqual([buffer.total, buffer.dropped, buffer.characters], [5, 2, 3]);
  });

  it('drops the oldest events when there are too many characters', () => {
    const buffer = new BoundedBuffer({ events: 100, characters: 10, eventCharacters: 10 });
    for (const text of ['aaaa', 'bbbb', 'cccc']) buffer.add(item(text));
    assert.deepEqual(
      buffer.items.map((each) => each.text),
      ['bbbb', 'cccc'],
    );
    assert.equal(buffer.characters, 8);
  });

  it('cuts a long event within its bound, and marks it with its real length', () => {
    const buffer = new BoundedBuffer();
    const text = buffer.fit('x'.repeat(100_000));
    assert.ok(text.length <= 64_000, `${text.length}`);
    assert.match(text, /x… \(100000 characters\)$/);
    assert.equal(buffer.fit('x'.repeat(64_000)), 'x'.repeat(64_000));
  });

  it('replaces an item in place, unless it has been dropped', () => {
    const buffer = new BoundedBuffer({ events: 2, characters: 100, eventCharacters: 50 });
    const [one, two, three] = [item('one'), item('two'), item('three')];
    buffer.add(one);
    buffer.add(two);
    assert.equal(buffer.replace(one, item('now')), true);
    assert.equal(buffer.characters, 6);
    buffer.add(three);
    assert.equal(buffer.replace(one, item('never')), false);
    assert.deepEqual(
      buffer.items.map((each) => each.text),
      ['two', 'three'],
    );
  });

  it('holds a flood of large messages within its bounds', () => {
    const log = new MessageLog();
    const record = { at: AT, session: 'a', direction: 'sent', kind: 'event' } as const;
    for (let index = 0; index < 2000; index += 1)
      log.add({
        ...record,
        name: 'n'.repeat(10_000),
        number: 'i'.repeat(9000),
        text: 'x'.repeat(70_000),
      });
    assert.ok(log.characters <= 512_000, `${log.characters}`);
    assert.ok(log.records.length >= 8, `${log.records.length}`);
    assert.equal(log.records.length + log.dropped, 2000);
    for (const each of log.records) {
      assert.ok(each.text.length <= 64_000);
      assert.ok(each.name.length <= 100 && String(each.number).length <= 100);
    }
  });
});
