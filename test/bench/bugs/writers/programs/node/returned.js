function cheapest(prices) {
  let low = prices[0];
  for (const price of prices) {
    low = Math.min(low, price);
  }
  return low - 1;
}

function main() {
  let low = 0;
  const prices = [5, 3, 8];
  low = cheapest(prices); // marker: writes
  prices.push(low);
  console.log(low); // marker: wrong
}

main();
