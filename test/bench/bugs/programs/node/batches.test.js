'use strict';
// Off by one in the last round: the end of the last batch is the index of the last item, not the one behind it.
const assert = require('node:assert/strict');
const test = require('node:test');

const SIZE = 3;

function checksumOf(batch) {
  return batch.reduce((sum, each) => (sum * 31 + each) % 65_521, 7);
}

/** Sends all items in batches and returns how many arrived. */
function sendAll(items, send) {
  let arrived = 0;
  for (let start = 0; start < items.length; start += SIZE) {
    const end = start + SIZE < items.length ? start + SIZE : items.length - 1; // marker: cause
    const batch = items.slice(start, end); // marker: after
    const isSent = send(checksumOf(batch), batch);
    if (isSent) arrived += batch.length;
  }
  return arrived;
}

test('all items arrive', () => {
  const received = [];
  const items = Array.from({ length: 36 }, (_, at) => (at * 17) % 251);
  const arrived = sendAll(items, (checksum, batch) => {
    received.push(...batch);
    return checksumOf(batch) === checksum;
  });
  assert.equal(arrived, received.length);
  assert.equal(received.length, items.length); // marker: symptom
});
