import { strict as assert } from 'node:assert';
import { refusalOf, type IncomingRequest } from '../../../../src/mcp/server/guard';

const KEY = 'a-key-of-this-test';
const GOOD: IncomingRequest = {
  authorization: `Bearer ${KEY}`,
  host: '127.0.0.1:26321',
  origin: undefined,
};
const status = (arrival: Partial<IncomingRequest>, key = KEY): number | undefined =>
  refusalOf({ ...GOOD, ...arrival }, key, 26321)?.status;

describe('admission by key, host and origin', () => {
  it('admits requests with the key, under any name of this machine', () => {
    for (const host of ['127.0.0.1:26321', 'localhost:26321', 'LOCALHOST:26321', '[::1]:26321'])
      assert.equal(status({ host }), undefined, host);
    for (const origin of ['http://localhost:3000', 'http://127.0.0.1', 'http://[::1]:8080'])
      assert.equal(status({ origin }), undefined, origin);
  });

  it('refuses a wrong or missing key, even if no key was created', () => {
    for (const authorization of [
      undefined,
      '',
      'Bearer ',
      'Bearer a-key',
      `Bearer ${KEY} `,
      `Basic ${KEY}`,
      KEY,
      `Bearer ${'x'.repeat(10_000)}`,
    ])
      assert.equal(status({ authorization }), 401, authorization);
    assert.equal(status({ authorization: 'Bearer ' }, ''), 401);
    assert.equal(status({}, ''), 401);
  });

  it('answers 401 without the key, whatever else is wrong', () => {
    assert.equal(
      status({ authorization: undefined, host: 'evil.example', origin: 'https://evil.example' }),
      401,
    );
  });

  it('refuses another host name, port or origin', () => {
    for (const host of [
      undefined,
      '',
      'evil.example:26321',
      '127.0.0.1.evil.example:26321',
      'localhost',
      '127.0.0.1:80',
      '0.0.0.0:26321',
      '192.168.0.2:26321',
      '[::2]:26321',
    ])
      assert.equal(status({ host }), 403, host);
    for (const origin of [
      'null',
      '',
      'https://evil.example',
      'http://localhost.evil.example',
      'file://',
    ])
      assert.equal(status({ origin }), 403, origin);
  });
});
