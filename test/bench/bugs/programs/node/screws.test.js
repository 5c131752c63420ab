'use strict';
// Aliasing: the lines of all orders are the catalogue's own objects, so quantities of two orders add up.
const assert = require('node:assert/strict');
const test = require('node:test');

const CATALOGUE = new Map(
  ['bolt', 'clamp', 'hinge', 'nail', 'plate', 'screw', 'washer'].map((sku, at) => [
    sku,
    { sku, price: at + 2, quantity: 0 },
  ]),
);

const ORDERS = [
  [['screw', 1400], ['nail', 250], ['plate', 12]],
  [['bolt', 310], ['clamp', 40], ['hinge', 75]],
  [['washer', 900], ['screw', 3330]],
];

function linesOf(order) {
  const lines = [];
  for (const [sku, wanted] of order) {
    const line = CATALOGUE.get(sku); // marker: cause
    line.quantity += wanted;
    lines.push(line); // marker: after
  }
  return lines;
}

function amount(lines) {
  return lines.reduce((sum, { price, quantity }) => sum + price * quantity, 0);
}

test('the orders of a day come to their amount', () => {
  const amounts = ORDERS.map((order) => amount(linesOf(order)));
  const total = amounts.reduce((sum, each) => sum + each, 0);
  assert.equal(total, 42_672); // marker: symptom
});
