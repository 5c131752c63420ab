'use strict';
// Ordering: numbers are sorted as texts, which goes well until they have different numbers of digits.
const assert = require('node:assert/strict');
const test = require('node:test');

const STATIONS = {
  north: [912, 930, 925, 941, 918],
  west: [877, 869, 890, 881, 874],
  lake: [955, 948, 951, 960, 939],
  hill: [841, 838, 852, 847, 833],
  port: [990, 984, 979, 995, 988],
  mill: [901, 899, 915, 907, 911],
  ridge: [863, 858, 871, 866, 849],
  east: [998, 1005, 1010, 997, 1001],
  south: [935, 928, 944, 931, 922],
};

function median(readings) {
  const sorted = [...readings].sort(); // marker: cause
  const middle = Math.floor(sorted.length / 2); // marker: after
  return sorted[middle];
}

function level(stations) {
  let sum = 0;
  for (const readings of Object.values(stations)) sum += median(readings);
  return sum / Object.keys(stations).length;
}

test('the level is the mean of the medians', () => {
  const mean = level(STATIONS);
  assert.equal(Math.round(mean * 10), 9_204); // marker: symptom
});
