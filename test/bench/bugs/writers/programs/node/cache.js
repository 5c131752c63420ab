const RATES = { EUR: 1, CHF: 2 };
const cache = new Map();

function price(article, currency) {
  if (!cache.has(article)) {
    cache.set(article, 10 * RATES[currency]); // marker: writes
  }
  return cache.get(article);
}

function main() {
  price('nuts', 'EUR');
  price('tea', 'CHF');
  const tea = price('tea', 'EUR');
  console.log(tea, cache.size); // marker: wrong
}

main();
