'use strict';
// Time zones: a date without a time is read as UTC and told in local time, where it is still the day before.
process.env.TZ = 'America/New_York';
const assert = require('node:assert/strict');
const test = require('node:test');

const BOOKINGS = [
  { on: '2026-03-02T09:30:00', amount: 410 },
  { on: '2026-03-05T16:00:00', amount: 120 },
  { on: '2026-03-09', amount: 300 },
  { on: '2026-03-14T11:15:00', amount: 95 },
  { on: '2026-03-17', amount: 640 },
  { on: '2026-03-23T18:45:00', amount: 210 },
  { on: '2026-03-30', amount: 180 },
  { on: '2026-04-01', amount: 770 },
  { on: '2026-04-02T10:00:00', amount: 150 },
];

function monthOf(booking) {
  const at = new Date(booking.on); // marker: cause
  const month = at.getMonth() + 1; // marker: after
  return month;
}

function totals(bookings) {
  const sums = {};
  for (const booking of bookings) {
    const month = monthOf(booking);
    sums[month] = (sums[month] ?? 0) + booking.amount;
  }
  return sums;
}

test('bookings count for their month', () => {
  const sums = totals(BOOKINGS);
  assert.equal(sums[4], 920); // marker: symptom
});
