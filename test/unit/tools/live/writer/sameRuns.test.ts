import { strict as assert } from 'node:assert';
import type { RecordedHit } from '../../../../../src/recording/recordedRows';
import { sameMoments } from '../../../../../src/tools/live/writer/sameRuns';

const hit = (values: RecordedHit['values']): RecordedHit => ({
  ...{ point: 1, values, pid: 1, seq: 1, thread: 'main', depth: 1, activation: 1 },
  ...{ caller: undefined, stopped: false, locals: undefined, claim: undefined, stack: undefined },
});

const ASKED = { kind: 'variable', name: 'total', expression: 'total' } as const;
const PROBES = {
  place: 1,
  asked: ASKED,
  at: { value: 0, owner: undefined, object: undefined, names: [{ name: 'self', index: 1 }] },
} as const;

const found = (first: RecordedHit['values'], again: RecordedHit['values']): number =>
  sameMoments([hit(again)], hit(first), PROBES).found.length;

describe('two moments of two runs', () => {
  it('are the same if only the port of a client on this computer differs', () => {
    assert.equal(
      found(['1', "peer=('127.0.0.1', 56530)>"], ['1', "peer=('127.0.0.1', 40008)>"]),
      1,
    );
    assert.equal(found(['1', '"127.0.0.1:56530"'], ['1', '"127.0.0.1:40008"']), 1);
  });

  it('differ in another port, in the port of another computer, and in the value that was asked about', () => {
    assert.equal(found(['1', "peer=('127.0.0.1', 3000)>"], ['1', "peer=('127.0.0.1', 3001)>"]), 0);
    assert.equal(found(['1', "peer=('10.1.0.1', 56530)>"], ['1', "peer=('10.1.0.1', 40008)>"]), 0);
    assert.equal(found(['1', '40008'], ['1', '40009']), 0);
    assert.equal(found(['2', "('127.0.0.1', 56530)"], ['1', "('127.0.0.1', 40008)"]), 0);
  });
});
