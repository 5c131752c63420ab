import { strict as assert } from 'node:assert';
import { ADVANCED_INPUTS, capable } from '../../support/advancedInputs';
import { ask, toolNamed } from '../../support/asking';
import { bench, failsWith, paused, type Bench } from '../../support/services';

/** A stopped program whose memory from 0x1000 on contains these bytes. */
function holding(bytes: Buffer, more: object = {}): Bench {
  const on = capable(paused(bench()));
  on.host.on('readMemory', () => ({
    address: '0x1000',
    data: bytes.toString('base64'),
    ...more,
  }));
  return on;
}

const AT = { memory_reference: '0x1000' };

describe('read_memory', () => {
  it('reads bytes in hex and in base64, with their text', async () => {
    const on = holding(Buffer.from('Hi\0!'));
    const hex = await ask(on, 'read_memory', { ...AT, count: 4, offset: -8 });
    assert.deepEqual(hex, {
      status: 'success',
      address: '0x1000',
      bytes_read: 4,
      unreadable_bytes: 0,
      data: '48690021',
      text: 'Hi.!',
    });
    assert.deepEqual(on.host.sent('readMemory'), [
      { memoryReference: '0x1000', offset: -8, count: 4 },
    ]);
    const base64 = await ask(on, 'read_memory', { ...AT, count: 4, encoding: 'base64' });
    assert.equal(base64['data'], 'SGkAIQ==');
  });

  it('counts the unreadable bytes, whether or not the adapter reports them', async () => {
    const said = holding(Buffer.from([1, 2]), { unreadableBytes: 6 });
    assert.equal((await ask(said, 'read_memory', { ...AT, count: 8 }))['unreadable_bytes'], 6);
    const unsaid = holding(Buffer.from([1, 2]));
    assert.equal((await ask(unsaid, 'read_memory', { ...AT, count: 8 }))['unreadable_bytes'], 6);
    const none = holding(Buffer.alloc(0));
    const answer = await ask(none, 'read_memory', { ...AT, count: 8 });
    assert.deepEqual([answer['bytes_read'], answer['data']], [0, '']);
  });

  it('cuts off bytes that were not requested, returns the largest page, and rejects a larger count', async () => {
    const on = holding(Buffer.alloc(100_000, 0x41));
    const answer = await ask(on, 'read_memory', { ...AT, count: 2048 });
    assert.deepEqual([answer['bytes_read'], answer['data']], [2048, '41'.repeat(2048)]);
    const huge = await ask(on, 'read_memory', { ...AT, count: 1_000_000_000 });
    assert.equal(huge['code'], 'invalid_input');
    assert.match(String(huge['message']), /count/);
  });

  it('reports an adapter error for data that is not base64', async () => {
    const on = capable(paused(bench()));
    on.host.on('readMemory', () => ({ address: '0x1000', data: '!' }));
    const answer = await ask(on, 'read_memory', { ...AT, count: 8 });
    assert.equal(answer['code'], 'adapter_error', JSON.stringify(answer));
    assert.match(String(answer['message']), /“test”/);
  });

  it('withholds a credential in any encoding', async () => {
    const on = holding(Buffer.from('xx ghp_abcdefghijklmnopqrstuvwxyz0123456789 yy'));
    for (const encoding of ['hex', 'base64']) {
      const answer = await ask(on, 'read_memory', { ...AT, count: 100, encoding });
      assert.equal(answer['data'], undefined);
      assert.doesNotMatch(JSON.stringify(answer), /abcdefghij|Z2hwX2|6768705f/);
      assert.match(String(answer['message']), /credential/);
    }
  });
});

describe('write_memory', () => {
  it('writes hex and base64, and reports the number of bytes written', async () => {
    const on = capable(paused(bench()));
    on.host.on('writeMemory', () => ({}));
    const hex = { ...AT, data: '0x00 FF', offset: 2 };
    assert.equal((await ask(on, 'write_memory', hex))['bytes_written'], 2);
    const base64 = { ...AT, data: 'AP8', encoding: 'base64', allow_partial: true };
    on.host.on('writeMemory', () => ({ offset: 1, bytesWritten: 1 }));
    const part = await ask(on, 'write_memory', base64);
    assert.deepEqual([part['bytes_written'], part['first_written']], [1, 1]);
    assert.deepEqual(on.host.sent('writeMemory'), [
      { memoryReference: '0x1000', offset: 2, data: 'AP8=' },
      { memoryReference: '0x1000', offset: 0, data: 'AP8=', allowPartial: true },
    ]);
  });

  it('rejects data that does not match its encoding before it asks the person', async () => {
    const on = capable(paused(bench()));
    for (const input of [
      { data: 'f' },
      { data: 'zz' },
      { data: ' ' },
      { data: '0x' },
      { data: '!', encoding: 'base64' },
      { data: 'A', encoding: 'base64' },
    ]) {
      const call = toolNamed('write_memory').check({ ...AT, ...input });
      await assert.rejects(call.question(on.services), failsWith('invalid_input'));
      assert.equal((await ask(on, 'write_memory', { ...AT, ...input }))['code'], 'invalid_input');
    }
    assert.equal(on.host.sent('writeMemory').length, 0);
  });

  it('shows the bytes and the address in its question, and needs consent for a change', async () => {
    const on = capable(paused(bench()));
    const call = toolNamed('write_memory').check({ ...AT, data: '00ff', offset: -4 });
    assert.equal(call.consent(on.services), 'change');
    const question = await call.question(on.services);
    assert.match(String(question?.message), /2 bytes at `0x1000 - 4` in \*\*program a\*\*: `00ff`/);
  });

  it('passes on the adapter’s error for read-only memory', async () => {
    const on = capable(paused(bench()));
    on.host.on('writeMemory', () => {
      throw new Error('the page is read-only');
    });
    const answer = await ask(on, 'write_memory', { ...AT, data: '00' });
    assert.equal(answer['code'], 'adapter_error');
    assert.match(String(answer['message']), /read-only/);
  });
});

describe('an adapter without a capability', () => {
  for (const [name, input] of Object.entries(ADVANCED_INPUTS)) {
    if (/^remove_|^custom_/.test(name)) continue;
    it(`does not support ${name}: the error names the adapter, and the request is not sent`, async () => {
      const on = paused(bench());
      const answer = await ask(on, name, input);
      assert.equal(answer['code'], 'not_supported', JSON.stringify(answer));
      assert.match(String(answer['message']), /“test”/);
      assert.deepEqual(
        on.host.requests.filter((request) => request.command !== 'stackTrace'),
        [],
      );
    });
  }
});
