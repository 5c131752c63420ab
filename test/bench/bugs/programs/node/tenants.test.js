'use strict';
// Shared state: the defaults of all tenants are changed by the first one that has settings of its own.
const assert = require('node:assert/strict');
const test = require('node:test');

const DEFAULTS = { currency: 'EUR', discount: 0 };

const TENANTS = [
  { name: 'alba', settings: {}, net: 4100 },
  { name: 'brisk', settings: { currency: 'CHF' }, net: 3900 },
  { name: 'cove', settings: { currency: 'EUR' }, net: 5200 },
  { name: 'dale', settings: {}, net: 2800 },
  { name: 'elm', settings: { currency: 'SEK' }, net: 6100 },
  { name: 'fern', settings: { currency: 'EUR' }, net: 3300 },
  { name: 'glen', settings: { discount: 2375 }, net: 8000 },
  { name: 'hill', settings: {}, net: 4800 },
  { name: 'isle', settings: { discount: 0 }, net: 2700 },
];

/** What a tenant owes: its net amount less a discount in hundredths of a per cent. */
function invoice(tenant) {
  const settings = Object.assign(DEFAULTS, tenant.settings); // marker: cause
  const owed = (tenant.net * (10_000 - settings.discount)) / 10_000; // marker: after
  return Math.round(owed);
}

function revenue(tenants) {
  let sum = 0;
  for (const tenant of tenants) sum += invoice(tenant);
  return sum;
}

test('only tenants with a discount pay less', () => {
  const total = revenue(TENANTS);
  assert.equal(total, 39_000); // marker: symptom
});
