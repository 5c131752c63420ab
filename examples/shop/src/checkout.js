import { catalog } from './catalog.js';

/** Members get ten percent off. */
function priceFor(order, product) {
  if (order.member) {
    product.price = product.price * 0.9;
  }
  return product.price;
}

/** The total of an order in cents. */
export function checkout(order) {
  let total = 0;
  for (const sku of order.items) {
    const product = catalog.get(sku);
    const price = priceFor(order, product);
    total += price;
  }
  return total;
}
