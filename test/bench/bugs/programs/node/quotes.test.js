'use strict';
// Stale cache: prices are kept by article, though they change with the day.
const assert = require('node:assert/strict');
const test = require('node:test');

const PRICES = { oak: [[1, 1250], [10, 1325]], pine: [[1, 640]] };
const cache = new Map();

function priceOn(article, day) {
  const valid = PRICES[article].filter(([from]) => from <= Number(day.slice(-2)));
  return valid.at(-1)[1];
}

function remember(article, price) {
  cache.set(article, price);
  return price;
}

function quote(article, day, count) {
  const price = cache.get(article) ?? remember(article, priceOn(article, day)); // marker: cause
  const rebate = count >= 10 ? 5 : 0; // marker: after
  return Math.round((price * count * (100 - rebate)) / 100);
}

function month(article, counts) {
  let sum = 0;
  counts.forEach((count, at) => {
    sum += quote(article, `2026-03-${String(at + 1).padStart(2, '0')}`, count);
  });
  return sum;
}

test('a month has the prices of its days', () => {
  const sum = month('oak', [3, 1, 12, 4, 2, 8, 5, 11, 6, 7, 2]);
  assert.equal(sum, 75_488); // marker: symptom
});
