'use strict';
// Async: a balance that was read before an await is written after it, over what another deposit has written meanwhile.
const assert = require('node:assert/strict');
const test = require('node:test');

const DEPOSITS = [600, 850, 400, 920, 310, 775, 480, 690];
const LATE = [450, 725];

async function feeOf(amount) {
  await new Promise((resolve) => setImmediate(resolve));
  return Math.ceil(amount / 100);
}

async function deposit(account, amount) {
  const before = account.balance;
  const fee = await feeOf(amount);
  const balance = before + amount - fee; // marker: cause
  account.balance = balance; // marker: after
  account.movements += 1;
}

async function evening(account) {
  for (const amount of DEPOSITS) await deposit(account, amount);
  // Those that came after hours are booked at once.
  await Promise.all(LATE.map((amount) => deposit(account, amount)));
  return account;
}

test('all deposits of a day are booked', async () => {
  const account = await evening({ balance: 3000, movements: 0 });
  assert.equal(account.movements, 10);
  assert.equal(account.balance, 9_134); // marker: symptom
});
