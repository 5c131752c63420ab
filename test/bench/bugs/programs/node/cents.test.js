'use strict';
// Precision: 19.99 times 100 is a little less than 1999, and the rest is cut off.
const assert = require('node:assert/strict');
const test = require('node:test');

const RECEIPT = `
bread   3.20
butter  2.75
coffee  8.50
flour   1.25
honey   6.80
milk    1.50
olives  4.40
tea     5.20
wine   19.99
yeast   0.75
`;

function centsOf(text) {
  const price = Number.parseFloat(text);
  const cents = Math.trunc(price * 100); // marker: cause
  return cents; // marker: after
}

function sumOf(receipt) {
  let sum = 0;
  for (const row of receipt.trim().split('\n')) {
    const [, price] = row.split(/\s+/);
    sum += centsOf(price);
  }
  return sum;
}

test('a receipt comes to the sum of its rows', () => {
  const sum = sumOf(RECEIPT);
  assert.equal(sum, 5_434); // marker: symptom
});
