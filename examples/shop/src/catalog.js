/** What the shop sells; prices in cents. */
export const catalog = new Map([
  ['tea', { name: 'Green tea', price: 1200 }],
  ['cup', { name: 'Cup', price: 500 }],
]);
