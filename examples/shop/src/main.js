import { checkout } from './checkout.js';

const orders = [
  { customer: 'Ada', member: true, items: ['tea', 'cup'], expected: 1530 },
  { customer: 'Bo', member: false, items: ['cup'], expected: 500 },
  { customer: 'Cy', member: false, items: ['tea'], expected: 1200 },
];

const money = (cents) => (cents / 100).toFixed(2);

for (const order of orders) {
  const total = checkout(order);
  const verdict = total === order.expected ? 'right' : `WRONG, should be ${money(order.expected)}`;
  console.log(`${order.customer} pays ${money(total)} (${verdict})`);
  if (total !== order.expected) process.exitCode = 1;
}
